//! The logarithm of a determinant by Gaussian elimination without pivoting, of a matrix that is a list of lists.

use super::contest::Kernel;
use super::numbers::Numbers;
use retrograde::{Tape, gradient};

/// `x` holds the rows of the matrix.
#[gradient]
fn log_determinant(x: &[f64]) -> f64 {
    let n = x.len().isqrt();
    let mut a: Vec<Vec<f64>> = (0..n).map(|i| x[i * n..(i + 1) * n].to_vec()).collect();
    for k in 0..n {
        for i in k + 1..n {
            let f = a[i][k] / a[k][k];
            for j in k..n {
                a[i][j] -= f * a[k][j];
            }
        }
    }
    let mut sum = 0.0;
    for k in 0..n {
        sum += a[k][k].ln();
    }
    sum
}

/// The elimination, which leaves its factors below the diagonal, and its adjoint from the last pivot to the first.
fn by_hand(x: &[f64], dx: &mut [f64]) -> f64 {
    let n = x.len().isqrt();
    let mut a = x.to_vec();
    for k in 0..n {
        let (above, below) = a.split_at_mut((k + 1) * n);
        let pivot = &above[k * n..];
        for row in below.chunks_exact_mut(n) {
            let f = row[k] / pivot[k];
            row[k] = f;
            for (v, p) in row[k + 1..].iter_mut().zip(&pivot[k + 1..]) {
                *v -= f * p;
            }
        }
    }
    dx.fill(0.0);
    let mut sum = 0.0;
    for k in 0..n {
        sum += a[k * n + k].ln();
        dx[k * n + k] = 1.0 / a[k * n + k];
    }
    for k in (0..n).rev() {
        let pivot = &a[k * n..(k + 1) * n];
        let (above, below) = dx.split_at_mut((k + 1) * n);
        let pivot_bar = &mut above[k * n..];
        for (i, row_bar) in below.chunks_exact_mut(n).enumerate() {
            let f = a[(k + 1 + i) * n + k];
            let mut f_bar = 0.0;
            for j in k + 1..n {
                f_bar -= row_bar[j] * pivot[j];
                pivot_bar[j] -= f * row_bar[j];
            }
            row_bar[k] = f_bar / pivot[k];
            pivot_bar[k] -= f * row_bar[k];
        }
    }
    sum
}

pub(crate) fn kernel(side: usize) -> Kernel {
    let mut tape = Tape::new();
    let mut x = Numbers::new().vec(side * side, -0.5, 0.5);
    // No pivot vanishes: the diagonal outweighs its rows.
    for k in 0..side {
        x[k * side + k] += side as f64;
    }
    Kernel::new(format!("elimination/{side}"), x, log_determinant)
        .with("by hand", by_hand)
        .with("retrograde", move |x, dx| {
            log_determinant_grad_into(&mut tape, x, dx)
        })
}
