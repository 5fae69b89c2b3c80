//! What other tools got wrong without a word, one test each.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::too_many_lines,
    unused,
    dropping_copy_types,
    unreachable_pub,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

mod adjoint;
mod language;
mod state;
#[path = "../support/mod.rs"]
mod support;

use retrograde::gradient;
use support::{check, check_exact};

const PAIRS: &[&[f64]] = &[&[0.7, 0.4], &[-1.3, 0.9], &[1.4, -1.1]];

#[gradient]
fn several_declarators(x: f64, y: f64) -> f64 {
    let mut r = 0.0;
    for i in 0..3 {
        let (a, mut b, c) = (x * i as f64, y + r, x * y);
        b *= a;
        r += b * c;
    }
    r
}

#[test]
fn several_declarators_in_one_statement_inside_a_loop() {
    check(
        |p| several_declarators(p[0], p[1]),
        |p| several_declarators_grad(p[0], p[1]),
        PAIRS,
    );
}

#[gradient]
fn counter_stepped_back(x: f64, limit: f64) -> f64 {
    let mut i = 0;
    let mut r = x;
    while i < 10 {
        r *= x;
        if r > limit {
            return r * i as f64;
        }
        i += 1;
        if i == 5 {
            i -= 1;
            r += 1.0;
        }
    }
    r
}

#[test]
fn early_return_from_a_loop_that_steps_its_counter_back() {
    check(
        |p| counter_stepped_back(p[0], p[1]),
        |p| counter_stepped_back_grad(p[0], p[1]),
        &[&[1.3, 20.0], &[2.0, 5.0], &[0.9, 3.25]],
    );
}

#[gradient]
fn dependent_pair(x: f64, y: f64) -> f64 {
    let (p, q) = {
        let p = x * x;
        (p, y * p)
    };
    let (p, q) = (q * x, p);
    p * q
}

#[test]
fn adjoints_in_order_for_dependent_declarations() {
    check_exact(
        |p| dependent_pair(p[0], p[1]),
        |p| dependent_pair_grad(p[0], p[1]),
        |p| vec![5.0 * p[0].powi(4) * p[1], p[0].powi(5)],
        PAIRS,
    );
}

#[gradient]
fn swapped_by_pattern(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    (a, b) = (b, a);
    let (c, d) = (b, a);
    std::mem::swap(&mut a, &mut b);
    a * a * d + b * c
}

#[test]
fn swap_and_destructuring_do_not_give_zero() {
    check(
        |p| swapped_by_pattern(p[0], p[1]),
        |p| swapped_by_pattern_grad(p[0], p[1]),
        PAIRS,
    );
}

#[gradient]
fn subtract(x: &[f64], mu: &[f64], out: &mut [f64]) {
    for i in 0..out.len() {
        out[i] = x[i] - mu[i];
    }
}

#[gradient]
fn scratch(data: &[f64], mu: &[f64]) -> f64 {
    let mut buf = [0.0; 2];
    let mut s = 0.0;
    for k in 0..data.len() / 2 {
        subtract(&data[2 * k..2 * k + 2], mu, &mut buf);
        s += buf[0] * buf[0] * buf[1];
    }
    s
}

#[test]
fn scratch_buffer_overwritten_by_a_callee_in_a_loop() {
    check(
        |p| scratch(&p[..4], &p[4..]),
        |p| scratch_grad(&p[..4], &p[4..]),
        &[&[0.7, 0.4, -0.3, 1.2, 0.5, -0.1]],
    );
}

#[gradient]
fn first_iteration(u: f64, stop: usize) -> f64 {
    let mut r = 0.0;
    for i in 1..4 {
        if i == stop {
            continue;
        }
        r += i as f64 * u * u;
        if r > 0.0 && i >= stop {
            break;
        }
        r *= 2.0;
    }
    r
}

#[test]
fn break_and_continue_do_not_undo_a_step_that_never_ran() {
    for stop in 0..5 {
        check(
            |p| first_iteration(p[0], stop),
            |p| first_iteration_grad(p[0], stop),
            &[&[1.3], &[-0.4]],
        );
    }
}

#[gradient]
fn skipped_loop(x: f64, y: f64) -> f64 {
    let mut a = x;
    if y > 0.0 {
        for _ in 0..3 {
            a = a * a + y;
        }
    } else if x > 0.0 {
        return a * y;
    }
    a
}

#[test]
fn a_loop_s_reverse_does_not_run_on_a_path_that_never_entered_it() {
    check(
        |p| skipped_loop(p[0], p[1]),
        |p| skipped_loop_grad(p[0], p[1]),
        PAIRS,
    );
}

#[gradient]
fn condition_effects(x: f64, y: f64) -> f64 {
    let mut a = x;
    let mut n = 0;
    while {
        a *= 1.5;
        n += 1;
        a < 10.0 && n < 8
    } {
        if {
            a += y;
            n % 2 == 0
        } || {
            a -= 0.5 * y;
            a > 3.0
        } {
            a = a * 0.9;
        }
    }
    a * n as f64
}

