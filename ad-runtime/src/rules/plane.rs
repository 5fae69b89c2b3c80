//! Functions of a point in the plane: distance and angle. Without overflow; zero at the origin.

use super::unless_dead;
use crate::float::Float;

/// `r = x.hypot(y)` with respect to `x`: `s x / r`, zero at the origin, zero for a zero seed.
#[inline(always)]
pub fn hypot_lhs<F: Float>(s: F, x: F, r: F) -> F {
    let zero = F::lit(0.0);
    if r == zero {
        zero
    } else {
        unless_dead(s, s * (x / r))
    }
}

/// `r = x.hypot(y)` with respect to `y`: `s y / r`, zero at the origin, zero for a zero seed.
#[inline(always)]
pub fn hypot_rhs<F: Float>(s: F, y: F, r: F) -> F {
    hypot_lhs(s, y, r)
}

/// `y.atan2(x)` with respect to `y`: `s x / (x² + y²)`, zero at the origin, zero for a zero seed.
#[inline(always)]
pub fn atan2_lhs<F: Float>(s: F, y: F, x: F) -> F {
    over_square(s, x, y)
}

/// `y.atan2(x)` with respect to `x`: `−s y / (x² + y²)`, zero at the origin, zero for a zero seed.
#[inline(always)]
pub fn atan2_rhs<F: Float>(s: F, y: F, x: F) -> F {
    -over_square(s, y, x)
}

/// `s a / (a² + b²)`, scaled by the larger of the two so that no square over- or underflows.
#[inline(always)]
fn over_square<F: Float>(s: F, a: F, b: F) -> F {
    let (zero, one) = (F::lit(0.0), F::lit(1.0));
    let (size_a, size_b) = (a.abs(), b.abs());
    let (large, small) = if size_a >= size_b {
        (size_a, size_b)
    } else {
        (size_b, size_a)
    };
    // The limit at infinity is zero; a NaN operand is not at infinity.
    let infinite = !large.is_finite() && !large.is_nan() && !small.is_nan();
    if large == zero || infinite {
        return zero;
    }
    let ratio = small / large;
    unless_dead(s, s * (a / large / (one + ratio * ratio)) / large)
}

/// `x.midpoint(y)`, to both: `s / 2`.
#[inline(always)]
pub fn half<F: Float>(s: F) -> F {
    s * F::lit(0.5)
}
