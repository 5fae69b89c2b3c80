//! Each condition violated once: both sweeps run one after the other, and the gradient is right.

use crate::{SIZES, check, twins};

twins! {
    /// The adjoint of the sum is computed from the sum.
    ///
    /// not applied `fuse`
    pub(crate) fn squared(x: &[f64]) -> f64 {
        let mut f = 0.0;
        for i in 0..x.len() {
            f += x[i].exp();
        }
        f * f
    }

    /// not applied `fuse`
    pub(crate) fn logarithm(x: &[f64]) -> f64 {
        let mut f = 1.0;
        for i in 0..x.len() {
            f += x[i].exp();
        }
        f.ln()
    }

    /// It is computed from what another loop behind it computes. That loop is fused: it knows the first sum.
    ///
    /// applied `fuse`
    pub(crate) fn product(x: &[f64], y: &[f64]) -> f64 {
        let mut f = 0.0;
        for i in 0..x.len() {
            f += x[i].exp();
        }
        let mut g = 1.0;
        for i in 0..y.len() {
            g += y[i].exp();
        }
        f * g
    }

    /// A later loop reads the sum.
    ///
    /// applied `fuse`
    pub(crate) fn read_later(x: &[f64]) -> f64 {
        let mut f = 0.0;
        for i in 0..x.len() {
            f += x[i].exp();
        }
        let mut g = 0.0;
        for i in 0..x.len() {
            g += (x[i] * f).sin();
        }
        g
    }

    /// A value goes from iteration to iteration.
    ///
    /// not applied `fuse`
    pub(crate) fn recurrence(x: &[f64]) -> f64 {
        let (mut t, mut f) = (0.5, 0.0);
        for i in 0..x.len() {
            t = (t * x[i]).sin();
            f += t;
        }
        f
    }

    /// The sum itself is read by a term.
    ///
    /// not applied `fuse`
    pub(crate) fn reads_the_sum(x: &[f64]) -> f64 {
        let mut f = 0.0;
        for i in 0..x.len() {
            let t = (f * 0.1 + x[i]).sin();
            f += t;
        }
        f
    }

    /// A term reads what an earlier iteration wrote.
    ///
    /// not applied `fuse`
    pub(crate) fn writes_an_array(x: &[f64]) -> f64 {
        let mut y = x.to_vec();
        let mut f = 0.0;
        for i in 1..x.len() {
            y[i] = (y[i - 1] * y[i]).exp() * 0.1;
            f += y[i];
        }
        f
    }

    /// The array that the terms are made of is overwritten behind the loop.
    ///
    /// applied `fuse`
    pub(crate) fn overwritten_behind(x: &[f64]) -> f64 {
        let mut y = x.to_vec();
        let mut f = 0.0;
        for i in 0..y.len() {
            f += y[i].exp();
        }
        for i in 0..y.len() {
            y[i] = 2.0 * y[i];
        }
        for i in 0..y.len() {
            f += y[i] * y[i] * y[i];
        }
        f
    }

    /// Swapped behind it.
    ///
    /// applied `fuse`
    pub(crate) fn swapped_behind(x: &[f64], w: &[f64]) -> f64 {
        let (mut a, mut b) = (x.to_vec(), w.to_vec());
        let mut f = 0.0;
        for i in 0..a.len() {
            f += a[i].exp();
        }
        std::mem::swap(&mut a, &mut b);
        for i in 0..a.len() {
            f += a[i] * a[i] * b[i];
        }
        f
    }

    /// A scalar that the terms read changes behind the loop.
    ///
    /// not applied `fuse`
    pub(crate) fn scalar_changed_behind(x: &[f64]) -> f64 {
        let mut s = x[0];
        let mut f = 0.0;
        for i in 0..x.len() {
            f += (x[i] * s).exp();
        }
        if f > 0.0 {
            s *= 0.5;
        }
        f + s * s * s
    }

    /// The loop can be left.
    ///
    /// not applied `fuse`
    pub(crate) fn left_early(x: &[f64]) -> f64 {
        let mut f = 0.0;
        for i in 0..x.len() {
            if x[i] > 1.15 {
                break;
            }
            f += x[i].exp();
        }
        f
    }

    /// Nothing but arithmetic on slices, and two terms in each iteration, so not in blocks: two loops are as fast.
    ///
    /// not applied `fuse`
    pub(crate) fn cheap(x: &[f64]) -> f64 {
        let mut f = 0.0;
        for i in 0..x.len() {
            f += x[i];
            f += x[i] * x[i];
        }
        f
    }

    /// A branch on the sum after the loop.
    ///
    /// not applied `fuse`
    pub(crate) fn branch_behind(x: &[f64]) -> f64 {
        let mut f = 0.0;
        for i in 0..x.len() {
            f += x[i].exp();
        }
        if f > 3.0 { f * 0.5 } else { f * 2.0 - 4.5 }
    }

    /// Clamped after the loop.
    ///
    /// not applied `fuse`
    pub(crate) fn clamped_behind(x: &[f64]) -> f64 {
        let mut f = 0.0;
        for i in 0..x.len() {
            f += x[i].exp();
        }
        f.min(10.0)
    }

    /// The weight of the sum is an element behind an index, which could panic before the loop does.
    ///
    /// not applied `fuse`
    pub(crate) fn indexed_weight(x: &[f64], w: &[f64]) -> f64 {
        let mut f = 0.0;
        for i in 0..x.len() {
            f += x[i].exp();
        }
        f * w[1]
    }

    /// The number of terms is counted by the loop itself.
    ///
    /// not applied `fuse`
    pub(crate) fn counted(x: &[f64]) -> f64 {
        let (mut f, mut n) = (0.0, 1.0);
        for i in 0..x.len() {
            f += x[i].exp();
            n += 1.0;
        }
        f / n
    }

    /// The sum begins anew in the middle.
    ///
    /// not applied `fuse`
    pub(crate) fn begun_anew(x: &[f64]) -> f64 {
        let mut f = 0.0;
        for i in 0..x.len() {
            if i == 5 {
                f = 0.5;
            }
            f += x[i].exp();
        }
        f
    }

    /// The sum is scaled in each iteration: the adjoint goes from iteration to iteration.
    ///
    /// not applied `fuse`
    pub(crate) fn scaled(x: &[f64]) -> f64 {
        let mut f = 0.0;
        for i in 0..x.len() {
            f = f * 0.5 + x[i].exp();
        }
        f
    }
}

