//! A panic in the middle of a jammed loop: what was written before it is what the function writes.

use retrograde::Tape;

use crate::OUTER;
use crate::twins::{bits, numbers, outcome, twins};

twins! {
    /// A row that the matrix lacks.
    ///
    /// applied `jam`, `terms`
    pub(super) fn short_matrix(a: &[f64], x: &[f64], y: &mut [f64], k: usize, n: usize, m: usize) {
        for i in 0..n {
            y[i] = 1.0;
            let mut s = 0.0;
            for j in 0..m {
                s += a[i * k + j] * x[j];
            }
            y[i] += s * s;
        }
    }

    /// A counter that overflows in front of the inner loop of a later row.
    ///
    /// applied `jam`, `hoist`
    pub(super) fn counted(a: &[f64], x: &[f64], y: &mut [f64], k: usize, n: usize, m: usize) {
        let mut count: u8 = k as u8;
        for i in 0..n {
            count += 1;
            let mut s = 0.0;
            for j in 0..m {
                s += a[j] * x[j];
            }
            y[i] += s * s * s;
        }
    }

    /// Behind it.
    ///
    /// applied `jam`, `hoist`
    pub(super) fn counted_after(a: &[f64], x: &[f64], y: &mut [f64], k: usize, n: usize, m: usize) {
        let mut count: u8 = k as u8;
        for i in 0..n {
            y[i] = 2.0;
            let mut s = 0.0;
            for j in 0..m {
                s += a[j] * x[j];
            }
            y[i] += s * s * s;
            count += 1;
        }
    }

    /// The inner range is looked at after the first write.
    ///
    /// not applied `jam`
    pub(super) fn late_bound(a: &[f64], x: &[f64], y: &mut [f64], sizes: &[usize], n: usize, m: usize) {
        for i in 0..n {
            y[i] = 1.0;
            let mut s = 0.0;
            for j in 0..sizes[4] {
                s += a[j] * x[j];
            }
            y[i] += s * s;
        }
    }

    /// Rows of the result, written in the inner loop: the last do not fit.
    ///
    /// not applied `jam`
    pub(super) fn rows(a: &[f64], x: &[f64], y: &mut [f64], k: usize, n: usize, m: usize) {
        for i in 0..n {
            for j in 0..m {
                y[i * k + j] += a[j] * x[i];
            }
        }
    }

    /// Through two loops. What is behind them would show a column that is gone through twice.
    ///
    /// applied `jam`
    pub(super) fn short_nest(a: &[f64], x: &[f64], y: &mut [f64], k: usize, n: usize, m: usize) {
        for c in 0..n {
            let next = c + k;
            let mut s = 0.0;
            for i in 0..3 {
                for j in 0..m {
                    s += a[j * n + c] * x[i] + x[next];
                }
            }
            y[c] += s;
            y[c / 2] *= 0.5;
        }
    }

    /// Integers in arms: one that overflows in a later column, one that does not exist, and an element that each column
    /// has and one lacks.
    ///
    /// not applied `jam`
    pub(super) fn integers_in_arms(a: &[f64], x: &[f64], y: &mut [f64], k: usize, n: usize, m: usize) {
        for c in 0..n {
            let mut s = 0.0;
            for i in 0..3 {
                for j in 0..m {
                    s += a[j * n + c] * x[i];
                    if j > 0 {
                        let left = k - c;
                        s += left as f64;
                    }
                }
            }
            y[c] += s;
        }
    }

    /// An integer in an arm that only an index needs.
    ///
    /// applied `jam`
    pub(super) fn index_in_arm(a: &[f64], x: &[f64], y: &mut [f64], k: usize, n: usize, m: usize) {
        for c in 0..n {
            let mut s = 0.0;
            for i in 0..3 {
                for j in 0..m {
                    s += a[j * n + c] * x[i];
                    if j > 0 {
                        let left = c - k + j;
                        s += a[left];
                    }
                }
            }
            y[c] += s;
        }
    }

    /// All rows add to one array, whose elements run out.
    ///
    /// not applied `jam`
    pub(super) fn one_for_all(a: &[f64], x: &[f64], y: &mut [f64], k: usize, n: usize, m: usize) {
        for i in 0..n {
            for j in 0..k {
                y[j] += a[j] * x[i];
            }
        }
    }
}

