//! Loops that add zeros where an adjoint is zero: they run where it is not.

use crate::twins::{agree, numbers, twins};

twins! {
    /// Of two by two results the largest.
    ///
    /// applied `sink`
    pub(super) fn pooled(x: &[f64], w: &[f64], width: usize, k: usize) -> f64 {
        let rows = (x.len() / width + 1).saturating_sub(k);
        let cols = (width + 1).saturating_sub(k);
        let mut y = vec![0.0; rows * cols];
        for r in 0..rows {
            for c in 0..cols {
                let mut sum = w[k * k];
                for a in 0..k {
                    for b in 0..k {
                        sum += w[a * k + b] * x[(r + a) * width + c + b];
                    }
                }
                y[r * cols + c] = sum;
            }
        }
        let mut total = 0.0;
        for r in 0..rows / 2 {
            for c in 0..cols / 2 {
                let mut largest = y[2 * r * cols + 2 * c];
                for at in [1, cols, cols + 1] {
                    largest = largest.max(y[2 * r * cols + 2 * c + at]);
                }
                total += largest.tanh();
            }
        }
        total
    }

    /// What is set to zero has no part in the value. Two adjoints, one of which may be zero.
    ///
    /// applied `sink`
    pub(super) fn rectified(x: &[f64], w: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let (mut p, mut q) = (w[0], 0.0);
            for k in 0..w.len() {
                p += w[k] * x[(i + 2 * k) % x.len()];
                q += w[k] * x[(3 * i + k) % x.len()];
            }
            s += p.max(0.0) * q.max(0.0);
        }
        s
    }

    /// What such a loop adds up is used behind it.
    ///
    /// applied `sink`
    pub(super) fn used_behind(x: &[f64], w: &[f64], n: usize) -> f64 {
        let mut total = 0.0;
        for i in 0..n {
            let mut s = 0.5;
            let t = x[i % x.len()] * 0.25 - w[0];
            for j in 0..w.len() {
                s -= x[(i + j) % x.len()] * w[j];
                for k in 0..j + 1 {
                    s += x[(i + k) % x.len()] * 0.5 - t;
                }
            }
            total += s.max(0.25) * 0.1;
        }
        total
    }

    /// Loops in one another, of which the outer one adds zeros where two adjoints are, the inner one where one of them
    /// is.
    ///
    /// applied `sink`
    pub(super) fn in_one_another(x: &[f64], w: &[f64], n: usize) -> f64 {
        let mut total = 0.0;
        for i in 0..n {
            let (mut s, mut t) = (0.25, 0.5);
            for j in 0..w.len() {
                for k in 0..w.len() {
                    s += x[(i + k) % x.len()] * w[j];
                }
                t += x[(i + j) % x.len()] * w[j] + x[j % x.len()];
                s -= x[j % x.len()] * 0.5;
            }
            total += s.max(0.0) * t.max(0.0);
        }
        total
    }

    /// A sum of its own behind, whose adjoint is another one.
    ///
    /// not applied `sink`
    pub(super) fn clears(x: &[f64], w: &[f64], n: usize) -> f64 {
        let mut a = vec![0.5; w.len()];
        let mut s = 0.0;
        for i in 0..n {
            let t = (x[i % x.len()] - 0.2).max(0.0);
            for k in 0..w.len() {
                a[k] = 0.5 * a[k] + t * w[k];
            }
            s += a[i % w.len()];
        }
        s
    }
}

#[test]
fn zero_adjoints() {
    for (rows, width, k) in [
        (6, 7, 3),
        (9, 8, 5),
        (5, 5, 5),
        (4, 4, 1),
        (3, 3, 4),
        (12, 11, 2),
    ] {
        let (mut x, w) = (numbers(rows * width, 1), numbers(k * k + 1, 2));
        for flat in [false, true] {
            if flat {
                x.fill(0.5);
            }
            agree(
                || on::pooled(&x, &w, width, k),
                || on::pooled_grad(&x, &w, width, k),
                || off::pooled_grad(&x, &w, width, k),
            );
        }
    }
    for n in [0, 1, 2, 9, 40] {
        for len in [1, 2, 7, 30] {
            let (x, w) = (numbers(17, 3), numbers(len, 4));
            agree(
                || on::rectified(&x, &w, n),
                || on::rectified_grad(&x, &w, n),
                || off::rectified_grad(&x, &w, n),
            );
            agree(
                || on::in_one_another(&x, &w, n),
                || on::in_one_another_grad(&x, &w, n),
                || off::in_one_another_grad(&x, &w, n),
            );
            agree(
                || on::used_behind(&x, &w, n),
                || on::used_behind_grad(&x, &w, n),
                || off::used_behind_grad(&x, &w, n),
            );
            agree(
                || on::clears(&x, &w, n),
                || on::clears_grad(&x, &w, n),
                || off::clears_grad(&x, &w, n),
            );
        }
    }
}

/// What a loop that is skipped would have multiplied by zero may be anything.
#[test]
fn zero_adjoints_of_infinite_factors() {
    let (mut x, w) = (numbers(40, 1), [0.5, -0.25, 0.125, 0.7]);
    x[11] = f64::INFINITY;
    x[30] = f64::NEG_INFINITY;
    #[retrograde::gradient]
    fn masked(x: &[f64], w: &[f64], #[constant] mask: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..mask.len() {
            let mut sum = 0.0;
            for k in 0..w.len() {
                sum += w[k] * x[(7 * i + k * k) % x.len()];
            }
            s += if mask[i] > 0.0 {
                sum * mask[i]
            } else {
                mask[i]
            };
        }
        s
    }
    let reaches = |i: usize| (0..4).any(|k| !x[(7 * i + k * k) % 40].is_finite());
    let mask: Vec<f64> = (0..40)
        .map(|i| if reaches(i) { 0.0 } else { 1.5 })
        .collect();
    let (value, (dx, dw)) = masked_grad(&x, &w, &mask);
    assert_eq!(value.to_bits(), masked(&x, &w, &mask).to_bits());
    assert!(dx.iter().chain(&dw).all(|d| d.is_finite()), "{dx:?} {dw:?}");
    assert_eq!((dx[11], dx[30]), (0.0, 0.0));
    let mut expected = [0.0; 4];
    for i in (0..40).filter(|i| !reaches(*i)) {
        for (k, sum) in expected.iter_mut().enumerate() {
            *sum += 1.5 * x[(7 * i + k * k) % 40];
        }
    }
    for (got, expected) in dw.iter().zip(expected) {
        assert!((got - expected).abs() < 1e-12, "{got} {expected}");
    }
}
