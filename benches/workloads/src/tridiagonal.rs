//! The solution of a system with three diagonals: a loop that eliminates, and one that runs backwards.

use crate::workload::Workload;
use retrograde::gradient;
use retrograde_kernels::numbers::Numbers;
use retrograde_kernels::{Kernel, copy, parts};

/// The squared distance of the solution from a target.
#[gradient]
pub fn tridiagonal(
    lower: &[f64],
    diagonal: &[f64],
    upper: &[f64],
    right: &[f64],
    #[constant] target: &[f64],
) -> f64 {
    let n = diagonal.len();
    let mut pivots = diagonal.to_vec();
    let mut x = right.to_vec();
    for i in 1..n {
        let factor = lower[i] / pivots[i - 1];
        pivots[i] -= factor * upper[i - 1];
        x[i] -= factor * x[i - 1];
    }
    x[n - 1] /= pivots[n - 1];
    for i in (0..n - 1).rev() {
        x[i] = (x[i] - upper[i] * x[i + 1]) / pivots[i];
    }
    let mut distance = 0.0;
    for i in 0..n {
        distance += (x[i] - target[i]) * (x[i] - target[i]);
    }
    distance
}

type Inputs = [Vec<f64>; 5];

/// The adjoint of a solution is a solution: factors and pivots are kept, and solve the transposed system.
#[derive(Default)]
struct Best {
    pivots: Vec<f64>,
    factors: Vec<f64>,
    x: Vec<f64>,
}

impl Best {
    fn run(
        &mut self,
        [lower, diagonal, upper, right, target]: &Inputs,
        [lower_bar, diagonal_bar, upper_bar, bar]: [&mut [f64]; 4],
    ) -> f64 {
        let n = diagonal.len();
        copy(&mut self.pivots, diagonal);
        copy(&mut self.x, right);
        self.factors.resize(n, 0.0);
        let (pivots, x, factors) = (
            &mut self.pivots[..n],
            &mut self.x[..n],
            &mut self.factors[..n],
        );
        for i in 1..n {
            factors[i] = lower[i] / pivots[i - 1];
            pivots[i] -= factors[i] * upper[i - 1];
            x[i] -= factors[i] * x[i - 1];
        }
        x[n - 1] /= pivots[n - 1];
        for i in (0..n - 1).rev() {
            x[i] = (x[i] - upper[i] * x[i + 1]) / pivots[i];
        }
        let mut distance = 0.0;
        for i in 0..n {
            distance += (x[i] - target[i]) * (x[i] - target[i]);
            bar[i] = 2.0 * (x[i] - target[i]);
        }
        bar[0] /= pivots[0];
        for i in 1..n {
            bar[i] = (bar[i] - upper[i - 1] * bar[i - 1]) / pivots[i];
        }
        for i in (0..n - 1).rev() {
            bar[i] -= factors[i + 1] * bar[i + 1];
        }
        lower_bar[0] = 0.0;
        upper_bar[n - 1] = 0.0;
        for i in 0..n {
            diagonal_bar[i] = -bar[i] * x[i];
        }
        for i in 1..n {
            lower_bar[i] = -bar[i] * x[i - 1];
            upper_bar[i - 1] = -bar[i - 1] * x[i];
        }
        distance
    }
}

/// `n` equations.
pub fn kernel(n: usize) -> Kernel {
    let mut numbers = Numbers::new();
    let ranges = [
        (-1.0, 1.0),
        (3.0, 5.0),
        (-1.0, 1.0),
        (-1.0, 1.0),
        (-1.0, 1.0),
    ];
    let inputs = ranges.map(|(low, high)| numbers.vec(n, low, high));
    let mut best = Best::default();
    Workload::new(
        "tridiagonal",
        &[n; 4],
        inputs,
        |[lower, diagonal, upper, right, target]| {
            tridiagonal(lower, diagonal, upper, right, target)
        },
        |[lower, diagonal, upper, right, target], tape, buffers| {
            let [of_lower, of_diagonal, of_upper, of_right] = parts(buffers);
            tridiagonal_grad_into(
                tape,
                lower,
                of_lower,
                diagonal,
                of_diagonal,
                upper,
                of_upper,
                right,
                of_right,
                target,
            )
        },
    )
    .by_hand(24 * n, move |inputs, buffers| {
        best.run(inputs, parts(buffers))
    })
    .twin("tridiagonal", move |inputs, c| {
        let floats = inputs.each_ref().map(Vec::as_slice);
        c(&floats, &[], &[n])
    })
    .kernel()
}
