//! Lorenz' chaotic ring of 1996 by the classic Runge–Kutta method, as it is written where arrays are returned and
//! collected: each stage makes lists of its own.

use super::contest::Kernel;
use super::numbers::Numbers;
use retrograde::{Tape, gradient};

/// The time steps of a run.
pub(crate) const STEPS: usize = 100;

const H: f64 = 0.01;
const FORCING: f64 = 8.0;

#[gradient]
fn slope(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut slope = vec![0.0; n];
    for i in 0..n {
        slope[i] = (x[(i + 1) % n] - x[(i + n - 2) % n]) * x[(i + n - 1) % n] - x[i] + FORCING;
    }
    slope
}

/// The energy after `steps` time steps from `start`.
#[gradient]
fn energy(start: &[f64], steps: usize) -> f64 {
    let mut x = start.to_vec();
    for _ in 0..steps {
        let k1 = slope(&x);
        let at: Vec<f64> = x.iter().zip(&k1).map(|(x, k)| x + 0.5 * H * k).collect();
        let k2 = slope(&at);
        let at: Vec<f64> = x.iter().zip(&k2).map(|(x, k)| x + 0.5 * H * k).collect();
        let k3 = slope(&at);
        let at: Vec<f64> = x.iter().zip(&k3).map(|(x, k)| x + H * k).collect();
        let k4 = slope(&at);
        for i in 0..x.len() {
            x[i] += H / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    x.iter().map(|v| v * v).sum()
}

/// What the four stages of each step are taken at is kept; all arrays stay from one call to the next.
struct ByHand {
    at: Vec<[Vec<f64>; 4]>,
    x: Vec<f64>,
    k: [Vec<f64>; 4],
    bar: Vec<f64>,
    stage_bar: Vec<f64>,
    handed: Vec<f64>,
}

impl ByHand {
    fn new(n: usize, steps: usize) -> Self {
        let zeros = || vec![0.0; n];
        let four = || [zeros(), zeros(), zeros(), zeros()];
        Self {
            at: (0..steps).map(|_| four()).collect(),
            x: zeros(),
            k: four(),
            bar: zeros(),
            stage_bar: zeros(),
            handed: zeros(),
        }
    }

    fn run(&mut self, start: &[f64], d: &mut [f64]) -> f64 {
        let n = start.len();
        self.x.copy_from_slice(start);
        for at in &mut self.at {
            at[0].copy_from_slice(&self.x);
            slope_into(&at[0], &mut self.k[0]);
            for (stage, step) in [(1, 0.5 * H), (2, 0.5 * H), (3, H)] {
                for i in 0..n {
                    at[stage][i] = self.x[i] + step * self.k[stage - 1][i];
                }
                slope_into(&at[stage], &mut self.k[stage]);
            }
            let [k1, k2, k3, k4] = &self.k;
            for i in 0..n {
                self.x[i] += H / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
            }
        }
        for (bar, x) in self.bar.iter_mut().zip(&self.x) {
            *bar = 2.0 * x;
        }
        for at in self.at.iter().rev() {
            d.copy_from_slice(&self.bar);
            self.handed.fill(0.0);
            // The weight of a stage in the sum, and of its slope in what the next one is taken at.
            let stages = [(1.0, 0.5), (2.0, 0.5), (2.0, 1.0), (1.0, 0.0)];
            for (at, (weight, next)) in at.iter().zip(stages).rev() {
                for i in 0..n {
                    self.stage_bar[i] = H / 6.0 * weight * self.bar[i] + next * H * self.handed[i];
                }
                self.handed.fill(0.0);
                slope_by_hand(at, &self.stage_bar, &mut self.handed);
                for (d, handed) in d.iter_mut().zip(&self.handed) {
                    *d += handed;
                }
            }
            self.bar.copy_from_slice(d);
        }
        self.x.iter().map(|v| v * v).sum()
    }
}

fn slope_into(x: &[f64], slope: &mut [f64]) {
    let n = x.len();
    for (i, slope) in slope.iter_mut().enumerate() {
        *slope = (x[(i + 1) % n] - x[(i + n - 2) % n]) * x[(i + n - 1) % n] - x[i] + FORCING;
    }
}

fn slope_by_hand(x: &[f64], bar: &[f64], x_bar: &mut [f64]) {
    let n = x.len();
    for (i, bar) in bar.iter().enumerate() {
        let (next, before, last) = ((i + 1) % n, (i + n - 1) % n, (i + n - 2) % n);
        x_bar[next] += bar * x[before];
        x_bar[last] -= bar * x[before];
        x_bar[before] += bar * (x[next] - x[last]);
        x_bar[i] -= bar;
    }
}

pub(crate) fn kernel(n: usize, steps: usize) -> Kernel {
    let mut tape = Tape::new();
    let mut by_hand = ByHand::new(n, steps);
    let x = Numbers::new().vec(n, 0.0, 3.0);
    Kernel::new(format!("lorenz96/{n}"), x, move |x| energy(x, steps))
        .with("by hand", move |x, dx| by_hand.run(x, dx))
        .with("retrograde", move |x, dx| {
            energy_grad_into(&mut tape, x, dx, steps)
        })
}
