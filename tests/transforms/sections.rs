//! Overwrites in loops inside of the loop whose counter tells their elements apart: one section of the array is saved.

use crate::support::{assert_close, differences};
use crate::twins::{agree, both, numbers, same_writes, twins};

twins! {
    /// applied `bulk`: the range of `y` that the loop writes is saved in one copy before it
    pub(super) fn rows(a: &[f64], x: &[f64], y: &mut [f64]) {
        let n = x.len();
        for i in 0..y.len() {
            for j in 0..n {
                y[i] += a[i * n + j] * x[j];
            }
        }
    }

    /// Some elements are never overwritten, others several times, by what the sum was.
    ///
    /// applied `bulk`: the range of `y` that the loop writes is saved in one copy before it
    pub(super) fn triangle(a: &[f64], x: &[f64], y: &mut [f64]) {
        let n = x.len();
        for i in 1..y.len() + 1 {
            for j in i..n {
                for k in 0..2 {
                    y[i - 1] -= a[(i - 1) * n + j] * x[j];
                }
            }
        }
    }

    /// A matrix: a row of it in each iteration.
    ///
    /// applied `bulk`: the range of `y` that the loop writes is saved in one copy before it
    pub(super) fn product(a: &[f64], x: &[f64], y: &mut [f64]) {
        let n = 4;
        for i in 0..y.len() / n {
            for j in 0..n {
                for k in 0..x.len() {
                    y[i * n + j] += a[i * n + k] * x[k];
                }
            }
        }
    }

    /// Velocities that forces change, and positions that they change in turn: nobody reads what a velocity was.
    ///
    /// applied `jam`: forward: 8 iterations at once
    pub(super) fn steps(a: &[f64], x: &[f64], y: &mut [f64]) {
        let n = y.len();
        let mut v = vec![0.0; n];
        for _ in 0..3 {
            for i in 0..n {
                for j in 0..x.len() {
                    v[i] += 0.1 * (x[j] - y[i]) * a[j];
                }
            }
            for i in 0..n {
                y[i] += v[i];
            }
        }
    }

    /// The reverse of the loop reads the sum.
    ///
    /// not applied `bulk`: the reverse of the body reads earlier values of `y`
    pub(super) fn read(a: &[f64], x: &[f64], y: &mut [f64]) {
        let n = x.len();
        for i in 0..y.len() {
            for j in 0..n {
                y[i] += a[i * n + j] * x[j] * y[i];
            }
        }
    }

    /// Another statement writes to the array.
    ///
    /// not applied `bulk`: the index of `y` is not `j` plus what stays the same in the loop
    pub(super) fn two(a: &[f64], x: &[f64], y: &mut [f64]) {
        let n = x.len();
        for i in 0..y.len() {
            for j in 0..n {
                y[i] += a[i * n + j] * x[j];
            }
            y[0] += a[i];
        }
    }
}

macro_rules! sections {
    ($($f:ident $adjoint:ident)*) => { $(
        #[test]
        fn $f() {
            for (n, m) in [(0, 0), (0, 3), (3, 0), (1, 1), (4, 8), (5, 9), (17, 33), (40, 24)] {
                let (x, y) = (&numbers(n, 2), &numbers(m, 3));
                for short in [0, 1, n * m / 2] {
                    let a = &numbers((n * m).max(n).max(m).max(1).saturating_sub(short), 1);
                    let call = |g: fn(&mut _, &[f64], &mut [f64], &[f64], &mut [f64], &mut [f64], &mut [f64], ())| {
                        move |tape: &mut retrograde::Tape, y: &mut [f64], bar: &mut [f64]| {
                            let (mut da, mut dx) = (vec![0.0; a.len()], vec![0.0; n]);
                            g(tape, a, &mut da, x, &mut dx, y, bar, ());
                        }
                    };
                    let what = format!("{n} {m} {short}");
                    same_writes(y, |y| on::$f(a, x, y), call(on::$adjoint), call(off::$adjoint), &what);
                }
            }
            // With a loss behind it: the adjoints are those of differences, and the arguments as they were.
            let (n, m) = (6, 12);
            let all: Vec<f64> = numbers(n * m + n + m, 7).iter().map(|v| v * 0.3).collect();
            let cut = |p: &[f64]| {
                let (a, rest) = p.split_at(n * m);
                let (x, y) = rest.split_at(n);
                (a.to_vec(), x.to_vec(), y.to_vec())
            };
            let loss = |p: &[f64]| {
                let (a, x, mut y) = cut(p);
                on::$f(&a, &x, &mut y);
                y.iter().enumerate().map(|(k, v)| v * (k + 1) as f64).sum()
            };
            let want = differences(loss, &all);
            for adjoint in [on::$adjoint, off::$adjoint] {
                let (a, x, mut y) = cut(&all);
                let (mut da, mut dx) = (vec![0.0; n * m], vec![0.0; n]);
                let mut bar: Vec<f64> = (0..m).map(|k| (k + 1) as f64).collect();
                let tape = &mut retrograde::Tape::new();
                adjoint(tape, &a, &mut da, &x, &mut dx, &mut y, &mut bar, ());
                assert_close(&[da, dx, bar].concat(), &want, 1e-6, &[]);
            }
        }
    )* };
}

sections! {
    rows rows_adjoint
    triangle triangle_adjoint
    product product_adjoint
    steps steps_adjoint
    read read_adjoint
    two two_adjoint
}

/// What the array held before is read in front of the loop: the section comes back for that.
mod read_before {
    use super::*;

    twins! {
        /// applied `bulk`: the range of `y` that the loop writes is saved in one copy before it
        pub(super) fn outer(a: &[f64], x: &[f64], n: usize) -> f64 {
            let mut y = x.to_vec();
            let mut total = 0.0;
            for _ in 0..n {
                let mut before = 0.0;
                for i in 0..y.len() {
                    before += y[i] * y[i];
                }
                for i in 0..y.len() {
                    for j in 0..x.len() {
                        y[i] += 0.01 * a[j] * x[j];
                    }
                }
                total += before;
            }
            total
        }
    }

    #[test]
    fn the_array_before_the_loop() {
        for (m, n) in [(0, 3), (1, 1), (5, 0), (9, 4), (24, 3)] {
            let (a, x) = (&numbers(m, 1), &numbers(m, 2));
            both!(outer, outer_grad, (a, x, n));
        }
        let all = numbers(18, 4);
        let (_, (da, dx)) = on::outer_grad(&all[..9], &all[9..], 3);
        let want = differences(|p| on::outer(&p[..9], &p[9..], 3), &all);
        assert_close(&[da, dx].concat(), &want, 1e-6, &[]);
    }
}
