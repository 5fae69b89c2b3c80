//! Loops inside of iterations, each with what keeps it from running forward and in reverse at once.

use crate::{check, twins};

twins! {
    /// The adjoint of the inner sum is computed from the sum: its records have to wait for it, and no longer.
    ///
    /// applied `fuse`
    pub(crate) fn known_later(x: &[f64], y: &[f64]) -> f64 {
        let mut f = 0.0;
        for i in 0..x.len() {
            let mut s = 0.1;
            for j in 0..y.len() {
                s += (x[i] * y[j]).exp();
            }
            f += s.ln();
        }
        f
    }

    /// A value goes from one inner iteration to the next.
    ///
    /// applied `fuse`
    pub(crate) fn inner_recurrence(x: &[f64], y: &[f64]) -> f64 {
        let mut f = 0.0;
        for i in 0..x.len() {
            let mut t = x[i];
            for j in 0..y.len() {
                t = (t * y[j]).sin();
            }
            f += t;
        }
        f
    }

    /// Outer iterations depend on each other, inner ones do not.
    ///
    /// not applied `fuse`
    pub(crate) fn outer_recurrence(x: &[f64], y: &[f64]) -> f64 {
        let (mut t, mut f) = (0.5, 0.0);
        for i in 0..x.len() {
            t = (t * x[i]).cos();
            for j in 0..y.len() {
                f += (t * y[j]).exp();
            }
        }
        f
    }

    /// The inner loop reads what an iteration before has written.
    ///
    /// not applied `fuse`
    pub(crate) fn written_before(x: &[f64], y: &[f64]) -> f64 {
        let mut w = y.to_vec();
        let mut f = 0.0;
        for i in 0..x.len() {
            for j in 0..y.len() {
                f += (w[j] * x[i]).exp() * 0.1;
            }
            for j in 0..y.len() {
                w[j] = w[j] * 0.9 + 0.01 * x[i] * w[(j + 1) % y.len()];
            }
        }
        f
    }

    /// The inner loop reads an array that is changed after it in the same iteration.
    ///
    /// applied `fuse`
    pub(crate) fn changed_after(x: &[f64], y: &[f64]) -> f64 {
        let mut f = 0.0;
        for i in 0..x.len() {
            let mut w = vec![x[i]; y.len()];
            for j in 0..y.len() {
                f += (w[j] * y[j]).exp();
            }
            for j in 0..y.len() {
                w[j] = y[j] * y[j];
            }
            for j in 0..y.len() {
                f += w[j] * w[j] * x[i];
            }
        }
        f
    }
}

#[test]
fn what_inner_loops_need_keeps_them_apart() {
    for n in [0, 1, 2, 5, 9] {
        for m in [0, 1, 4, 17] {
            check!(
                known_later,
                known_later_grad_into,
                known_later_adjoint,
                [n, m]
            );
            check!(
                inner_recurrence,
                inner_recurrence_grad_into,
                inner_recurrence_adjoint,
                [n, m]
            );
            check!(
                outer_recurrence,
                outer_recurrence_grad_into,
                outer_recurrence_adjoint,
                [n, m]
            );
            check!(
                written_before,
                written_before_grad_into,
                written_before_adjoint,
                [n, m]
            );
            check!(
                changed_after,
                changed_after_grad_into,
                changed_after_adjoint,
                [n, m]
            );
        }
    }
}
