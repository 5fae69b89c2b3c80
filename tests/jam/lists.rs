//! Matrices whose rows are arrays of a list: rows for each iteration of the outer loop, or columns side by side.

use crate::support::{assert_close, differences};
use crate::twins::{agree, bits, numbers, outcome, twins};
use crate::{INNER, OUTER, both};

twins! {
    /// Each entry is a row times a column.
    ///
    /// applied `jam`
    pub(super) fn product(a: &[Vec<f64>], b: &[Vec<f64>], m: usize) -> f64 {
        let mut c = vec![vec![0.0; m]; a.len()];
        for i in 0..a.len() {
            for j in 0..m {
                let mut s = 0.1;
                for l in 0..b.len() {
                    s += a[i][l] * b[l][j];
                }
                c[i][j] = s.sin();
            }
        }
        c.iter().flatten().map(|v| v * v).sum()
    }

    /// The sums are elements of a row.
    ///
    /// applied `jam`
    pub(super) fn in_place(a: &[Vec<f64>], b: &[Vec<f64>], m: usize) -> f64 {
        let mut c = vec![vec![0.1; m]; a.len()];
        for i in 0..a.len() {
            for j in 0..m {
                for l in 0..b.len() {
                    c[i][j] += a[i][l] * b[l][j];
                }
            }
        }
        c.iter().flatten().map(|v| v.cos()).sum()
    }

    /// Rows times a vector.
    ///
    /// applied `jam`
    pub(super) fn rows(a: &[Vec<f64>], x: &[f64], m: usize) -> f64 {
        let mut out = 0.0;
        for i in 0..m {
            let mut s = 0.0;
            for j in 0..x.len() {
                s += a[i][j] * x[j];
            }
            out += s * s * s;
        }
        out
    }

    /// applied `jam`
    pub(super) fn columns(b: &[Vec<f64>], x: &[f64], m: usize) -> f64 {
        let mut out = 0.0;
        for j in 0..m {
            let mut s = 0.0;
            for l in 0..x.len() {
                s += b[l][j] * x[l];
            }
            out += s * s * s;
        }
        out
    }

    /// Which rows these are is known when the loop runs: it may be one row all the time, or each second one.
    ///
    /// applied `jam`
    pub(super) fn strided(b: &[Vec<f64>], x: &[f64], m: usize, stride: usize) -> f64 {
        let mut out = 0.0;
        for j in 0..m {
            let mut s = 0.0;
            for l in 0..x.len() {
                s += b[l * stride][j] * x[l];
            }
            out += s * s;
        }
        out
    }

    /// applied `jam`
    pub(super) fn downwards(b: &[Vec<f64>], x: &[f64], m: usize) -> f64 {
        let n = x.len();
        let mut out = 0.0;
        for j in 0..m {
            let mut s = 0.0;
            for l in 0..n {
                s += b[n - l][j] * x[l];
            }
            out += s * s;
        }
        out
    }

    /// Rows that are written for each iteration of the outer loop, over panels of columns.
    ///
    /// applied `jam`
    pub(super) fn added(x: &[f64], y: &[f64], m: usize) -> f64 {
        let n = y.len();
        let mut u = vec![vec![0.2; n]; m];
        let mut z = vec![0.0; n];
        for i in 0..m {
            for j in 0..n {
                u[i][j] += x[i] * y[j];
                z[j] += u[i][j] * y[j];
            }
        }
        u.iter().flatten().map(|v| v * v).sum::<f64>() + z.iter().sum::<f64>()
    }

    /// The same, with a sum for each row.
    ///
    /// applied `jam`
    pub(super) fn added_and_summed(x: &[f64], y: &[f64], m: usize) -> f64 {
        let n = y.len();
        let mut u = vec![vec![0.2; n]; m];
        let mut z = vec![0.0; n];
        let mut out = 0.0;
        for i in 0..m {
            let mut s = 0.0;
            for j in 0..n {
                u[i][j] += x[i] * y[j];
                z[j] += x[i];
                s += y[j] * y[j];
            }
            out += s * x[i];
        }
        u.iter().flatten().map(|v| v * v).sum::<f64>() + z.iter().sum::<f64>() + out
    }

    /// Columns that are written.
    ///
    /// applied `jam`
    pub(super) fn written(b: &[Vec<f64>], x: &[f64], m: usize) -> f64 {
        let mut u = b.to_vec();
        let mut out = 0.0;
        for j in 0..m {
            let mut s = 0.0;
            for l in 0..x.len() {
                u[l][j] += x[l] * x[l];
                s += x[l] * 0.5;
            }
            out += s * s;
        }
        out + u.iter().flatten().map(|v| v * v).sum::<f64>()
    }

    /// A row that both loops leave alone stands beside the columns.
    ///
    /// applied `jam`
    pub(super) fn deep(w: &[Vec<Vec<f64>>], x: &[f64], m: usize) -> f64 {
        let mut h = x.to_vec();
        for k in 0..w.len() {
            let mut z = vec![0.1; m];
            for i in 0..m {
                let mut s = 0.0;
                for j in 0..m {
                    s += w[k][i][j] * h[j];
                }
                z[i] = s.sin() + w[k][0][i];
            }
            h = z;
        }
        h.iter().sum()
    }

    /// Arrays of arrays.
    ///
    /// applied `jam`
    pub(super) fn arrays(b: &[[f64; 20]; 18], x: &[f64], m: usize) -> f64 {
        let mut u = [[0.1; 20]; 18];
        let mut out = 0.0;
        for j in 0..m {
            let mut s = 0.0;
            for l in 0..x.len() {
                s += b[l][j] * x[l];
                u[l][j] += x[l];
            }
            out += s * s;
        }
        out + u.iter().flatten().map(|v| v * v).sum::<f64>()
    }

    /// applied `jam`
    pub(super) fn single(b: &[Vec<f32>], x: &[f32], m: usize) -> f64 {
        let mut out = 0.0f32;
        for j in 0..m {
            let mut s = 0.0;
            for l in 0..x.len() {
                s += b[l][j] * x[l];
            }
            out += s * s;
        }
        f64::from(out)
    }

    /// Both ways at once, of one list.
    ///
    /// applied `jam`: forward: 8 iterations at once
    /// not applied `jam`: reverse: `a_bar` is written, and other iterations may reach the same elements
    pub(super) fn both_ways(a: &[Vec<f64>], m: usize) -> f64 {
        let mut out = 0.0;
        for i in 0..m {
            for j in 0..m {
                let mut s = 0.0;
                for l in 0..m {
                    s += a[i][l] * a[l][j];
                }
                out += s * s;
            }
        }
        out
    }

    /// Rows of structs.
    ///
    /// not applied `jam`
    pub(super) fn pairs(b: &[Vec<(f64, f64)>], x: &[f64], m: usize) -> f64 {
        let mut out = 0.0;
        for j in 0..m {
            let mut s = 0.0;
            for l in 0..x.len() {
                s += b[l][j].0 * x[l] + b[l][j].1;
            }
            out += s * s;
        }
        out
    }

    /// A diagonal.
    ///
    /// not applied `jam`
    pub(super) fn diagonal(a: &[Vec<f64>], x: &[f64], m: usize) -> f64 {
        let mut out = 0.0;
        for i in 0..m {
            let mut s = 0.0;
            for j in 0..x.len() {
                s += a[i][j] * x[j];
            }
            out += s * a[i][i];
        }
        out
    }
}

