//! What sums add up, of four columns at once: all that arithmetic can make of columns and of what is the same for all
//! of them, and what does more than that, once each.

use crate::twins::{agree, near, numbers, twins};
use crate::{INNER, OUTER, both};

twins! {
    /// Names for parts, signs, roots, quotients, constants, numbers of the row and from outside; one sum grows, one
    /// shrinks.
    ///
    /// applied `jam`
    pub(super) fn arithmetic(a: &[f64], x: &[f64], b: &[f64], scale: f64) -> f64 {
        let (n, m) = (b.len(), x.len());
        let mut total = 0.0;
        for i in 0..n {
            let own = b[i] * scale;
            let (mut s, mut t) = (b[i], -0.0);
            for j in 0..m {
                let p = a[i * m + j] * x[j];
                let q = (-p + own) / (p * p + 1.5);
                s += p - std::f64::consts::PI * q * b[i];
                t -= (q * q + 0.25).sqrt() * scale;
            }
            total += s * t + s;
        }
        total
    }

    /// Several matrices, and one of them in two places of a row.
    ///
    /// applied `jam`, `terms`
    pub(super) fn matrices(a: &[f64], c: &[f64], b: &[f64], m: usize) -> f64 {
        let mut total = 0.0;
        for i in 0..b.len() {
            let mut s = 0.5;
            for j in 0..m {
                s += a[i * m + j] * c[i * m + j] - c[i + j];
            }
            total += s * s * b[i];
        }
        total
    }

    /// A term of the row alone, and one of the columns alone beside the matrix.
    ///
    /// applied `jam`, `terms`
    pub(super) fn fixed_terms(a: &[f64], x: &[f64], b: &[f64]) -> f64 {
        let (n, m) = (b.len(), x.len());
        let mut total = 0.0;
        for i in 0..n {
            let (mut s, mut t, mut u) = (0.0, 0.0, 0.0);
            for j in 0..m {
                s += b[i] * 0.3;
                t += x[j];
                u += a[i * m + j];
            }
            total += s * t * u + u;
        }
        total
    }

    /// applied `jam`, `hoist`, `terms`
    pub(super) fn single(a: &[f32], x: &[f32], b: &[f32]) -> f64 {
        let (n, m) = (b.len(), x.len());
        let mut total = 0.0;
        for i in 0..n {
            let mut s = b[i];
            for j in 0..m {
                s += a[i * m + j] * x[j] - (x[j] * x[j] + 0.5).sqrt() / 3.0;
            }
            total += (s * s) as f64;
        }
        total
    }

    /// Two terms of one sum alternate.
    ///
    /// applied `jam`, `hoist`
    pub(super) fn twice(a: &[f64], x: &[f64], b: &[f64]) -> f64 {
        let (n, m) = (b.len(), x.len());
        let mut total = 0.0;
        for i in 0..n {
            let mut s = b[i];
            for j in 0..m {
                s += a[i * m + j] * x[j];
                s -= x[j] * 0.7;
            }
            total += s * s;
        }
        total
    }

    /// A sum that a later term reads: it changes from column to column.
    ///
    /// not applied `jam`
    pub(super) fn sum_that_is_read(a: &[f64], x: &[f64], b: &[f64]) -> f64 {
        let (n, m) = (b.len(), x.len());
        let mut total = 0.0;
        for i in 0..n {
            let (mut s, mut t) = (b[i], 0.0);
            for j in 0..m {
                let before = s * 0.01;
                s += a[i * m + j] * x[j];
                t += before * x[j] - s;
            }
            total += s * t;
        }
        total
    }

    /// The number of the column as a factor, once through a name.
    ///
    /// applied `jam`, `hoist`
    pub(super) fn counters(a: &[f64], x: &[f64], b: &[f64]) -> f64 {
        let (n, m) = (b.len(), x.len());
        let mut total = 0.0;
        for i in 0..n {
            let (mut s, mut t) = (b[i], 0.0);
            for j in 0..m {
                let at = i * m + j;
                s += a[at] * x[j];
                t += (at as f64) * x[j] * 1e-3 + (j as f64) * 1e-3;
            }
            total += s * t;
        }
        total
    }

    /// Numbers of two types.
    ///
    /// applied `jam`
    pub(super) fn mixed(a: &[f32], x: &[f64], b: &[f64]) -> f64 {
        let (n, m) = (b.len(), x.len());
        let mut total = 0.0;
        for i in 0..n {
            let mut s = b[i];
            for j in 0..m {
                s += a[i * m + j] as f64 * x[j];
            }
            total += s * s;
        }
        total
    }

    /// A function of each element.
    ///
    /// not applied `jam`
    pub(super) fn function(a: &[f64], x: &[f64], b: &[f64]) -> f64 {
        let (n, m) = (b.len(), x.len());
        let mut total = 0.0;
        for i in 0..n {
            let mut s = b[i];
            for j in 0..m {
                s += (a[i * m + j] * 0.1).exp() * x[j];
            }
            total += s * s;
        }
        total
    }

    /// A choice for each element, and a variable that changes.
    ///
    /// not applied `jam`
    pub(super) fn choice(a: &[f64], x: &[f64], b: &[f64]) -> f64 {
        let (n, m) = (b.len(), x.len());
        let mut total = 0.0;
        for i in 0..n {
            let mut s = b[i];
            for j in 0..m {
                let mut p = a[i * m + j];
                if p > 0.0 {
                    p *= x[j];
                }
                s += p;
            }
            total += s * s;
        }
        total
    }

    /// A second matrix whose elements lie side by side from row to row.
    ///
    /// applied `jam`
    pub(super) fn across(a: &[f64], c: &[f64], b: &[f64], m: usize) -> f64 {
        let n = b.len();
        let mut total = 0.0;
        for i in 0..n {
            let (mut s, mut t) = (b[i], 0.0);
            for j in 0..m {
                s += a[i * m + j] * 0.5;
                t += a[i * m + j] * c[j * n + i];
            }
            total += s * t;
        }
        total
    }

    /// Factors take the place of terms.
    ///
    /// not applied `jam`
    pub(super) fn product(a: &[f64], x: &[f64], b: &[f64]) -> f64 {
        let (n, m) = (b.len(), x.len());
        let mut total = 0.0;
        for i in 0..n {
            let (mut s, mut t) = (b[i], 1.0);
            for j in 0..m {
                s += a[i * m + j] * x[j];
                t *= 1.0 + 0.01 * x[j];
            }
            total += s * t;
        }
        total
    }

    /// Parts of elements.
    ///
    /// applied `jam`
    pub(super) fn parts(a: &[(f64, f64)], x: &[f64], b: &[f64]) -> f64 {
        let (n, m) = (b.len(), x.len());
        let mut total = 0.0;
        for i in 0..n {
            let mut s = b[i];
            for j in 0..m {
                s += a[i * m + j].0 * x[j] - a[i * m + j].1;
            }
            total += s * s;
        }
        total
    }
}

