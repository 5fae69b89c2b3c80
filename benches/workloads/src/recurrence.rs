//! The likelihood of a series whose variance follows from the last value and the last variance (GARCH): one long scalar
//! recurrence.

use crate::workload::Workload;
use retrograde::gradient;
use retrograde_kernels::numbers::Numbers;
use retrograde_kernels::{Kernel, parts};

/// Twice the negative logarithm of the likelihood, but for a constant.
#[gradient]
pub fn recurrence(returns: &[f64], omega: f64, alpha: f64, beta: f64) -> f64 {
    let mut variance = omega / (1.0 - alpha - beta);
    let mut sum = 0.0;
    for i in 0..returns.len() {
        let square = returns[i] * returns[i];
        sum += variance.ln() + square / variance;
        variance = omega + alpha * square + beta * variance;
    }
    sum
}

const PARAMETERS: [f64; 3] = [0.1, 0.15, 0.8];

/// The variances are kept.
fn best(returns: &[f64], variances: &mut Vec<f64>, bars: [&mut [f64]; 4]) -> f64 {
    let [returns_bar, omega_bar, alpha_bar, beta_bar] = bars;
    let [omega, alpha, beta] = PARAMETERS;
    let rest = 1.0 - alpha - beta;
    let start = omega / rest;
    let (mut variance, mut sum) = (start, 0.0);
    variances.clear();
    for r in returns {
        let square = r * r;
        variances.push(variance);
        sum += variance.ln() + square / variance;
        variance = omega + alpha * square + beta * variance;
    }
    // The adjoint of the variance after each value; the last leads nowhere.
    let (mut bar, mut d_omega, mut d_alpha, mut d_beta) = (0.0, 0.0, 0.0, 0.0);
    let back = returns.iter().zip(returns_bar).zip(variances).rev();
    for ((r, r_bar), variance) in back {
        let inverse = 1.0 / *variance;
        let square = r * r;
        d_omega += bar;
        d_alpha += bar * square;
        d_beta += bar * *variance;
        *r_bar = 2.0 * r * (bar * alpha + inverse);
        bar = bar * beta + inverse * (1.0 - square * inverse);
    }
    omega_bar[0] = d_omega + bar / rest;
    alpha_bar[0] = d_alpha + bar * start / rest;
    beta_bar[0] = d_beta + bar * start / rest;
    sum
}

/// `n` values.
pub fn kernel(n: usize) -> Kernel {
    let returns = Numbers::new().vec(n, -2.0, 2.0);
    let mut variances = Vec::new();
    let [omega, alpha, beta] = PARAMETERS;
    Workload::new(
        "recurrence",
        &[n, 1, 1, 1],
        returns,
        move |returns| recurrence(returns, omega, alpha, beta),
        move |returns, tape, buffers| {
            let [of_returns, of_omega, of_alpha, of_beta] = parts(buffers);
            recurrence_grad_into(
                tape,
                returns,
                of_returns,
                omega,
                &mut of_omega[0],
                alpha,
                &mut of_alpha[0],
                beta,
                &mut of_beta[0],
            )
        },
    )
    .by_hand(8 * n, move |returns, buffers| {
        best(returns, &mut variances, parts(buffers))
    })
    .twin("recurrence", |returns, c| {
        c(&[returns, &PARAMETERS], &[], &[returns.len()])
    })
    .kernel()
}
