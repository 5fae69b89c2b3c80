//! The standard normal distribution and Student's t.

use std::f64::consts::{FRAC_1_SQRT_2, PI, SQRT_2};

use ad_macros::derivative_of;

use super::beta_functions::{beta_inc, ln_beta};
use super::error_functions::{erf_inv, erfc_inv};

/// The density of the standard normal distribution.
#[must_use]
pub fn normal_pdf(x: f64) -> f64 {
    (-0.5 * x * x).exp() / (2.0 * PI).sqrt()
}

#[derivative_of(normal_pdf, crate = crate)]
pub fn normal_pdf_rule(x: f64, #[result] y: f64) -> f64 {
    // At infinity, where the density is zero, so is this.
    if y == 0.0 { 0.0 } else { -x * y }
}

/// The distribution function of the standard normal distribution, accurate in the lower tail.
#[must_use]
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x * FRAC_1_SQRT_2)
}

#[derivative_of(normal_cdf, crate = crate)]
pub fn normal_cdf_rule(x: f64) -> f64 {
    normal_pdf(x)
}

/// The inverse of [`normal_cdf`] on (0, 1); ±∞ at its ends, NaN beyond.
#[must_use]
pub fn normal_quantile(p: f64) -> f64 {
    if p < 0.25 {
        -SQRT_2 * erfc_inv(2.0 * p)
    } else {
        SQRT_2 * erf_inv(2.0 * p - 1.0)
    }
}

#[derivative_of(normal_quantile, crate = crate)]
pub fn normal_quantile_rule(_p: f64, #[result] x: f64) -> f64 {
    1.0 / normal_pdf(x)
}

/// The distribution function of Student's t with `nu` > 0 degrees of freedom, accurate in the lower tail.
///
/// Its derivative by `nu` is not available: NaN.
#[must_use]
pub fn student_t_cdf(t: f64, nu: f64) -> f64 {
    if nu <= 0.0 || nu == f64::INFINITY || nu.is_nan() || t.is_nan() {
        return f64::NAN;
    }
    if t.is_infinite() {
        return if t > 0.0 { 1.0 } else { 0.0 };
    }
    let square = t * t;
    if square < nu {
        let inside = 0.5 * beta_inc(0.5, 0.5 * nu, square / (nu + square));
        return 0.5 + inside.copysign(t);
    }
    let tail = 0.5 * beta_inc(0.5 * nu, 0.5, nu / (nu + square));
    if t < 0.0 { tail } else { 1.0 - tail }
}

#[derivative_of(student_t_cdf, crate = crate)]
pub fn student_t_cdf_rule(t: f64, nu: f64) -> (f64, f64) {
    if nu <= 0.0 || nu == f64::INFINITY {
        return (f64::NAN, f64::NAN);
    }
    let ln = -0.5 * (nu + 1.0) * (t * t / nu).ln_1p() - 0.5 * nu.ln() - ln_beta(0.5 * nu, 0.5);
    (ln.exp(), f64::NAN)
}