fn list(rows: usize, columns: usize, seed: u32) -> Vec<Vec<f64>> {
    let all = numbers(rows * columns, seed);
    (0..rows)
        .map(|row| all[row * columns..(row + 1) * columns].to_vec())
        .collect()
}

#[test]
fn rows_and_columns_of_lists() {
    for m in OUTER {
        for n in INNER {
            let (b, a, x) = (&list(n, m, 1), &list(m, n, 3), &numbers(n, 2));
            both!(columns, columns_grad, b, x, m);
            both!(written, written_grad, b, x, m);
            both!(rows, rows_grad, a, x, m);
            both!(downwards, downwards_grad, &list(n + 1, m, 3), x, m);
            both!(added, added_grad, &numbers(m, 5), x, m);
            both!(
                added_and_summed,
                added_and_summed_grad,
                &numbers(m, 5),
                x,
                m
            );
            for stride in [0, 1, 2] {
                let b = &list(n * stride + 1, m, 4);
                both!(strided, strided_grad, b, x, m, stride);
            }
            let single = |v: &[f64]| v.iter().map(|v| *v as f32).collect::<Vec<f32>>();
            let (of, by) = (
                b.iter().map(|row| single(row)).collect::<Vec<_>>(),
                single(x),
            );
            let value = on::single(&of, &by, m);
            assert_eq!(value.to_bits(), on::single_grad(&of, &by, m).0.to_bits());
            let pairs = |row: &Vec<f64>| row.iter().map(|v| (*v, v * 0.5)).collect::<Vec<_>>();
            let pairs: Vec<_> = b.iter().map(pairs).collect();
            both!(pairs, pairs_grad, &pairs, x, m);
            if n >= m {
                both!(diagonal, diagonal_grad, a, x, m);
            }
        }
    }
    for m in [0, 1, 7, 8, 9, 16, 20, 21] {
        for n in [0, 1, 9, 18, 19] {
            let mut b = [[0.0; 20]; 18];
            b.as_flattened_mut().copy_from_slice(&numbers(360, 6));
            both!(arrays, arrays_grad, &b, &numbers(n, 7), m);
        }
    }
    for (n, m, k) in [
        (1, 1, 1),
        (0, 9, 3),
        (3, 8, 5),
        (2, 9, 64),
        (5, 17, 100),
        (9, 33, 31),
        (8, 16, 70),
    ] {
        let (a, b) = (&list(n, k, 1), &list(k, m, 2));
        both!(product, product_grad, a, b, m);
        both!(in_place, in_place_grad, a, b, m);
    }
    for n in [1, 7, 8, 9, 17, 65] {
        both!(both_ways, both_ways_grad, &list(n, n, 5), n);
        let w: Vec<_> = (0..3).map(|k| list(n, n, k)).collect();
        both!(deep, deep_grad, &w, &numbers(n, 8), n);
    }
}

