//! A panic comes where the function's does, after the same writes.

use retrograde::Tape;

use crate::twins::{SIZES, bits, numbers, outcome, twins};

twins! {
    /// The division of integers panics in the middle of a sum that is collected.
    pub(super) fn division(x: &[f64], k: &[usize], total: &mut f64) {
        for i in 0..x.len() {
            let q = 100 / k[i];
            *total += (x[i] + 2.0).sqrt() * q as f64;
        }
    }

    /// `clamp` panics where its bounds are the wrong way round.
    pub(super) fn clamped(x: &[f64], hi: &[f64], total: &mut f64) {
        for i in 0..x.len() {
            let t = x[i].clamp(-1.0, hi[i]);
            *total += (t + 2.0).sqrt();
        }
    }

    /// An inner vector may be too short.
    pub(super) fn ragged(v: &[Vec<f64>], total: &mut f64) {
        for i in 0..v.len() {
            *total += (v[i][1] + 2.0).sqrt();
        }
    }

    pub(super) fn counted(x: &[f64], start: u8, total: &mut f64) {
        let mut count: u8 = start;
        for i in 0..x.len() {
            count += 1;
            *total += (x[i] + 2.0).sqrt();
        }
    }

    pub(super) fn jam_clamped(a: &[f64], x: &[f64], hi: &[f64], y: &mut [f64], n: usize, m: usize) {
        for i in 0..n {
            y[i] = 1.0;
            let mut s = 0.0;
            for j in 0..m {
                s += a[i * m + j] * x[j];
            }
            y[i] += s.clamp(-1.0, hi[i]);
        }
    }

    pub(super) fn jam_ragged(a: &[f64], x: &[f64], v: &[Vec<f64>], y: &mut [f64], n: usize, m: usize) {
        for i in 0..n {
            y[i] = 1.0;
            let mut s = 0.0;
            for j in 0..m {
                s += a[i * m + j] * x[j];
            }
            y[i] += s * v[i][1];
        }
    }

    pub(super) fn jam_short(a: &[f64], x: &[f64], y: &mut [f64], n: usize, m: usize) {
        for i in 0..n {
            y[i] = 1.0;
            let mut s = 0.0;
            for j in 0..m {
                s += a[i * m + j] * x[j];
            }
            y[i] += s * s;
        }
    }

    pub(super) fn jam_neg(a: &[f64], x: &[f64], y: &mut [f64], k: i32, n: usize, m: usize) {
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
    pub(super) fn detour(x: &[f64], y: &mut [f64], base: usize) {
        for i in 0..y.len() {
            y[i] = x[i] * x[(i + base) - i - (base - 1)] + x[i] * x[i];
        }
    }

    /// One element by two indices, of which only one overflows on the way.
    pub(super) fn two_ways(x: &[f64], y: &mut [f64], k: usize) {
        for i in 1..y.len() {
            y[i] = x[(i + k) - 1] * x[i + (k - 1)] + x[i] * x[i] * x[i - 1];
        }
    }

    pub(super) fn jam_two_ways(a: &[f64], x: &[f64], y: &mut [f64], k: usize, n: usize, m: usize) {
        for i in 1..n {
            y[i] = 1.0;
            let mut s = 0.0;
            for j in 1..m {
                s += a[i * m + j] * x[(j + k) - 1] * x[j + (k - 1)];
            }
            y[i] += s * s;
        }
    }

    pub(super) fn jam_detour(a: &[f64], x: &[f64], y: &mut [f64], n: usize, m: usize) {
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

/// Runs the function and both forward sweeps: the same outcome, the same bits in what they change.
fn compare(
    from: &[f64],
    primal: impl Fn(&mut [f64]),
    on: impl Fn(&mut Tape, &mut [f64], &mut [f64]),
    off: impl Fn(&mut Tape, &mut [f64], &mut [f64]),
    what: &str,
) -> bool {
    let run = |f: &dyn Fn(&mut [f64])| {
        let mut out = from.to_vec();
        let done = outcome(|| f(&mut out)).is_some();
        (done, bits(&out))
    };
    let want = run(&primal);
    // After the reverse sweep in-out arguments hold what the forward sweep left.
    let adjoint = |f: &dyn Fn(&mut Tape, &mut [f64], &mut [f64])| {
        run(&|out| f(&mut Tape::new(), out, &mut vec![1.0; from.len()]))
    };
    assert_eq!(adjoint(&off), want, "{what}, not transformed");
    assert_eq!(adjoint(&on), want, "{what}");
    want.0
}

#[test]
fn in_a_collected_sum() {
    for n in SIZES {
        for bad in [n, 0, n / 2, n.saturating_sub(1)] {
            let what = format!("{bad} of {n}");
            let x = numbers(n, 1);
            let mut k = vec![7_usize; n];
            let mut hi = vec![0.5; n];
            let mut v = vec![vec![1.0, 2.0]; n];
            if bad < n {
                k[bad] = 0;
                hi[bad] = -2.0;
                v[bad].pop();
            }
            compare(
                &[0.5],
                |o| on::division(&x, &k, &mut o[0]),
                |t, o, b| {
                    on::division_adjoint(t, &x, &mut vec![0.0; n], &k, &mut o[0], &mut b[0], ())
                },
                |t, o, b| {
                    off::division_adjoint(t, &x, &mut vec![0.0; n], &k, &mut o[0], &mut b[0], ())
                },
                &what,
            );
            compare(
                &[0.5],
                |o| on::clamped(&x, &hi, &mut o[0]),
                |t, o, b| {
                    on::clamped_adjoint(
                        t,
                        &x,
                        &mut vec![0.0; n],
                        &hi,
                        &mut vec![0.0; n],
                        &mut o[0],
                        &mut b[0],
                        (),
                    )
                },
                |t, o, b| {
                    off::clamped_adjoint(
                        t,
                        &x,
                        &mut vec![0.0; n],
                        &hi,
                        &mut vec![0.0; n],
                        &mut o[0],
                        &mut b[0],
                        (),
                    )
                },
                &what,
            );
            compare(
                &[0.5],
                |o| on::ragged(&v, &mut o[0]),
                |t, o, b| on::ragged_adjoint(t, &v, &mut v.clone(), &mut o[0], &mut b[0], ()),
                |t, o, b| off::ragged_adjoint(t, &v, &mut v.clone(), &mut o[0], &mut b[0], ()),
                &what,
            );
            let start = if bad < n { 255 - bad as u8 } else { 0 };
            compare(
                &[0.5],
                |o| on::counted(&x, start, &mut o[0]),
                |t, o, b| {
                    on::counted_adjoint(t, &x, &mut vec![0.0; n], start, &mut o[0], &mut b[0], ())
                },
                |t, o, b| {
                    off::counted_adjoint(t, &x, &mut vec![0.0; n], start, &mut o[0], &mut b[0], ())
                },
                &what,
            );
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
            compare(
                &y,
                |o| on::jam_clamped(&a, &x, &hi, o, n, m),
                |t, o, b| {
                    on::jam_clamped_adjoint(
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
                    off::jam_clamped_adjoint(
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
            compare(
                &y,
                |o| on::jam_ragged(&a, &x, &v, o, n, m),
                |t, o, b| {
                    on::jam_ragged_adjoint(
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
                    off::jam_ragged_adjoint(
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
            compare(
                &y,
                |o| on::jam_short(short, &x, o, n, m),
                |t, o, b| {
                    on::jam_short_adjoint(t, short, &mut z(len), &x, &mut z(m), o, b, n, m, ())
                },
                |t, o, b| {
                    off::jam_short_adjoint(t, short, &mut z(len), &x, &mut z(m), o, b, n, m, ())
                },
                &what,
            );
            for rows in [n, n + 1] {
                compare(
                    &y,
                    |o| on::jam_short(&a, &x, o, rows, m),
                    |t, o, b| {
                        on::jam_short_adjoint(
                            t,
                            &a,
                            &mut z(n * m),
                            &x,
                            &mut z(m),
                            o,
                            b,
                            rows,
                            m,
                            (),
                        )
                    },
                    |t, o, b| {
                        off::jam_short_adjoint(
                            t,
                            &a,
                            &mut z(n * m),
                            &x,
                            &mut z(m),
                            o,
                            b,
                            rows,
                            m,
                            (),
                        )
                    },
                    &what,
                );
            }
            for k in [3, i32::MIN] {
                compare(
                    &y,
                    |o| on::jam_neg(&a, &x, o, k, n, m),
                    |t, o, b| {
                        on::jam_neg_adjoint(t, &a, &mut z(n * m), &x, &mut z(m), o, b, k, n, m, ())
                    },
                    |t, o, b| {
                        off::jam_neg_adjoint(t, &a, &mut z(n * m), &x, &mut z(m), o, b, k, n, m, ())
                    },
                    &what,
                );
            }
            compare(
                &y,
                |o| on::jam_detour(&a, &x, o, n, m),
                |t, o, b| {
                    on::jam_detour_adjoint(t, &a, &mut z(n * m), &x, &mut z(m), o, b, n, m, ())
                },
                |t, o, b| {
                    off::jam_detour_adjoint(t, &a, &mut z(n * m), &x, &mut z(m), o, b, n, m, ())
                },
                &what,
            );
            for k in [0, 1] {
                compare(
                    &y,
                    |o| on::two_ways(&y, o, k),
                    |t, o, b| on::two_ways_adjoint(t, &y, &mut z(n), o, b, k, ()),
                    |t, o, b| off::two_ways_adjoint(t, &y, &mut z(n), o, b, k, ()),
                    &what,
                );
                compare(
                    &y,
                    |o| on::jam_two_ways(&a, &x, o, k, n, m),
                    |t, o, b| {
                        on::jam_two_ways_adjoint(
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
                        off::jam_two_ways_adjoint(
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
                compare(
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
