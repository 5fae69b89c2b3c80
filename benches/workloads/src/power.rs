//! The largest eigenvalue of a sparse matrix, by power iteration: gathers, and a vector that every step overwrites.

use crate::workload::Workload;
use retrograde::gradient;
use retrograde_kernels::numbers::Numbers;
use retrograde_kernels::{Kernel, parts};

/// The Rayleigh quotient at the end. Row `i` has the entries `rows[i]..rows[i + 1]`.
#[gradient]
pub fn power(
    values: &[f64],
    start: &[f64],
    #[constant] rows: &[usize],
    #[constant] columns: &[usize],
    steps: usize,
) -> f64 {
    let n = start.len();
    let mut x = start.to_vec();
    let mut y = vec![0.0; n];
    let mut quotient = 0.0;
    for _ in 0..steps {
        let mut along = 0.0;
        let mut square = 0.0;
        for i in 0..n {
            let mut sum = 0.0;
            for e in rows[i]..rows[i + 1] {
                sum += values[e] * x[columns[e]];
            }
            y[i] = sum;
            along += sum * x[i];
            square += sum * sum;
        }
        quotient = along;
        let norm = square.sqrt();
        for i in 0..n {
            x[i] = y[i] / norm;
        }
    }
    quotient
}

struct Inputs {
    values: Vec<f64>,
    start: Vec<f64>,
    rows: Vec<usize>,
    columns: Vec<usize>,
}

/// The vectors are kept, and their norms.
#[derive(Default)]
struct Best {
    vectors: Vec<f64>,
    norms: Vec<f64>,
    y: Vec<f64>,
    x_bar: Vec<f64>,
}

impl Best {
    fn run(&mut self, i: &Inputs, steps: usize, [values_bar, start_bar]: [&mut [f64]; 2]) -> f64 {
        let n = i.start.len();
        self.vectors.resize((steps + 1) * n, 0.0);
        self.vectors[..n].copy_from_slice(&i.start);
        self.norms.resize(steps, 0.0);
        self.y.resize(n, 0.0);
        self.x_bar.resize(n, 0.0);
        let mut quotient = 0.0;
        for step in 0..steps {
            let (x, after) = self.vectors[step * n..].split_at_mut(n);
            let (mut along, mut square) = (0.0, 0.0);
            for r in 0..n {
                let entries = i.rows[r]..i.rows[r + 1];
                let mut sum = 0.0;
                for (value, column) in i.values[entries.clone()].iter().zip(&i.columns[entries]) {
                    sum += value * x[*column];
                }
                self.y[r] = sum;
                along += sum * x[r];
                square += sum * sum;
            }
            quotient = along;
            self.norms[step] = square.sqrt();
            for (after, y) in after[..n].iter_mut().zip(&self.y) {
                *after = y / self.norms[step];
            }
        }
        values_bar.fill(0.0);
        start_bar.fill(0.0);
        for step in (0..steps).rev() {
            let (x, after) = self.vectors[step * n..].split_at(n);
            let norm = self.norms[step];
            if step + 1 == steps {
                // The vector of the last step leads nowhere but to the quotient.
                for r in 0..n {
                    self.x_bar[r] = self.y[r];
                    self.y[r] = x[r];
                }
            } else {
                let bars = after.iter().zip(&*start_bar);
                let along: f64 = bars.map(|(after, bar)| after * bar).sum();
                for r in 0..n {
                    self.y[r] = (start_bar[r] - after[r] * along) / norm;
                }
                self.x_bar.fill(0.0);
            }
            for (r, y_bar) in self.y.iter().enumerate() {
                for e in i.rows[r]..i.rows[r + 1] {
                    let column = i.columns[e];
                    values_bar[e] += y_bar * x[column];
                    self.x_bar[column] += y_bar * i.values[e];
                }
            }
            start_bar.copy_from_slice(&self.x_bar);
        }
        quotient
    }
}

/// A matrix of `n` rows, so many steps.
pub fn kernel(n: usize, steps: usize) -> Kernel {
    let mut numbers = Numbers::new();
    let (mut rows, mut columns) = (vec![0], Vec::new());
    for r in 0..n {
        columns.push(r);
        for _ in 0..2 + r % 9 {
            columns.push((numbers.unit() * n as f64) as usize);
        }
        rows.push(columns.len());
    }
    let inputs = Inputs {
        values: numbers.vec(columns.len(), 0.1, 1.0),
        start: numbers.vec(n, 0.5, 1.5),
        rows,
        columns,
    };
    let mut best = Best::default();
    Workload::new(
        "power",
        &[inputs.values.len(), n],
        inputs,
        move |i| power(&i.values, &i.start, &i.rows, &i.columns, steps),
        move |i, tape, buffers| {
            let [values, start] = parts(buffers);
            power_grad_into(
                tape, &i.values, values, &i.start, start, &i.rows, &i.columns, steps,
            )
        },
    )
    .by_hand(8 * (n + 1) * steps, move |i, buffers| {
        best.run(i, steps, parts(buffers))
    })
    .twin("power", move |i, c| {
        c(&[&i.values, &i.start], &[&i.rows, &i.columns], &[n, steps])
    })
    .kernel()
}
