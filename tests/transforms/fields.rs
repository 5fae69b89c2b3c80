//! Sums into several parts of one variable: each has a row of its own.

use crate::support::check;
use crate::twins::{SIZES, agree, numbers, twins};

twins! {
    /// Two fields of a tuple are added to in each iteration.
    ///
    /// applied `reslice`, `lanes`
    pub(super) fn line(x: &[f64], p: (f64, f64)) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            s += (p.0 * x[i] + p.1) * x[i];
        }
        s
    }

    /// applied `reslice`, `lanes`
    pub(super) fn nested(x: &[f64], p: (f64, (f64, [f64; 2]))) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            let t = p.0 * x[i] - p.1.0;
            s += t * t * p.1.1[0] + x[i] * p.1.1[1];
        }
        s
    }

    /// applied `reslice`, `lanes`
    pub(super) fn pairs(p: &[(f64, f64)], w: &[[f64; 3]]) -> f64 {
        let mut s = 0.0;
        for i in 0..p.len() {
            s += p[i].0 * w[i][2] * p[i].1 - w[i][0] * w[i][1] * p[i].0;
        }
        s
    }

    /// applied `reslice`, `lanes`
    pub(super) fn neighbours(p: &[(f64, f64)], w: &[[f64; 3]]) -> f64 {
        let mut s = 0.0;
        for i in 1..p.len() {
            let d = p[i].0 - p[i - 1].0;
            let e = p[i].1 - p[i - 1].1;
            s += d * d * w[i][0] + e * d * w[i - 1][2] - w[i][0usize] * p[i].1;
        }
        s
    }

    /// Elements that are arrays of a length that only the caller knows, and vectors.
    ///
    /// applied `reslice`, `lanes`
    pub(super) fn points<const N: usize>(p: &[[f64; N]], q: &mut [[f64; N]], v: &[Vec<f64>]) -> f64 {
        let mut s = 0.0;
        for i in 1..p.len() {
            q[i][0] += p[i][1] * p[i - 1][0] - v[i][1] * v[i - 1][0];
            s += q[i][0] * q[i][0] * v[i][0];
        }
        s
    }

    pub(super) fn points_of(p: &[[f64; 2]], v: &[Vec<f64>]) -> f64 {
        let mut q = p.to_vec();
        let s = points::<2>(p, &mut q, v);
        s * q[1][0]
    }

    /// applied `reslice`, `lanes`
    pub(super) fn consts(x: &[f64], c: [f64; 4]) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            let t = x[i];
            s += c[0] + t * (c[1] + t * (c[2] + t * c[3]));
            s -= c[1] * c[0];
        }
        s
    }
}

#[test]
fn fields_of_a_tuple() {
    for n in SIZES {
        let x = numbers(n, 1);
        let p = (0.7, -0.3);
        agree(
            || on::line(&x, p),
            || on::line_grad(&x, p),
            || off::line_grad(&x, p),
        );
        let (_, (_, (d0, d1))) = on::line_grad(&x, p);
        let (w0, w1): (f64, f64) = (x.iter().map(|v| v * v).sum(), x.iter().sum());
        assert!((d0 - w0).abs() < 1e-12 * (1.0 + w0.abs()), "{d0} {w0}");
        assert!((d1 - w1).abs() < 1e-12 * (1.0 + w1.abs()), "{d1} {w1}");
        let p = (0.7, (-0.3, [1.5, 0.4]));
        agree(
            || on::nested(&x, p),
            || on::nested_grad(&x, p),
            || off::nested_grad(&x, p),
        );
        let c = [0.3, 0.5, -0.7, 1.1];
        agree(
            || on::consts(&x, c),
            || on::consts_grad(&x, c),
            || off::consts_grad(&x, c),
        );
    }
}

#[test]
fn parts_of_elements() {
    for n in SIZES {
        let (a, b) = (numbers(n, 1), numbers(3 * n, 2));
        let p: Vec<(f64, f64)> = a.iter().map(|v| (*v, v * 1.5 + 0.1)).collect();
        for m in [n, n.saturating_sub(1)] {
            let w: Vec<[f64; 3]> = (0..m)
                .map(|i| [b[3 * i], b[3 * i + 1], b[3 * i + 2]])
                .collect();
            agree(
                || on::pairs(&p, &w),
                || on::pairs_grad(&p, &w),
                || off::pairs_grad(&p, &w),
            );
            agree(
                || on::neighbours(&p, &w),
                || on::neighbours_grad(&p, &w),
                || off::neighbours_grad(&p, &w),
            );
        }
    }
}

#[test]
fn arrays_in_arrays() {
    for n in SIZES {
        let a = numbers(2 * n, 3);
        let p: Vec<[f64; 2]> = (0..n).map(|i| [a[2 * i], a[2 * i + 1]]).collect();
        let mut v: Vec<Vec<f64>> = p
            .iter()
            .map(|x| x.iter().map(|y| y * 1.5).collect())
            .collect();
        agree(
            || on::points_of(&p, &v),
            || on::points_of_grad(&p, &v),
            || off::points_of_grad(&p, &v),
        );
        if let Some(last) = v.last_mut() {
            last.pop();
        }
        agree(
            || on::points_of(&p, &v),
            || on::points_of_grad(&p, &v),
            || off::points_of_grad(&p, &v),
        );
    }
}