#[test]
fn gradients_are_those_of_differences() {
    let (n, m) = (9, 11);
    let x = numbers(n * m + n, 3);
    let cut = |p: &[f64]| -> Vec<Vec<f64>> { p[..n * m].chunks(m).map(<[f64]>::to_vec).collect() };
    macro_rules! compared {
        ($($f:ident $g:ident)*) => { $(
            let (_, (db, dx)) = on::$g(&cut(&x), &x[n * m..], m);
            let want = differences(|p| on::$f(&cut(p), &p[n * m..], m), &x);
            assert_close(&[db.concat(), dx].concat(), &want, 1e-6, &[]);
        )* };
    }
    compared! { columns columns_grad written written_grad }
    let (a, b) = x[..99].split_at(55);
    let cut = |p: &[f64], m: usize| -> Vec<Vec<f64>> { p.chunks(m).map(<[f64]>::to_vec).collect() };
    let (_, (da, db)) = on::product_grad(&cut(a, 11), &cut(b, 4), 4);
    let want = differences(
        |p| on::product(&cut(&p[..55], 11), &cut(&p[55..], 4), 4),
        &x[..99],
    );
    assert_close(&[da.concat(), db.concat()].concat(), &want, 1e-6, &[]);
    let (_, (dx, dy)) = on::added_grad(&x[..m], &x[m..2 * m + 5], m);
    let want = differences(|p| on::added(&p[..m], &p[m..], m), &x[..2 * m + 5]);
    assert_close(&[dx, dy].concat(), &want, 1e-6, &[]);
}

