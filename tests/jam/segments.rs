//! What lives across the three parts of an iteration, and what goes from one iteration to the next.

use crate::twins::{numbers, twins};
use crate::{INNER, OUTER, both};

twins! {
    /// The next iteration goes on with the sum of the one before.
    ///
    /// not applied `jam`
    pub(super) fn one_sum(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            s *= 0.5;
            for j in 0..m {
                s += a[i * m + j] * x[j];
            }
            s = (s * 0.1).sin();
        }
        s
    }

    /// The next iteration begins with it.
    ///
    /// not applied `jam`
    pub(super) fn handed_on(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut last = 0.25;
        for i in 0..n {
            let mut s = last;
            for j in 0..m {
                s += a[i * m + j] * x[j];
            }
            last = (s * 0.1).sin();
        }
        last * last
    }

    /// Flags and numbers of both kinds, with conditions in all parts.
    ///
    /// not applied `jam`
    pub(super) fn conditions(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut total = 0.0;
        let mut others = 1.0;
        for i in 0..n {
            let up = a[i] > 0.0;
            let scale: f32 = if up { 0.5 } else { a[i] as f32 };
            let mut s = a[i];
            let mut p: f32 = scale;
            let mut hits = false;
            let mut least = 10.0;
            if up {
                s -= scale as f64;
            }
            for j in 0..m {
                let t = a[i * m + j] * x[j];
                if t > 0.3 {
                    s += t * scale as f64;
                    hits = true;
                } else if up {
                    p += scale * 0.01;
                }
                if t < least {
                    least = t;
                }
            }
            if hits {
                total += s * p as f64 + least;
            } else {
                total -= s * least;
            }
            others *= if up { 0.9 } else { 1.0 + 0.001 * s };
        }
        total * others
    }

    /// Records in front of the inner loop, inside of it and behind it.
    ///
    /// not applied `jam`
    pub(super) fn records_everywhere(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut total = 0.0;
        for i in 0..n {
            let scale = (a[i] * 0.3).exp();
            let mut s = scale;
            for j in 0..m {
                s += (a[i * m + j] * x[j]).tanh() * scale;
            }
            let t = (s * 0.1).tanh();
            total += t * scale;
        }
        total
    }

    /// Records in front and behind; inside products of what is there anyway.
    ///
    /// applied `jam`
    pub(crate) fn records_around(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut total = 0.3;
        for i in 0..n {
            let scale = (a[i] * 0.3).exp();
            let up = scale > 1.0;
            let mut s = scale;
            let mut q = 0.0;
            for j in 0..m {
                s += a[i * m + j] * x[j] * scale;
                if up {
                    q += x[j] * scale * 0.1;
                } else {
                    q -= x[j] * x[j] * 0.1;
                }
            }
            let t = (s * 0.1).tanh();
            total = total * 0.7 + t * q.sin() * scale;
        }
        total
    }

    /// Records of numbers of two sizes and a flag.
    ///
    /// applied `jam`
    pub(super) fn small_records(a: &[f32], x: &[f32], n: usize, m: usize) -> f64 {
        let mut total = 0.0;
        for i in 0..n {
            let scale = (a[i] * 0.3).exp();
            let up = scale > 1.0;
            let mut s: f32 = scale;
            for j in 0..m {
                if up {
                    s += a[i * m + j] * x[j];
                } else {
                    s -= x[j] * x[j] * 0.1;
                }
            }
            let t = (s * 0.1).tanh();
            total = total * 0.7 + (t as f64 * 1.5).sin() * scale as f64;
        }
        total
    }

    /// A sum before the inner loop is not read until all iterations are over; one behind it neither.
    ///
    /// applied `jam`, `terms`
    pub(super) fn two_totals(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut before = -0.0;
        let mut after = -0.0;
        let mut least = f64::INFINITY;
        for i in 0..n {
            before = before * 0.9 + a[i];
            let old = before;
            let mut s = old;
            for j in 0..m {
                s -= a[i * m + j] * x[j];
            }
            after = after * 0.8 - s * old;
            if s < least {
                least = s;
            }
        }
        if n == 0 {
            least = 0.0;
        }
        before * after + least
    }

    /// The array that the first part writes is what the third reads, at the same element and at the next.
    ///
    /// not applied `jam`
    pub(super) fn written_and_read(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut y = a[..n].to_vec();
        let mut z = vec![0.5; n + 1];
        for i in 0..n {
            y[i] = (y[i] * 0.5).cos();
            let mut s = y[i];
            for j in 0..m {
                s += a[i * m + j] * x[j] * y[i];
                y[i] = y[i] * 0.99 + 0.001 * s;
            }
            z[i + 1] = z[i] * 0.5 + s * y[i];
        }
        let mut total = z[n];
        for i in 0..n {
            total += y[i] * z[i];
        }
        total
    }

    /// In reverse, rows go over blocks of columns, each with the adjoint of its sum.
    ///
    /// applied `jam`, `terms`
    pub(super) fn squares(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut total = 0.0;
        for i in 0..n {
            let mut s = 0.5;
            for j in 0..m {
                s += a[i * m + j] * x[j];
            }
            total += s * s;
        }
        total
    }

    /// Elements named in front of the inner loop and used in it and behind it: of an array that stays as it is, and of
    /// one that changes behind it. Rows go over blocks of columns.
    ///
    /// applied `jam`
    pub(super) fn elements_again(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut y = vec![0.5; m];
        let mut z = vec![0.25; n];
        for i in 0..n {
            let e = a[i];
            let first = a[0];
            let old = z[i];
            z[i] = e * 0.5 + old * first;
            for j in 0..m {
                y[j] += e * x[j] * a[i * m + j] * old + first * old * 0.1;
            }
            z[i] += e * old;
        }
        let mut total = 0.0;
        for i in 0..n {
            total += z[i] * z[i];
        }
        for j in 0..m {
            total += y[j] * y[j];
        }
        total
    }
}