#[test]
fn runs_one_sweep_after_the_other() {
    for n in SIZES {
        let all = [
            check!(squared, squared_grad_into, squared_adjoint, [n]),
            check!(logarithm, logarithm_grad_into, logarithm_adjoint, [n]),
            check!(recurrence, recurrence_grad_into, recurrence_adjoint, [n]),
            check!(
                reads_the_sum,
                reads_the_sum_grad_into,
                reads_the_sum_adjoint,
                [n]
            ),
            check!(
                overwritten_behind,
                overwritten_behind_grad_into,
                overwritten_behind_adjoint,
                [n]
            ),
            check!(
                swapped_behind,
                swapped_behind_grad_into,
                swapped_behind_adjoint,
                [n, n]
            ),
            check!(left_early, left_early_grad_into, left_early_adjoint, [n]),
            check!(
                branch_behind,
                branch_behind_grad_into,
                branch_behind_adjoint,
                [n]
            ),
            check!(
                indexed_weight,
                indexed_weight_grad_into,
                indexed_weight_adjoint,
                [n, 2]
            ),
            check!(counted, counted_grad_into, counted_adjoint, [n]),
            check!(begun_anew, begun_anew_grad_into, begun_anew_adjoint, [n]),
        ];
        for (k, (fused, apart)) in all.into_iter().enumerate() {
            assert_eq!(fused, apart, "function {k} of {n}");
        }
        check!(cheap, cheap_grad_into, cheap_adjoint, [n]);
        check!(
            clamped_behind,
            clamped_behind_grad_into,
            clamped_behind_adjoint,
            [n]
        );
        check!(scaled, scaled_grad_into, scaled_adjoint, [n]);
        if n > 0 {
            check!(
                writes_an_array,
                writes_an_array_grad_into,
                writes_an_array_adjoint,
                [n]
            );
            check!(
                scalar_changed_behind,
                scalar_changed_behind_grad_into,
                scalar_changed_behind_adjoint,
                [n]
            );
        }
        // The later loop is fused, the earlier one is not.
        let product = check!(product, product_grad_into, product_adjoint, [n, n]);
        let read_later = check!(read_later, read_later_grad_into, read_later_adjoint, [n]);
        assert_eq!(product, (8 * n as u64, 16 * n as u64));
        assert_eq!(read_later.0, 8 * n as u64);
    }
}
