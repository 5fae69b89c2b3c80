//! Ways out: labelled `break` and `continue`, `break` with a value, labelled blocks, `return` at any depth.

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

use retrograde::gradient;
use support::{check, check_exact};

const PAIRS: &[&[f64]] = &[&[0.7, 0.4], &[-1.3, 0.9], &[1.4, -1.1]];

#[gradient]
fn breaks(x: f64, y: f64, at: usize) -> f64 {
    let mut r = x;
    for i in 0..6 {
        r = r * y + x;
        if i == at {
            break;
        }
        r += 1.0;
    }
    r
}

#[test]
fn break_on_the_first_a_middle_and_no_iteration() {
    for at in [0, 1, 3, 5, 9] {
        check(
            |p| breaks(p[0], p[1], at),
            |p| breaks_grad(p[0], p[1], at),
            PAIRS,
        );
    }
}

#[gradient]
fn continues(x: f64, y: f64, skip: usize) -> f64 {
    let mut r = x;
    for i in 0..6 {
        if i % skip == 0 {
            r -= y;
            continue;
        }
        r *= y;
    }
    r
}

#[test]
fn continue_in_the_middle() {
    for skip in [1, 2, 3, 7] {
        check(
            |p| continues(p[0], p[1], skip),
            |p| continues_grad(p[0], p[1], skip),
            PAIRS,
        );
    }
}

#[gradient]
fn labels(x: f64, y: f64, n: usize) -> f64 {
    let mut r = 0.0;
    'outer: for a in 0..n {
        for b in 0..n {
            if b > a {
                r += x;
                continue 'outer;
            }
            if a == 3 && b == 2 {
                break 'outer;
            }
            r = r * 0.5 + x * a as f64 + y * y * b as f64;
        }
        r *= y;
    }
    r
}

#[test]
fn labelled_break_and_continue() {
    for n in [0, 1, 3, 6] {
        check(
            |p| labels(p[0], p[1], n),
            |p| labels_grad(p[0], p[1], n),
            PAIRS,
        );
    }
}

#[gradient]
fn three_deep(x: f64, stop: usize) -> f64 {
    let mut r = x;
    let mut count = 0;
    'a: while count < 50 {
        'b: loop {
            for i in 0..4 {
                count += 1;
                r = (r + x * i as f64).sin();
                if count % stop == 0 {
                    break 'b;
                }
                if count % 7 == 0 {
                    continue 'a;
                }
                if count > 20 {
                    break 'a;
                }
            }
            r *= 0.9;
        }
        r += x;
    }
    r
}

#[test]
fn jumps_over_three_loops() {
    for stop in [1, 2, 5, 100] {
        check(
            |p| three_deep(p[0], stop),
            |p| three_deep_grad(p[0], stop),
            &[&[0.7], &[-0.4]],
        );
    }
}

#[gradient]
fn loop_value(x: f64, y: f64, n: usize) -> f64 {
    let mut k = 0;
    let mut a = x;
    let r = loop {
        a *= y;
        if k == n {
            break a * x;
        }
        if a.abs() > 3.0 {
            break y;
        }
        k += 1;
    };
    r + a
}

#[test]
fn break_with_a_value() {
    for n in [0, 2, 9] {
        check(
            |p| loop_value(p[0], p[1], n),
            |p| loop_value_grad(p[0], p[1], n),
            &[&[0.7, 0.4], &[1.2, 1.9], &[-0.6, -1.3]],
        );
    }
}

#[gradient]
fn outer_loop_value(x: f64, n: usize) -> f64 {
    let r = 'found: loop {
        for i in 0..10 {
            if i == n {
                break 'found x * i as f64;
            }
        }
        break x * x;
    };
    r * x
}

#[test]
fn break_of_an_outer_loop_with_a_value() {
    for n in [0, 3, 20] {
        check(
            |p| outer_loop_value(p[0], n),
            |p| outer_loop_value_grad(p[0], n),
            &[&[0.7], &[-1.2]],
        );
    }
}

#[gradient]
fn blocks(x: f64, y: f64) -> f64 {
    let a = 'value: {
        if x > y {
            break 'value x * y;
        }
        if y > 0.5 {
            break 'value y;
        }
        x.sin()
    };
    let mut b = a;
    'statement: {
        b *= x;
        if b > 0.0 {
            break 'statement;
        }
        b -= y;
    }
    a * b
}

#[test]
fn labelled_blocks() {
    check(
        |p| blocks(p[0], p[1]),
        |p| blocks_grad(p[0], p[1]),
        &[&[0.7, 0.4], &[-1.3, 0.9], &[-1.4, -1.1], &[1.0, -2.0]],
    );
}

#[gradient]
fn block_in_a_loop(x: f64, n: usize) -> f64 {
    let mut r = x;
    'loop_: for i in 0..n {
        r += 'skip: {
            if i % 3 == 0 {
                break 'skip x;
            }
            if i == 4 {
                continue 'loop_;
            }
            if r > 10.0 {
                break 'loop_;
            }
            r * x
        };
    }
    r
}

#[test]
fn labelled_block_with_jumps_out_of_it() {
    for n in [0, 1, 5, 9] {
        check(
            |p| block_in_a_loop(p[0], n),
            |p| block_in_a_loop_grad(p[0], n),
            &[&[0.7], &[2.2]],
        );
    }
}