#[test]
fn what_goes_on() {
    for n in OUTER {
        for m in INNER {
            let (a, x) = (numbers((n * m).max(n), 1), numbers(m, 2));
            both!(one_sum, one_sum_grad, &a, &x, n, m);
            both!(handed_on, handed_on_grad, &a, &x, n, m);
            both!(conditions, conditions_grad, &a, &x, n, m);
            both!(two_totals, two_totals_grad, &a, &x, n, m);
            both!(written_and_read, written_and_read_grad, &a, &x, n, m);
            both!(elements_again, elements_again_grad, &a, &x, n, m);
        }
    }
}

/// As many rows as one pass over a block of short and of long rows takes, and a few less and more.
#[test]
fn many_rows() {
    for n in [15, 16, 17, 31, 33, 63, 64, 65, 127, 129, 200] {
        for m in [8, 15, 16, 17, 63, 64, 65, 97] {
            let (a, x) = (numbers(n * m, 1), numbers(m, 2));
            both!(squares, squares_grad, &a, &x, n, m);
            both!(elements_again, elements_again_grad, &a, &x, n, m);
        }
    }
}

#[test]
fn what_is_recorded() {
    for n in OUTER {
        for m in INNER {
            let (a, x) = (numbers((n * m).max(n), 1), numbers(m, 2));
            both!(records_everywhere, records_everywhere_grad, &a, &x, n, m);
            both!(records_around, records_around_grad, &a, &x, n, m);
            let small = |x: &[f64]| -> Vec<f32> { x.iter().map(|v| *v as f32).collect() };
            let (a, x) = (small(&a), small(&x));
            let ((on, g), (off, h)) = (
                on::small_records_grad(&a, &x, n, m),
                off::small_records_grad(&a, &x, n, m),
            );
            let primal = on::small_records(&a, &x, n, m);
            assert_eq!([on, off].map(f64::to_bits), [primal; 2].map(f64::to_bits));
            for (g, h) in [(&g.0, &h.0), (&g.1, &h.1)] {
                for (a, b) in g.iter().zip(h) {
                    assert!((a - b).abs() <= 1e-4 * (1.0 + b.abs()), "{a} {b}");
                }
            }
        }
    }
}
