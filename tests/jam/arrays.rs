//! How arrays are reached: rows that meet, elements that all iterations share, and both at once.

use crate::twins::{numbers, twins};
use crate::{INNER, OUTER, both};

twins! {
    /// One array as a matrix and as a vector: its gradient has contributions in rows and in all runs.
    ///
    /// applied `jam`, `terms`
    pub(super) fn rows_and_columns(w: &[f64], n: usize, m: usize) -> f64 {
        let mut total = 0.0;
        for i in 0..n {
            let mut s = 0.5;
            for j in 0..m {
                s += w[i * m + j] * w[j];
            }
            total += s * s;
        }
        total
    }

    /// Rows that overlap: stride one.
    ///
    /// applied `jam`, `terms`
    pub(super) fn windows(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut total = 0.0;
        for i in 0..n {
            let mut s = 0.5;
            for j in 0..m {
                s += a[i + j] * x[j];
            }
            total += s * s;
        }
        total
    }

    /// Rows that overlap, coincide, or lie side by side, as the stride is.
    ///
    /// applied `jam`, `terms`
    pub(super) fn strides(a: &[f64], x: &[f64], n: usize, m: usize, stride: usize) -> f64 {
        let mut total = 0.0;
        for i in 0..n {
            let mut s = 0.5;
            for j in 0..m {
                s += a[i * stride + j] * x[j];
            }
            total += s * s;
        }
        total
    }

    /// The same rows written in the forward sweep, where the order of the writes is what counts.
    ///
    /// not applied `jam`
    pub(super) fn written_strides(a: &[f64], x: &[f64], n: usize, m: usize, stride: usize) -> f64 {
        let mut y = vec![0.5; n * stride + m];
        for i in 0..n {
            let mut s = x[0];
            for j in 0..m {
                s += y[i * stride + j];
                y[i * stride + j] = a[i] * x[j] - 0.5 * s;
            }
            y[i * stride] += s * 0.01;
        }
        let mut total = 0.0;
        for k in 0..y.len() {
            total += y[k] * y[k] * (k as f64 + 1.0);
        }
        total
    }

    /// Rows that are written in the inner loop alone: a block of them may run only if they are disjoint.
    ///
    /// applied `jam`
    pub(super) fn row_sums(a: &[f64], x: &[f64], n: usize, m: usize, stride: usize) -> f64 {
        let mut y = vec![0.5; n * stride + m];
        let mut last = 0.0;
        for i in 0..n {
            let mut s = x[0];
            for j in 0..m {
                s += y[i * stride + j] * 0.1;
                y[i * stride + j] = a[i] * x[j] - 0.5 * s;
            }
            last = last * 0.5 + s;
        }
        let mut total = last * last;
        for k in 0..y.len() {
            total += y[k] * y[k] * (k as f64 + 1.0);
        }
        total
    }

    /// From the last row to the first.
    ///
    /// applied `jam`, `terms`
    pub(super) fn upwards(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut total = 0.0;
        for i in 0..n {
            let mut s = 0.5;
            for j in 0..m {
                s += a[(n - 1 - i) * m + j] * x[j];
            }
            total += s * s;
        }
        total
    }

    /// Each run adds to the same elements, and the next element is read.
    ///
    /// not applied `jam`
    pub(super) fn neighbours(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut y = vec![0.25; m + 1];
        for i in 0..n {
            for j in 0..m {
                y[j] += y[j + 1] * 0.01 + a[i] * x[j];
            }
        }
        let mut total = 0.0;
        for j in 0..m + 1 {
            total += y[j] * y[j];
        }
        total
    }

    /// Rows and columns that change by what they are: a column that ran twice would show.
    ///
    /// applied `jam`
    pub(super) fn updated_rows(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut y = vec![0.25; n * m];
        let mut z = vec![0.5; m];
        for k in 0..3 {
            for i in 0..n {
                for j in 0..m {
                    y[i * m + j] = y[i * m + j] * 0.5 + a[i] * x[j];
                    z[j] = z[j] * 0.75 + y[i * m + j];
                }
            }
        }
        let mut total = 0.0;
        for k in 0..n * m {
            total += y[k] * (k as f64 + 1.0);
        }
        for j in 0..m {
            total += z[j] * z[j];
        }
        total
    }

    /// A sum and the array it feeds: each run reads what the one before left, element by element.
    ///
    /// applied `jam`
    pub(super) fn fed_back(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut y = vec![0.25; m];
        let mut last = 0.0;
        for i in 0..n {
            let mut s = a[i];
            for j in 0..m {
                s += y[j] * 0.01;
                y[j] = y[j] * 0.5 + a[i] * x[j] + 0.01 * s;
            }
            last += s;
        }
        let mut total = last;
        for j in 0..m {
            total += y[j] * y[j];
        }
        total
    }

    /// Read in front of the inner loop by a fixed number and by the counter.
    ///
    /// not applied `jam`
    pub(super) fn read_in_front(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut y = vec![0.25; m + n + 1];
        let mut total = 0.0;
        for i in 0..n {
            let first = y[0];
            let own = y[i];
            for j in 0..m {
                y[j] += a[i] * x[j] + 0.1 * first - 0.1 * own;
            }
            total += own * a[i];
        }
        for j in 0..y.len() {
            total += y[j] * y[j];
        }
        total
    }

    /// Read behind the inner loop, when the other iterations of a block would have written already.
    ///
    /// not applied `jam`
    pub(super) fn read_behind(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut y = vec![0.25; m + n + 1];
        let mut total = 0.0;
        for i in 0..n {
            for j in 0..m {
                y[j] += a[i] * x[j];
            }
            total = total * 0.9 + y[0] * y[i];
        }
        for j in 0..y.len() {
            total += y[j] * y[j];
        }
        total
    }

    /// Two arrays that all runs write, one of which the other reads.
    ///
    /// not applied `jam`
    pub(super) fn two_shared(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut y = vec![0.25; m];
        let mut z = x.to_vec();
        for i in 0..n {
            for j in 0..m {
                y[j] += z[j] * a[i];
                z[j] = 0.5 * z[j] - y[j] * 0.01;
            }
        }
        let mut total = 0.0;
        for j in 0..m {
            total += y[j] * z[j];
        }
        total
    }

    /// Three loops: matrices by vectors of an outer counter.
    ///
    /// applied `jam`
    pub(super) fn three_deep(t: &[f64], b: &[f64], c: &[f64], n: usize, m: usize, r: usize) -> f64 {
        let mut total = 0.0;
        for i in 0..n {
            let mut row = vec![0.1; r];
            for k in 0..m {
                for q in 0..r {
                    row[q] += t[i * m + k] * b[k * r + q] * c[q];
                }
            }
            for q in 0..r {
                total += row[q] * row[q];
            }
        }
        total
    }

    /// A triple nest in a fourth loop, the inner two of which share a row of the result.
    ///
    /// applied `jam`
    pub(super) fn mttkrp(t: &[f64], b: &[f64], c: &[f64], n: usize, m: usize, r: usize) -> f64 {
        let mut out = vec![0.0; n * r];
        for i in 0..n {
            for j in 0..m {
                for k in 0..m {
                    for q in 0..r {
                        out[i * r + q] += t[(i * m + j) * m + k] * b[j * r + q] * c[k * r + q];
                    }
                }
            }
        }
        let mut total = 0.0;
        for i in 0..n * r {
            total += out[i] * out[i];
        }
        total
    }

    /// Constants in strides and offsets, and parts of elements.
    ///
    /// applied `jam`
    pub(super) fn of_const<const N: usize, const M: usize>(a: &[[f64; 3]], x: &[f64; M]) -> f64 {
        const OFF: usize = 1;
        let (n, m) = (N, M);
        let mut total = 0.0;
        for i in 0..n {
            let mut s = 0.5;
            for j in 0..m {
                s += a[i * M + j + OFF][1] * x[j] + a[i * M + j + OFF][2];
            }
            total += s * s;
        }
        total
    }

    /// Two parts of one element, both written by all runs.
    ///
    /// applied `jam`
    pub(super) fn pairs(a: &[(f64, [f64; 2])], x: &[f64], n: usize, m: usize) -> f64 {
        let mut y = vec![(0.5, 0.25); m];
        let mut total = 0.0;
        for i in 0..n {
            let mut s = 0.5;
            for j in 0..m {
                let p = a[i * m + j].0;
                s += p * x[j] + a[i * m + j].1[1];
                y[j].1 += p * p;
                y[j].0 -= y[j].1 * 0.01;
            }
            total += s * s;
        }
        for j in 0..m {
            total += y[j].0 * y[j].1;
        }
        total
    }
}

