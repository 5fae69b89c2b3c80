//! The logarithm of a determinant: an LU decomposition in place, without pivots, of a matrix whose diagonal outweighs
//! its rows.

use crate::workload::Workload;
use retrograde::gradient;
use retrograde_kernels::lanes::{fma, load, store, sum};
use retrograde_kernels::numbers::Numbers;
use retrograde_kernels::{Kernel, copy, parts};

/// `ln |det A|` of a matrix of `n` rows.
#[gradient]
pub fn lu(a: &[f64], n: usize) -> f64 {
    let mut m = a.to_vec();
    for k in 0..n {
        for i in k + 1..n {
            let factor = m[i * n + k] / m[k * n + k];
            m[i * n + k] = factor;
            for j in k + 1..n {
                m[i * n + j] -= factor * m[k * n + j];
            }
        }
    }
    let mut logarithm = 0.0;
    for i in 0..n {
        logarithm += m[i * n + i].abs().ln();
    }
    logarithm
}

/// Both triangles are final where they are read, so that nothing is stored for the reverse sweep.
#[derive(Default)]
struct Best {
    m: Vec<f64>,
}

impl Best {
    fn run(&mut self, a: &[f64], bar: &mut [f64], n: usize) -> f64 {
        copy(&mut self.m, a);
        let m = &mut self.m[..n * n];
        for k in 0..n {
            let (above, below) = m.split_at_mut((k + 1) * n);
            let pivot = &above[k * n + k..];
            for row in below.chunks_exact_mut(n) {
                let factor = row[k] / pivot[0];
                row[k] = factor;
                for (element, of_pivot) in row[k + 1..].iter_mut().zip(&pivot[1..]) {
                    *element -= factor * of_pivot;
                }
            }
        }
        bar.fill(0.0);
        let mut logarithm = 0.0;
        for i in 0..n {
            logarithm += m[i * n + i].abs().ln();
            bar[i * n + i] = 1.0 / m[i * n + i];
        }
        for k in (0..n).rev() {
            let (above, below) = m.split_at((k + 1) * n);
            let (above_bar, below_bar) = bar.split_at_mut((k + 1) * n);
            let (pivot, pivot_bar) = (&above[k * n + k..], &mut above_bar[k * n + k..]);
            for (row, row_bar) in below.chunks_exact(n).zip(below_bar.chunks_exact_mut(n)) {
                let factor = row[k];
                let of_factor = row_bar[k]
                    - adjoint(factor, &row_bar[k + 1..], &pivot[1..], &mut pivot_bar[1..]);
                row_bar[k] = of_factor / pivot[0];
                pivot_bar[0] -= of_factor * factor / pivot[0];
            }
        }
        logarithm
    }
}

/// Hands on what `row -= factor * pivot` has, and returns the sum that is the factor's.
#[inline(always)]
fn adjoint(factor: f64, row_bar: &[f64], pivot: &[f64], pivot_bar: &mut [f64]) -> f64 {
    const L: usize = 8;
    let (n, mut sums) = (row_bar.len(), [0.0; L]);
    for j in (0..n / L * L).step_by(L) {
        let (bar, of_pivot): ([f64; L], [f64; L]) = (load(row_bar, j), load(pivot, j));
        let mut to: [f64; L] = load(pivot_bar, j);
        for lane in 0..L {
            sums[lane] = fma(bar[lane], of_pivot[lane], sums[lane]);
            to[lane] = fma(-factor, bar[lane], to[lane]);
        }
        store(pivot_bar, j, &to);
    }
    for j in n / L * L..n {
        sums[0] += row_bar[j] * pivot[j];
        pivot_bar[j] -= factor * row_bar[j];
    }
    sum(&sums)
}

/// `n` rows.
pub fn kernel(n: usize) -> Kernel {
    let mut numbers = Numbers::new();
    let mut matrix = numbers.vec(n * n, -1.0, 1.0);
    for i in 0..n {
        matrix[i * n + i] += 2.0 * n as f64;
    }
    let mut best = Best::default();
    Workload::new(
        "lu",
        &[n * n],
        matrix,
        move |matrix| lu(matrix, n),
        move |matrix, tape, buffers| {
            let [of_matrix] = parts(buffers);
            lu_grad_into(tape, matrix, of_matrix, n)
        },
    )
    .by_hand(8 * n * n, move |matrix, buffers| {
        let [of_matrix] = parts(buffers);
        best.run(matrix, of_matrix, n)
    })
    .twin("lu", move |matrix, c| c(&[matrix], &[], &[n]))
    .kernel()
}
