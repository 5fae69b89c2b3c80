//! The beta function and the incomplete one.

use ad_macros::derivative_of;

use super::gamma_functions::digamma;

/// The logarithm of the beta function, for a, b > 0.
#[must_use]
pub fn ln_beta(a: f64, b: f64) -> f64 {
    if a > 0.0 && b > 0.0 {
        libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b)
    } else {
        f64::NAN
    }
}

#[derivative_of(ln_beta, crate = crate)]
pub fn ln_beta_rule(a: f64, b: f64) -> (f64, f64) {
    let both = digamma(a + b);
    (digamma(a) - both, digamma(b) - both)
}

/// The beta function Γ(a) Γ(b) / Γ(a + b), for a, b > 0.
#[must_use]
pub fn beta(a: f64, b: f64) -> f64 {
    ln_beta(a, b).exp()
}

#[derivative_of(beta, crate = crate)]
pub fn beta_rule(a: f64, b: f64, #[result] y: f64) -> (f64, f64) {
    let both = digamma(a + b);
    (y * (digamma(a) - both), y * (digamma(b) - both))
}

/// The regularized incomplete beta function I_x(a, b) = 1/B(a, b) ∫₀ˣ t^(a−1) (1−t)^(b−1) dt, for a, b > 0 and x in
/// [0, 1].
///
/// Its derivatives by `a` and `b` are not available: NaN.
#[must_use]
pub fn beta_inc(a: f64, b: f64, x: f64) -> f64 {
    if !(a > 0.0 && b > 0.0 && (0.0..=1.0).contains(&x)) {
        return f64::NAN;
    }
    if x == 0.0 || x == 1.0 {
        return x;
    }
    if x < (a + 1.0) / (a + b + 2.0) {
        lower(a, b, x, (-x).ln_1p())
    } else {
        1.0 - lower(b, a, 1.0 - x, x.ln())
    }
}

#[derivative_of(beta_inc, crate = crate)]
pub fn beta_inc_rule(a: f64, b: f64, x: f64) -> (f64, f64, f64) {
    (f64::NAN, f64::NAN, beta_density(a, b, x))
}

/// x^(a−1) (1−x)^(b−1) / B(a, b).
fn beta_density(a: f64, b: f64, x: f64) -> f64 {
    if !(a > 0.0 && b > 0.0 && (0.0..=1.0).contains(&x)) {
        return f64::NAN;
    }
    if x == 0.0 || x == 1.0 {
        let (zero, other) = if x == 0.0 { (a, b) } else { (b, a) };
        // 1/B(1, b) = b.
        return power_of_zero(zero - 1.0) * if zero == 1.0 { other } else { 1.0 };
    }
    ((a - 1.0) * x.ln() + (b - 1.0) * (-x).ln_1p() - ln_beta(a, b)).exp()
}

/// `0^p`, where 0⁰ is 1.
pub(super) fn power_of_zero(p: f64) -> f64 {
    if p > 0.0 {
        0.0
    } else if p == 0.0 {
        1.0
    } else {
        f64::INFINITY
    }
}

/// I_x(a, b) by its continued fraction, for x below the mean. `ln_rest`: ln(1 − x), which the caller knows better.
fn lower(a: f64, b: f64, x: f64, ln_rest: f64) -> f64 {
    let factor = (a * x.ln() + b * ln_rest - ln_beta(a, b)).exp() / a;
    let fraction = lentz(1.0, |k| {
        let n = (k / 2.0).floor();
        let term = if k % 2.0 == 0.0 {
            n * (b - n) * x / ((a + 2.0 * n - 1.0) * (a + 2.0 * n))
        } else {
            -(a + n) * (a + b + n) * x / ((a + 2.0 * n) * (a + 2.0 * n + 1.0))
        };
        (term, 1.0)
    });
    factor / fraction
}

/// Series and continued fractions that have not converged by then give NaN: shapes of 10⁹ and more.
pub(super) const MOST_TERMS: u32 = 100_000;

/// The continued fraction b₀ + a₁/(b₁ + a₂/(b₂ + …)) by Lentz's method; `terms` gives (aₙ, bₙ).
pub(super) fn lentz(first: f64, terms: impl Fn(f64) -> (f64, f64)) -> f64 {
    const TINY: f64 = 1e-300;
    let away = |x: f64| if x.abs() < TINY { TINY } else { x };
    let (mut value, mut d) = (away(first), 0.0);
    let mut c = value;
    for n in 1..MOST_TERMS {
        let (a, b) = terms(f64::from(n));
        d = 1.0 / away(b + a * d);
        c = away(b + a / c);
        let change = c * d;
        value *= change;
        if (change - 1.0).abs() < f64::EPSILON {
            return value;
        }
    }
    f64::NAN
}
