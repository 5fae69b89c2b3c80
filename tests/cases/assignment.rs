//! Overwritten values, order of evaluation, constants.

use crate::support::number::{D, num};
use crate::{exact, near};
use retrograde::gradient;

// 21. Copy out, then kill the source.
#[gradient]
fn value_moved_then_source_zeroed(mut x: f64, mut y: f64) -> f64 {
    y = {
        let _old = y;
        x
    };
    x = 0.0;
    y + x
}

#[test]
fn a_value_outlives_its_source() {
    let primal = |p: &[f64]| value_moved_then_source_zeroed(p[0], p[1]);
    let gradient = |p: &[f64]| value_moved_then_source_zeroed_grad(p[0], p[1]);
    exact(primal, gradient, &[3.0, 4.0], 3.0, &[1.0, 0.0]);
}

// 22. A = b = c chains, product-assign of an argument.
#[gradient]
fn chained_assignment_through_array(x: f64, mut y: f64) -> f64 {
    let mut t = [1.0, x, y, 1.0];
    t[1] = t[2];
    t[0] = t[1];
    y *= t[0];
    t[3] = y;
    t[3]
}

#[test]
fn assignments_pass_a_value_through_an_array() {
    let primal = |p: &[f64]| chained_assignment_through_array(p[0], p[1]);
    let gradient = |p: &[f64]| chained_assignment_through_array_grad(p[0], p[1]);
    exact(primal, gradient, &[3.0, 4.0], 16.0, &[0.0, 8.0]);
}

// 23. An operand's evaluation overwrites another argument.
#[gradient]
fn assignment_inside_expression(x: f64, mut y: f64) -> f64 {
    let t = x * {
        y = x;
        y
    };
    t * y
}

#[test]
fn an_operand_assigns_what_is_read_later() {
    let primal = |p: &[f64]| assignment_inside_expression(p[0], p[1]);
    let gradient = |p: &[f64]| assignment_inside_expression_grad(p[0], p[1]);
    exact(primal, gradient, &[3.0, 4.0], 27.0, &[27.0, 0.0]);
}

// 24. Increment, then use both old and new value.
#[gradient]
fn old_value_times_new_value(mut i: f64) -> f64 {
    let old = i;
    i += 1.0;
    i * old
}

#[test]
fn both_the_old_and_the_new_value_are_used() {
    let primal = |p: &[f64]| old_value_times_new_value(p[0]);
    let gradient = |p: &[f64]| old_value_times_new_value_grad(p[0]);
    exact(primal, gradient, &[3.0], 12.0, &[7.0]);
}

// 25. Nested unary minus and products.
#[gradient]
fn minus_sign_pile(x: f64, y: f64) -> f64 {
    -2.0 * -(-(-x)) * -y - 1.0 * (-y) * (-(-x))
}

#[test]
fn nested_signs_and_products() {
    let primal = |p: &[f64]| minus_sign_pile(p[0], p[1]);
    let gradient = |p: &[f64]| minus_sign_pile_grad(p[0], p[1]);
    exact(primal, gradient, &[3.0, 4.0], -12.0, &[-4.0, -3.0]);
}

// 44. Pow with both base and exponent active.
#[gradient]
fn norm_with_active_exponent(x: f64, y: f64, z: f64, d: f64) -> f64 {
    (x.powf(d) + y.powf(d) + z.powf(d)).powf(1.0 / d)
}

fn norm_with_active_exponent_dual(p: &[D]) -> D {
    let d = p[3];
    (p[0].powf(d) + p[1].powf(d) + p[2].powf(d)).powf(num(1.0) / d)
}

#[test]
fn base_and_exponent_are_both_active() {
    let primal = |p: &[f64]| norm_with_active_exponent(p[0], p[1], p[2], p[3]);
    let gradient = |p: &[f64]| norm_with_active_exponent_grad(p[0], p[1], p[2], p[3]);
    near(
        primal,
        gradient,
        norm_with_active_exponent_dual,
        &[1.0, 2.0, 3.0, 2.5],
        3.4585606563304876,
        &[
            0.15547368952558333,
            0.4397460006431523,
            0.8078649885054664,
            -0.40774201958478545,
        ],
    );
}

// 47. Reads from a const array and a static, inactive.
static GLOBAL: f64 = 7.0;
const TABLE: [f64; 4] = [1.0, -2.0, 0.5, 4.0];
#[gradient]
fn static_and_const_data(i: f64, j: f64) -> f64 {
    let mut s = GLOBAL * i;
    for k in 0..4 {
        s += TABLE[k] * j * (k as f64 + i);
    }
    s
}

#[test]
fn constants_and_statics_are_inactive() {
    let primal = |p: &[f64]| static_and_const_data(p[0], p[1]);
    let gradient = |p: &[f64]| static_and_const_data_grad(p[0], p[1]);
    exact(primal, gradient, &[3.0, 5.0], 128.5, &[24.5, 21.5]);
}

// 48. Two locals introduced together, the second uses the first (destructuring let).
#[gradient]
fn two_locals_in_one_statement(x: f64, y: f64) -> f64 {
    let (mut p, q) = {
        let p = x * x;
        (p, y * p)
    };
    p = p * q;
    p * q
}

#[test]
fn the_second_of_two_locals_uses_the_first() {
    let primal = |p: &[f64]| two_locals_in_one_statement(p[0], p[1]);
    let gradient = |p: &[f64]| two_locals_in_one_statement_grad(p[0], p[1]);
    exact(
        primal,
        gradient,
        &[0.7, 1.1],
        0.14235528999999994,
        &[1.2201881999999997, 0.25882779999999994],
    );
}

// 50. Std::mem::swap on two active locals, then nonlinear use.
#[gradient]
fn mem_swap_locals(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    std::mem::swap(&mut a, &mut b);
    a *= a;
    std::mem::swap(&mut a, &mut b);
    a * b + b
}

#[test]
fn two_locals_swap_and_are_used_nonlinearly() {
    let primal = |p: &[f64]| mem_swap_locals(p[0], p[1]);
    let gradient = |p: &[f64]| mem_swap_locals_grad(p[0], p[1]);
    exact(primal, gradient, &[2.0, 3.0], 27.0, &[9.0, 18.0]);
}
