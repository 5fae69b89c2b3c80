//! All gates are kept, so that no function of the library is called in reverse.

use super::{Inputs, sigmoid};
use retrograde_kernels::{copy, refill};

/// What one layer keeps of one letter and bit.
#[derive(Clone, Copy, Default)]
struct Cell {
    input: f64,
    hidden: f64,
    before: f64,
    forget: f64,
    enter: f64,
    leave: f64,
    change: f64,
    tangent: f64,
}

#[derive(Default)]
pub(super) struct Best {
    cells: Vec<Cell>,
    /// What leaves the last layer, and the share of each bit in its letter.
    state: Vec<f64>,
    output: Vec<f64>,
    shares: Vec<f64>,
    state_bar: Vec<f64>,
    output_bar: Vec<f64>,
}

impl Best {
    pub(super) fn run(&mut self, i: &Inputs, [main_bar, extra_bar]: [&mut [f64]; 2]) -> f64 {
        let b = i.b;
        let layers = i.main.len() / (8 * b);
        let steps = i.letters.len() / b - 1;
        main_bar.fill(0.0);
        extra_bar.fill(0.0);
        copy(&mut self.state, &i.start);
        refill(&mut self.output, b, 0.0);
        refill(&mut self.cells, steps * layers * b, Cell::default());
        refill(&mut self.shares, steps * b, 0.0);
        refill(&mut self.state_bar, 2 * layers * b, 0.0);
        refill(&mut self.output_bar, b, 0.0);
        let mut total = 0.0;
        for t in 0..steps {
            self.forward(i, t, layers);
            let mut sum = 0.0;
            for (share, output) in self.shares[t * b..][..b].iter_mut().zip(&self.output) {
                *share = output.exp();
                sum += *share;
            }
            let normal = (sum + 2.0).ln();
            let mut bits = 0.0;
            for (bit, output) in i.letters[(t + 1) * b..][..b].iter().zip(&self.output) {
                total += bit * (output - normal);
                bits += bit;
            }
            for share in &mut self.shares[t * b..][..b] {
                *share *= bits / (sum + 2.0);
            }
        }
        let count = (steps * b) as f64;
        for t in (0..steps).rev() {
            self.reverse(i, t, layers, -1.0 / count, main_bar, extra_bar);
        }
        -total / count
    }

    fn forward(&mut self, i: &Inputs, t: usize, layers: usize) {
        let b = i.b;
        for k in 0..b {
            self.output[k] = i.letters[t * b + k] * i.extra[k];
        }
        for l in 0..layers {
            let p = &i.main[l * 8 * b..][..8 * b];
            let cells = &mut self.cells[(t * layers + l) * b..][..b];
            let (hidden, cell) = self.state[l * 2 * b..][..2 * b].split_at_mut(b);
            for k in 0..b {
                let input = self.output[k];
                let forget = sigmoid(input * p[k] + p[4 * b + k]);
                let enter = sigmoid(hidden[k] * p[b + k] + p[5 * b + k]);
                let leave = sigmoid(input * p[2 * b + k] + p[6 * b + k]);
                let change = (hidden[k] * p[3 * b + k] + p[7 * b + k]).tanh();
                let after = cell[k] * forget + enter * change;
                let tangent = after.tanh();
                cells[k] = Cell {
                    input,
                    hidden: hidden[k],
                    before: cell[k],
                    forget,
                    enter,
                    leave,
                    change,
                    tangent,
                };
                cell[k] = after;
                hidden[k] = leave * tangent;
                self.output[k] = hidden[k];
            }
        }
        for k in 0..b {
            self.output[k] = self.output[k] * i.extra[b + k] + i.extra[2 * b + k];
        }
    }

    fn reverse(
        &mut self,
        i: &Inputs,
        t: usize,
        layers: usize,
        seed: f64,
        main_bar: &mut [f64],
        extra_bar: &mut [f64],
    ) {
        let b = i.b;
        let last = &self.cells[(t * layers + layers - 1) * b..][..b];
        for k in 0..b {
            let bar = seed * (i.letters[(t + 1) * b + k] - self.shares[t * b + k]);
            extra_bar[2 * b + k] += bar;
            extra_bar[b + k] += bar * last[k].leave * last[k].tangent;
            self.output_bar[k] = bar * i.extra[b + k];
        }
        for l in (0..layers).rev() {
            let p = &i.main[l * 8 * b..][..8 * b];
            let p_bar = &mut main_bar[l * 8 * b..][..8 * b];
            let (hidden_bar, cell_bar) = self.state_bar[l * 2 * b..][..2 * b].split_at_mut(b);
            for (k, cell) in self.cells[(t * layers + l) * b..][..b].iter().enumerate() {
                let bar = hidden_bar[k] + self.output_bar[k];
                let after = cell_bar[k] + bar * cell.leave * (1.0 - cell.tangent * cell.tangent);
                let slope = |gate: f64| gate * (1.0 - gate);
                let leave = bar * cell.tangent * slope(cell.leave);
                let forget = after * cell.before * slope(cell.forget);
                let enter = after * cell.change * slope(cell.enter);
                let change = after * cell.enter * (1.0 - cell.change * cell.change);
                cell_bar[k] = after * cell.forget;
                p_bar[k] += forget * cell.input;
                p_bar[b + k] += enter * cell.hidden;
                p_bar[2 * b + k] += leave * cell.input;
                p_bar[3 * b + k] += change * cell.hidden;
                p_bar[4 * b + k] += forget;
                p_bar[5 * b + k] += enter;
                p_bar[6 * b + k] += leave;
                p_bar[7 * b + k] += change;
                hidden_bar[k] = enter * p[b + k] + change * p[3 * b + k];
                self.output_bar[k] = forget * p[k] + leave * p[2 * b + k];
            }
        }
        for k in 0..b {
            extra_bar[k] += self.output_bar[k] * i.letters[t * b + k];
        }
    }
}