macro_rules! same_writes {
    ($f:ident, $g:ident, $a:expr, $x:expr, $y:expr, $($arg:expr),*) => {{
        let (a, x, y): (&[f64], &[f64], &[f64]) = ($a, $x, $y);
        let run = |f: &dyn Fn(&mut [f64])| {
            let mut out = y.to_vec();
            (outcome(|| f(&mut out)).is_some(), bits(&out))
        };
        let zeros = |x: &[f64]| vec![0.0; x.len()];
        let want = run(&|o| on::$f(a, x, o, $($arg),*));
        for (which, got) in [
            ("off", run(&|o| off::$g(&mut Tape::new(), a, &mut zeros(a), x, &mut zeros(x), o, &mut vec![1.0; y.len()],
                $($arg,)* ()))),
            ("on", run(&|o| on::$g(&mut Tape::new(), a, &mut zeros(a), x, &mut zeros(x), o, &mut vec![1.0; y.len()],
                $($arg,)* ()))),
        ] {
            assert_eq!(got, want, "{}, {which}, {:?}", stringify!($f), ($(&$arg),*));
        }
    }};
}

#[test]
fn writes_before_a_panic() {
    for n in OUTER {
        for m in [40, 100] {
            let (a, x, y) = (numbers(n * m, 1), numbers(m, 2), numbers(n, 3));
            for bad in [n, 0, n / 2, n.saturating_sub(1)] {
                let short = &a[..(bad * m + 3).min(n * m)];
                for k in [0, 1, m - 1, m, m + 1] {
                    same_writes!(short_matrix, short_matrix_adjoint, short, &x, &y, k, n, m);
                    same_writes!(
                        short_matrix,
                        short_matrix_adjoint,
                        short,
                        &x,
                        &y,
                        k,
                        n + 1,
                        m
                    );
                }
            }
            let a = numbers(m, 1);
            for bad in [n, 0, n / 2, n.saturating_sub(1)] {
                let k = 255 - bad;
                same_writes!(counted, counted_adjoint, &a, &x, &y, k, n, m);
                same_writes!(counted_after, counted_after_adjoint, &a, &x, &y, k, n, m);
            }
            for k in [0, 1, m.saturating_sub(n), m, usize::MAX - n / 2, usize::MAX] {
                let long = numbers(n * m, 1);
                same_writes!(short_nest, short_nest_adjoint, &long, &x, &y, k, n, m);
                let short = &long[..(n * m).saturating_sub(2 * k.min(n))];
                same_writes!(short_nest, short_nest_adjoint, short, &x, &y, 0, n, m);
                same_writes!(short_nest, short_nest_adjoint, &long, &x, &y, k, n, 0);
            }
            for k in [0, 1, 5, n / 2, n] {
                let long = numbers(n * m, 1);
                for m in [0, 1, 3] {
                    same_writes!(
                        integers_in_arms,
                        integers_in_arms_adjoint,
                        &long,
                        &x,
                        &y,
                        k,
                        n,
                        m
                    );
                    same_writes!(index_in_arm, index_in_arm_adjoint, &long, &x, &y, k, n, m);
                }
            }
            for sizes in [&[][..], &[m; 4], &[m; 5]] {
                same_writes!(late_bound, late_bound_adjoint, &a, &x, &y, sizes, n, m);
            }
            let b = numbers(n, 2);
            for len in [0, m, n * m / 2, n * m] {
                let y = numbers(len, 3);
                for k in [0, 1, m - 1, m, m + 1] {
                    same_writes!(rows, rows_adjoint, &a, &b, &y, k, n, m);
                    same_writes!(one_for_all, one_for_all_adjoint, &a, &b, &y, k, n, m);
                }
            }
        }
    }
}
