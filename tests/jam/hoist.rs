//! Factors of adjoints that no row changes: of one product, of several, with signs, and where taking them out would be
//! wrong.

use crate::twins::{numbers, twins};
use crate::{INNER, both};

twins! {
    /// Both kinds at once: rows receive a product with two fixed factors, columns one with one.
    ///
    /// applied `jam`, `hoist`
    pub(super) fn both_kinds(#[constant] t: &[f64], b: &[f64], c: &[f64], n: usize, m: usize) -> f64 {
        let mut a = vec![0.5; m];
        for k in 0..2 {
            for i in 0..n {
                let entry = t[i] + k as f64;
                for j in 0..m {
                    a[j] += entry * b[j] * c[i * m + j];
                }
            }
        }
        let mut total = 0.0;
        for j in 0..m {
            total += a[j] * a[j];
        }
        total
    }

    /// Signs, a constant and a number in front.
    ///
    /// applied `jam`, `hoist`
    pub(super) fn signs(#[constant] t: &[f64], b: &[f64], c: &[f64], n: usize, m: usize) -> f64 {
        let mut a = vec![0.5; m];
        for i in 0..n {
            for j in 0..m {
                let fixed = -b[j] * 3.0;
                a[j] -= -(fixed * t[i]) * c[i * m + j] * std::f64::consts::PI;
            }
        }
        let mut total = 0.0;
        for j in 0..m {
            total += a[j] * a[j];
        }
        total
    }

    /// The factor changes from row to row, though it is read in the same way each time.
    ///
    /// applied `jam`
    pub(super) fn factor_that_changes(#[constant] t: &[f64], b: &[f64], c: &[f64], n: usize, m: usize) -> f64 {
        let mut a = vec![0.5; m];
        for i in 0..n {
            for j in 0..m {
                a[j] = a[j] * 0.5 + t[i] * b[j] * c[i * m + j];
            }
        }
        let mut total = 0.0;
        for j in 0..m {
            total += a[j] * a[j];
        }
        total
    }

    /// An array whose adjoint the rows add to and read.
    ///
    /// not applied `jam`
    pub(super) fn adjoint_that_is_read(#[constant] t: &[f64], b: &[f64], c: &[f64], n: usize, m: usize) -> f64 {
        let mut a = vec![0.5; m];
        let mut z = vec![0.25; m];
        for i in 0..n {
            for j in 0..m {
                z[j] = z[j] * 0.5 + a[j] * b[j];
                a[j] = a[j] * 0.75 + z[j] * c[i * m + j] + t[i] * b[j];
            }
        }
        let mut total = 0.0;
        for j in 0..m {
            total += a[j] * a[j] + z[j];
        }
        total
    }

    /// A factor under a condition.
    ///
    /// applied `jam`
    pub(super) fn under_a_condition(#[constant] t: &[f64], b: &[f64], c: &[f64], n: usize, m: usize) -> f64 {
        let mut a = vec![0.5; m];
        for i in 0..n {
            for j in 0..m {
                if t[i] > 0.0 {
                    a[j] += b[j] * b[j] * c[i * m + j];
                } else {
                    a[j] -= b[j] * t[i];
                }
            }
        }
        let mut total = 0.0;
        for j in 0..m {
            total += a[j] * a[j];
        }
        total
    }

    /// A product that is named before what it was computed from changes: the adjoint of `v` is that of `q`, which is
    /// cleared afterwards.
    ///
    /// applied `jam`, `hoist`
    pub(super) fn product_of_what_changes(#[constant] t: &[f64], #[constant] w: &[f64], b: &[f64], n: usize,
        m: usize) -> f64 {
        let mut a = vec![0.5; m];
        for i in 0..n {
            for j in 0..m {
                let mut q = b[j] * w[j];
                let v = b[j] * w[j];
                q = q * t[i];
                q += v * w[j];
                a[j] += q * w[j];
            }
        }
        let mut total = 0.0;
        for j in 0..m {
            total += a[j] * a[j];
        }
        total
    }

    /// Variables that change between products.
    ///
    /// applied `jam`, `hoist`
    pub(super) fn local_chain(#[constant] t: &[f64], #[constant] w: &[f64], b: &[f64], c: &[f64], n: usize,
        m: usize) -> f64 {
        let mut y = vec![0.5; m];
        for i in 0..n {
            for j in 0..m {
                let u = b[j] * w[j] * t[i];
                let mut v = u * w[j] - c[i * m + j] * w[j];
                v = v * w[j] * w[j];
                v += u * t[i];
                y[j] += v * w[j] - u;
            }
        }
        let mut total = 0.0;
        for j in 0..m {
            total += y[j] * y[j];
        }
        total
    }

    /// Some of it under conditions of the row and of both.
    ///
    /// applied `jam`, `hoist`
    pub(super) fn conditional(#[constant] t: &[f64], #[constant] w: &[f64], b: &[f64], c: &[f64], n: usize,
        m: usize) -> f64 {
        let mut y = vec![0.5; m];
        for i in 0..n {
            let up = t[i] > 0.1;
            for j in 0..m {
                let mut v = b[j] * w[j];
                if up {
                    v = v * w[j] * w[j];
                }
                if w[j] > t[i] {
                    v *= t[i];
                    y[j] += v * w[j] * w[j];
                } else {
                    y[j] -= c[i * m + j] * w[j] * w[j];
                }
                y[j] += v * w[j] * w[j] * w[j];
            }
        }
        let mut total = 0.0;
        for j in 0..m {
            total += y[j] * y[j];
        }
        total
    }

    /// What a row takes off the tape is a factor.
    ///
    /// applied `jam`, `hoist`
    pub(super) fn recorded_rows(#[constant] t: &[f64], #[constant] w: &[f64], b: &[f64], c: &[f64], n: usize,
        m: usize) -> f64 {
        let mut y = vec![0.5; m];
        let mut q = 0.0;
        for i in 0..n {
            let s = t[i].exp();
            let mut r = s * t[i];
            r = r.sin() * r;
            for j in 0..m {
                y[j] += s * b[j] * w[j] + c[i * m + j] * w[j] * r;
            }
            q += s * r;
        }
        let mut total = q;
        for j in 0..m {
            total += y[j] * y[j];
        }
        total
    }
}

