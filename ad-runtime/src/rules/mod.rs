//! The vector-Jacobian products of the differentiable methods of `f32` and `f64`.
//!
//! Each rule takes the seed `s` (the adjoint of the result) and the primal values it needs, and
//! returns `s · ∂result/∂argument`. Names of values: `x` is the argument, `r` the result. A method
//! of two arguments has a rule for each. A rule computes in the type of its arguments, so that
//! adjoints of `f32` round like `f32`.
//!
//! Where a partial is singular, a zero seed gives zero, so that a value that does not influence
//! the result never brings NaN or infinity into a gradient. At points where a method is
//! not smooth the conventions are:
//!
//! | at | derivative |
//! |---|---|
//! | `abs(0)`, `copysign` of 0 | 0 |
//! | `x % y` | 1 and −trunc(x/y), also at jumps |
//! | ties of `max` and `min`, `clamp` at a bound | the receiver takes all |
//! | `max`, `min` with a NaN | the operand that is returned takes all |
//! | `sqrt`, `cbrt` at 0 | +∞ times the seed |
//! | `powi(x, 0)` | 0 |
//! | `powf(0, y)` | ∂/∂y = 0 for y > 0; ∂/∂x = 0 for y > 1, 1 for y = 1 |
//! | `hypot`, `atan2` at the origin | 0 |
//!
//! A rule is as exact as the primal values it is given allow: within a few units in the last
//! place of the exact partial at those values. Where `r` has lost what the partial needs (`tanh`
//! and `exp_m1` where they saturate), the absolute error is of the order of the rounding of `r`.
//!
//! ```
//! use ad_runtime::rules;
//!
//! let x = 0.5_f64;
//! assert_eq!(rules::sin(1.0, x), x.cos());
//! assert_eq!(rules::sqrt(0.0, 0.0), 0.0); // 0 · ∞
//! ```

mod division;
#[cfg(test)]
mod exact;
mod exponential;
mod hyperbolic;
mod plane;
mod power;
mod select;
#[cfg(test)]
mod tests;
mod trigonometric;

pub use division::{
    div_lhs, div_lhs_by, div_rhs, div_rhs_by, inverse, recip, rem_euclid_rhs, rem_rhs,
};
pub use exponential::{exp, exp_m1, exp2, ln, ln_1p, log_arg, log_base, log2, log10};
pub use hyperbolic::{acosh, asinh, atanh, cosh, sinh, tanh};
pub use plane::{atan2_lhs, atan2_rhs, half, hypot_lhs, hypot_rhs};
pub use power::{cbrt, powf_base, powf_exponent, powi, sqrt, sqrt_by, sqrt_times};
pub use select::{abs, clamp, clamp_hi, clamp_lo, copysign, max_lhs, max_rhs, min_lhs, min_rhs};
pub use trigonometric::{acos, asin, atan, cos, sin, tan, to_degrees, to_radians};

use crate::float::Float;

/// `value`, or zero for a zero seed: the guard of singular partials. A select, so that loops over
/// it vectorise.
#[inline(always)]
pub(crate) fn unless_dead<F: Float>(s: F, value: F) -> F {
    let zero = F::lit(0.0);
    if s == zero { zero } else { value }
}

/// `x as S`, back in the type of `x`; the value of `x` does not matter.
///
/// ```
/// let back: f32 = ad_runtime::rules::cast(0.1_f64, 2.0_f32);
/// assert_eq!(back, 0.1);
/// ```
#[inline(always)]
pub fn cast<S: Float, F: Float>(s: S, _x: F) -> F {
    F::lit(s.to_f64())
}
