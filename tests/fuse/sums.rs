//! Sums of terms: nothing is on the tape.

use crate::{SIZES, check, twins};

twins! {
    /// applied `fuse`
    pub(crate) fn exponentials(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i].sin().exp() * x[i];
        }
        sum
    }

    /// Neighbours: what is added to the adjoint is collected in blocks.
    ///
    /// applied `fuse`
    pub(crate) fn neighbours(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 1..x.len() {
            let d = (x[i] - x[i - 1]).exp();
            sum -= d * x[i];
        }
        sum
    }

    /// The result is computed from the sum, and its adjoint is known before.
    ///
    /// applied `fuse`
    pub(crate) fn mean(x: &[f64], y: &[f64]) -> f64 {
        let n = x.len() as f64;
        let mut sum = 1.0;
        for i in 0..x.len() {
            sum += (x[i] * y[i]).tanh();
        }
        let half = sum / (2.0 * n + 1.0);
        3.0 - half
    }

    /// Two sums, one of which is added to twice, and under a condition.
    ///
    /// applied `fuse`
    pub(crate) fn two_sums(x: &[f64]) -> f64 {
        let (mut a, mut b) = (0.0, 1.0);
        for i in 0..x.len() {
            let e = x[i].exp();
            a += e;
            if x[i] > 0.7 {
                b += e * x[i];
            }
            b -= x[i];
        }
        a - 2.0 * b
    }

    /// A branch that records.
    ///
    /// applied `fuse`
    pub(crate) fn branches(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            let t = if x[i] > 0.7 { x[i].exp() } else { x[i].sin() * 2.0 };
            sum += t * t;
        }
        sum
    }

    /// applied `fuse`
    pub(crate) fn iterators(x: &[f64], y: &[f64]) -> f64 {
        x.iter().zip(y).map(|(x, y)| (x - y).exp()).sum::<f64>()
    }

    /// Parameters that all terms share.
    ///
    /// applied `fuse`
    pub(crate) fn shared(x: &[f64], w: &[f64]) -> f64 {
        let (a, b) = (w[0], w[1]);
        let mut loss = 0.0;
        for i in 0..x.len() {
            let r = (a * x[i]).sin() * w[2] - b;
            loss += r * r;
        }
        loss
    }

    /// Inclusive, and with the counter in the term.
    ///
    /// applied `fuse`
    pub(crate) fn inclusive(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        if x.len() == 0 {
            sum += 1.0;
        }
        for i in 1..=x.len() {
            sum += (x[i - 1] / i as f64).ln();
        }
        sum
    }

    /// Backwards and with a step: no strips, no slices.
    ///
    /// applied `fuse`
    pub(crate) fn steps(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in (0..x.len()).rev().step_by(3) {
            sum += x[i].exp() * x[i];
        }
        sum
    }

    /// Slow operations that vectors have, and a record.
    ///
    /// applied `fuse`
    pub(crate) fn norms(x: &[f64], y: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            let mut r = (x[i] * x[i] + y[i] * y[i]).sqrt();
            r *= r + 1.0;
            sum += 1.0 / r;
        }
        sum
    }
}

#[test]
fn leave_nothing_on_the_tape() {
    for n in SIZES {
        let all = [
            check!(
                exponentials,
                exponentials_grad_into,
                exponentials_adjoint,
                [n]
            ),
            check!(neighbours, neighbours_grad_into, neighbours_adjoint, [n]),
            check!(mean, mean_grad_into, mean_adjoint, [n, n]),
            check!(two_sums, two_sums_grad_into, two_sums_adjoint, [n]),
            check!(branches, branches_grad_into, branches_adjoint, [n]),
            check!(iterators, iterators_grad_into, iterators_adjoint, [n, n]),
            check!(shared, shared_grad_into, shared_adjoint, [n, 3]),
            check!(inclusive, inclusive_grad_into, inclusive_adjoint, [n]),
            check!(steps, steps_grad_into, steps_adjoint, [n]),
            check!(norms, norms_grad_into, norms_adjoint, [n, n]),
        ];
        for (k, (fused, _)) in all.into_iter().enumerate() {
            assert_eq!(fused, 0, "function {k} of {n}");
        }
        // It is the transformation that does it.
        assert_eq!(all[0].1 > 0, n > 0);
        assert_eq!(all[4].1 > 0, n > 0);
    }
}

#[test]
fn of_what_is_not_finite() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 800.0] {
        for at in [0, 7, 40, 69] {
            let mut x = crate::numbers(70, 1);
            x[at] = bad;
            let (value, gradient) = on::exponentials_grad(&x);
            let (other, apart) = off::exponentials_grad(&x);
            assert_eq!(value.to_bits(), on::exponentials(&x).to_bits());
            assert_eq!(other.to_bits(), value.to_bits());
            for (a, b) in gradient.iter().zip(&apart) {
                assert!(a == b || a.is_nan() && b.is_nan());
            }
        }
    }
}

#[test]
fn where_differences_are_known() {
    let x: Vec<f64> = crate::numbers(50, 4);
    let (_, gradient) = on::exponentials_grad(&x);
    for (x, d) in x.iter().zip(gradient) {
        let want = x.sin().exp() * (1.0 + x * x.cos());
        assert!((d - want).abs() < 1e-14 * want.abs().max(1.0));
    }
}
