//! Branches, early returns, matches, and values without influence.

use crate::support::number::{D, num};
use crate::{exact, near};
use retrograde::{Differentiable, Record, gradient};

// 13. Three exits, two of them early.
#[gradient]
fn several_returns(x: f64, y: f64) -> f64 {
    if x > 10.0 {
        return x;
    }
    if y > 10.0 {
        return y * y;
    }
    x * y
}

fn several_returns_dual(p: &[D]) -> D {
    let (x, y) = (p[0], p[1]);
    if x > num(10.0) {
        x
    } else if y > num(10.0) {
        y * y
    } else {
        x * y
    }
}

#[test]
fn each_of_three_exits_has_its_gradient() {
    let primal = |p: &[f64]| several_returns(p[0], p[1]);
    let gradient = |p: &[f64]| several_returns_grad(p[0], p[1]);
    near(
        primal,
        gradient,
        several_returns_dual,
        &[20.0, 1.0],
        20.0,
        &[0.9999999999991497, 0.0],
    );
    near(
        primal,
        gradient,
        several_returns_dual,
        &[1.0, 20.0],
        400.0,
        &[0.0, 39.999999999965986],
    );
    near(
        primal,
        gradient,
        several_returns_dual,
        &[2.0, 3.0],
        6.0,
        &[3.00000000000263, 2.0000000000017533],
    );
}

// 14. Exit after some intermediates exist.
#[gradient]
fn early_return_after_partial_state(x: f64, y: f64) -> f64 {
    let a = x * y;
    let b = a + x;
    if b > 50.0 {
        return a * b;
    }
    b * y
}

fn early_return_after_partial_state_dual(p: &[D]) -> D {
    let (x, y) = (p[0], p[1]);
    let a = x * y;
    let b = a + x;
    if b > num(50.0) { a * b } else { b * y }
}

#[test]
fn an_exit_keeps_what_was_computed_before_it() {
    let primal = |p: &[f64]| early_return_after_partial_state(p[0], p[1]);
    let gradient = |p: &[f64]| early_return_after_partial_state_grad(p[0], p[1]);
    near(
        primal,
        gradient,
        early_return_after_partial_state_dual,
        &[8.0, 7.0],
        3584.0,
        &[895.9999999998539, 960.0000000004154],
    );
    near(
        primal,
        gradient,
        early_return_after_partial_state_dual,
        &[6.0, 7.0],
        336.0,
        &[56.00000000007475, 89.99999999996957],
    );
}

// 15. Mutable reference and immutable local declared after an early exit.
#[gradient]
fn reference_to_local_after_early_return(x: f64, y: f64) -> f64 {
    if y == 0.0 {
        return 1.0;
    }
    let mut a = x * y;
    let r = &mut a;
    *r *= 1.0;
    let c = *r * *r;
    c * c
}

#[test]
fn locals_are_declared_behind_an_early_exit() {
    let primal = |p: &[f64]| reference_to_local_after_early_return(p[0], p[1]);
    let gradient = |p: &[f64]| reference_to_local_after_early_return_grad(p[0], p[1]);
    exact(primal, gradient, &[1.0, 2.0], 16.0, &[64.0, 32.0]);
}

// 16. If-else used as a value, nested.
#[gradient]
fn nested_if_expression(x: f64, y: f64) -> f64 {
    if x > y {
        x
    } else if y > 0.0 {
        y
    } else {
        -y
    }
}

fn nested_if_expression_dual(p: &[D]) -> D {
    let (x, y) = (p[0], p[1]);
    if x > y {
        x
    } else if y > num(0.0) {
        y
    } else {
        -y
    }
}

#[test]
fn nested_conditions_are_values() {
    let primal = |p: &[f64]| nested_if_expression(p[0], p[1]);
    let gradient = |p: &[f64]| nested_if_expression_grad(p[0], p[1]);
    near(
        primal,
        gradient,
        nested_if_expression_dual,
        &[3.0, -1.0],
        3.0,
        &[1.0000000000008766, 0.0],
    );
    near(
        primal,
        gradient,
        nested_if_expression_dual,
        &[-5.0, -4.0],
        4.0,
        &[0.0, -0.9999999999998898],
    );
    near(
        primal,
        gradient,
        nested_if_expression_dual,
        &[1.0, 2.0],
        2.0,
        &[0.0, 0.9999999999998898],
    );
}

// 17. `*(if .. {&mut a} else {&mut b}) *= y`.
#[gradient]
fn mutable_reference_chosen_by_condition(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    let t = if x > y { &mut a } else { &mut b };
    *t *= y;
    if x > y { a } else { b }
}

fn mutable_reference_chosen_by_condition_dual(p: &[D]) -> D {
    let (x, y) = (p[0], p[1]);
    if x > y { x * y } else { y * y }
}

#[test]
fn a_reference_is_chosen_by_a_condition() {
    let primal = |p: &[f64]| mutable_reference_chosen_by_condition(p[0], p[1]);
    let gradient = |p: &[f64]| mutable_reference_chosen_by_condition_grad(p[0], p[1]);
    near(
        primal,
        gradient,
        mutable_reference_chosen_by_condition_dual,
        &[3.0, 4.0],
        16.0,
        &[0.0, 7.999999999996158],
    );
    near(
        primal,
        gradient,
        mutable_reference_chosen_by_condition_dual,
        &[5.0, 4.0],
        20.0,
        &[3.9999999999965987, 4.999999999997228],
    );
}

