//! Conditions that only the run shows: where they fail, the loop runs as it is written.

use retrograde::gradient;

use crate::support::panic_message;
use crate::{SIZES, checked, numbers};

/// Indices are looked at in front of the loop: that the last of them fits, and that none overflows.
#[gradient]
fn shifted(x: &[f64], k: usize, n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        s += x[i + k] * x[i];
    }
    s
}

/// The same of rows of a matrix, for all iterations of both loops.
#[gradient]
fn rows(a: &[f64], width: usize, n: usize) -> f64 {
    let mut out = 0.0;
    for i in 0..n {
        let mut s = 0.0;
        for j in 0..n {
            s += a[i * width + j] * a[j];
        }
        out += s * s;
    }
    out
}

/// A product that the loop carries, of as many factors as there are.
#[gradient]
fn empty_or_short(x: &[f64], lo: usize, hi: usize) -> f64 {
    let mut p = 1.0;
    for i in lo..hi {
        p = p * x[i] + x[i];
    }
    p
}

#[test]
fn zero_length_and_few_iterations() {
    for n in SIZES {
        let x = numbers(n, 3);
        for k in [0, 1, n / 2, n] {
            checked!(x, shifted, shifted_grad, k, n - k.min(n));
        }
        for (lo, hi) in [(0, 0), (n, n), (n, 0), (0, n), (n / 2, n)] {
            checked!(x, empty_or_short, empty_or_short_grad, lo, hi);
        }
        let a = numbers(n * (n + 2), 3);
        checked!(a, rows, rows_grad, 0, 0);
        if n <= 33 {
            checked!(a, rows, rows_grad, n, n);
            checked!(a, rows, rows_grad, n + 2, n);
            checked!(a, rows, rows_grad, 0, n);
        }
    }
}

#[test]
fn indices_that_overflow_or_leave_the_array() {
    for n in [1, 3, 8, 17, 64] {
        let x = numbers(n, 3);
        for (k, trips) in [(1, n), (n, 1), (usize::MAX, n + 1), (usize::MAX - n, n)] {
            let want = panic_message(|| {
                shifted(&x, k, trips);
            });
            let got = panic_message(|| {
                shifted_grad(&x, k, trips);
            });
            assert_eq!(got, want, "{n}, {k}");
        }
        for (width, trips) in [
            (n + 1, n + 1),
            (usize::MAX, n + 2),
            (usize::MAX / 2 + 1, n + 2),
        ] {
            let want = panic_message(|| {
                rows(&x, width, trips);
            });
            let got = panic_message(|| {
                rows_grad(&x, width, trips);
            });
            assert_eq!(got, want, "{n}, {width}");
        }
    }
}
