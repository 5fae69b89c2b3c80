//! `if`, `else if`, `if let`, `match`, `let … else`: as statement and as value, on active and passive conditions.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::too_many_lines,
    unused,
    unreachable_pub,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

mod support;

use retrograde::{Differentiable, gradient};
use support::number::{D, num};
use support::{check, check_dual, check_exact};

/// One input for each branch of two variables.
const QUADRANTS: &[&[f64]] = &[&[1.5, 0.7], &[-1.2, 0.4], &[0.3, -2.1], &[-0.8, -0.6]];

#[gradient]
fn statement(x: f64, y: f64) -> f64 {
    let mut r = x * y;
    if x > 0.0 {
        r += x * x;
    }
    if y > 0.0 {
        r *= y;
    } else {
        r -= y.sin();
    }
    r
}

#[test]
fn if_as_statement() {
    check(
        |p| statement(p[0], p[1]),
        |p| statement_grad(p[0], p[1]),
        QUADRANTS,
    );
    let dual = |p: &[D]| {
        let mut r = p[0] * p[1];
        if p[0] > num(0.0) {
            r += p[0] * p[0];
        }
        if p[1] > num(0.0) {
            r * p[1]
        } else {
            r - p[1].sin()
        }
    };
    check_dual(
        |p| statement(p[0], p[1]),
        |p| statement_grad(p[0], p[1]),
        dual,
        QUADRANTS,
    );
}

#[gradient]
fn value(x: f64, y: f64) -> f64 {
    let a = if x > y {
        x.sin()
    } else if x > -1.0 {
        y * y
    } else {
        x * y
    };
    let b = 2.0
        * if y < 0.0 {
            let t = y * x;
            t * t
        } else {
            x
        };
    a * b + if a > b { a } else { 0.0 }
}

#[test]
fn if_as_value() {
    check(|p| value(p[0], p[1]), |p| value_grad(p[0], p[1]), QUADRANTS);
}

#[gradient]
fn overwritten_in_one_branch(x: f64, y: f64) -> f64 {
    let mut a = x * y;
    let before = a * x;
    if y > 0.0 {
        a = a * a;
        if x > 0.0 {
            a = y;
        }
        a *= x;
    }
    a * before
}

#[test]
fn value_overwritten_in_one_branch() {
    check(
        |p| overwritten_in_one_branch(p[0], p[1]),
        |p| overwritten_in_one_branch_grad(p[0], p[1]),
        QUADRANTS,
    );
}

#[gradient]
fn condition_changes_later(x: f64, y: f64) -> f64 {
    let mut a = x;
    let mut r = 0.0;
    if a > 0.0 {
        a = -a * y;
        r += a;
    } else {
        a = a * a;
        r -= a * y;
    }
    if a > 0.0 { r * a } else { r + a }
}

#[test]
fn condition_on_a_value_that_the_branch_changes() {
    check(
        |p| condition_changes_later(p[0], p[1]),
        |p| condition_changes_later_grad(p[0], p[1]),
        QUADRANTS,
    );
}

#[gradient]
fn integers(x: f64, n: i32) -> f64 {
    let mut r = match n {
        0 => x,
        1 | 2 => x * x,
        3..=5 => x * x * x,
        6..9 => x.sin(),
        i32::MIN..0 => -x,
        _ => 1.0,
    };
    match n % 2 {
        0 => r *= x,
        k if k > 0 => r += x,
        _ => {}
    }
    r
}

#[test]
fn match_on_integers() {
    for n in -3..12 {
        check(
            |p| integers(p[0], n),
            |p| integers_grad(p[0], n),
            &[&[0.7], &[-1.3]],
        );
    }
    check_exact(
        |p| integers(p[0], 2),
        |p| integers_grad(p[0], 2),
        |p| vec![3.0 * p[0] * p[0]],
        &[&[0.7], &[-2.0]],
    );
}

#[gradient]
fn guards(x: f64, y: f64, n: usize) -> f64 {
    match n {
        0 if x > y => x * x,
        0 => y * y,
        k if k > 3 && x * y > 0.0 => x * y * k as f64,
        k => x + y * k as f64,
    }
}

#[test]
fn match_with_guards_on_active_values() {
    for n in [0, 1, 4, 7] {
        check(
            |p| guards(p[0], p[1], n),
            |p| guards_grad(p[0], p[1], n),
            QUADRANTS,
        );
    }
}

#[gradient]
fn tuples(x: f64, n: usize, flag: bool) -> f64 {
    match (n % 2, flag) {
        (0, true) => x,
        (0, false) => x * x,
        (_, true) => x.exp(),
        (k, _) => x.cos() * k as f64,
    }
}

#[test]
fn match_on_tuples() {
    for (n, flag) in [(0, true), (2, false), (1, true), (3, false)] {
        check(
            |p| tuples(p[0], n, flag),
            |p| tuples_grad(p[0], n, flag),
            &[&[0.4], &[-1.1]],
        );
    }
}

#[derive(Clone, Copy, PartialEq, Debug, Differentiable)]
enum Law {
    Linear,
    Square,
    Wave,
}

#[gradient]
fn laws(x: f64, y: f64, law: Law) -> f64 {
    let scale = match law {
        Law::Linear => x,
        Law::Square => x * x,
        Law::Wave => x.sin(),
    };
    match law {
        Law::Wave => scale * y,
        Law::Linear | Law::Square => scale + y,
    }
}

#[test]
fn match_on_an_enum() {
    for law in [Law::Linear, Law::Square, Law::Wave] {
        check(
            |p| laws(p[0], p[1], law),
            |p| laws_grad(p[0], p[1], law),
            QUADRANTS,
        );
    }
}

