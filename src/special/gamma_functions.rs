//! The gamma function, its logarithm and what belongs to them.

use std::f64::consts::PI;

use ad_macros::derivative_of;

/// The gamma function.
#[must_use]
pub fn gamma(x: f64) -> f64 {
    libm::tgamma(x)
}

#[derivative_of(gamma, crate = crate)]
pub fn gamma_rule(x: f64, #[result] y: f64) -> f64 {
    y * digamma(x)
}

/// The logarithm of |Γ(x)|.
#[must_use]
pub fn ln_gamma(x: f64) -> f64 {
    libm::lgamma(x)
}

#[derivative_of(ln_gamma, crate = crate)]
pub fn ln_gamma_rule(x: f64) -> f64 {
    digamma(x)
}

/// The derivative of ln Γ(x); NaN at zero and the negative integers.
#[must_use]
pub fn digamma(x: f64) -> f64 {
    crate::__rt::digamma(x)
}

#[derivative_of(digamma, crate = crate)]
pub fn digamma_rule(x: f64) -> f64 {
    trigamma(x)
}

/// The derivative of [`digamma`].
fn trigamma(x: f64) -> f64 {
    if x <= 0.0 {
        if x == x.floor() {
            return f64::NAN;
        }
        let s = (PI * x).sin();
        return PI * PI / (s * s) - trigamma(1.0 - x);
    }
    let (mut z, mut sum) = (x, 0.0);
    while z < 12.0 {
        sum += 1.0 / (z * z);
        z += 1.0;
    }
    const SERIES: [f64; 8] = [
        1.0 / 6.0,
        -1.0 / 30.0,
        1.0 / 42.0,
        -1.0 / 30.0,
        5.0 / 66.0,
        -691.0 / 2730.0,
        7.0 / 6.0,
        -3617.0 / 510.0,
    ];
    let t = 1.0 / (z * z);
    let rest = SERIES.iter().rev().fold(0.0, |rest, c| (rest + c) * t);
    sum + (1.0 + rest) / z + 0.5 * t
}

/// The regularized lower incomplete gamma function P(a, x) = 1/Γ(a) ∫₀ˣ t^(a−1) e^(−t) dt, for a > 0, x ≥ 0.
///
/// Its derivative by `a` is not available: NaN.
#[must_use]
pub fn gamma_p(a: f64, x: f64) -> f64 {
    let Some((value, is_lower)) = incomplete(a, x) else {
        return f64::NAN;
    };
    if is_lower { value } else { 1.0 - value }
}

#[derivative_of(gamma_p, crate = crate)]
pub fn gamma_p_rule(a: f64, x: f64) -> (f64, f64) {
    (f64::NAN, gamma_density(a, x))
}

/// 1 − [`gamma_p`], accurate where that is small.
///
/// Its derivative by `a` is not available: NaN.
#[must_use]
pub fn gamma_q(a: f64, x: f64) -> f64 {
    let Some((value, is_lower)) = incomplete(a, x) else {
        return f64::NAN;
    };
    if is_lower { 1.0 - value } else { value }
}

#[derivative_of(gamma_q, crate = crate)]
pub fn gamma_q_rule(a: f64, x: f64) -> (f64, f64) {
    (f64::NAN, -gamma_density(a, x))
}

/// x^(a−1) e^(−x) / Γ(a).
fn gamma_density(a: f64, x: f64) -> f64 {
    if a <= 0.0 || x < 0.0 || a.is_nan() || x.is_nan() {
        return f64::NAN;
    }
    if x == 0.0 {
        return super::beta_functions::power_of_zero(a - 1.0);
    }
    if x == f64::INFINITY {
        return 0.0;
    }
    gamma_factor(a, x) / x
}

/// x^a e^(−x) / Γ(a), for x > 0.
fn gamma_factor(a: f64, x: f64) -> f64 {
    if a < 15.0 {
        return (a * x.ln() - x - libm::lgamma(a)).exp();
    }
    // Stirling's series: the large parts of the exponent cancel by themselves.
    const SERIES: [f64; 5] = [
        1.0 / 12.0,
        -1.0 / 360.0,
        1.0 / 1260.0,
        -1.0 / 1680.0,
        1.0 / 1188.0,
    ];
    let t = 1.0 / (a * a);
    let rest = SERIES.iter().rev().fold(0.0, |rest, c| rest * t + c) / a;
    let m = (x - a) / a;
    (a * (m.ln_1p() - m) - rest).exp() * (a / (2.0 * PI)).sqrt()
}

/// P(a, x), or 1 − P(a, x) and `false`, whichever is computed without loss; `None` outside of the domain, and where
/// that takes too long.
fn incomplete(a: f64, x: f64) -> Option<(f64, bool)> {
    if a <= 0.0 || x < 0.0 || a.is_nan() || x.is_nan() || a == f64::INFINITY {
        return None;
    }
    if x == 0.0 {
        return Some((0.0, true));
    }
    if x == f64::INFINITY {
        return Some((0.0, false));
    }
    let factor = gamma_factor(a, x);
    if x < a + 1.0 {
        let (mut term, mut sum) = (1.0 / a, 1.0 / a);
        for n in 1..super::beta_functions::MOST_TERMS {
            term *= x / (a + f64::from(n));
            sum += term;
            if term <= sum * f64::EPSILON * 0.25 {
                return Some((factor * sum, true));
            }
        }
        return None;
    }
    let fraction =
        super::beta_functions::lentz(x + 1.0 - a, |n| (n * (a - n), x + 2.0 * n + 1.0 - a));
    Some((factor / fraction, false))
}
