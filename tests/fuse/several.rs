//! Several loops, and what stands between a loop and its reverse.

use crate::{SIZES, check, twins};

twins! {
    /// Both loops are fused.
    ///
    /// applied `fuse`
    pub(crate) fn two_loops(x: &[f64], y: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i].exp();
        }
        for j in 0..y.len() {
            sum += (y[j] * 2.0).sin().exp();
        }
        sum
    }

    /// Over one array: the loops add to the same adjoint.
    ///
    /// applied `fuse`
    pub(crate) fn twice_over_one(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i].exp();
        }
        for i in 1..x.len() {
            sum += (x[i] * x[i - 1]).exp();
        }
        sum
    }

    /// A cheap loop behind an expensive one, which stays as it is.
    ///
    /// applied `fuse`
    pub(crate) fn with_a_cheap_loop(x: &[f64], w: &[f64]) -> f64 {
        let mut loss = 0.0;
        for i in 0..x.len() {
            loss += (x[i] * w[0]).exp();
        }
        for j in 0..w.len() {
            loss += 0.1 * w[j] * w[j];
        }
        loss
    }

    /// And in front of it.
    ///
    /// applied `fuse`
    pub(crate) fn with_a_cheap_loop_first(x: &[f64], w: &[f64]) -> f64 {
        let mut loss = 0.0;
        for j in 0..w.len() {
            loss += 0.1 * w[j] * w[j];
        }
        for i in 0..x.len() {
            loss += (x[i] * w[0]).exp();
        }
        loss
    }

    /// A statement behind the loop adds to the adjoint that the loop adds to.
    ///
    /// applied `fuse`
    pub(crate) fn and_a_term(x: &[f64], w: &[f64]) -> f64 {
        let mut loss = 0.0;
        for i in 0..x.len() {
            loss += (x[i] * w[0]).exp();
        }
        loss + w[1] * w[0]
    }

    /// What the terms are made of is computed in front of the loop, and reversed behind it.
    ///
    /// applied `fuse`
    pub(crate) fn behind_a_value(x: &[f64], w: &[f64]) -> f64 {
        let scale = w[0].exp();
        let mut loss = 0.0;
        for i in 0..x.len() {
            loss += (x[i] * scale).exp();
        }
        loss * 0.25
    }

    /// The weight is computed behind the loop, of what is there in front of it, and changes behind that.
    ///
    /// applied `fuse`
    pub(crate) fn weighted_behind(x: &[f64], w: &[f64]) -> f64 {
        let mut a = w[0];
        let mut f = 0.0;
        for i in 0..x.len() {
            f += x[i].exp();
        }
        let weight = a * 2.0 - 1.0;
        let g = f * weight;
        a *= a;
        g + a
    }

    /// An array that a loop writes and the fused loop reads: its adjoint is reversed behind it.
    ///
    /// applied `fuse`
    pub(crate) fn behind_an_array(x: &[f64]) -> f64 {
        let mut y = vec![0.0; x.len()];
        for i in 0..x.len() {
            y[i] = x[i] * x[i];
        }
        let mut loss = 0.0;
        for i in 0..y.len() {
            loss += y[i].exp();
        }
        loss
    }

    /// An overwritten array in front of the loop, which is restored behind it.
    ///
    /// applied `fuse`
    pub(crate) fn behind_an_overwritten_array(x: &[f64]) -> f64 {
        let mut y = x.to_vec();
        for i in 0..y.len() {
            y[i] = y[i] * y[i];
        }
        let mut loss = 0.0;
        for i in 0..y.len() {
            loss += y[i].exp();
        }
        loss
    }

    /// The sum is scaled and goes on in another loop, and a sum of its own takes its name.
    ///
    /// applied `fuse`
    pub(crate) fn scaled_and_begun_again(x: &[f64], w: &[f64]) -> f64 {
        let mut sum = 0.25;
        for i in 0..x.len() {
            sum += (x[i] * w[0]).exp();
        }
        sum = sum * 2.0;
        sum += w[0];
        for i in 1..x.len() {
            sum -= (x[i] * w[0]).sin() * w[0];
        }
        let first = sum * 0.5;
        sum = w[0];
        for i in 0..x.len() {
            sum += (x[i] * w[0]).cos();
        }
        first - 3.0 * sum
    }

    /// Names that hide others, in the iteration and behind the loop.
    ///
    /// applied `fuse`
    pub(crate) fn hidden_names(x: &[f64], w: &[f64]) -> f64 {
        let a = 0.5;
        let mut sum = 0.0;
        for i in 0..x.len() {
            let b = a * x[i];
            let a = b.exp();
            let x = a * w[0];
            sum += a * x.sin();
        }
        let a = a * 2.0;
        let x = a * 0.5;
        sum * a + x
    }
}

#[test]
fn loops_and_terms() {
    for n in SIZES {
        let empty = [
            check!(
                weighted_behind,
                weighted_behind_grad_into,
                weighted_behind_adjoint,
                [n, 1]
            ),
            check!(
                two_loops,
                two_loops_grad_into,
                two_loops_adjoint,
                [n, n / 2]
            ),
            check!(
                twice_over_one,
                twice_over_one_grad_into,
                twice_over_one_adjoint,
                [n]
            ),
            check!(
                with_a_cheap_loop,
                with_a_cheap_loop_grad_into,
                with_a_cheap_loop_adjoint,
                [n, 5]
            ),
            check!(
                with_a_cheap_loop_first,
                with_a_cheap_loop_first_grad_into,
                with_a_cheap_loop_first_adjoint,
                [n, 5]
            ),
            check!(and_a_term, and_a_term_grad_into, and_a_term_adjoint, [n, 2]),
            check!(
                behind_a_value,
                behind_a_value_grad_into,
                behind_a_value_adjoint,
                [n, 1]
            ),
            check!(
                behind_an_array,
                behind_an_array_grad_into,
                behind_an_array_adjoint,
                [n]
            ),
        ];
        for (k, (fused, apart)) in empty.into_iter().enumerate() {
            assert_eq!(fused, 0, "function {k} of {n}");
            assert_eq!(apart > 0, n > 0);
        }
        let (fused, apart) = check!(
            behind_an_overwritten_array,
            behind_an_overwritten_array_grad_into,
            behind_an_overwritten_array_adjoint,
            [n]
        );
        // What is restored remains, the exponentials do not.
        assert_eq!(fused < apart, n > 0);
        check!(
            scaled_and_begun_again,
            scaled_and_begun_again_grad_into,
            scaled_and_begun_again_adjoint,
            [n, 1]
        );
        check!(
            hidden_names,
            hidden_names_grad_into,
            hidden_names_adjoint,
            [n, 1]
        );
    }
}
