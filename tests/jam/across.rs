//! Elements that lie side by side for the iterations of the outer loop: columns of a matrix in the inner one.

use crate::twins::{numbers, same_writes, twins};
use crate::{INNER, OUTER, both};

twins! {
    /// Each entry is a row times a column.
    ///
    /// applied `jam`
    pub(super) fn product(a: &[f64], b: &[f64], n: usize, m: usize, k: usize) -> f64 {
        let mut c = vec![0.0; n * m];
        for i in 0..n {
            for j in 0..m {
                let mut s = 0.1;
                for l in 0..k {
                    s += a[i * k + l] * b[l * m + j];
                }
                c[i * m + j] = s.sin();
            }
        }
        c.iter().map(|v| v * v).sum()
    }

    /// The transposed matrix times a vector.
    ///
    /// applied `jam`
    pub(super) fn transposed(b: &[f64], x: &[f64], m: usize) -> f64 {
        let mut out = 0.0;
        for j in 0..m {
            let mut s = 0.0;
            for l in 0..x.len() {
                s += b[l * m + j] * x[l];
            }
            out += s * s * s;
        }
        out
    }

    /// The stride is an argument: rows may meet, and columns may lie in reverse order of the rows.
    ///
    /// applied `jam`
    pub(super) fn strided(b: &[f64], x: &[f64], m: usize, stride: usize) -> f64 {
        let mut out = 0.0;
        for j in 0..m {
            let mut s = 0.0;
            for l in 0..x.len() {
                s += b[l * stride + j] * x[l];
            }
            out += s * s;
        }
        out
    }

    /// Tables that each pass fills anew, which runs forward and in reverse at once.
    ///
    /// applied `jam`
    pub(super) fn tables(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (h, m) = (x.len(), y.len());
        let mut f = 0.0;
        for b in 0..n {
            let mut t = vec![0.1; h * m];
            for i in 0..h {
                let mut s = 0.0;
                for j in 0..m {
                    s += x[i] * y[j];
                    t[j * h + i] += x[i] * y[j];
                }
                f += s;
            }
            for q in 0..h * m {
                f += (t[q] * x[0]).exp();
            }
        }
        f
    }

    /// applied `jam`
    pub(super) fn downwards(b: &[f64], x: &[f64], m: usize) -> f64 {
        let n = x.len();
        let mut out = 0.0;
        for j in 0..m {
            let mut s = 0.0;
            for l in 0..n {
                s += b[(n - l) * m + j] * x[l];
            }
            out += s * s;
        }
        out
    }

    /// Written in the function itself, in each iteration of the inner loop.
    ///
    /// applied `jam`
    pub(super) fn written(b: &[f64], x: &[f64], m: usize) -> f64 {
        let mut u = b.to_vec();
        let mut out = 0.0;
        for j in 0..m {
            let mut s = 0.0;
            for l in 0..x.len() {
                u[l * m + j] += x[l] * x[l];
                s += x[l] * 0.5;
            }
            out += s * s;
        }
        out + u.iter().map(|v| v * v).sum::<f64>()
    }

    /// One matrix is read in rows and in columns.
    ///
    /// applied `jam`
    pub(super) fn both_ways(a: &[f64], n: usize) -> f64 {
        let mut out = 0.0;
        for i in 0..n {
            for j in 0..n {
                let mut s = 0.0;
                for l in 0..n {
                    s += a[i * n + l] * a[l * n + j];
                }
                out += s * s;
            }
        }
        out
    }

    /// applied `jam`
    pub(super) fn single(b: &[f32], x: &[f32], m: usize) -> f64 {
        let mut out = 0.0f32;
        for j in 0..m {
            let mut s = 0.0;
            for l in 0..x.len() {
                s += b[l * m + j] * x[l];
            }
            out += s * s;
        }
        f64::from(out)
    }

    /// not applied `jam`
    pub(super) fn pairs(b: &[(f64, f64)], x: &[f64], m: usize) -> f64 {
        let mut out = 0.0;
        for j in 0..m {
            let mut s = 0.0;
            for l in 0..x.len() {
                s += b[l * m + j].0 * x[l] + b[l * m + j].1;
            }
            out += s * s;
        }
        out
    }

    /// applied `jam`
    pub(super) fn results(b: &[f64], x: &[f64], m: usize, stride: usize, out: &mut [f64]) {
        for j in 0..m {
            let mut s = 0.0;
            for l in 0..x.len() {
                s += b[l * stride + j] * x[l];
            }
            out[j] += s;
        }
    }
}

