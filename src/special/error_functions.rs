//! The error function, its complement and its inverse.

use std::f64::consts::{FRAC_2_SQRT_PI, PI};

use ad_macros::derivative_of;

/// The error function, 2/√π ∫₀ˣ e^(−t²) dt.
#[must_use]
pub fn erf(x: f64) -> f64 {
    libm::erf(x)
}

#[derivative_of(erf, crate = crate)]
pub fn erf_rule(x: f64) -> f64 {
    FRAC_2_SQRT_PI * (-x * x).exp()
}

/// 1 − erf x, accurate where that is small.
#[must_use]
pub fn erfc(x: f64) -> f64 {
    libm::erfc(x)
}

#[derivative_of(erfc, crate = crate)]
pub fn erfc_rule(x: f64) -> f64 {
    -FRAC_2_SQRT_PI * (-x * x).exp()
}

/// The inverse of [`erf`] on (−1, 1); ±∞ at its ends, NaN beyond.
#[must_use]
pub fn erf_inv(z: f64) -> f64 {
    if z.abs() > 0.5 {
        return erfc_inv(1.0 - z.abs()).copysign(z);
    }
    // The Taylor series, then Newton's method.
    let s = PI * z * z;
    let series = 1.0 + s * (1.0 / 12.0 + s * (7.0 / 480.0 + s * (127.0 / 40320.0)));
    let mut y = z / FRAC_2_SQRT_PI * series;
    for _ in 0..3 {
        y -= (libm::erf(y) - z) / (FRAC_2_SQRT_PI * (-y * y).exp());
    }
    y
}

#[derivative_of(erf_inv, crate = crate)]
pub fn erf_inv_rule(_z: f64, #[result] y: f64) -> f64 {
    (y * y).exp() / FRAC_2_SQRT_PI
}

/// `y` with erfc y = q, for q in [0, 1/2].
pub(super) fn erfc_inv(q: f64) -> f64 {
    if q <= 0.0 || q.is_nan() {
        return if q == 0.0 { f64::INFINITY } else { f64::NAN };
    }
    let w = -q.ln();
    let mut y = (w - 0.5 * (PI * w).ln()).sqrt();
    // Newton's method for ln erfc y, which is nearly quadratic.
    for _ in 0..5 {
        let tail = libm::erfc(y);
        y += (tail / q).ln() * tail / (FRAC_2_SQRT_PI * (-y * y).exp());
    }
    y
}
