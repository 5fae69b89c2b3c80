//! Loops inside of iterations that run forward and in reverse at once.

use retrograde::Tape;

use crate::{SIZES, check, numbers, outcome, twins};

twins! {
    /// The inner loop records, and no more when it is fused.
    ///
    /// applied `fuse`
    pub(crate) fn kernel(x: &[f64], y: &[f64]) -> f64 {
        let mut f = 0.0;
        for i in 0..x.len() {
            for j in 0..y.len() {
                f += (-(x[i] - y[j]) * (x[i] - y[j])).exp();
            }
        }
        f
    }

    /// Elements three apart, and both loops on one array.
    ///
    /// applied `fuse`
    pub(crate) fn pairs(x: &[f64]) -> f64 {
        let n = x.len() / 3;
        let mut f = 0.0;
        for i in 0..n {
            for j in i + 1..n {
                let a = x[3 * i] - x[3 * j];
                let b = x[3 * i + 1] - x[3 * j + 1];
                let c = x[3 * i + 2] - x[3 * j + 2];
                let r = a * a + b * b + c * c;
                if r < 0.6 {
                    f += 1.0 / (r + 0.2);
                }
            }
        }
        f
    }

    /// What the outer iteration computes is needed by the inner ones, and its adjoint by what comes after them.
    ///
    /// applied `fuse`
    pub(crate) fn cameras(c: &[f64], p: &[f64]) -> f64 {
        let mut f = 0.0;
        for k in 0..c.len() / 2 {
            let t = (c[2 * k] * c[2 * k] + 1.0).sqrt();
            let (s, o) = t.sin_cos();
            for i in 0..p.len() / 2 {
                let (a, b) = (p[2 * i] * s + c[2 * k + 1], p[2 * i + 1] * o - t);
                let u = a / (3.0 + b * b);
                f += u * u + 0.1 * b;
            }
            f -= 0.5 * t;
        }
        f
    }

    /// Of two inner loops the first is known after the second only.
    ///
    /// applied `fuse`
    pub(crate) fn variance(x: &[f64], m: usize) -> f64 {
        let mut f = 0.0;
        for k in 0..m {
            let mut mean = 0.0;
            for i in 0..x.len() / m {
                mean += x[i * m + k];
            }
            mean /= (x.len() / m) as f64;
            for i in 0..x.len() / m {
                f += (x[i * m + k] - mean).powi(2) * x[i * m + k];
            }
        }
        f
    }

    /// applied `fuse`
    pub(crate) fn three_deep(x: &[f64], y: &[f64]) -> f64 {
        let mut f = 0.0;
        for i in 0..x.len() {
            let s = x[i].sin();
            for j in 0..y.len() {
                let t = (s * y[j]).exp();
                for k in 0..j {
                    f += (t * y[k]).cos();
                }
            }
        }
        f
    }

    /// applied `fuse`
    pub(crate) fn rows(x: &[f64], n: usize) -> f64 {
        let mut f = 0.0;
        for i in 0..n {
            for j in 0..5 {
                f += x[5 * i + j].exp() * x[5 * i];
            }
        }
        f
    }

    /// The inner loop runs under a condition.
    ///
    /// applied `fuse`
    pub(crate) fn some_rows(x: &[f64], y: &[f64]) -> f64 {
        let mut f = 0.0;
        for i in 0..x.len() {
            if x[i] > 0.6 {
                for j in 0..y.len() {
                    f += (x[i] * y[j]).exp();
                }
            } else {
                f -= x[i];
            }
        }
        f
    }
}

#[test]
fn nothing_is_left_on_the_tape() {
    for n in SIZES.into_iter().filter(|n| *n < 40) {
        for m in [0, 1, 5, 17] {
            let (most, apart) = check!(kernel, kernel_grad_into, kernel_adjoint, [n, m]);
            assert_eq!(most, 0);
            assert_eq!(apart, 8 * (n * m) as u64);
            let (most, _) = check!(cameras, cameras_grad_into, cameras_adjoint, [n, m]);
            assert_eq!(most, 0);
            let (most, _) = check!(three_deep, three_deep_grad_into, three_deep_adjoint, [n, m]);
            assert_eq!(most, 0);
        }
        check!(pairs, pairs_grad_into, pairs_adjoint, [n]);
        for m in [1, 2, 3] {
            check!(variance, variance_grad_into, variance_adjoint, [n], m);
        }
    }
}

#[test]
fn under_a_condition_records_last_for_an_iteration() {
    for n in [0, 1, 3, 9, 17] {
        check!(some_rows, some_rows_grad_into, some_rows_adjoint, [n, 7]);
    }
}

/// Rows end in the middle: the panic of the function, and the tape can be used again.
#[test]
fn an_array_that_is_too_short_panics() {
    let mut tape = Tape::new();
    let (c, p) = (numbers(4, 1), numbers(6, 2));
    let (mut dc, mut dp) = (vec![0.0; 4], vec![0.0; 6]);
    for n in [0, 3, 4] {
        let x = numbers(12, n);
        let mut dx = vec![0.0; 12];
        // Rows of five do not fit.
        let rows = |x: &[f64]| on::rows(x, n);
        let into = || on::rows_grad_into(&mut tape, &x, &mut dx, n);
        assert_eq!(outcome(|| rows(&x)).is_none(), n > 2);
        assert_eq!(outcome(into).is_none(), n > 2);
        assert!(tape.is_empty());
        on::cameras_grad_into(&mut tape, &c, &mut dc, &p, &mut dp);
    }
}