#[gradient]
fn option(x: f64, bound: Option<f64>) -> f64 {
    let a = if let Some(b) = bound { b * x } else { x };
    let c = match bound {
        Some(b) if b > 1.0 => b.sin() * a,
        Some(b) => b * b,
        None => a * a,
    };
    a + c
}

#[test]
fn option_of_a_float() {
    check(
        |p| option(p[0], Some(p[1])),
        |p| option_grad(p[0], Some(p[1])),
        &[&[0.3, 1.7], &[-0.6, 0.4], &[1.1, -0.2]],
    );
    let (value, (dx, db)) = option_grad(1.5, None);
    assert_eq!((value, dx, db), (1.5 + 2.25, 1.0 + 3.0, None));
}

#[gradient]
fn local_option(x: f64, y: f64) -> f64 {
    let best = if x > y { Some(x * y) } else { None };
    let Some(b) = best else { return y * y };
    let mut chosen = Some(b * x);
    if b < 0.0 {
        chosen = None;
    }
    match chosen {
        Some(v) => v + x,
        None => x - y,
    }
}

#[test]
fn local_option_and_let_else() {
    check(
        |p| local_option(p[0], p[1]),
        |p| local_option_grad(p[0], p[1]),
        QUADRANTS,
    );
    check_exact(
        |p| local_option(p[0], p[1]),
        |p| local_option_grad(p[0], p[1]),
        |p| vec![0.0, 2.0 * p[1]],
        &[&[0.5, 2.0]],
    );
}

#[gradient]
fn short_circuit(x: f64, y: f64) -> f64 {
    if x > 0.0 && 1.0 / x > y || y.ln() < 0.0 {
        x * y
    } else if !(x < y) && (y > 1.0 || x * x < 4.0) {
        x - y * y
    } else {
        x.powi(3)
    }
}

#[test]
fn short_circuit_conditions_with_active_operands() {
    let inputs: &[&[f64]] = &[
        &[2.0, 0.1],
        &[-1.0, 0.5],
        &[3.0, 2.0],
        &[-0.5, 3.0],
        &[1.5, 1.3],
    ];
    check(
        |p| short_circuit(p[0], p[1]),
        |p| short_circuit_grad(p[0], p[1]),
        inputs,
    );
    assert_eq!(
        short_circuit_grad(0.0, 2.0),
        (0.0, (0.0, 0.0)),
        "1 / x is not evaluated"
    );
}

#[gradient]
fn effect_in_condition(x: f64, y: f64) -> f64 {
    let mut a = x;
    let r = if {
        a *= y;
        a > 1.0
    } {
        a * a
    } else {
        a
    };
    if x > 0.0 && {
        a += y;
        a > 0.0
    } {
        return r * a;
    }
    r - a
}

#[test]
fn side_effects_in_conditions() {
    let inputs: &[&[f64]] = &[&[2.0, 3.0], &[0.5, 0.7], &[-1.0, 0.4], &[0.3, -2.0]];
    check(
        |p| effect_in_condition(p[0], p[1]),
        |p| effect_in_condition_grad(p[0], p[1]),
        inputs,
    );
}

#[gradient]
fn never_taken(x: f64) -> f64 {
    let mut r = x * x;
    if x > 1e6 {
        r = (x - 1e6).ln();
    }
    match r > 1e9 {
        true => r.sqrt(),
        false => r + x,
    }
}

#[test]
fn branch_that_is_never_taken() {
    check_exact(
        |p| never_taken(p[0]),
        |p| never_taken_grad(p[0]),
        |p| vec![2.0 * p[0] + 1.0],
        &[&[0.0], &[-3.5], &[12.0]],
    );
}

#[gradient]
fn deferred(x: f64, y: f64) -> f64 {
    let a;
    let b: f64;
    if x > y {
        a = x * y;
        b = a + 1.0;
    } else {
        a = y;
        b = x.sin();
    }
    a * b
}

#[test]
fn declaration_without_initialiser() {
    check(
        |p| deferred(p[0], p[1]),
        |p| deferred_grad(p[0], p[1]),
        QUADRANTS,
    );
}

#[gradient]
fn booleans(x: f64, y: f64, flag: bool) -> f64 {
    let big = x > y;
    let mut both = big & flag;
    let either = big | flag;
    both ^= x < 0.0;
    let chosen = if both { x } else { y };
    if either { chosen * x } else { chosen * y * y }
}

#[test]
fn conditions_kept_in_variables() {
    for flag in [false, true] {
        check(
            |p| booleans(p[0], p[1], flag),
            |p| booleans_grad(p[0], p[1], flag),
            QUADRANTS,
        );
    }
}

#[gradient]
fn deep(x: f64, y: f64, z: f64) -> f64 {
    if x > 0.0 {
        if y > 0.0 {
            if z > 0.0 { x * y * z } else { x * y }
        } else {
            match z > 1.0 {
                true => z * z,
                false => {
                    let w = x - z;
                    w * w
                }
            }
        }
    } else if y * z > 0.0 {
        (y * z).sqrt()
    } else {
        x * x
    }
}

#[test]
fn nested_branches() {
    let inputs: &[&[f64]] = &[
        &[1.0, 2.0, 0.5],
        &[1.0, 2.0, -0.5],
        &[1.0, -2.0, 2.0],
        &[1.0, -2.0, 0.3],
        &[-1.0, 2.0, 3.0],
        &[-1.5, 2.0, -3.0],
    ];
    check(
        |p| deep(p[0], p[1], p[2]),
        |p| deep_grad(p[0], p[1], p[2]),
        inputs,
    );
}
