//! Lengths and other integers that leave the loops, and those that must not.

use crate::twins::{SIZES, agree, both, numbers, twins};

twins! {
    /// The length stays the same, though the elements change.
    ///
    /// applied `reslice`, `lanes`, `bulk`
    pub(super) fn fixed(x: &[f64], steps: usize) -> f64 {
        let mut u = x.to_vec();
        let mut w = x.to_vec();
        for _ in 0..steps {
            for i in 0..u.len() {
                w[i] = u[i] * u[i] + 0.1;
            }
            for i in 0..w.len() {
                u[i] = w[i].sin();
            }
        }
        u.iter().sum()
    }

    /// applied `reslice`
    pub(super) fn pushed(x: &[f64], steps: usize) -> f64 {
        let mut u = x.to_vec();
        let mut s = 0.0;
        for k in 0..steps {
            for i in 0..u.len() {
                s += u[i] * u[i];
            }
            u.push(0.5 * s);
        }
        s
    }

    /// applied `reslice`
    pub(super) fn truncated(x: &[f64], steps: usize) -> f64 {
        let mut u = x.to_vec();
        let mut s = 0.0;
        for k in 0..steps {
            for v in u.iter() {
                s += v * v;
            }
            let left = u.len() / 2;
            u.truncate(left);
        }
        s
    }

    /// applied `reslice`, `lanes`
    pub(super) fn replaced(x: &[f64], steps: usize) -> f64 {
        let mut u = x.to_vec();
        let mut s = 0.0;
        for k in 0..steps {
            let mut next = vec![0.0; u.len() + k];
            for i in 0..u.len() {
                next[i] = u[i] * 0.5;
            }
            for (p, q) in next.iter().zip(&u) {
                s += p * q + p;
            }
            u = next;
        }
        s + u.iter().sum::<f64>()
    }

    /// Vectors of different lengths change places.
    ///
    /// applied `reslice`, `bulk`
    pub(super) fn swapped(x: &[f64], y: &[f64], steps: usize) -> f64 {
        let mut u = x.to_vec();
        let mut w = y.to_vec();
        let mut s = 0.0;
        for _ in 0..steps {
            for i in 0..u.len() {
                s += u[i] * u[i];
            }
            for v in w.iter_mut() {
                *v *= 0.5;
            }
            std::mem::swap(&mut u, &mut w);
        }
        s
    }

    /// The length of a row, of rows of different lengths, which change as well.
    ///
    /// applied `reslice`
    pub(super) fn rows(x: &[f64], n: usize) -> f64 {
        let mut rows: Vec<Vec<f64>> = vec![];
        for k in 0..n {
            rows.push(x[..k].to_vec());
        }
        let mut s = 0.0;
        for k in 0..rows.len() {
            for i in 0..rows[k].len() {
                s += rows[k][i] * rows[k][i] * (k as f64);
            }
            rows[k] = x.to_vec();
            for i in 0..rows[k].len() {
                s += rows[k][i] * 0.1;
            }
        }
        s
    }

    /// A stride that is written as a length.
    ///
    /// applied `reslice`, `jam`, `terms`
    pub(super) fn stride(a: &[f64], x: &[f64]) -> f64 {
        let mut out = 0.0;
        for i in 0..a.len() / x.len() {
            let mut s = 0.0;
            for j in 0..x.len() {
                s += a[i * x.len() + j] * x[j];
            }
            out += s * s;
        }
        out
    }

    /// The same with an array that grows meanwhile.
    ///
    /// not applied `reslice`
    pub(super) fn growing_stride(a: &[f64], n: usize) -> f64 {
        let mut u = vec![0.5, 0.25];
        let mut out = 0.0;
        for i in 0..n {
            let mut s = 0.0;
            for j in 0..u.len() {
                s += a[i * u.len() + j] * u[j];
            }
            u.push(s);
            out += s * s;
        }
        out
    }

    /// The slice that a variable stands for is another one in each iteration.
    ///
    /// not applied `reslice`
    pub(super) fn rest(x: &[f64]) -> f64 {
        let mut left = x;
        let mut s = 0.0;
        while !left.is_empty() {
            for i in 0..left.len() {
                s += left[i] * left[0];
            }
            left = &left[1..];
        }
        s
    }
}

#[test]
fn lengths_are_those_of_the_iteration() {
    for n in SIZES {
        let (x, y) = (&numbers(n, 1), &numbers(n / 2 + 1, 2));
        for steps in [0, 1, 2, 5] {
            both!(fixed, fixed_grad, (x, steps));
            both!(pushed, pushed_grad, (x, steps));
            both!(truncated, truncated_grad, (x, steps));
            both!(replaced, replaced_grad, (x, steps));
            both!(swapped, swapped_grad, (x, y, steps));
        }
        both!(rows, rows_grad, (x, n.min(9)));
        if n <= 33 {
            for m in [1, 2, 8, n] {
                both!(
                    stride,
                    stride_grad,
                    (&numbers(m * n + m / 2, 3), &numbers(m, 4))
                );
            }
            both!(
                growing_stride,
                growing_stride_grad,
                (&numbers(n * n, 3), n / 2)
            );
            both!(rest, rest_grad, (x));
        }
    }
}