#[test]
fn rows_that_meet() {
    for n in OUTER {
        for m in INNER {
            let x = numbers(m, 2);
            let w = numbers((n * m).max(m), 1);
            both!(rows_and_columns, rows_and_columns_grad, &w, n, m);
            both!(upwards, upwards_grad, &w, &x, n, m);
            let a = numbers(n + m, 1);
            both!(windows, windows_grad, &a, &x, n, m);
            let x = numbers(m.max(1), 2);
            for stride in [0, 1, m.saturating_sub(1), m, m + 1] {
                let a = numbers(n * stride + m, 1);
                both!(strides, strides_grad, &a, &x, n, m, stride);
                both!(written_strides, written_strides_grad, &a, &x, n, m, stride);
                both!(row_sums, row_sums_grad, &a, &x, n, m, stride);
            }
        }
    }
}

#[test]
fn elements_that_all_iterations_write() {
    for n in OUTER {
        for m in INNER {
            let (a, x) = (numbers(n, 1), numbers(m, 2));
            both!(neighbours, neighbours_grad, &a, &x, n, m);
            both!(fed_back, fed_back_grad, &a, &x, n, m);
            both!(updated_rows, updated_rows_grad, &a, &x, n, m);
            both!(read_in_front, read_in_front_grad, &a, &x, n, m);
            both!(read_behind, read_behind_grad, &a, &x, n, m);
            both!(two_shared, two_shared_grad, &a, &x, n, m);
        }
    }
}

