//! Quotients, reciprocals and remainders.

use super::unless_dead;
use crate::float::Float;

/// `x / y` with respect to `x`: `s / y`, zero for a zero seed.
#[inline(always)]
pub fn div_lhs<F: Float>(s: F, y: F) -> F {
    unless_dead(s, s / y)
}

/// `r = x / y` with respect to `y`: `−s / y · r`, zero for a zero seed. Shares its quotient with
/// [`div_lhs`].
#[inline(always)]
pub fn div_rhs<F: Float>(s: F, y: F, r: F) -> F {
    unless_dead(s, -(s / y * r))
}

/// `1 / y`, for rules that multiply by it.
#[inline(always)]
pub fn inverse<F: Float>(y: F) -> F {
    F::lit(1.0) / y
}

/// [`div_lhs`] by the inverse of `y`.
#[inline(always)]
pub fn div_lhs_by<F: Float>(s: F, inverse: F) -> F {
    unless_dead(s, s * inverse)
}

/// [`div_rhs`] by the inverse of `y`.
#[inline(always)]
pub fn div_rhs_by<F: Float>(s: F, inverse: F, r: F) -> F {
    unless_dead(s, -(s * inverse * r))
}

/// `r = 1 / x`: `−s r²`, zero for a zero seed.
#[inline(always)]
pub fn recip<F: Float>(s: F, r: F) -> F {
    unless_dead(s, -(s * r * r))
}

/// `x % y` with respect to `y`: `−s trunc(x / y)`, zero for a zero seed.
///
/// The quotient is that of the exact `x / y`, so it fits the remainder also where the floating-point
/// quotient rounds up to an integer (0.9 / 0.3).
#[inline(always)]
pub fn rem_rhs<F: Float>(s: F, x: F, y: F) -> F {
    unless_dead(s, -(s * exact_quotient(x, y)))
}

/// `x.rem_euclid(y)` with respect to `y`: `−s` times the Euclidean quotient, zero for a zero seed.
#[inline(always)]
pub fn rem_euclid_rhs<F: Float>(s: F, x: F, y: F) -> F {
    let quotient = exact_quotient(x, y);
    let quotient = if x % y < F::lit(0.0) {
        quotient - y.signum()
    } else {
        quotient
    };
    unless_dead(s, -(s * quotient))
}

/// `trunc` of the exact quotient.
#[inline(always)]
fn exact_quotient<F: Float>(x: F, y: F) -> F {
    let rounded = x / y;
    let quotient = rounded.trunc();
    // Rounding is monotone: only a quotient that became an integer can have been rounded up to it,
    // and then the remainder is nearly `y` instead of nearly zero.
    if quotient == rounded && (x % y).abs() > F::lit(0.5) * y.abs() {
        quotient - quotient.signum()
    } else {
        quotient
    }
}
