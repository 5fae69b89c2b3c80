//! Functions of logarithms of probabilities, without overflow.

use ad_macros::derivative_of;

/// ln(e^x₀ + e^x₁ + …); −∞ of nothing.
#[must_use]
pub fn logsumexp(x: &[f64]) -> f64 {
    let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest.is_infinite() {
        // NaN, if there is one beside it.
        return x
            .iter()
            .fold(largest, |m, x| if x.is_nan() { *x } else { m });
    }
    let sum: f64 = x.iter().map(|x| (x - largest).exp()).sum();
    largest + sum.ln()
}

#[derivative_of(logsumexp, crate = crate)]
pub fn logsumexp_rule(x: &[f64], #[result] y: f64, seed: f64, dx: &mut [f64]) {
    for (x, dx) in x.iter().zip(dx) {
        *dx += seed * (x - y).exp();
    }
}

/// ln(1 + e^x).
#[must_use]
pub fn softplus(x: f64) -> f64 {
    if x > 0.0 {
        x + (-x).exp().ln_1p()
    } else {
        x.exp().ln_1p()
    }
}

#[derivative_of(softplus, crate = crate)]
pub fn softplus_rule(x: f64) -> f64 {
    expit(x)
}

/// The logistic function 1 / (1 + e^(−x)).
#[must_use]
pub fn expit(x: f64) -> f64 {
    if x < 0.0 {
        let e = x.exp();
        e / (1.0 + e)
    } else {
        1.0 / (1.0 + (-x).exp())
    }
}

#[derivative_of(expit, crate = crate)]
pub fn expit_rule(x: f64) -> f64 {
    let e = (-x.abs()).exp();
    e / ((1.0 + e) * (1.0 + e))
}

/// ln(p / (1 − p)), the inverse of [`expit`], for p in [0, 1].
#[must_use]
pub fn logit(p: f64) -> f64 {
    p.ln() - (-p).ln_1p()
}

#[derivative_of(logit, crate = crate)]
pub fn logit_rule(p: f64) -> f64 {
    if (0.0..=1.0).contains(&p) {
        1.0 / (p * (1.0 - p))
    } else {
        f64::NAN
    }
}
