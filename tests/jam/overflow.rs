//! Panics in loops whose iterations run together, and indices that overflow on the way.

use crate::twins::{SIZES, numbers, same_writes, twins};

twins! {
    /// applied `jam`
    pub(super) fn clamped(a: &[f64], x: &[f64], hi: &[f64], y: &mut [f64], n: usize, m: usize) {
        for i in 0..n {
            y[i] = 1.0;
            let mut s = 0.0;
            for j in 0..m {
                s += a[i * m + j] * x[j];
            }
            y[i] += s.clamp(-1.0, hi[i]);
        }
    }

    /// not applied `jam`
    pub(super) fn ragged(a: &[f64], x: &[f64], v: &[Vec<f64>], y: &mut [f64], n: usize, m: usize) {
        for i in 0..n {
            y[i] = 1.0;
            let mut s = 0.0;
            for j in 0..m {
                s += a[i * m + j] * x[j];
            }
            y[i] += s * v[i][1];
        }
    }

    /// applied `jam`, `terms`
    pub(super) fn short(a: &[f64], x: &[f64], y: &mut [f64], n: usize, m: usize) {
        for i in 0..n {
            y[i] = 1.0;
            let mut s = 0.0;
            for j in 0..m {
                s += a[i * m + j] * x[j];
            }
            y[i] += s * s;
        }
    }

    /// not applied `jam`
    pub(super) fn negated(a: &[f64], x: &[f64], y: &mut [f64], k: i32, n: usize, m: usize) {
        for i in 0..n {
            y[i] = 1.0;
            let mut s = 0.0;
            for j in 0..m {
                s += a[i * m + j] * x[j];
            }
            y[i] += s * (-k) as f64;
        }
    }

    /// A part of the index overflows, though the index would not.
    ///
    /// not applied `jam`
    pub(super) fn detour(x: &[f64], y: &mut [f64], base: usize) {
        for i in 0..y.len() {
            y[i] = x[i] * x[(i + base) - i - (base - 1)] + x[i] * x[i];
        }
    }

    /// One element by two indices, of which only one overflows on the way.
    ///
    /// not applied `jam`
    pub(super) fn two_ways(x: &[f64], y: &mut [f64], k: usize) {
        for i in 1..y.len() {
            y[i] = x[(i + k) - 1] * x[i + (k - 1)] + x[i] * x[i] * x[i - 1];
        }
    }

    /// applied `jam`, `terms`
    pub(super) fn two_ways_in_rows(a: &[f64], x: &[f64], y: &mut [f64], k: usize, n: usize, m: usize) {
        for i in 1..n {
            y[i] = 1.0;
            let mut s = 0.0;
            for j in 1..m {
                s += a[i * m + j] * x[(j + k) - 1] * x[j + (k - 1)];
            }
            y[i] += s * s;
        }
    }

    /// not applied `jam`
    pub(super) fn detour_in_rows(a: &[f64], x: &[f64], y: &mut [f64], n: usize, m: usize) {
        for i in 0..n {
            y[i] = 1.0;
            let mut s = 0.0;
            for j in 0..m {
                s += a[i * m + j] * x[j + (i - j) - (i - j)];
            }
            y[i] += s * s;
        }
    }
}

