//! Exponentials and logarithms.

use std::f64::consts::{LN_2, LOG2_E, LOG10_E};

use super::unless_dead;
use crate::float::Float;

/// `r = exp x`: `s r`.
#[inline(always)]
pub fn exp<F: Float>(s: F, r: F) -> F {
    s * r
}

/// `r = 2ˣ`: `s r ln 2`.
#[inline(always)]
pub fn exp2<F: Float>(s: F, r: F) -> F {
    s * (r * F::lit(LN_2))
}

/// `r = exp x − 1`: `s (r + 1)`.
#[inline(always)]
pub fn exp_m1<F: Float>(s: F, r: F) -> F {
    s * (r + F::lit(1.0))
}

/// `ln x`: `s / x`, zero for a zero seed.
#[inline(always)]
pub fn ln<F: Float>(s: F, x: F) -> F {
    unless_dead(s, s / x)
}

/// `ln (1 + x)`: `s / (1 + x)`, zero for a zero seed.
#[inline(always)]
pub fn ln_1p<F: Float>(s: F, x: F) -> F {
    unless_dead(s, s / (F::lit(1.0) + x))
}

/// `log₂ x`: `s / x · log₂ e`, zero for a zero seed.
#[inline(always)]
pub fn log2<F: Float>(s: F, x: F) -> F {
    unless_dead(s, s / x * F::lit(LOG2_E))
}

/// `log₁₀ x`: `s / x · log₁₀ e`, zero for a zero seed.
#[inline(always)]
pub fn log10<F: Float>(s: F, x: F) -> F {
    unless_dead(s, s / x * F::lit(LOG10_E))
}

/// `x.log(base)` with respect to `x`: `s / (x ln base)`, zero for a zero seed.
#[inline(always)]
pub fn log_arg<F: Float>(s: F, x: F, base: F) -> F {
    unless_dead(s, s / x / base.ln())
}

/// `r = x.log(base)` with respect to `base`: `−s r / (base ln base)`, zero for a zero seed.
#[inline(always)]
pub fn log_base<F: Float>(s: F, x: F, base: F, r: F) -> F {
    let _ = x;
    unless_dead(s, -(s * r / base / base.ln()))
}