/// Inner lengths around four, and those that pay.
fn inner() -> impl Iterator<Item = usize> {
    INNER
        .into_iter()
        .chain([24, 25, 26, 27, 28, 63, 64, 65, 97])
}

fn rows(n: usize, m: usize) -> [Vec<f64>; 3] {
    [numbers(n * m, 1), numbers(m, 2), numbers(n, 3)]
}

#[test]
fn arithmetic_of_columns() {
    for n in OUTER {
        for m in inner() {
            let [a, x, b] = rows(n, m);
            both!(arithmetic, arithmetic_grad, &a, &x, &b, 0.75);
            both!(fixed_terms, fixed_terms_grad, &a, &x, &b);
            let c = numbers(n * m + n, 4);
            both!(matrices, matrices_grad, &a, &c, &b, m);
            let single = |v: &[f64]| v.iter().map(|v| *v as f32).collect::<Vec<_>>();
            let (a, x, b) = (single(&a), single(&x), single(&b));
            let value = on::single(&a, &x, &b);
            let (got, gradient) = on::single_grad(&a, &x, &b);
            assert_eq!(got.to_bits(), value.to_bits());
            let wide = |v: &[f32]| v.iter().map(|v| f64::from(*v)).collect::<Vec<_>>();
            let (_, want) = off::single_grad(&a, &x, &b);
            for (got, want) in [
                (gradient.0, want.0),
                (gradient.1, want.1),
                (gradient.2, want.2),
            ] {
                for (got, want) in got.iter().zip(&want) {
                    assert!((got - want).abs() <= 1e-4 * (1.0 + want.abs()), "{n} {m}");
                }
            }
        }
    }
}

#[test]
fn more_than_arithmetic() {
    for n in [0, 7, 8, 9, 17] {
        for m in inner() {
            let [a, x, b] = rows(n, m);
            both!(twice, twice_grad, &a, &x, &b);
            both!(sum_that_is_read, sum_that_is_read_grad, &a, &x, &b);
            both!(counters, counters_grad, &a, &x, &b);
            both!(function, function_grad, &a, &x, &b);
            both!(choice, choice_grad, &a, &x, &b);
            both!(product, product_grad, &a, &x, &b);
            let c = numbers(n * m, 5);
            both!(across, across_grad, &a, &c, &b, m);
            let narrow: Vec<f32> = a.iter().map(|v| *v as f32).collect();
            let (value, (_, dx, db)) = on::mixed_grad(&narrow, &x, &b);
            let (want, (_, wx, wb)) = off::mixed_grad(&narrow, &x, &b);
            assert_eq!(value.to_bits(), want.to_bits());
            near(&dx, &wx);
            near(&db, &wb);
            let pairs: Vec<(f64, f64)> = a.iter().map(|v| (*v, 1.0 - *v)).collect();
            both!(parts, parts_grad, &pairs, &x, &b);
        }
    }
}

/// NaN, infinities, both zeros and numbers near the ends of the exponents, in every column of four. The value alone:
/// products in adjoints may overflow in another order.
#[test]
fn special_numbers() {
    let special = [f64::NAN, f64::INFINITY, -0.0, 5e-324, 1e308, -1e-308];
    let (n, m) = (9, 30);
    for v in special {
        for k in 0..8 {
            let [mut a, mut x, b] = rows(n, m);
            a[3 * m + k] = v;
            x[m - 1 - k] = -v;
            let pairs = [
                (
                    on::arithmetic_grad(&a, &x, &b, 1.25).0,
                    on::arithmetic(&a, &x, &b, 1.25),
                ),
                (
                    on::fixed_terms_grad(&a, &x, &b).0,
                    on::fixed_terms(&a, &x, &b),
                ),
            ];
            for (got, want) in pairs {
                assert!(got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan());
            }
        }
    }
    let zeros = (vec![-0.0; n * m], vec![0.0; m], vec![-0.0; n]);
    both!(fixed_terms, fixed_terms_grad, &zeros.0, &zeros.1, &zeros.2);
}

/// A row that is too short, wherever it is: the function panics, and so do the sweeps.
#[test]
fn rows_that_end_early() {
    let (n, m) = (17, 30);
    let [a, x, b] = rows(n, m);
    for len in [0, 29, 8 * m - 1, 8 * m, 9 * m + 3, n * m - 1] {
        both!(arithmetic, arithmetic_grad, &a[..len], &x, &b, 0.5);
    }
}