/// Rows that are too short, or are not there: what was written until then is what the function wrote.
mod ragged {
    use super::*;

    twins! {
        /// applied `jam`
        pub(super) fn columns_to(b: &mut [Vec<f64>], x: &[f64], out: &mut [f64], m: usize, by: usize) {
            let mut u = b.to_vec();
            for j in 0..m {
                let mut s = 0.0;
                for l in 0..x.len() {
                    u[l * by][j] += x[l];
                    s += x[l] * x[l];
                }
                out[j] += s;
            }
            for i in 0..u.len() {
                for j in 0..u[i].len() {
                    b[i][j] = u[i][j];
                }
            }
        }

        /// applied `jam`
        pub(super) fn rows_to(b: &mut [Vec<f64>], x: &[f64], out: &mut [f64], m: usize, by: usize) {
            let mut u = b.to_vec();
            let mut z = vec![0.0; x.len()];
            for i in 0..m {
                for j in 0..x.len() {
                    u[i * by][j] += out[i] * x[j];
                    z[j] += x[j];
                }
            }
            for j in 0..z.len() {
                out[j] = z[j];
            }
            for i in 0..u.len() {
                for j in 0..u[i].len() {
                    b[i][j] = u[i][j];
                }
            }
        }

        /// applied `jam`
        pub(super) fn rows_of(b: &mut [Vec<f64>], x: &[f64], out: &mut [f64], m: usize, by: usize) {
            for i in 0..m {
                let mut s = 0.0;
                for j in 0..x.len() {
                    s += b[i * by][j] * x[j];
                }
                out[i] += s;
            }
        }
    }

    type Gradient = fn(
        &mut retrograde::Tape,
        &mut [Vec<f64>],
        &mut [Vec<f64>],
        &[f64],
        &mut [f64],
        &mut [f64],
        &mut [f64],
        usize,
        usize,
        (),
    );

    fn compare(f: fn(&mut [Vec<f64>], &[f64], &mut [f64], usize, usize), of: [Gradient; 2]) {
        let (n, m) = (20, 19);
        let whole = vec![20; 40];
        let mut short = whole.clone();
        short[13] = 18;
        let mut none = whole.clone();
        none[8] = 0;
        let few = whole[..17].to_vec();
        for lens in [whole, short, none, few] {
            for by in [0, 1, 2, 3] {
                for len in [19, 20, 12] {
                    let b: Vec<_> = lens.iter().map(|len| numbers(*len, 3)).collect();
                    let (x, out) = (numbers(n, 4), numbers(len, 5));
                    let left = |f: &mut dyn FnMut(&mut [Vec<f64>], &mut [f64])| {
                        let (mut b, mut out) = (b.clone(), out.clone());
                        let done = outcome(|| f(&mut b, &mut out)).is_some();
                        (done, bits(&b.concat()), bits(&out))
                    };
                    let want = left(&mut |b, out| f(b, &x, out, m, by));
                    for g in of {
                        let got = left(&mut |b, out| {
                            let mut bars: Vec<_> = b.iter().map(|r| vec![1.0; r.len()]).collect();
                            let (mut dx, mut seed) = (vec![0.0; n], vec![1.0; out.len()]);
                            let tape = &mut retrograde::Tape::new();
                            g(tape, b, &mut bars, &x, &mut dx, out, &mut seed, m, by, ());
                        });
                        assert_eq!(got, want, "{lens:?} {by} {len}");
                    }
                }
            }
        }
    }

    #[test]
    fn columns_that_are_not_there() {
        compare(
            on::columns_to,
            [on::columns_to_adjoint, off::columns_to_adjoint],
        );
    }

    #[test]
    fn rows_that_are_not_there() {
        compare(on::rows_to, [on::rows_to_adjoint, off::rows_to_adjoint]);
        compare(on::rows_of, [on::rows_of_adjoint, off::rows_of_adjoint]);
    }
}