// 18. Match on a field-less enum, four arms.
#[derive(Clone, Copy, Differentiable)]
enum Op {
    Add,
    Sub,
    Mul,
    Div,
}
#[gradient]
fn enum_match(x: f64, y: f64, op: Op) -> f64 {
    match op {
        Op::Add => x + y,
        Op::Sub => x - y,
        Op::Mul => x * y,
        Op::Div => x / y,
    }
}

#[test]
fn each_arm_of_an_enum_has_its_gradient() {
    let primal = |p: &[f64]| {
        enum_match(p[0], p[1], Op::Add)
            + 10.0 * enum_match(p[0], p[1], Op::Sub)
            + 100.0 * enum_match(p[0], p[1], Op::Mul)
            + 1000.0 * enum_match(p[0], p[1], Op::Div)
    };
    let gradient = |p: &[f64]| {
        let parts = [
            (1.0, Op::Add),
            (10.0, Op::Sub),
            (100.0, Op::Mul),
            (1000.0, Op::Div),
        ]
        .map(|(scale, op)| (scale, enum_match_grad(p[0], p[1], op)));
        let value =
            parts[0].1.0 + 10.0 * parts[1].1.0 + 100.0 * parts[2].1.0 + 1000.0 * parts[3].1.0;
        let sum = |pick: fn(&(f64, f64, ())) -> f64| {
            parts
                .iter()
                .map(|(scale, (_, g))| scale * pick(g))
                .sum::<f64>()
        };
        (value, [sum(|g| g.0), sum(|g| g.1)])
    };
    exact(primal, gradient, &[3.0, 5.0], 2088.0, &[711.0, 171.0]);
}

// 19. Match on the loop counter, or-patterns and wildcard.
#[gradient]
fn match_in_loop_with_grouped_arms(u: f64, v: f64) -> f64 {
    let mut res = 0.0;
    for i in 0..5 {
        match i {
            0 | 1 | 2 => res += u,
            _ => res += v,
        }
    }
    res
}

#[test]
fn the_counter_chooses_the_arm() {
    let primal = |p: &[f64]| match_in_loop_with_grouped_arms(p[0], p[1]);
    let gradient = |p: &[f64]| match_in_loop_with_grouped_arms_grad(p[0], p[1]);
    exact(primal, gradient, &[3.0, 5.0], 19.0, &[3.0, 2.0]);
}

// 20. Guards on active values choose the variant of an enum that carries them.
#[derive(Clone, Differentiable, Record)]
enum Piece {
    Lin(f64),
    Quad { a: f64, b: f64 },
    Zero,
}

#[gradient]
fn classify(x: f64, y: f64) -> Piece {
    match (x, y) {
        (a, _) if a < 0.0 => Piece::Zero,
        (a, b) if a > b => Piece::Quad { a, b },
        (a, b) => Piece::Lin(a * b),
    }
}

#[gradient]
fn match_with_active_guards(x: f64, y: f64) -> f64 {
    match classify(x, y) {
        Piece::Lin(v) => 3.0 * v,
        Piece::Quad { a, b } => a * a * b,
        Piece::Zero => 0.0,
    }
}

#[test]
fn guards_choose_a_variant_with_data() {
    let primal = |p: &[f64]| match_with_active_guards(p[0], p[1]);
    let gradient = |p: &[f64]| match_with_active_guards_grad(p[0], p[1]);
    exact(primal, gradient, &[2.0, 3.0], 18.0, &[9.0, 6.0]);
    exact(primal, gradient, &[3.0, 2.0], 18.0, &[12.0, 9.0]);
    exact(primal, gradient, &[-1.0, 2.0], 0.0, &[0.0, 0.0]);
}

// 45. A dead value is NaN; the gradient must stay finite.
#[gradient]
fn unused_nan_producer(c: f64, a: f64) -> f64 {
    let dead = (-c / a).acos(); // NaN for |c/a|>1, never used
    let _ = dead;
    2.0 * c * c * a
}

#[test]
fn a_nan_that_nobody_uses_leaves_the_gradient_finite() {
    let primal = |p: &[f64]| unused_nan_producer(p[0], p[1]);
    let gradient = |p: &[f64]| unused_nan_producer_grad(p[0], p[1]);
    exact(primal, gradient, &[5.0, 3.0], 150.0, &[60.0, 50.0]);
}

// 46. Float to int cast of an active value: its derivative is 0.
#[gradient]
fn integer_truncation(u: f64, v: f64) -> f64 {
    let res = (u * v) as i32;
    res as f64 + u
}

#[test]
fn a_cast_to_an_integer_has_derivative_zero() {
    let primal = |p: &[f64]| integer_truncation(p[0], p[1]);
    let gradient = |p: &[f64]| integer_truncation_grad(p[0], p[1]);
    exact(primal, gradient, &[3.25, 5.0], 19.25, &[1.0, 0.0]);
}
