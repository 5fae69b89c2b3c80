//! Hyperbolic functions and their inverses.

use super::unless_dead;
use crate::float::Float;

/// `sinh x`: `s cosh x`.
#[inline(always)]
pub fn sinh<F: Float>(s: F, x: F) -> F {
    s * x.cosh()
}

/// `cosh x`: `s sinh x`.
#[inline(always)]
pub fn cosh<F: Float>(s: F, x: F) -> F {
    s * x.sinh()
}

/// `r = tanh x`: `s (1 − r)(1 + r)`.
#[inline(always)]
pub fn tanh<F: Float>(s: F, r: F) -> F {
    let one = F::lit(1.0);
    s * ((one - r) * (one + r))
}

/// `asinh x`: `s / √(x² + 1)`, without overflow.
#[inline(always)]
pub fn asinh<F: Float>(s: F, x: F) -> F {
    let x = x.abs();
    if x < F::LARGE {
        s / (x * x + F::lit(1.0)).sqrt()
    } else {
        s / x
    }
}

/// `acosh x`: `s / (√(x − 1) √(x + 1))`, zero for a zero seed.
#[inline(always)]
pub fn acosh<F: Float>(s: F, x: F) -> F {
    let one = F::lit(1.0);
    unless_dead(s, s / ((x - one).sqrt() * (x + one).sqrt()))
}

/// `atanh x`: `s / ((1 − x)(1 + x))`, zero for a zero seed.
#[inline(always)]
pub fn atanh<F: Float>(s: F, x: F) -> F {
    let one = F::lit(1.0);
    unless_dead(s, s / ((one - x) * (one + x)))
}
