//! Numbers of both kinds, special ones, ends of ranges, and what carries no derivative.

use crate::twins::{SIZES, agree, both, numbers, twins};

twins! {
    /// applied `reslice`, `lanes`
    pub(super) fn f32s_of(x: &[f32], k: usize) -> f64 {
        let mut y = vec![0.25_f32; k];
        let s: f32 = f32s(x, &mut y, k);
        let mut t = s as f64;
        for v in &y { t += *v as f64; }
        t
    }

    /// applied `reslice`, `lanes`
    pub(super) fn ends_of(x: &[f64], y: &[f64], lo: usize) -> f64 {
        let mut y = y.to_vec();
        ends(x, &mut y, lo) + y.iter().sum::<f64>()
    }

    pub(super) fn inactive_of(x: &[f64], c: &[f64], idx: &[usize]) -> f64 {
        let (mut flags, mut counts) = (vec![false; x.len()], vec![3_u32; x.len()]);
        inactive(x, c, idx, &mut flags, &mut counts)
    }

    /// applied `reslice`, `lanes`, `gather`
    pub(super) fn f32s(x: &[f32], y: &mut [f32], k: usize) -> f32 {
        let mut s = 0.0;
        for i in 0..k {
            y[i] = x[i] * x[i + 1] + (x[i + 2] + 2.0).sqrt();
            s += y[i] * x[i];
        }
        s
    }

    /// applied `reslice`
    pub(super) fn of_both(x: &[f32], y: &[f64], w: f32, v: f64) -> f64 {
        let mut s = 0.0;
        let mut t: f32 = 0.0;
        for i in 1..y.len() {
            s += (x[i] * w) as f64 * y[i - 1] * v + y[i];
            t += x[i] * x[i - 1] * w;
        }
        s + t as f64
    }

    /// applied `reslice`
    pub(super) fn ends(x: &[f64], y: &mut [f64], lo: usize) -> f64 {
        let mut s = 0.0;
        for i in lo..=usize::MAX {
            y[i - lo] = x[i - lo] * x[i - lo];
            s += y[i - lo] * x[i - lo];
        }
        s
    }

    /// applied `reslice`, `lanes`
    pub(super) fn special(x: &[f64], y: &[f64]) -> f64 {
        let mut s = -0.0;
        for i in 0..x.len() {
            s += x[i] / y[i];
        }
        let mut t = -0.0;
        for i in 0..x.len() {
            t -= y[i] * x[i];
        }
        s + t + x.iter().map(|v| v.sqrt()).sum::<f64>()
    }

    /// applied `reslice`
    pub(super) fn many(x: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            s += x[i] * x[i + 1] * x[i + 2] * x[i + 3] * x[i + 4] * x[i + 5] * x[i + 6] * x[i + 7] * x[i + 8] * x[i + 9]
                + x[i + 10] * x[i + 11] * x[i + 12] * x[i + 13] * x[i + 14] * x[i + 15] * x[i + 16] * x[i + 17]
                + x[i + 18] * x[i + 19] * x[i + 20] * x[i + 21] * x[i + 22] * x[i + 23] * x[i + 24] * x[i + 25]
                - x[i + 26] * x[i + 27] * x[i + 28] * x[i + 29] * x[i + 30] * x[i + 31] * x[i + 32];
        }
        s
    }

    /// applied `reslice`, `bulk`
    pub(super) fn inactive(x: &[f64], #[constant] c: &[f64], idx: &[usize], flags: &mut [bool],
        counts: &mut [u32]) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            counts[i] += 1;
            flags[i] = x[i] > 0.0;
            if flags[i] { s += x[i] * c[i]; }
        }
        for i in 0..x.len() {
            s += x[idx[i]] * x[i] * counts[i] as f64;
        }
        s
    }
}

#[test]
fn numbers_of_two_kinds() {
    for n in SIZES {
        let (x, y) = (numbers(n, 1), numbers(n, 2));
        let single: Vec<f32> = x.iter().map(|v| *v as f32).collect();
        for k in [n.saturating_sub(2), n] {
            let (primal, on, off) = (
                crate::twins::outcome(|| on::f32s_of(&single, k)),
                crate::twins::outcome(|| on::f32s_of_grad(&single, k)),
                crate::twins::outcome(|| off::f32s_of_grad(&single, k)),
            );
            assert_eq!(primal.map(f64::to_bits), on.as_ref().map(|r| r.0.to_bits()));
            assert_eq!(
                primal.map(f64::to_bits),
                off.as_ref().map(|r| r.0.to_bits())
            );
            if let (Some(on), Some(off)) = (on, off) {
                crate::support::assert_close(
                    &crate::support::flat(&on.1),
                    &crate::support::flat(&off.1),
                    1e-5,
                    &[],
                );
            }
        }
        let (value, g) = on::of_both_grad(&single, &y, 0.3, 0.7);
        let (other, h) = off::of_both_grad(&single, &y, 0.3, 0.7);
        assert_eq!(value.to_bits(), other.to_bits());
        assert_eq!(
            value.to_bits(),
            on::of_both(&single, &y, 0.3, 0.7).to_bits()
        );
        crate::support::assert_close(
            &crate::support::flat(&g),
            &crate::support::flat(&h),
            1e-5,
            &[],
        );
    }
}

#[test]
fn ends_of_ranges() {
    for n in SIZES {
        let (x, y) = (numbers(n, 1), numbers(n, 2));
        for lo in [
            usize::MAX,
            (usize::MAX - n).saturating_add(1),
            usize::MAX - n,
            0,
            1,
        ] {
            both!(ends_of, ends_of_grad, (&x, &y, lo));
        }
        both!(many, many_grad, (&x, n.saturating_sub(32)));
        both!(many, many_grad, (&x, n));
    }
}

#[test]
fn infinities_zeros_and_nan() {
    for n in SIZES {
        for special in [
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            -0.0,
            0.0,
            1e308,
            5e-324,
        ] {
            for at in [0, n / 2, n.saturating_sub(1)] {
                let (mut x, mut y) = (numbers(n, 1), numbers(n, 2));
                if n > 0 {
                    x[at] = special;
                }
                both!(special, special_grad, (&x, &y));
                if n > 0 {
                    x[at] = 0.5;
                    y[at] = special;
                }
                both!(special, special_grad, (&x, &y));
                let (x, y) = (vec![-0.0; n], vec![1.0; n]);
                both!(special, special_grad, (&x, &y));
            }
        }
    }
}

#[test]
fn what_has_no_derivative() {
    for n in SIZES {
        let (x, c) = (numbers(n, 1), numbers(n, 2));
        let mut idx: Vec<usize> = (0..n).map(|i| (i * 7) % n).collect();
        both!(inactive_of, inactive_of_grad, (&x, &c, &idx));
        if n > 0 {
            idx[n / 2] = n;
        }
        both!(inactive_of, inactive_of_grad, (&x, &c, &idx));
    }
}