#[test]
fn in_a_jammed_loop() {
    let m = 5;
    for n in SIZES {
        for bad in [n, 0, n / 2, n.saturating_sub(1)] {
            let what = format!("{bad} of {n}");
            let (a, x) = (numbers(n * m, 1), numbers(m, 2));
            let mut hi = vec![0.5; n];
            let mut v = vec![vec![1.0, 2.0]; n];
            if bad < n {
                hi[bad] = -2.0;
                v[bad].pop();
            }
            let y = numbers(n, 3);
            let z = |k: usize| vec![0.0; k];
            same_writes(
                &y,
                |o| on::clamped(&a, &x, &hi, o, n, m),
                |t, o, b| {
                    on::clamped_adjoint(
                        t,
                        &a,
                        &mut z(n * m),
                        &x,
                        &mut z(m),
                        &hi,
                        &mut z(n),
                        o,
                        b,
                        n,
                        m,
                        (),
                    )
                },
                |t, o, b| {
                    off::clamped_adjoint(
                        t,
                        &a,
                        &mut z(n * m),
                        &x,
                        &mut z(m),
                        &hi,
                        &mut z(n),
                        o,
                        b,
                        n,
                        m,
                        (),
                    )
                },
                &what,
            );
            same_writes(
                &y,
                |o| on::ragged(&a, &x, &v, o, n, m),
                |t, o, b| {
                    on::ragged_adjoint(
                        t,
                        &a,
                        &mut z(n * m),
                        &x,
                        &mut z(m),
                        &v,
                        &mut v.clone(),
                        o,
                        b,
                        n,
                        m,
                        (),
                    )
                },
                |t, o, b| {
                    off::ragged_adjoint(
                        t,
                        &a,
                        &mut z(n * m),
                        &x,
                        &mut z(m),
                        &v,
                        &mut v.clone(),
                        o,
                        b,
                        n,
                        m,
                        (),
                    )
                },
                &what,
            );
            let short = &a[..(bad * m + 3).min(n * m)];
            let len = short.len();
            same_writes(
                &y,
                |o| on::short(short, &x, o, n, m),
                |t, o, b| on::short_adjoint(t, short, &mut z(len), &x, &mut z(m), o, b, n, m, ()),
                |t, o, b| off::short_adjoint(t, short, &mut z(len), &x, &mut z(m), o, b, n, m, ()),
                &what,
            );
            for rows in [n, n + 1] {
                same_writes(
                    &y,
                    |o| on::short(&a, &x, o, rows, m),
                    |t, o, b| {
                        on::short_adjoint(t, &a, &mut z(n * m), &x, &mut z(m), o, b, rows, m, ())
                    },
                    |t, o, b| {
                        off::short_adjoint(t, &a, &mut z(n * m), &x, &mut z(m), o, b, rows, m, ())
                    },
                    &what,
                );
            }
            for k in [3, i32::MIN] {
                same_writes(
                    &y,
                    |o| on::negated(&a, &x, o, k, n, m),
                    |t, o, b| {
                        on::negated_adjoint(t, &a, &mut z(n * m), &x, &mut z(m), o, b, k, n, m, ())
                    },
                    |t, o, b| {
                        off::negated_adjoint(t, &a, &mut z(n * m), &x, &mut z(m), o, b, k, n, m, ())
                    },
                    &what,
                );
            }
            same_writes(
                &y,
                |o| on::detour_in_rows(&a, &x, o, n, m),
                |t, o, b| {
                    on::detour_in_rows_adjoint(t, &a, &mut z(n * m), &x, &mut z(m), o, b, n, m, ())
                },
                |t, o, b| {
                    off::detour_in_rows_adjoint(t, &a, &mut z(n * m), &x, &mut z(m), o, b, n, m, ())
                },
                &what,
            );
            for k in [0, 1] {
                same_writes(
                    &y,
                    |o| on::two_ways(&y, o, k),
                    |t, o, b| on::two_ways_adjoint(t, &y, &mut z(n), o, b, k, ()),
                    |t, o, b| off::two_ways_adjoint(t, &y, &mut z(n), o, b, k, ()),
                    &what,
                );
                same_writes(
                    &y,
                    |o| on::two_ways_in_rows(&a, &x, o, k, n, m),
                    |t, o, b| {
                        on::two_ways_in_rows_adjoint(
                            t,
                            &a,
                            &mut z(n * m),
                            &x,
                            &mut z(m),
                            o,
                            b,
                            k,
                            n,
                            m,
                            (),
                        )
                    },
                    |t, o, b| {
                        off::two_ways_in_rows_adjoint(
                            t,
                            &a,
                            &mut z(n * m),
                            &x,
                            &mut z(m),
                            o,
                            b,
                            k,
                            n,
                            m,
                            (),
                        )
                    },
                    &what,
                );
            }
            let x = numbers(n + 2, 4);
            for base in [1, usize::MAX - 3, usize::MAX - n / 2, usize::MAX] {
                same_writes(
                    &y,
                    |o| on::detour(&x, o, base),
                    |t, o, b| on::detour_adjoint(t, &x, &mut z(n + 2), o, b, base, ()),
                    |t, o, b| off::detour_adjoint(t, &x, &mut z(n + 2), o, b, base, ()),
                    &what,
                );
            }
        }
    }
}