#[test]
fn side_effects_in_conditions() {
    check(
        |p| condition_effects(p[0], p[1]),
        |p| condition_effects_grad(p[0], p[1]),
        PAIRS,
    );
}

#[gradient]
fn dead_values(c: f64, a: f64) -> f64 {
    let dead = (-c / a).acos();
    let mut v = [c, dead];
    v[1] = v[0] * a;
    let poison = (a - a).ln() + (c - c).sqrt();
    let keep = if a > 1e9 { poison } else { v[1] };
    keep * c
}

#[test]
fn dead_values_do_not_poison_the_result() {
    check_exact(
        |p| dead_values(p[0], p[1]),
        |p| dead_values_grad(p[0], p[1]),
        |p| vec![2.0 * p[0] * p[1], p[0] * p[0]],
        &[&[5.0, 3.0], &[2.0, -0.5]],
    );
}

#[gradient]
fn checkpointed_state(x: f64, y: f64) -> f64 {
    let mut state = x;
    let mut sum = 0.0;
    let mut k = 1;
    #[checkpoint]
    for i in 0..6 {
        state = (state * y).sin() + sum * 0.1;
        k += i;
        sum += state * k as f64;
    }
    sum * state
}

#[test]
fn checkpointed_region_with_loop_carried_state() {
    check(
        |p| checkpointed_state(p[0], p[1]),
        |p| checkpointed_state_grad(p[0], p[1]),
        PAIRS,
    );
}

#[gradient]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[gradient]
fn add_into(a: &[f64], out: &mut [f64], k: f64) {
    for i in 0..a.len() {
        out[i] += a[i] * k;
    }
}

#[gradient]
fn same_array(v: &[f64], x: f64) -> f64 {
    let mut w = v.to_vec();
    for _ in 0..2 {
        let copy = w.clone();
        add_into(&copy, &mut w, x);
    }
    dot(&w, &w) + dot(v, &w)
}

#[test]
fn the_same_array_passed_twice_to_a_callee() {
    check(
        |p| same_array(&p[..2], p[2]),
        |p| same_array_grad(&p[..2], p[2]),
        &[&[0.7, 0.4, 0.3], &[-1.3, 0.9, 0.5]],
    );
}

#[gradient]
fn after_return(x: f64, y: f64) -> f64 {
    if x < 0.0 {
        return y * y;
    }
    let a = [x, y];
    let v = vec![x * y; 3];
    let t = (a, v.len());
    if y < 0.0 {
        return t.0[0] * v[2];
    }
    let w = v.clone();
    w[0] * a[1] * t.1 as f64
}

#[test]
fn variables_declared_after_an_early_return() {
    check(
        |p| after_return(p[0], p[1]),
        |p| after_return_grad(p[0], p[1]),
        PAIRS,
    );
}

#[gradient]
fn bound_and_counter(x: f64, n: usize) -> f64 {
    let mut bound = n;
    let mut i = 0;
    let mut r = x;
    while i < bound {
        r = r * 0.9 + x * i as f64;
        if i == 1 {
            bound += 2;
        }
        if i == 3 {
            i += 1;
        }
        i += 1;
    }
    for j in 0..bound {
        bound = j;
        r += x * bound as f64;
    }
    r * bound as f64
}

#[test]
fn loop_bound_and_counter_changed_by_the_body() {
    for n in [0, 1, 2, 5] {
        check(
            |p| bound_and_counter(p[0], n),
            |p| bound_and_counter_grad(p[0], n),
            &[&[0.7], &[-1.2]],
        );
    }
}

#[gradient]
fn shadowed(x: f64, y: f64) -> f64 {
    let a = x * y;
    let a = a * a;
    let r = {
        let a = y;
        let x = a * x;
        x + a
    };
    let x = a + x;
    for a in 0..2 {
        let x = x * a as f64;
        let _ = x;
    }
    match Some(r) {
        Some(a) => a * x,
        None => a,
    }
}

#[test]
fn shadowed_names() {
    check(
        |p| shadowed(p[0], p[1]),
        |p| shadowed_grad(p[0], p[1]),
        PAIRS,
    );
}

#[gradient]
fn hits_one_element(v: &[f64], k: usize) -> f64 {
    let mut a = [0.0; 2];
    for i in 0..v.len() {
        a[i % 2] += v[i];
        a[k] *= v[i];
        a[i % 2] = a[k] + a[i % 2] * a[i % 2];
    }
    a[0] + 2.0 * a[1]
}

#[test]
fn two_statements_that_hit_one_element() {
    for k in 0..2 {
        check(
            |p| hits_one_element(p, k),
            |p| hits_one_element_grad(p, k),
            &[&[0.7, 0.4, -0.3], &[-0.3, 0.9, 1.1]],
        );
    }
}
