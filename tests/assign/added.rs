//! What must be added to, for one reason each.

use retrograde::{Tape, gradient};

use crate::{SIZES, check, numbers};

#[gradient]
fn two_elements(x: &[f64]) -> f64 {
    let mut f = 0.0;
    for i in 0..x.len() - 1 {
        f += x[i] * x[i + 1];
    }
    f
}

#[gradient]
fn conditional(x: &[f64], y: &[f64]) -> f64 {
    let mut f = 0.0;
    for i in 0..x.len() {
        if y[i] > 0.7 {
            f += x[i] * y[i];
        } else {
            f += y[i];
        }
    }
    f
}

#[gradient]
fn left_early(x: &[f64], limit: f64) -> f64 {
    let mut f = 0.0;
    for i in 0..x.len() {
        f += x[i] * x[i];
        if f > limit {
            break;
        }
    }
    f
}

#[gradient]
fn skipping(x: &[f64]) -> f64 {
    let mut f = 0.0;
    for i in 0..x.len() {
        if i % 3 == 1 {
            continue;
        }
        f += x[i] * x[i];
    }
    f
}

#[gradient]
fn returned(x: &[f64], y: &[f64], early: bool) -> f64 {
    let mut f = 0.0;
    for i in 0..y.len() {
        f += y[i].sin();
    }
    if early {
        return f;
    }
    for i in 0..x.len() {
        f += x[i] * x[i];
    }
    f
}

#[gradient]
fn repeated(x: &[f64], times: usize) -> f64 {
    let mut f = 0.0;
    for t in 0..times {
        for i in 0..x.len() {
            f += x[i] * x[i] * f64::cos(f);
        }
    }
    f
}

#[gradient]
fn diagonals(x: &[f64], m: usize, n: usize) -> f64 {
    let mut f = 0.0;
    for i in 0..m {
        for j in 0..n {
            f += x[i + j] * x[i + j];
        }
    }
    f
}

#[gradient]
fn triangle(x: &[f64], n: usize) -> f64 {
    let mut f = 0.0;
    for i in 0..n {
        for j in 0..i {
            f += x[i * n + j] * (i + 1) as f64;
        }
    }
    f
}

#[gradient]
fn while_counted(x: &[f64], n: usize) -> f64 {
    let (mut f, mut i) = (0.0, 0);
    while i < n {
        f += x[i] * x[i];
        i += 2;
    }
    f
}

#[gradient]
fn stepped(x: &[f64]) -> f64 {
    let mut f = 0.0;
    for i in (0..x.len()).step_by(2) {
        f += x[i] * x[i];
    }
    for i in (0..x.len()).rev().step_by(3) {
        f += x[i].sin();
    }
    f
}

#[gradient]
fn backwards(x: &[f64]) -> f64 {
    let mut f = 1.0;
    for i in (0..x.len()).rev() {
        f = f * 0.5 + x[i] * x[i];
    }
    f
}

#[gradient]
fn corner(x: &[f64], n: usize) -> f64 {
    let mut f = 0.0;
    for i in 0..n {
        for j in 0..n {
            f += x[i * n + j].sin();
        }
        f += x[0] * x[i];
    }
    f
}

#[gradient]
fn moving_bound(x: &[f64], n: usize) -> f64 {
    let (mut f, mut m) = (0.0, 1);
    for i in 0..n {
        for j in 0..m {
            f += x[i * m + j] * (j + 1) as f64;
        }
        m = 2;
    }
    f
}

#[gradient]
fn gathered(x: &[f64], at: &[usize]) -> f64 {
    let mut f = 0.0;
    for k in 0..at.len() {
        f += x[at[k]] * x[at[k]];
    }
    f
}

#[gradient]
fn only_even(x: &[f64], n: usize) -> f64 {
    let mut f = 0.0;
    for i in 0..n {
        f += x[2 * i] * x[2 * i];
    }
    f
}

#[gradient]
fn under_a_condition(x: &[f64], go: bool) -> f64 {
    let mut f = 1.0;
    if go {
        for i in 0..x.len() {
            f += x[i] * x[i];
        }
    }
    f
}

#[gradient]
fn unused_parameter(x: &[f64], y: &[f64]) -> f64 {
    let mut f = 0.0;
    for i in 0..x.len() {
        f += x[i] * x[i];
    }
    f + y.len() as f64
}

#[test]
fn what_must_be_added_to() {
    for n in SIZES {
        check!(
            two_elements,
            two_elements_grad_into,
            two_elements_adjoint,
            [n.max(1)]
        );
        check!(
            conditional,
            conditional_grad_into,
            conditional_adjoint,
            [n, n]
        );
        check!(skipping, skipping_grad_into, skipping_adjoint, [n]);
        check!(stepped, stepped_grad_into, stepped_adjoint, [n]);
        check!(backwards, backwards_grad_into, backwards_adjoint, [n]);
        check!(triangle, triangle_grad_into, triangle_adjoint, [n * n], n);
        check!(
            while_counted,
            while_counted_grad_into,
            while_counted_adjoint,
            [n + 1],
            n
        );
        check!(corner, corner_grad_into, corner_adjoint, [n * n + 1], n);
        check!(
            moving_bound,
            moving_bound_grad_into,
            moving_bound_adjoint,
            [2 * n + 2],
            n
        );
        check!(
            only_even,
            only_even_grad_into,
            only_even_adjoint,
            [2 * n + 1],
            n
        );
        check!(
            unused_parameter,
            unused_parameter_grad_into,
            unused_parameter_adjoint,
            [n, n]
        );
        check!(
            gathered,
            gathered_grad_into,
            gathered_adjoint,
            [5],
            &[1, 4, 1, 0]
        );
        for flag in [false, true] {
            check!(returned, returned_grad_into, returned_adjoint, [n, 3], flag);
            check!(
                under_a_condition,
                under_a_condition_grad_into,
                under_a_condition_adjoint,
                [n],
                flag
            );
        }
        for m in [0, 1, 3] {
            check!(repeated, repeated_grad_into, repeated_adjoint, [n], m);
            check!(
                diagonals,
                diagonals_grad_into,
                diagonals_adjoint,
                [n + m + 1],
                m,
                n
            );
        }
    }
}

#[test]
fn a_loop_that_is_left_early() {
    for limit in [0.0, 1.0, 2.5, 1e9] {
        let x = numbers(9, 0);
        let (mut dx, mut dlimit) = (vec![f64::NAN; 9], f64::NAN);
        left_early_grad_into(&mut Tape::new(), &x, &mut dx, limit, &mut dlimit);
        let mut f = 0.0;
        for i in 0..9 {
            let want = if f > limit { 0.0 } else { 2.0 * x[i] };
            f += x[i] * x[i];
            assert_eq!(dx[i], want);
        }
        assert_eq!(dlimit, 0.0);
    }
}
