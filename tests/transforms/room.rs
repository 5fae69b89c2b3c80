//! Loops with many slices look at the numbers that their indices are made of, not at each sum: numbers of all sizes,
//! indices that overflow in the middle of a loop or fall below zero.

use crate::twins::{near, numbers, same_writes, twins};

twins! {
    /// Ten slices; products, and differences that do not depend on the counter.
    ///
    /// applied `reslice`, `wide`, `bulk`
    pub(super) fn many(x: &[f64], a: usize, b: usize, c: usize, n: usize, y: &mut [f64]) {
        for i in 0..n {
            let p = i + a * c;
            let q = p - b;
            y[i] = x[q] * x[q + 1] + x[q + 2] * x[q + 3] - x[q + 4] * x[q + 5] + x[q + 6] * x[q + 7] * x[i];
        }
    }

    /// A difference that falls from iteration to iteration while the index goes up.
    ///
    /// applied `reslice`, `wide`, `bulk`
    pub(super) fn falling(x: &[f64], d: usize, e: usize, n: usize, y: &mut [f64]) {
        for i in 0..n {
            let q = (d - i) + 2 * i - e;
            y[i] = x[q] * x[q + 1] + x[q + 2] * x[q + 3] - x[q + 4] * x[q + 5] + x[q + 6] * x[q + 7] * x[i];
        }
    }

    /// Products of products: as many factors as there are names, and more than are looked at.
    ///
    /// applied `reslice`, `gather`, `bulk`
    pub(super) fn factors(x: &[f64], a: usize, b: usize, c: usize, n: usize, y: &mut [f64]) {
        for i in 0..n {
            let square = a * b * a * b;
            let q = (i + square * c + square * square * c) - c * (square + square * square);
            y[i] = x[q] * x[q + 1] + x[q + 2] * x[q + 3] - x[q + 4] * x[q + 5] + x[q + 6] * x[q + 7] * x[i];
        }
    }
}

const LENGTHS: [usize; 9] = [0, 1, 2, 5, 7, 8, 9, 64, 97];

/// Value, writes, panics and gradient, beside the function and the sweeps without transformations; whether it runs to
/// its end.
macro_rules! check {
    ($f:ident, $adjoint:ident, $n:expr $(, $arg:expr)*) => {{
        let (n, what) = ($n, format!("{} {:?}", $n, ($($arg,)*)));
        let x = numbers(n + 8, 3);
        let done = same_writes(
            &vec![0.5; n],
            |y| on::$f(&x, $($arg,)* n, y),
            |t, y, y_bar| { on::$adjoint(t, &x, &mut vec![0.0; n + 8], $($arg,)* n, y, y_bar, ()); },
            |t, y, y_bar| { off::$adjoint(t, &x, &mut vec![0.0; n + 8], $($arg,)* n, y, y_bar, ()); },
            &what,
        );
        if done {
            let (mut with, mut without) = (vec![0.25; n + 8], vec![0.25; n + 8]);
            let tape = &mut retrograde::Tape::new();
            on::$adjoint(tape, &x, &mut with, $($arg,)* n, &mut vec![0.5; n], &mut numbers(n, 4), ());
            off::$adjoint(tape, &x, &mut without, $($arg,)* n, &mut vec![0.5; n], &mut numbers(n, 4), ());
            near(&with, &without);
        }
        done
    }};
}

#[test]
fn numbers_of_all_sizes() {
    let half = 1 << (usize::BITS / 2);
    for n in LENGTHS {
        for (a, b, c) in [
            (0, 0, 0),
            (2, 6, 3),
            (1 << 12, 1 << 24, 1 << 12),
            (half - 1, (half - 1) * (half - 1), half - 1),
            (usize::MAX / 2, usize::MAX / 2, 1),
            (usize::MAX - 200, usize::MAX - 200, 1),
        ] {
            assert!(check!(many, many_adjoint, n, a, b, c), "{n} {a} {b} {c}");
        }
        for d in [n, n + 1, 1 << 20, usize::MAX - 200] {
            assert!(check!(falling, falling_adjoint, n, d, d), "{n} {d}");
        }
        for (a, b, c) in [(1, 1, 1), (3, 2, 5), (0, 1 << 40, 1 << 40), (20, 30, 7)] {
            check!(factors, factors_adjoint, n, a, b, c);
        }
    }
}

/// What a build without checks of overflow does instead is compared as well.
#[test]
fn indices_that_overflow() {
    let half = 1 << (usize::BITS / 2);
    for n in LENGTHS {
        for (a, b, c) in [
            (usize::MAX - 3, usize::MAX - 3, 1),
            (usize::MAX - 20, usize::MAX - 20, 1),
            (half, 0, half),
            (half + 1, 2 * half + 1, half + 1),
            (2, 7, 3),
            (0, 1, 0),
            (2, usize::MAX, 3),
            (2, 5, 3),
            (2, 0, 3),
        ] {
            check!(many, many_adjoint, n, a, b, c);
        }
        for (d, e) in [
            (0, 0),
            (4, 4),
            (7, 7),
            (3, 4),
            (60, 60),
            (usize::MAX - 3, usize::MAX - 3),
        ] {
            check!(falling, falling_adjoint, n, d, e);
        }
    }
}
