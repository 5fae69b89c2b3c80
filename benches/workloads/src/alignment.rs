//! The cheapest alignment of two series, softened (soft dynamic time warping): a table whose cells need three before.

use crate::workload::Workload;
use retrograde::gradient;
use retrograde_kernels::numbers::Numbers;
use retrograde_kernels::{Kernel, parts, refill};

/// The soft minimum over all alignments of the sum of squared differences.
#[gradient]
pub fn alignment(x: &[f64], y: &[f64], #[constant] gamma: f64) -> f64 {
    let (n, m) = (x.len(), y.len());
    let mut table = vec![f64::INFINITY; (n + 1) * (m + 1)];
    table[0] = 0.0;
    for i in 1..=n {
        for j in 1..=m {
            let both = table[(i - 1) * (m + 1) + j - 1];
            let up = table[(i - 1) * (m + 1) + j];
            let left = table[i * (m + 1) + j - 1];
            let least = both.min(up).min(left);
            let sum = (-(both - least) / gamma).exp()
                + (-(up - least) / gamma).exp()
                + (-(left - least) / gamma).exp();
            let difference = x[i - 1] - y[j - 1];
            table[i * (m + 1) + j] = difference * difference + least - gamma * sum.ln();
        }
    }
    table[n * (m + 1) + m]
}

const GAMMA: f64 = 0.5;

/// The weights of the three cells before are kept; the shift by the least cancels (Cuturi and Blondel, 2017).
#[derive(Default)]
struct Best {
    weights: Vec<[f64; 3]>,
    table: Vec<f64>,
    bars: Vec<f64>,
}

impl Best {
    fn run(&mut self, [x, y]: &[Vec<f64>; 2], [x_bar, y_bar]: [&mut [f64]; 2]) -> f64 {
        let (n, m) = (x.len(), y.len());
        let width = m + 1;
        refill(&mut self.table, 2 * width, f64::INFINITY);
        refill(&mut self.bars, 2 * width, 0.0);
        self.weights.resize(n * m, [0.0; 3]);
        self.table[0] = 0.0;
        let (above, row) = self.table.split_at_mut(width);
        for i in 0..n {
            row[0] = f64::INFINITY;
            let weights = &mut self.weights[i * m..][..m];
            for j in 0..m {
                let before = [above[j], above[j + 1], row[j]];
                let least = before[0].min(before[1]).min(before[2]);
                let exps = before.map(|v| (-(v - least) / GAMMA).exp());
                let sum = exps[0] + exps[1] + exps[2];
                let difference = x[i] - y[j];
                row[j + 1] = difference * difference + least - GAMMA * sum.ln();
                weights[j] = exps.map(|exp| exp / sum);
            }
            above.copy_from_slice(row);
        }
        let value = above[m];
        x_bar.fill(0.0);
        y_bar.fill(0.0);
        let (row, above) = self.bars.split_at_mut(width);
        row[m] = 1.0;
        for i in (0..n).rev() {
            above.fill(0.0);
            let weights = &self.weights[i * m..][..m];
            let mut of_x = 0.0;
            for j in (0..m).rev() {
                let bar = row[j + 1];
                above[j] += bar * weights[j][0];
                above[j + 1] += bar * weights[j][1];
                row[j] += bar * weights[j][2];
                let d = 2.0 * bar * (x[i] - y[j]);
                of_x += d;
                y_bar[j] -= d;
            }
            x_bar[i] = of_x;
            row.copy_from_slice(above);
        }
        value
    }
}

/// Two series, of so many values.
pub fn kernel(n: usize, m: usize) -> Kernel {
    let mut numbers = Numbers::new();
    let inputs = [n, m].map(|count| numbers.vec(count, -1.0, 1.0));
    let mut best = Best::default();
    Workload::new(
        "alignment",
        &[n, m],
        inputs,
        |[x, y]| alignment(x, y, GAMMA),
        |[x, y], tape, buffers| {
            let [x_bar, y_bar] = parts(buffers);
            alignment_grad_into(tape, x, x_bar, y, y_bar, GAMMA)
        },
    )
    .by_hand(24 * n * m, move |inputs, buffers| {
        best.run(inputs, parts(buffers))
    })
    .twin("alignment", move |[x, y], c| {
        c(&[x, y, &[GAMMA]], &[], &[n, m])
    })
    .kernel()
}
