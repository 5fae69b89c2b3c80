//! `for` over ranges of every form, `while`, `loop`; what is carried from one iteration to the next.

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
use support::number::{D, num};
use support::{check, check_dual, check_exact};

const INPUTS: &[&[f64]] = &[&[0.7], &[-1.3], &[1.9]];
const PAIRS: &[&[f64]] = &[&[0.7, 0.4], &[-1.3, 0.9], &[0.2, -1.1]];

#[gradient]
fn power(x: f64, n: usize) -> f64 {
    let mut t = 1.0;
    for _ in 0..n {
        t *= x;
    }
    t
}

#[test]
fn counted_loop_carries_a_product() {
    for n in [0_usize, 1, 2, 9, 300] {
        let want = |p: &[f64]| {
            vec![if n == 0 {
                0.0
            } else {
                n as f64 * p[0].powi(n as i32 - 1)
            }]
        };
        check_exact(
            |p| power(p[0], n),
            |p| power_grad(p[0], n),
            want,
            &[&[0.99], &[-1.01]],
        );
    }
}

#[gradient]
fn ranges(x: f64, lo: i64, hi: i64) -> f64 {
    let mut r = 0.0;
    for i in lo..hi {
        r = r * x + i as f64;
    }
    for i in lo..=hi {
        r = r.sin() + x * i as f64;
    }
    for i in (lo..hi).rev() {
        r = (r * x + i as f64).cos();
    }
    for i in (lo..=hi).rev() {
        r = (r - x * i as f64).cos();
    }
    r
}

#[test]
fn ranges_forward_inclusive_and_reversed() {
    for (lo, hi) in [(0, 4), (-3, 2), (2, 2), (3, 1), (0, 0)] {
        check(
            |p| ranges(p[0], lo, hi),
            |p| ranges_grad(p[0], lo, hi),
            &[&[0.7], &[-1.3], &[0.2]],
        );
    }
}

#[gradient]
fn steps(x: f64, n: usize, step: usize) -> f64 {
    let mut r = x;
    for i in (0..n).step_by(step) {
        r = (r * x).sin() + i as f64;
    }
    for i in (0..n + 1).step_by(step).rev() {
        r = (r + x * i as f64).cos();
    }
    for i in (0..n).rev().step_by(step) {
        r = (r * 0.5 + x * i as f64).sin();
    }
    r
}

#[test]
fn ranges_with_steps() {
    for (n, step) in [(7, 2), (6, 3), (5, 1), (0, 4), (3, 10)] {
        check(
            |p| steps(p[0], n, step),
            |p| steps_grad(p[0], n, step),
            INPUTS,
        );
    }
}

#[gradient]
fn to_the_end_of_a_type(x: f64) -> f64 {
    let mut r = 0.0;
    for i in 250..=u8::MAX {
        r += x * f64::from(i);
    }
    for i in (i8::MIN..=-126).rev() {
        r = r * 0.5 + x * f64::from(i);
    }
    r
}

#[test]
fn inclusive_range_up_to_the_largest_value() {
    check(
        |p| to_the_end_of_a_type(p[0]),
        |p| to_the_end_of_a_type_grad(p[0]),
        INPUTS,
    );
}

#[gradient]
fn body_changes_its_bound(x: f64, n: usize) -> f64 {
    let mut n = n;
    let mut r = x;
    for i in 0..n {
        n += 2;
        r = r * x + (n * i) as f64;
    }
    r * n as f64
}

#[test]
fn bound_changed_in_the_body() {
    for n in [0, 1, 4] {
        check(
            |p| body_changes_its_bound(p[0], n),
            |p| body_changes_its_bound_grad(p[0], n),
            INPUTS,
        );
    }
}

#[gradient]
fn counter_moved_by_body(x: f64, y: f64, limit: i32) -> f64 {
    let (mut r, mut i) = (1.0, 0);
    while i < limit {
        r = r * x + y;
        if i % 3 == 0 {
            i += 2;
        }
        i += 1;
    }
    r
}

#[test]
fn while_with_a_counter_that_the_body_moves() {
    for limit in [0, 1, 10] {
        check(
            |p| counter_moved_by_body(p[0], p[1], limit),
            |p| counter_moved_by_body_grad(p[0], p[1], limit),
            PAIRS,
        );
    }
}

#[gradient]
fn newton(a: f64, start: f64) -> f64 {
    let mut x = start;
    while (x * x - a).abs() > 1e-12 * a {
        x = 0.5 * (x + a / x);
    }
    x
}

#[test]
fn while_on_an_active_condition() {
    let dual = |p: &[D]| {
        let mut x = p[1];
        while (x * x - p[0]).abs() > num(1e-12) * p[0] {
            x = num(0.5) * (x + p[0] / x);
        }
        x
    };
    check_dual(
        |p| newton(p[0], p[1]),
        |p| newton_grad(p[0], p[1]),
        dual,
        &[&[2.0, 1.0], &[9.0, 3.0], &[0.3, 5.0]],
    );
}

