//! Fused functions as callees, and loops whose iterations have records, calls and memory of their own.

use crate::{SIZES, check, twins};

twins! {
    /// not applied `fuse`
    pub(crate) fn term(x: f64, w: &[f64]) -> f64 {
        let mut s = w[0];
        for k in 0..w.len() {
            s = (s * x + w[k]).sin();
        }
        s
    }

    /// A call has its own records, which last for one iteration.
    ///
    /// applied `fuse`
    pub(crate) fn sum_of_calls(x: &[f64], w: &[f64]) -> f64 {
        let mut f = 0.0;
        for i in 0..x.len() {
            let t = term(x[i], w);
            f += t * t;
        }
        f
    }

    /// A callee that is fused when it is asked for its own gradient: here it is not.
    ///
    /// applied `fuse`
    pub(crate) fn inner(x: &[f64], a: f64) -> f64 {
        let mut f = 0.0;
        for i in 0..x.len() {
            f += (x[i] * a).exp();
        }
        f
    }

    pub(crate) fn outer(x: &[f64], w: &[f64]) -> f64 {
        let f = inner(x, w[0]);
        f * f + inner(w, f * 0.01)
    }

    /// Rows with a recurrence in each: a loop with records in a loop.
    ///
    /// applied `fuse`
    pub(crate) fn rows(a: &[f64], w: &[f64]) -> f64 {
        let n = w.len();
        let mut f = 0.0;
        for i in 0..a.len() / n {
            let mut s = 0.3;
            for j in 0..n {
                s = (s * w[j] + a[i * n + j]).sin();
            }
            f += s * s;
        }
        f
    }

    /// A vector of the iteration's own, which grows and shrinks.
    ///
    /// not applied `fuse`
    pub(crate) fn own_vector(x: &[f64]) -> f64 {
        let mut f = 0.0;
        for i in 0..x.len() {
            let mut v = Vec::new();
            for k in 0..3 {
                v.push((x[i] * (k as f64 + 1.0)).exp());
            }
            let last = v.pop().unwrap();
            f += last * v[0] - v[1] * v.len() as f64;
        }
        f
    }

    /// An array of the iteration's own, overwritten.
    ///
    /// applied `fuse`
    pub(crate) fn own_array(x: &[f64]) -> f64 {
        let mut f = 0.0;
        for i in 0..x.len() {
            let mut v = [x[i], 1.0, 0.5];
            for k in 1..3 {
                v[k] = (v[k - 1] * v[k]).exp();
                v[0] += v[k] * v[k];
            }
            f += v[2] * v[0];
        }
        f
    }

    /// What a callee changes goes from call to call.
    pub(crate) fn step(state: &mut f64, x: f64) -> f64 {
        *state = (*state + x).sin();
        *state * *state
    }

    /// not applied `fuse`
    pub(crate) fn sum_of_steps(x: &[f64]) -> f64 {
        let (mut state, mut f) = (0.1, 0.0);
        for i in 0..x.len() {
            let t = step(&mut state, x[i]);
            f += t;
        }
        f
    }

    /// A state of the iteration's own.
    ///
    /// applied `fuse`
    pub(crate) fn sum_of_own_steps(x: &[f64]) -> f64 {
        let mut f = 0.0;
        for i in 0..x.len() {
            let mut state = x[i] * 0.5;
            let mut t = 0.0;
            for _ in 0..3 {
                let s = step(&mut state, x[i]);
                t += s;
            }
            f += t * state;
        }
        f
    }

    /// A region of the iteration's own runs again in its reverse.
    ///
    /// not applied `fuse`
    pub(crate) fn regions(x: &[f64]) -> f64 {
        let mut f = 0.0;
        for i in 0..x.len() {
            let mut s = x[i];
            #[checkpoint]
            {
                for _ in 0..3 {
                    s = (s * x[i]).sin();
                }
            }
            f += s;
        }
        f
    }
}

#[test]
fn calls_and_loops_inside() {
    for n in SIZES {
        let calls = check!(
            sum_of_calls,
            sum_of_calls_grad_into,
            sum_of_calls_adjoint,
            [n, 3]
        );
        let rows = check!(rows, rows_grad_into, rows_adjoint, [5 * n, 5]);
        let vector = check!(own_vector, own_vector_grad_into, own_vector_adjoint, [n]);
        let array = check!(own_array, own_array_grad_into, own_array_adjoint, [n]);
        let steps = check!(
            sum_of_own_steps,
            sum_of_own_steps_grad_into,
            sum_of_own_steps_adjoint,
            [n]
        );
        let regions = check!(regions, regions_grad_into, regions_adjoint, [n]);
        assert_eq!(array.0, 0);
        for (k, (fused, apart)) in [vector, regions].into_iter().enumerate() {
            assert_eq!(fused, apart, "function {k} of {n}");
        }
        for (k, (fused, apart)) in [calls, rows, steps].into_iter().enumerate() {
            let iterations = n.max(1) as u64;
            assert!(fused * iterations <= apart, "function {k} of {n}");
        }
        check!(outer, outer_grad_into, outer_adjoint, [n, 2]);
        let (fused, apart) = check!(
            sum_of_steps,
            sum_of_steps_grad_into,
            sum_of_steps_adjoint,
            [n]
        );
        assert_eq!(fused, apart);
    }
}
