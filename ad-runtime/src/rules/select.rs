//! Functions that select or flip: piecewise linear.

use crate::float::Float;

/// `|x|`: `s` with the sign of `x`, zero at zero.
#[inline(always)]
pub fn abs<F: Float>(s: F, x: F) -> F {
    let zero = F::lit(0.0);
    if x > zero {
        s
    } else if x < zero {
        -s
    } else if x == zero || s == zero {
        zero
    } else {
        x // NaN
    }
}

/// `x.copysign(sign)` with respect to `x`: `s` or `−s`, zero at zero. With respect to `sign` the
/// derivative is zero.
#[inline(always)]
pub fn copysign<F: Float>(s: F, x: F, sign: F) -> F {
    let bar = abs(s, x);
    if sign.is_sign_negative() { -bar } else { bar }
}

/// `x.max(y)` with respect to `x`: all of `s` if `x` is returned, ties included.
#[inline(always)]
pub fn max_lhs<F: Float>(s: F, x: F, y: F) -> F {
    if x >= y || y.is_nan() { s } else { F::lit(0.0) }
}

/// `x.max(y)` with respect to `y`: all of `s` if `y` is returned.
#[inline(always)]
pub fn max_rhs<F: Float>(s: F, x: F, y: F) -> F {
    if x >= y || y.is_nan() { F::lit(0.0) } else { s }
}

/// `x.min(y)` with respect to `x`: all of `s` if `x` is returned, ties included.
#[inline(always)]
pub fn min_lhs<F: Float>(s: F, x: F, y: F) -> F {
    if x <= y || y.is_nan() { s } else { F::lit(0.0) }
}

/// `x.min(y)` with respect to `y`: all of `s` if `y` is returned.
#[inline(always)]
pub fn min_rhs<F: Float>(s: F, x: F, y: F) -> F {
    if x <= y || y.is_nan() { F::lit(0.0) } else { s }
}

/// `x.clamp(lo, hi)` with respect to `x`: all of `s` within the bounds, the bounds included.
#[inline(always)]
pub fn clamp<F: Float>(s: F, x: F, lo: F, hi: F) -> F {
    if x < lo || x > hi { F::lit(0.0) } else { s }
}

/// `x.clamp(lo, hi)` with respect to `lo`: all of `s` below it.
#[inline(always)]
pub fn clamp_lo<F: Float>(s: F, x: F, lo: F, hi: F) -> F {
    let _ = hi;
    if x < lo { s } else { F::lit(0.0) }
}

/// `x.clamp(lo, hi)` with respect to `hi`: all of `s` above it.
#[inline(always)]
pub fn clamp_hi<F: Float>(s: F, x: F, lo: F, hi: F) -> F {
    let _ = lo;
    if x > hi { s } else { F::lit(0.0) }
}
