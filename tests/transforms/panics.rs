//! A panic comes where the function's does, after the same writes.

use crate::twins::{SIZES, numbers, same_writes, twins};

twins! {
    /// The division of integers panics in the middle of a sum that is collected.
    ///
    /// applied `reslice`, `bulk`
    pub(super) fn division(x: &[f64], k: &[usize], total: &mut f64) {
        for i in 0..x.len() {
            let q = 100 / k[i];
            *total += (x[i] + 2.0).sqrt() * q as f64;
        }
    }

    /// Parts that nobody uses: their indices and divisors are looked at.
    ///
    /// applied `scalars`, `reslice`, `bulk`
    pub(super) fn unused(x: &[f64], k: &[usize], total: &mut f64) {
        for i in 0..x.len() {
            let (first, .., last) = (x[i], 50 / k[i], 70 / k[i], 2.0);
            *total += (first, 100 / k[i]).0 * [k[i] as f64, last][1];
        }
    }

    /// `clamp` panics where its bounds are the wrong way round.
    ///
    /// applied `reslice`, `bulk`
    pub(super) fn clamped(x: &[f64], hi: &[f64], total: &mut f64) {
        for i in 0..x.len() {
            let t = x[i].clamp(-1.0, hi[i]);
            *total += (t + 2.0).sqrt();
        }
    }

    /// An inner vector may be too short.
    ///
    /// applied `reslice`, `bulk`
    pub(super) fn ragged(v: &[Vec<f64>], total: &mut f64) {
        for i in 0..v.len() {
            *total += (v[i][1] + 2.0).sqrt();
        }
    }

    /// applied `reslice`, `bulk`
    pub(super) fn counted(x: &[f64], start: u8, total: &mut f64) {
        let mut count: u8 = start;
        for i in 0..x.len() {
            count += 1;
            *total += (x[i] + 2.0).sqrt();
        }
    }
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
            same_writes(
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
            same_writes(
                &[0.5],
                |o| on::unused(&x, &k, &mut o[0]),
                |t, o, b| {
                    on::unused_adjoint(t, &x, &mut vec![0.0; n], &k, &mut o[0], &mut b[0], ())
                },
                |t, o, b| {
                    off::unused_adjoint(t, &x, &mut vec![0.0; n], &k, &mut o[0], &mut b[0], ())
                },
                &what,
            );
            same_writes(
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
            same_writes(
                &[0.5],
                |o| on::ragged(&v, &mut o[0]),
                |t, o, b| on::ragged_adjoint(t, &v, &mut v.clone(), &mut o[0], &mut b[0], ()),
                |t, o, b| off::ragged_adjoint(t, &v, &mut v.clone(), &mut o[0], &mut b[0], ()),
                &what,
            );
            let start = if bad < n { 255 - bad as u8 } else { 0 };
            same_writes(
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