#[test]
fn columns_of_matrices() {
    for m in OUTER {
        for n in INNER {
            let (b, x) = (&numbers(n * m, 1), &numbers(n, 2));
            both!(transposed, transposed_grad, b, x, m);
            both!(written, written_grad, b, x, m);
            both!(downwards, downwards_grad, &numbers((n + 1) * m, 3), x, m);
            let (single, by) = (b.iter().map(|v| *v as f32), x.iter().map(|v| *v as f32));
            let (single, by): (Vec<f32>, Vec<f32>) = (single.collect(), by.collect());
            let value = on::single(&single, &by, m);
            assert_eq!(
                value.to_bits(),
                on::single_grad(&single, &by, m).0.to_bits()
            );
            for stride in [0, 1, m / 2, m, m + 1] {
                let b = &numbers(n * stride + m, 4);
                both!(strided, strided_grad, b, x, m, stride);
            }
            let pairs: Vec<(f64, f64)> = b.iter().map(|v| (*v, v * 0.5)).collect();
            both!(pairs, pairs_grad, &pairs, x, m);
        }
    }
    for (n, m, k) in [
        (1, 1, 1),
        (3, 8, 5),
        (2, 9, 64),
        (5, 17, 100),
        (9, 33, 31),
        (8, 16, 70),
    ] {
        let (a, b) = (&numbers(n * k, 1), &numbers(k * m, 2));
        both!(product, product_grad, a, b, n, m, k);
    }
    for n in [1, 7, 8, 9, 17, 65] {
        both!(both_ways, both_ways_grad, &numbers(n * n, 5), n);
    }
}

/// Where both sweeps are in one loop, too, the value is rounded as the function rounds it: with fused multiply-add in
/// adjoints alone.
#[test]
fn tables_that_each_pass_fills() {
    for (h, m) in [(0, 3), (3, 0), (1, 1), (7, 9), (8, 8), (9, 9), (17, 33)] {
        for n in [0, 1, 3] {
            let (x, y) = (&numbers(h, 1), &numbers(m, 2));
            both!(tables, tables_grad, x, y, n);
        }
    }
}

#[test]
fn a_column_that_is_not_there() {
    for (m, n) in [(8, 60), (9, 100), (17, 70), (33, 200)] {
        let (x, out) = (numbers(n, 2), numbers(m, 3));
        for (stride, short) in [
            (m, 0),
            (m, 1),
            (m, m),
            (m - 1, 1),
            (usize::MAX, 0),
            (usize::MAX / 2 + 1, 0),
        ] {
            let len = (stride.min(m) * (n - 1) + m).saturating_sub(short);
            let b = numbers(len, 4);
            same_writes(
                &out,
                |o| on::results(&b, &x, m, stride, o),
                |t, o, d| {
                    on::results_adjoint(
                        t,
                        &b,
                        &mut vec![0.0; len],
                        &x,
                        &mut vec![0.0; n],
                        m,
                        stride,
                        o,
                        d,
                        (),
                    )
                },
                |t, o, d| {
                    off::results_adjoint(
                        t,
                        &b,
                        &mut vec![0.0; len],
                        &x,
                        &mut vec![0.0; n],
                        m,
                        stride,
                        o,
                        d,
                        (),
                    )
                },
                &format!("{m} columns, {n} rows, {short} too short, stride {stride}"),
            );
        }
    }
}