#[gradient]
fn condition_with_effect(x: f64) -> f64 {
    let (mut i, mut a) = (0, x);
    while {
        i += 1;
        a *= x;
        i < 4 && a < 100.0
    } {
        a += 1.0;
    }
    a * i as f64
}

#[test]
fn while_whose_condition_changes_state_one_time_more() {
    check(
        |p| condition_with_effect(p[0]),
        |p| condition_with_effect_grad(p[0]),
        &[&[0.7], &[-1.3], &[11.0]],
    );
}

#[gradient]
fn forever(x: f64, n: usize) -> f64 {
    let (mut k, mut r) = (0, x);
    loop {
        if k == n {
            break;
        }
        r = r * r - x;
        k += 1;
    }
    r
}

#[test]
fn loop_with_break() {
    for n in [0, 1, 4] {
        check(
            |p| forever(p[0], n),
            |p| forever_grad(p[0], n),
            &[&[0.6], &[-0.7]],
        );
    }
}

#[gradient]
fn nested(x: f64, n: usize) -> f64 {
    let mut r = x;
    for i in 0..n {
        let mut s = r;
        for j in 0..i {
            s = s * x + (i * j) as f64;
            let mut k = j;
            while k > 0 {
                s -= r * 0.1;
                k /= 2;
            }
        }
        r = (s * 0.1).sin();
    }
    r
}

#[test]
fn nested_loops_of_changing_length() {
    for n in [0, 1, 2, 5] {
        check(|p| nested(p[0], n), |p| nested_grad(p[0], n), INPUTS);
    }
}

#[gradient]
fn locals_of_the_body(x: f64, y: f64) -> f64 {
    let mut r = 0.0;
    for i in 0..4 {
        let a = x * i as f64;
        let mut b = a * y;
        let c = b * r;
        b += c;
        let a = a + b;
        r += a * a * 0.01;
    }
    r
}

#[test]
fn locals_and_shadowing_in_the_body() {
    check(
        |p| locals_of_the_body(p[0], p[1]),
        |p| locals_of_the_body_grad(p[0], p[1]),
        PAIRS,
    );
}

#[gradient]
fn fibonacci_like(x: f64, y: f64, n: usize) -> f64 {
    let (mut a, mut b) = (x, y);
    for _ in 0..n {
        let next = a * 0.5 + b.sin();
        a = b;
        b = next;
    }
    a * b
}

#[test]
fn rotating_scalars() {
    for n in [0, 1, 2, 3, 10] {
        check(
            |p| fibonacci_like(p[0], p[1], n),
            |p| fibonacci_like_grad(p[0], p[1], n),
            PAIRS,
        );
    }
}

#[gradient]
fn overwritten_before_use(x: f64) -> f64 {
    let mut t = x * x;
    let mut r = 0.0;
    for i in 0..3 {
        t = x + i as f64;
        r += t * t;
    }
    r + t
}

#[test]
fn variable_overwritten_by_each_iteration() {
    let want = |p: &[f64]| vec![2.0 * (3.0 * p[0] + 3.0) + 1.0];
    check_exact(
        |p| overwritten_before_use(p[0]),
        |p| overwritten_before_use_grad(p[0]),
        want,
        INPUTS,
    );
}

#[gradient]
fn branches_inside(x: f64, y: f64, n: usize) -> f64 {
    let mut a = x;
    for i in 0..n {
        if i % 2 == 0 {
            a *= y;
        } else if a > 0.5 {
            a = a * a;
        } else {
            a -= x;
        }
    }
    a
}

#[test]
fn branches_in_the_body() {
    for n in [0, 1, 6] {
        check(
            |p| branches_inside(p[0], p[1], n),
            |p| branches_inside_grad(p[0], p[1], n),
            PAIRS,
        );
    }
}

#[gradient]
fn long(x: f64, n: usize) -> f64 {
    let mut v = x;
    let mut s = 0.0;
    for i in 0..n {
        v = (v * 1.0001).sin() + 1e-3;
        s += v * v;
    }
    s / n as f64
}

#[test]
fn loop_longer_than_a_small_buffer() {
    let dual = |p: &[D]| {
        let (mut v, mut s) = (p[0], num(0.0));
        for _ in 0..100_000 {
            v = (v * num(1.0001)).sin() + num(1e-3);
            s += v * v;
        }
        s / num(100_000.0)
    };
    check_dual(
        |p| long(p[0], 100_000),
        |p| long_grad(p[0], 100_000),
        dual,
        &[&[0.4]],
    );
}

#[gradient]
fn bound_from_data(x: f64, y: f64) -> f64 {
    let mut r = y;
    for i in 0..(x.abs() * 3.0) as usize {
        r = r * x + i as f64;
    }
    r
}

#[test]
fn trip_count_from_an_active_value() {
    check(
        |p| bound_from_data(p[0], p[1]),
        |p| bound_from_data_grad(p[0], p[1]),
        PAIRS,
    );
}