#[gradient]
fn return_from_depth(x: f64, y: f64, n: usize) -> f64 {
    let mut r = x;
    for i in 0..4 {
        let mut s = r * y;
        while s < 4.0 {
            s = s * s + 1.0;
            for j in 0..3 {
                r += s * 0.1;
                if i * 3 + j == n {
                    return r * s + y;
                }
            }
        }
    }
    r
}

#[test]
fn return_inside_three_loops() {
    for n in [0, 1, 4, 8, 99] {
        check(
            |p| return_from_depth(p[0], p[1], n),
            |p| return_from_depth_grad(p[0], p[1], n),
            &[&[0.7, 0.4], &[1.4, 0.6], &[0.3, -0.5]],
        );
    }
}

#[gradient]
fn guard_clauses(x: f64, y: f64) -> f64 {
    if x.is_nan() {
        return 0.0;
    }
    if x < -1.0 {
        return x * x;
    }
    let a = x * y;
    if a < 0.0 {
        return y;
    }
    let b = (a + 1.0).ln();
    if b > 1.0 {
        return a * b;
    }
    b
}

#[test]
fn guard_clauses_with_variables_declared_after() {
    check(
        |p| guard_clauses(p[0], p[1]),
        |p| guard_clauses_grad(p[0], p[1]),
        &[&[-2.0, 1.0], &[0.5, -1.0], &[2.0, 3.0], &[0.5, 0.5]],
    );
    assert_eq!(guard_clauses_grad(f64::NAN, 2.0), (0.0, (0.0, 0.0)));
}

#[gradient]
fn branch_that_returns(x: f64, y: f64) -> f64 {
    let a = if x > 1.0 { return y * x } else { x + y };
    let b = match a > 0.0 {
        true => a * a,
        false => return a.sin(),
    };
    b * x
}

#[test]
fn branch_whose_value_is_never() {
    check(
        |p| branch_that_returns(p[0], p[1]),
        |p| branch_that_returns_grad(p[0], p[1]),
        &[&[1.5, 2.0], &[0.5, 0.2], &[0.5, -1.0]],
    );
}

#[gradient]
fn only_returns(x: f64) -> f64 {
    if x > 0.0 {
        return x.sqrt();
    } else {
        return -x;
    }
}

#[test]
fn no_tail_expression() {
    check(
        |p| only_returns(p[0]),
        |p| only_returns_grad(p[0]),
        &[&[2.0], &[-3.0]],
    );
}

#[gradient]
fn endless(x: f64) -> f64 {
    let mut a = x;
    loop {
        a *= 2.0;
        if a > 10.0 {
            return a * x;
        }
    }
}

#[test]
fn loop_left_only_by_return() {
    check(
        |p| endless(p[0]),
        |p| endless_grad(p[0]),
        &[&[0.3], &[4.0], &[20.0]],
    );
}

#[gradient]
fn return_in_an_operand(x: f64, y: f64) -> f64 {
    let r = x * {
        if y < 0.0 {
            return x;
        }
        y
    };
    r + (if x > 3.0 { return r * r } else { x })
}

#[test]
fn return_in_the_middle_of_an_expression() {
    check(
        |p| return_in_an_operand(p[0], p[1]),
        |p| return_in_an_operand_grad(p[0], p[1]),
        &[&[1.0, 2.0], &[1.0, -2.0], &[4.0, 0.5]],
    );
}

#[gradient]
fn step_undone(u: f64) -> f64 {
    let mut r = 0.0;
    let mut i = 1;
    loop {
        r += i as f64 * u * u;
        if i == 1 {
            break;
        }
        i += 1;
        r *= 100.0;
    }
    r
}

#[test]
fn break_before_a_step_that_never_ran() {
    check_exact(
        |p| step_undone(p[0]),
        |p| step_undone_grad(p[0]),
        |p| vec![2.0 * p[0]],
        &[&[3.0], &[-0.5]],
    );
}

#[gradient]
fn unreachable_tail(x: f64) -> f64 {
    for i in 0..3 {
        if i == 2 {
            return x * x;
        }
    }
    unreachable!("the loop returns")
}

#[test]
fn tail_that_diverges() {
    check(
        |p| unreachable_tail(p[0]),
        |p| unreachable_tail_grad(p[0]),
        &[&[2.0], &[-1.0]],
    );
}

/// A type without a default, which is assigned on some paths in front of an exit.
#[gradient]
fn until_order(start: f64, t: f64) -> (f64, f64) {
    use std::cmp::Ordering;
    let (mut x, mut at) = (start, 0.0);
    let (dt, order) = if t > 0.0 {
        (0.25, Ordering::Less)
    } else {
        (-0.25, Ordering::Greater)
    };
    loop {
        let rate = x * 0.5;
        if (t - dt).partial_cmp(&at).unwrap_or(Ordering::Equal) == order {
            return (x + rate * (t - at), at);
        }
        at += dt;
        x += rate * dt * x;
    }
}

#[gradient]
fn of_order(start: f64, t: f64) -> f64 {
    let (x, at) = until_order(start, t);
    x * x + at
}

#[test]
fn what_has_no_default() {
    check(
        |p| of_order(p[0], p[1]),
        |p| of_order_grad(p[0], p[1]),
        &[&[0.5, 0.8], &[0.25, -0.6], &[0.3, 0.1]],
    );
}
