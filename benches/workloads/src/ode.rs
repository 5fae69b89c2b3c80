//! The last component of a chain of differential equations, by the classic Runge–Kutta method. GradBench's `ode`.

use crate::workload::Workload;
use retrograde::gradient;
use retrograde_kernels::Kernel;
use retrograde_kernels::numbers::Numbers;
use retrograde_kernels::refill;

#[gradient]
fn slope(x: &[f64], y: &[f64], z: &mut [f64]) {
    z[0] = x[0];
    for i in 1..x.len() {
        z[i] = x[i] * y[i - 1];
    }
}

/// The last component at time 2, after so many steps.
#[gradient]
pub fn ode(x: &[f64], steps: usize) -> f64 {
    let n = x.len();
    let h = 2.0 / steps as f64;
    let mut y = vec![0.0; n];
    let mut at = vec![0.0; n];
    let mut k1 = vec![0.0; n];
    let mut k2 = vec![0.0; n];
    let mut k3 = vec![0.0; n];
    let mut k4 = vec![0.0; n];
    for _ in 0..steps {
        slope(x, &y, &mut k1);
        for i in 0..n {
            at[i] = y[i] + 0.5 * h * k1[i];
        }
        slope(x, &at, &mut k2);
        for i in 0..n {
            at[i] = y[i] + 0.5 * h * k2[i];
        }
        slope(x, &at, &mut k3);
        for i in 0..n {
            at[i] = y[i] + h * k3[i];
        }
        slope(x, &at, &mut k4);
        for i in 0..n {
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    y[n - 1]
}

/// Only the state of each step is kept; what the slopes were taken at is computed again.
#[derive(Default)]
struct Best {
    states: Vec<f64>,
    /// Slopes, and what each is taken at; the first is taken at the state.
    k: [Vec<f64>; 4],
    at: [Vec<f64>; 4],
    y_bar: Vec<f64>,
    /// What the four stages hand on to the state before.
    before_bar: Vec<f64>,
    /// What the last of them did.
    handed: Vec<f64>,
}

impl Best {
    fn run(&mut self, x: &[f64], steps: usize, x_bar: &mut [f64]) -> f64 {
        let n = x.len();
        let h = 2.0 / steps as f64;
        for buffer in self.k.iter_mut().chain(&mut self.at) {
            refill(buffer, n, 0.0);
        }
        for buffer in [&mut self.y_bar, &mut self.before_bar, &mut self.handed] {
            refill(buffer, n, 0.0);
        }
        self.states.resize((steps + 1) * n, 0.0);
        self.states[..n].fill(0.0);
        for step in 0..steps {
            self.stages(x, step, h);
            let (before, after) = self.states[step * n..].split_at_mut(n);
            let [k1, k2, k3, k4] = &self.k;
            for i in 0..n {
                let sum = k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i];
                after[i] = before[i] + h / 6.0 * sum;
            }
        }
        let (x, x_bar) = (&x[..n], &mut x_bar[..n]);
        x_bar.fill(0.0);
        self.y_bar[n - 1] = 1.0;
        for step in (0..steps).rev() {
            self.stages(x, step, h);
            self.before_bar.copy_from_slice(&self.y_bar);
            self.handed.fill(0.0);
            // The weight of a stage in the sum, and of its slope in what the next one is taken at.
            let stages = [(1.0, 0.5), (2.0, 0.5), (2.0, 1.0), (1.0, 0.0)];
            for (stage, (weight, next)) in stages.into_iter().enumerate().rev() {
                let (own, next) = (h / 6.0 * weight, next * h);
                let (y_bar, at) = (&self.y_bar[..n], &self.at[stage][..n]);
                let (handed, before) = (&mut self.handed[..n], &mut self.before_bar[..n]);
                x_bar[0] += own * y_bar[0] + next * handed[0];
                // What component `i` hands on is that of `i - 1`, which reads its own before.
                for i in 1..n {
                    let bar = own * y_bar[i] + next * handed[i];
                    x_bar[i] += bar * at[i - 1];
                    handed[i - 1] = bar * x[i];
                }
                handed[n - 1] = 0.0;
                for (before, handed) in before.iter_mut().zip(&*handed) {
                    *before += handed;
                }
            }
            std::mem::swap(&mut self.y_bar, &mut self.before_bar);
        }
        self.states[(steps + 1) * n - 1]
    }

    /// The four slopes of a step.
    fn stages(&mut self, x: &[f64], step: usize, h: f64) {
        let n = x.len();
        let y = &self.states[step * n..][..n];
        self.at[0].copy_from_slice(y);
        slope(x, y, &mut self.k[0]);
        for (stage, factor) in [(1, 0.5 * h), (2, 0.5 * h), (3, h)] {
            for i in 0..n {
                self.at[stage][i] = y[i] + factor * self.k[stage - 1][i];
            }
            slope(x, &self.at[stage], &mut self.k[stage]);
        }
    }
}

/// `n` components, so many steps.
pub fn kernel(n: usize, steps: usize) -> Kernel {
    let x = Numbers::new().vec(n, 0.5, 1.5);
    let mut best = Best::default();
    Workload::new(
        "ode",
        &[n],
        x,
        move |x| ode(x, steps),
        move |x, tape, buffers| ode_grad_into(tape, x, &mut buffers[0], steps),
    )
    .by_hand(8 * n * (steps + 1), move |x, buffers| {
        best.run(x, steps, &mut buffers[0])
    })
    .twin("ode", move |x, c| c(&[x], &[], &[n, steps]))
    .kernel()
}
