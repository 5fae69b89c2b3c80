//! Circular functions, their inverses, and the units of angles.

use super::unless_dead;
use crate::float::Float;

/// `sin x`: `s cos x`.
#[inline(always)]
pub fn sin<F: Float>(s: F, x: F) -> F {
    s * x.cos()
}

/// `cos x`: `−s sin x`.
#[inline(always)]
pub fn cos<F: Float>(s: F, x: F) -> F {
    -(s * x.sin())
}

/// `r = tan x`: `s (1 + r²)`.
#[inline(always)]
pub fn tan<F: Float>(s: F, r: F) -> F {
    s * (F::lit(1.0) + r * r)
}

/// `asin x`: `s / √(1 − x²)`, zero for a zero seed.
#[inline(always)]
pub fn asin<F: Float>(s: F, x: F) -> F {
    let one = F::lit(1.0);
    unless_dead(s, s / ((one - x) * (one + x)).sqrt())
}

/// `acos x`: `−s / √(1 − x²)`, zero for a zero seed.
#[inline(always)]
pub fn acos<F: Float>(s: F, x: F) -> F {
    -asin(s, x)
}

/// `atan x`: `s / (1 + x²)`, without overflow.
#[inline(always)]
pub fn atan<F: Float>(s: F, x: F) -> F {
    if x.abs() < F::LARGE {
        s / (F::lit(1.0) + x * x)
    } else {
        s / x / x
    }
}

/// `x.to_degrees()`: `s` in degrees.
#[inline(always)]
pub fn to_degrees<F: Float>(s: F) -> F {
    s.to_degrees()
}

/// `x.to_radians()`: `s` in radians.
#[inline(always)]
pub fn to_radians<F: Float>(s: F) -> F {
    s.to_radians()
}