#[test]
fn factors_that_no_row_changes() {
    for n in [0, 1, 2, 15, 16, 17, 33] {
        for m in INNER {
            let (t, b, c) = (numbers(n, 1), numbers(m, 2), numbers(n * m, 3));
            both!(both_kinds, both_kinds_grad, &t, &b, &c, n, m);
            both!(signs, signs_grad, &t, &b, &c, n, m);
            both!(
                factor_that_changes,
                factor_that_changes_grad,
                &t,
                &b,
                &c,
                n,
                m
            );
            both!(
                adjoint_that_is_read,
                adjoint_that_is_read_grad,
                &t,
                &b,
                &c,
                n,
                m
            );
            let w = numbers(m, 4);
            both!(local_chain, local_chain_grad, &t, &w, &b, &c, n, m);
            both!(conditional, conditional_grad, &t, &w, &b, &c, n, m);
            both!(recorded_rows, recorded_rows_grad, &t, &w, &b, &c, n, m);
            both!(
                product_of_what_changes,
                product_of_what_changes_grad,
                &t,
                &w,
                &b,
                n,
                m
            );
            both!(under_a_condition, under_a_condition_grad, &t, &b, &c, n, m);
        }
    }
}

/// By hand, where a row and a column share every factor.
#[test]
fn products_by_hand() {
    for (n, m) in [(1, 8), (3, 9), (17, 16), (20, 35)] {
        let (t, b, c) = (numbers(n, 4), numbers(m, 5), numbers(n * m, 6));
        let (_, (db, dc)) = on::signs_grad(&t, &b, &c, n, m);
        let sum = |j: usize| -> f64 { (0..n).map(|i| t[i] * c[i * m + j]).sum() };
        let pi = std::f64::consts::PI;
        for j in 0..m {
            let a = 0.5 - 3.0 * pi * b[j] * sum(j);
            let expected = 2.0 * a * -3.0 * pi * sum(j);
            let found = db[j];
            assert!((found - expected).abs() <= 1e-11 * (1.0 + expected.abs()));
            let first = 2.0 * a * -3.0 * pi * b[j] * t[0];
            assert!((dc[j] - first).abs() <= 1e-11 * (1.0 + first.abs()));
        }
    }
}
