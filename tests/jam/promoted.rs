//! Sums in elements of the outer loop's iterations: held in registers while the inner loop runs.

use crate::support::{assert_close, differences};
use crate::twins::{bits, numbers, outcome, twins};
use crate::{INNER, OUTER, both};

twins! {
    /// applied `jam`
    pub(super) fn rows(a: &[f64], x: &[f64], m: usize) -> f64 {
        let n = x.len();
        let mut y = vec![0.1; m];
        for i in 0..m {
            for j in 0..n {
                y[i] += a[i * n + j] * x[j];
            }
        }
        y.iter().map(|v| v * v * v).sum()
    }

    /// What the sum begins with, and what becomes of it, stands beside the inner loop.
    ///
    /// applied `jam`
    pub(super) fn around(a: &[f64], x: &[f64], m: usize) -> f64 {
        let n = x.len();
        let mut y = vec![1.0; m];
        let mut out = 0.0;
        for i in 0..m {
            y[i] = 0.5 - x[0];
            for j in 0..n {
                y[i] -= a[j * m + i] * x[j];
            }
            y[i] /= 2.0 + x[0] * x[0];
            out += y[i] * y[i];
        }
        out
    }

    /// Products, and what is assigned, in arms.
    ///
    /// applied `jam`: forward: 8 iterations at once
    pub(super) fn others(a: &[f64], x: &[f64], m: usize) -> f64 {
        let n = x.len();
        let (mut y, mut last) = (vec![1.0; m], vec![0.0; m]);
        for i in 0..m {
            for j in 0..n {
                if a[i * n + j] > x[j] {
                    y[i] += x[j];
                } else {
                    last[i] = a[i * n + j] - y[i];
                }
            }
        }
        let mut out = 0.0;
        for i in 0..m {
            out += y[i] * last[i];
        }
        out
    }

    /// Two sums in neighbouring elements of two arrays.
    ///
    /// applied `jam`
    pub(super) fn two(a: &[f64], x: &[f64], m: usize) -> f64 {
        let n = x.len();
        let (mut y, mut z) = (vec![0.3; m + 2], vec![0.2; m]);
        for i in 0..m {
            for j in 0..n {
                y[i + 2] += a[i * n + j] * x[j];
                z[i] += a[i * n + j].sin();
            }
        }
        let mut out = y[0] * y[1];
        for i in 0..m {
            out += y[i + 2] * z[i];
        }
        out
    }

    /// applied `jam`
    pub(super) fn single(a: &[f32], x: &[f32], m: usize) -> f64 {
        let n = x.len();
        let mut y = vec![0.1f32; m];
        for i in 0..m {
            for j in 0..n {
                y[i] += a[i * n + j] * x[j];
            }
        }
        f64::from(y.iter().map(|v| v * v).sum::<f32>())
    }

    /// The sum before is an element of the same array.
    ///
    /// not applied `jam`: forward: `y` is written, and other iterations may reach the same elements
    pub(super) fn carried(a: &[f64], x: &[f64], m: usize) -> f64 {
        let n = x.len();
        let mut y = vec![0.1; m + 1];
        for i in 0..m {
            for j in 0..n {
                y[i + 1] += a[i * n + j] * x[j] + 0.001 * y[i];
            }
        }
        y.iter().map(|v| v * v).sum()
    }

    /// Both indices of the element change.
    ///
    /// not applied `jam`: forward: `y`: its index does not go up by one with a counter
    pub(super) fn diagonals(a: &[f64], x: &[f64], m: usize) -> f64 {
        let n = x.len();
        let mut y = vec![0.1; m + n];
        for i in 0..m {
            for j in 0..n {
                y[i + j] += a[i * n + j] * x[j];
            }
        }
        y.iter().map(|v| v * v).sum()
    }
}

#[test]
fn sums_in_elements() {
    for m in OUTER {
        for n in INNER {
            if n == 0 && m > 0 {
                continue; // `around` looks at the first element
            }
            let (a, x) = (&numbers(n * m, 1), &numbers(n, 2));
            both!(rows, rows_grad, a, x, m);
            both!(around, around_grad, a, x, m);
            both!(others, others_grad, a, x, m);
            both!(two, two_grad, a, x, m);
            both!(carried, carried_grad, a, x, m);
            both!(diagonals, diagonals_grad, a, x, m);
            let single = |v: &[f64]| v.iter().map(|v| *v as f32).collect::<Vec<f32>>();
            let (a, x) = (single(a), single(x));
            let value = on::single(&a, &x, m);
            assert_eq!(value.to_bits(), on::single_grad(&a, &x, m).0.to_bits());
        }
    }
    both!(rows, rows_grad, &[], &[], 9);
}

#[test]
fn gradients_are_those_of_differences() {
    let (m, n) = (17, 9);
    let p = numbers(m * n + n, 4);
    macro_rules! compared {
        ($($f:ident $g:ident)*) => { $(
            let (_, (da, dx)) = on::$g(&p[..m * n], &p[m * n..], m);
            let want = differences(|p| on::$f(&p[..m * n], &p[m * n..], m), &p);
            assert_close(&[da, dx].concat(), &want, 1e-6, &[]);
        )* };
    }
    compared! { rows rows_grad around around_grad two two_grad carried carried_grad }
}

/// What was written when an element is not there is what the function wrote.
mod cut {
    use super::*;

    twins! {
        /// applied `jam`
        pub(super) fn into(a: &[f64], x: &[f64], y: &mut [f64], m: usize) {
            let n = x.len();
            for i in 0..m {
                for j in 0..n {
                    y[i] += a[i * n + j] * x[j];
                }
            }
        }
    }

    #[test]
    fn an_element_that_is_not_there() {
        let (n, m) = (30, 17);
        let x = numbers(n, 2);
        for (of, to) in [
            (n * m, m),
            (n * m - 1, m),
            (n * 9 + 4, m),
            (n * m, 12),
            (0, m),
        ] {
            let (a, y) = (numbers(of, 1), numbers(to, 3));
            let left = |f: &mut dyn FnMut(&mut [f64])| {
                let mut y = y.clone();
                let done = outcome(|| f(&mut y)).is_some();
                (done, bits(&y))
            };
            let want = left(&mut |y| on::into(&a, &x, y, m));
            for g in [on::into_adjoint, off::into_adjoint] {
                let got = left(&mut |y| {
                    let (mut da, mut dx) = (vec![0.0; of], vec![0.0; n]);
                    let (tape, mut bar) = (&mut retrograde::Tape::new(), vec![1.0; to]);
                    g(tape, &a, &mut da, &x, &mut dx, y, &mut bar, m, ());
                });
                assert_eq!(got, want, "{of} {to}");
            }
        }
    }
}
