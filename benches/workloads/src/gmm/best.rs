//! Forward and reverse of one point at a time: the adjoint of its term is known as soon as the term is, so only the
//! centred and scaled vectors of one point are kept.

use super::{Inputs, log_sum_exp};
use retrograde_kernels::lanes::fma;
use retrograde_kernels::refill;
use std::f64::consts::PI;

#[derive(Default)]
pub(super) struct Best {
    diagonals: Vec<f64>,
    diagonals_bar: Vec<f64>,
    logarithms: Vec<f64>,
    logarithms_bar: Vec<f64>,
    centred: Vec<f64>,
    scaled: Vec<f64>,
    terms: Vec<f64>,
}

impl Best {
    pub(super) fn run(&mut self, inputs: &Inputs, bars: [&mut [f64]; 3]) -> f64 {
        let Inputs {
            alphas,
            triangles,
            x,
            d,
            prior,
            ..
        } = inputs;
        let (k, d) = (alphas.len(), *d);
        let (n, packed) = (x.len() / d, d * (d + 1) / 2);
        let [alphas_bar, means_bar, triangles_bar] = bars;
        refill(&mut self.diagonals, k * d, 0.0);
        refill(&mut self.diagonals_bar, k * d, 0.0);
        refill(&mut self.logarithms, k, 0.0);
        refill(&mut self.logarithms_bar, k, 0.0);
        refill(&mut self.centred, k * d, 0.0);
        refill(&mut self.scaled, k * d, 0.0);
        refill(&mut self.terms, k, 0.0);
        alphas_bar.fill(0.0);
        means_bar.fill(0.0);
        triangles_bar.fill(0.0);
        for c in 0..k {
            for i in 0..d {
                let q = triangles[c * packed + i];
                self.logarithms[c] += q;
                self.diagonals[c * d + i] = q.exp();
            }
        }
        let mut total = 0.0;
        for point in x.chunks_exact(d) {
            self.forward(inputs, point);
            let value = log_sum_exp(&self.terms);
            total += value;
            for c in 0..k {
                let share = (self.terms[c] - value).exp();
                alphas_bar[c] += share;
                self.logarithms_bar[c] += share;
                let triangle = &triangles[c * packed + d..(c + 1) * packed];
                let triangle_bar = &mut triangles_bar[c * packed + d..(c + 1) * packed];
                self.reverse(
                    c,
                    share,
                    triangle,
                    triangle_bar,
                    &mut means_bar[c * d..][..d],
                );
            }
        }
        let mut wishart = 0.0;
        let weight = prior.gamma * prior.gamma;
        for c in 0..k {
            let mut square = 0.0;
            for i in 0..d {
                let q = self.diagonals[c * d + i];
                square += q * q;
                let bar = self.diagonals_bar[c * d + i] + weight * q;
                triangles_bar[c * packed + i] = bar * q + self.logarithms_bar[c] - prior.m as f64;
            }
            for i in d..packed {
                let entry = triangles[c * packed + i];
                square += entry * entry;
                triangles_bar[c * packed + i] += weight * entry;
            }
            wishart +=
                0.5 * prior.gamma * prior.gamma * square - prior.m as f64 * self.logarithms[c];
        }
        let of_alphas = log_sum_exp(alphas);
        for (bar, alpha) in alphas_bar.iter_mut().zip(alphas) {
            *bar -= n as f64 * (alpha - of_alphas).exp();
        }
        let constant = -0.5 * (n * d) as f64 * (2.0 * PI).ln();
        constant + total - n as f64 * of_alphas + (wishart - k as f64 * prior.constant)
    }

    /// The terms of one point.
    fn forward(&mut self, inputs: &Inputs, point: &[f64]) {
        let (d, packed) = (inputs.d, inputs.d * (inputs.d + 1) / 2);
        for c in 0..inputs.alphas.len() {
            let centred = &mut self.centred[c * d..][..d];
            let scaled = &mut self.scaled[c * d..][..d];
            let mean = &inputs.means[c * d..][..d];
            let diagonal = &self.diagonals[c * d..][..d];
            for i in 0..d {
                centred[i] = point[i] - mean[i];
                scaled[i] = diagonal[i] * centred[i];
            }
            let mut columns = &inputs.triangles[c * packed + d..(c + 1) * packed];
            for i in 0..d {
                let (column, rest) = columns.split_at(d - i - 1);
                columns = rest;
                for (scaled, entry) in scaled[i + 1..].iter_mut().zip(column) {
                    *scaled += entry * centred[i];
                }
            }
            let mut square = 0.0;
            for scaled in &*scaled {
                square += scaled * scaled;
            }
            self.terms[c] = inputs.alphas[c] + self.logarithms[c] - 0.5 * square;
        }
    }

    /// Hands on what the term of one component has. The scaled vector becomes its own adjoint.
    fn reverse(
        &mut self,
        c: usize,
        share: f64,
        mut columns: &[f64],
        mut columns_bar: &mut [f64],
        mean_bar: &mut [f64],
    ) {
        let d = mean_bar.len();
        let centred = &self.centred[c * d..][..d];
        let scaled_bar = &mut self.scaled[c * d..][..d];
        for scaled in &mut *scaled_bar {
            *scaled *= -share;
        }
        let diagonal = &self.diagonals[c * d..][..d];
        let diagonal_bar = &mut self.diagonals_bar[c * d..][..d];
        for i in 0..d {
            diagonal_bar[i] = fma(scaled_bar[i], centred[i], diagonal_bar[i]);
            mean_bar[i] -= diagonal[i] * scaled_bar[i];
        }
        for i in 0..d {
            let (column, rest) = columns.split_at(d - i - 1);
            let (column_bar, rest_bar) = columns_bar.split_at_mut(d - i - 1);
            (columns, columns_bar) = (rest, rest_bar);
            let below = &scaled_bar[i + 1..];
            for (bar, scaled_bar) in column_bar.iter_mut().zip(below) {
                *bar = fma(*scaled_bar, centred[i], *bar);
            }
            mean_bar[i] -= dot(column, below);
        }
    }
}

/// The product of two vectors, in lanes.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    const L: usize = 4;
    let mut lanes = [0.0; L];
    let (a4, b4) = (a.chunks_exact(L), b.chunks_exact(L));
    let mut sum = 0.0;
    for (a, b) in a4.remainder().iter().zip(b4.remainder()) {
        sum += a * b;
    }
    for (a, b) in a4.zip(b4) {
        for l in 0..L {
            lanes[l] = fma(a[l], b[l], lanes[l]);
        }
    }
    sum + retrograde_kernels::lanes::sum(&lanes)
}
