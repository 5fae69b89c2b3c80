//! Overwrites at an index that has a name: what they overwrite is saved in front of the loop, like under the same index
//! written out.

use crate::twins::{agree, both, near, numbers, outcome, twins};

twins! {
    /// Three arrays that change places; the index is the counter, a row and a length that the text does not show.
    ///
    /// applied `reslice`, `lanes`, `gather`, `bulk`
    pub(super) fn waves(u: &[f64], n: usize, steps: usize) -> f64 {
        let (mut before, mut now, mut next) = (u.to_vec(), u.to_vec(), vec![0.0; u.len()]);
        for _ in 0..steps {
            for i in 1..n - 1 {
                for j in 1..n - 1 {
                    let p = i * n + j;
                    let around = now[p - 1] + now[p + 1] + now[p - n] + now[p + n] - 4.0 * now[p];
                    next[p] = 2.0 * now[p] - before[p] + 0.1 * around * now[p];
                }
            }
            std::mem::swap(&mut before, &mut now);
            std::mem::swap(&mut now, &mut next);
        }
        let mut s = 0.0;
        for v in &now {
            s += v * v;
        }
        s
    }

    /// Names of names, and a part that is taken away; every other row of `x` is squared where it stands.
    ///
    /// applied `reslice`, `lanes`
    pub(super) fn rows(x: &[f64], m: usize, up: usize, down: usize) -> f64 {
        let mut a = x.to_vec();
        for i in 0..x.len() / (2 * m.max(1)) {
            let row = 2 * i * m;
            for j in 0..m {
                let left = row + up;
                let p = left + j;
                let q = p - down;
                a[q] = a[q] * x[j];
            }
        }
        for i in 0..m.min(a.len()) {
            a[i] = a[i].sin();
        }
        a.iter().map(|v| v * v).sum()
    }

    /// Indices that are none of the counter plus something fixed: twice the counter, a name that changes, a name of an
    /// element.
    ///
    /// applied `reslice`, `lanes`
    pub(super) fn others(x: &[f64], n: usize) -> f64 {
        let mut a = x.to_vec();
        let mut b = x.to_vec();
        let mut c = x.to_vec();
        let mut at = 0;
        for i in 0..n {
            let twice = i + i;
            a[twice] = a[twice].sin() * x[i];
            at += 1;
            let moved = at + i;
            b[moved] = b[moved].cos() * x[i];
            let parity = i % 2;
            let k = parity + i;
            c[k] = c[k] * x[i] + 0.5;
        }
        let mut s = 0.0;
        for i in 0..x.len() {
            s += a[i] * b[i] * c[i];
        }
        s
    }

    /// The array ends within the loop: the function panics after it has written all before.
    ///
    /// applied `reslice`, `bulk`
    pub(super) fn into(x: &[f64], m: usize, up: usize, y: &mut [f64]) {
        for j in 0..m {
            let p = j + up;
            y[p] = x[j] * x[j];
        }
        for j in 0..m {
            y[j] = y[j] * y[j];
        }
    }
}

#[test]
fn waves_of_all_sizes() {
    for n in [2, 3, 4, 5, 9, 10, 11, 18, 19] {
        for steps in [0, 1, 2, 5] {
            let u = numbers(n * n, 3);
            both!(waves, waves_grad, (&u, n, steps));
        }
    }
}

#[test]
fn names_of_names() {
    for m in [0, 1, 2, 7, 8, 9, 17, 33] {
        for (up, down) in [(0, 0), (m, 0), (m, m), (3 * m, 3 * m), (2 * m, m)] {
            let x = numbers(6 * m + 1, 5);
            both!(rows, rows_grad, (&x, m, up, down));
        }
        // Too far to either side: a panic in the same place.
        let x = numbers(6 * m + 1, 5);
        both!(rows, rows_grad, (&x, m, 9 * m, 0));
        both!(rows, rows_grad, (&x, m, 0, 1));
    }
}

#[test]
fn other_indices() {
    for n in [0, 1, 2, 8, 9, 33] {
        let x = numbers(2 * n + 2, 7);
        both!(others, others_grad, (&x, n));
    }
}

#[test]
fn an_array_that_ends_too_early() {
    for m in [1, 2, 8, 9, 33] {
        for (up, len) in [(0, m), (1, m), (m, m + 1), (2, m + 2), (usize::MAX, m)] {
            let (x, start) = (numbers(m, 1), numbers(len, 2));
            let mut want = start.clone();
            let done = outcome(|| on::into(&x, m, up, &mut want)).is_some();
            let run = |on: bool| {
                let (mut y, mut dy, mut dx) = (start.clone(), vec![0.5; len], vec![0.0; m]);
                let mut tape = retrograde::Tape::new();
                let done = outcome(|| {
                    if on {
                        on::into_adjoint(&mut tape, &x, &mut dx, m, up, &mut y, &mut dy, ())
                    } else {
                        off::into_adjoint(&mut tape, &x, &mut dx, m, up, &mut y, &mut dy, ())
                    }
                });
                (done.is_some(), y, dx)
            };
            let (with, without) = (run(true), run(false));
            assert_eq!((with.0, &with.1), (done, &want), "{m} {up} {len}");
            assert_eq!((without.0, &without.1), (done, &want), "{m} {up} {len}");
            if done {
                near(&with.2, &without.2);
            }
        }
    }
}