#[test]
fn three_loops() {
    for n in [0, 1, 3, 4] {
        for m in [0, 1, 4, 5, 9, 17] {
            for r in [0, 1, 33, 100] {
                let (t, b, c) = (numbers(n * m, 1), numbers(m * r, 2), numbers(r, 3));
                both!(three_deep, three_deep_grad, &t, &b, &c, n, m, r);
                if m < 10 {
                    let (t, c) = (numbers(n * m * m, 1), numbers(m * r, 3));
                    both!(mttkrp, mttkrp_grad, &t, &b, &c, n, m, r);
                }
            }
        }
    }
}

#[test]
fn elements_with_parts() {
    let of = |n: usize| -> Vec<[f64; 3]> {
        let x = numbers(3 * n, 5);
        (0..n)
            .map(|k| [x[3 * k], x[3 * k + 1], x[3 * k + 2]])
            .collect()
    };
    let x: [f64; 50] = numbers(50, 2).try_into().unwrap();
    macro_rules! constant {
        ($($n:literal)*) => { $(
            let a = of($n * 50 + 1);
            crate::twins::agree(
                || on::of_const::<$n, 50>(&a, &x),
                || on::of_const_grad::<$n, 50>(&a, &x),
                || off::of_const_grad::<$n, 50>(&a, &x),
            );
        )* };
    }
    constant!(0 1 4 8 9 17);
    for n in OUTER {
        for m in INNER {
            let (v, x) = (numbers(3 * n * m, 1), numbers(m, 2));
            let a: Vec<(f64, [f64; 2])> = (0..n * m)
                .map(|k| (v[3 * k], [v[3 * k + 1], v[3 * k + 2]]))
                .collect();
            both!(pairs, pairs_grad, &a, &x, n, m);
        }
    }
}
