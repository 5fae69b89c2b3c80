//! Sizes around blocks of columns, tiles of rows, and as many steps as are kept.

use crate::transformed::{near, numbers};
use crate::{small, twins};

twins! {
    /// A layer whose inputs have no adjoint, so that nothing but products is left of its reverse.
    ///
    /// applied `defer`
    pub(super) fn layer(w: &[f64], #[constant] x: &[f64], n: usize, m: usize, steps: usize) -> f64 {
        let mut total = 0.0;
        for t in 0..steps {
            for i in 0..n {
                let mut s = 0.1;
                for j in 0..m {
                    s += w[i * m + j] * x[j + t];
                }
                total += s * s;
            }
        }
        total
    }
}

const LENGTHS: [usize; 15] = [0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 97];

#[test]
fn rows_and_columns() {
    for n in LENGTHS {
        for m in LENGTHS {
            // The other side, so that the matrix is large.
            for (n, m) in [(n, m), (n, 256 / n.max(1) + m), (256 / m.max(1) + n, m)] {
                let (w, x) = (small(n * m, 1, m), numbers(m + 40, 2));
                for steps in [1, 3, 5] {
                    compare(&w, &x, n, m, steps);
                }
            }
        }
    }
}

#[test]
fn steps() {
    let (n, m) = (65, 33);
    let (w, x) = (small(n * m, 1, m), numbers(m + 120, 2));
    for steps in [0, 1, 2, 3, 4, 33, 34, 35, 36, 65, 66, 67, 98, 120] {
        compare(&w, &x, n, m, steps);
    }
}

#[track_caller]
fn compare(w: &[f64], x: &[f64], n: usize, m: usize, steps: usize) {
    let (value, dw) = on::layer_grad(w, x, n, m, steps);
    assert_eq!(value.to_bits(), on::layer(w, x, n, m, steps).to_bits());
    near(&dw, &kept::layer_grad(w, x, n, m, steps).1);
    near(&dw, &off::layer_grad(w, x, n, m, steps).1);
}
