//! The logarithm of the posterior of a mixture of Gaussians, whose inverse covariances are products of triangles with a
//! Wishart prior. GradBench's `gmm`, after ADBench.

mod best;

use crate::workload::Workload;
use best::Best;
use retrograde::gradient;
use retrograde_kernels::numbers::Numbers;
use retrograde_kernels::{Kernel, parts};
use std::f64::consts::PI;

#[gradient]
fn log_sum_exp(x: &[f64]) -> f64 {
    let mut largest = x[0];
    for i in 1..x.len() {
        if x[i] > largest {
            largest = x[i];
        }
    }
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += (x[i] - largest).exp();
    }
    largest + sum.ln()
}

/// The Wishart prior: its scale, its degrees of freedom less the dimension and one, and what it adds per component.
#[derive(Clone, Copy)]
pub struct Prior {
    gamma: f64,
    m: usize,
    constant: f64,
}

/// The function. Of each component the triangle has the logarithms of its diagonal first, then what is below it,
/// column by column.
#[gradient]
pub fn gmm(
    alphas: &[f64],
    means: &[f64],
    triangles: &[f64],
    #[constant] x: &[f64],
    d: usize,
    #[constant] prior: Prior,
) -> f64 {
    let k = alphas.len();
    let n = x.len() / d;
    let packed = d * (d + 1) / 2;
    let mut diagonals = vec![0.0; k * d];
    let mut logarithms = vec![0.0; k];
    for c in 0..k {
        for i in 0..d {
            let q = triangles[c * packed + i];
            logarithms[c] += q;
            diagonals[c * d + i] = q.exp();
        }
    }
    let mut total = 0.0;
    let mut centred = vec![0.0; d];
    let mut scaled = vec![0.0; d];
    let mut terms = vec![0.0; k];
    for p in 0..n {
        for c in 0..k {
            for i in 0..d {
                centred[i] = x[p * d + i] - means[c * d + i];
                scaled[i] = diagonals[c * d + i] * centred[i];
            }
            let mut at = c * packed + d;
            for i in 0..d {
                for j in i + 1..d {
                    scaled[j] += triangles[at] * centred[i];
                    at += 1;
                }
            }
            let mut square = 0.0;
            for i in 0..d {
                square += scaled[i] * scaled[i];
            }
            terms[c] = alphas[c] + logarithms[c] - 0.5 * square;
        }
        total += log_sum_exp(&terms);
    }
    let mut wishart = 0.0;
    for c in 0..k {
        let mut square = 0.0;
        for i in 0..d {
            square += diagonals[c * d + i] * diagonals[c * d + i];
        }
        for i in d..packed {
            square += triangles[c * packed + i] * triangles[c * packed + i];
        }
        wishart += 0.5 * prior.gamma * prior.gamma * square - prior.m as f64 * logarithms[c];
    }
    let constant = -0.5 * (n * d) as f64 * (2.0 * PI).ln();
    constant + total - n as f64 * log_sum_exp(alphas) + (wishart - k as f64 * prior.constant)
}

struct Inputs {
    alphas: Vec<f64>,
    means: Vec<f64>,
    triangles: Vec<f64>,
    x: Vec<f64>,
    d: usize,
    prior: Prior,
}

/// `ln Γ(halves / 2)`, by the recurrence.
fn log_gamma_of_halves(halves: usize) -> f64 {
    let start = if halves.is_multiple_of(2) {
        0.0
    } else {
        0.5 * PI.ln()
    };
    let factors = (1..halves).filter(|below| below % 2 == halves % 2);
    factors.fold(start, |sum, below| sum + (below as f64 / 2.0).ln())
}

fn prior(d: usize, gamma: f64, m: usize) -> Prior {
    let n = d + m + 1;
    let mut multivariate = 0.25 * (d * (d - 1)) as f64 * PI.ln();
    for j in 0..d {
        multivariate += log_gamma_of_halves(n - j);
    }
    let scale = (n * d) as f64 * (gamma.ln() - 0.5 * 2.0_f64.ln());
    Prior {
        gamma,
        m,
        constant: scale - multivariate,
    }
}

/// Dimensions, components, points.
pub fn kernel([d, k, n]: [usize; 3]) -> Kernel {
    let mut numbers = Numbers::new();
    let packed = d * (d + 1) / 2;
    let lengths = [k, k * d, k * packed];
    let inputs = Inputs {
        alphas: numbers.vec(lengths[0], -1.0, 1.0),
        means: numbers.vec(lengths[1], 0.0, 1.0),
        triangles: numbers.vec(lengths[2], -0.5, 0.5),
        x: numbers.vec(n * d, -1.0, 1.0),
        d,
        prior: prior(d, 1.0, 0),
    };
    let mut best = Best::default();
    Workload::new(
        &format!("gmm_{d}_{k}"),
        &lengths,
        inputs,
        |i| gmm(&i.alphas, &i.means, &i.triangles, &i.x, i.d, i.prior),
        |i, tape, buffers| {
            let [alphas, means, triangles] = parts(buffers);
            gmm_grad_into(
                tape,
                &i.alphas,
                alphas,
                &i.means,
                means,
                &i.triangles,
                triangles,
                &i.x,
                i.d,
                i.prior,
            )
        },
    )
    .by_hand(16 * k * d, move |i, buffers| best.run(i, parts(buffers)))
    .twin("gmm", move |i, c| {
        let prior = [i.prior.gamma, i.prior.constant];
        let floats: [&[f64]; 5] = [&i.alphas, &i.means, &i.triangles, &i.x, &prior];
        c(&floats, &[], &[d, k, n, i.prior.m])
    })
    .kernel()
}
