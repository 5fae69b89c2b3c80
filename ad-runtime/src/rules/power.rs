//! Roots and powers.

use super::unless_dead;
use crate::float::Float;

/// `r = √x`: `s / 2r`, `+∞ · s` at zero, zero for a zero seed.
#[inline(always)]
pub fn sqrt<F: Float>(s: F, r: F) -> F {
    // The absolute value because √−0 is −0.
    unless_dead(s, F::lit(0.5) * s / r.abs())
}

/// [`sqrt`] by the inverse of `r`.
#[inline(always)]
pub fn sqrt_by<F: Float>(s: F, inverse: F) -> F {
    unless_dead(s, F::lit(0.5) * s * inverse.abs())
}

/// `r = √x` with the seed `s x`: `s r / 2`, zero if `s` is.
#[inline(always)]
pub fn sqrt_times<F: Float>(s: F, r: F) -> F {
    unless_dead(s, F::lit(0.5) * s * r)
}

/// `r = ∛x`: `s / 3r²`, `+∞ · s` at zero, zero for a zero seed.
#[inline(always)]
pub fn cbrt<F: Float>(s: F, r: F) -> F {
    unless_dead(s, s / (F::lit(3.0) * (r * r)))
}

/// `x.powi(n)`: `s n xⁿ⁻¹`, zero for `n = 0`, zero for a zero seed.
#[inline(always)]
pub fn powi<F: Float>(s: F, x: F, n: i32) -> F {
    if n == 0 {
        return F::lit(0.0);
    }
    let power = match n.checked_sub(1) {
        Some(less) => x.powi(less),
        None => x.powi(n) / x,
    };
    unless_dead(s, s * (F::from_i32(n) * power))
}

/// `r = x.powf(y)` with respect to `x`: `s y r / x`, or `s y xʸ⁻¹` where `r` is not exact enough for that; zero for
/// `y = 0`, zero for a zero seed.
#[inline(always)]
pub fn powf_base<F: Float>(s: F, x: F, y: F, r: F) -> F {
    let (zero, one) = (F::lit(0.0), F::lit(1.0));
    if s == zero || y == zero {
        return zero;
    }
    let is_exact = r.is_finite() && r.abs() >= F::MIN_POSITIVE && x.is_finite();
    // Below one, y − 1 is rounded, and the power would magnify the error.
    let direct = !is_exact && (y >= one || x == zero || !x.is_finite());
    let power = if direct { x.powf(y - one) } else { r / x };
    s * (y * power)
}

/// `r = x.powf(y)` with respect to `y`: `s r ln x`, zero where `r` is zero, zero for a zero seed.
#[inline(always)]
pub fn powf_exponent<F: Float>(s: F, x: F, y: F, r: F) -> F {
    let _ = y;
    let zero = F::lit(0.0);
    if r == zero {
        zero
    } else {
        unless_dead(s, s * (r * x.ln()))
    }
}
