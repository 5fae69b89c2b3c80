//! `#[checkpoint]` changes time and memory, never the gradient: bit for bit the same as without.

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

mod again;
mod arrays;
mod nested;
mod readers;
#[path = "../support/mod.rs"]
mod support;

use retrograde::{Tape, gradient};
use support::{Flat, assert_same_value, check, check_dual, flat};

const PAIRS: &[&[f64]] = &[&[0.7, 0.4], &[-1.3, 0.9], &[1.4, -1.1]];

#[track_caller]
fn identical<G: Flat>(with: (f64, G), without: (f64, G)) {
    assert_same_value(with.0, without.0);
    let (a, b) = (flat(&with.1), flat(&without.1));
    assert_eq!(a.len(), b.len());
    for (x, y) in a.iter().zip(&b) {
        assert_same_value(*x, *y);
    }
}

#[gradient]
fn block(x: f64, y: f64) -> f64 {
    let mut a = x * y;
    let b = a + y;
    #[checkpoint]
    {
        let t = a.sin() * b;
        a = t * t + a;
        a *= b.exp();
    }
    a * b
}

#[gradient]
fn block_plain(x: f64, y: f64) -> f64 {
    let mut a = x * y;
    let b = a + y;
    {
        let t = a.sin() * b;
        a = t * t + a;
        a *= b.exp();
    }
    a * b
}

#[test]
fn block_statement() {
    for p in PAIRS {
        identical(block_grad(p[0], p[1]), block_plain_grad(p[0], p[1]));
    }
    check(|p| block(p[0], p[1]), |p| block_grad(p[0], p[1]), PAIRS);
}

#[gradient]
fn expression(x: f64, y: f64) -> f64 {
    let z = #[checkpoint]
    {
        let a = (x * y).sin();
        let b = a * a + x;
        (a * b, b.exp())
    };
    z.0 * z.1 + x
}

#[gradient]
fn expression_plain(x: f64, y: f64) -> f64 {
    let z = {
        let a = (x * y).sin();
        let b = a * a + x;
        (a * b, b.exp())
    };
    z.0 * z.1 + x
}

#[test]
fn block_expression() {
    for p in PAIRS {
        identical(
            expression_grad(p[0], p[1]),
            expression_plain_grad(p[0], p[1]),
        );
    }
}

#[gradient]
fn steps(x: f64, y: f64, n: usize) -> f64 {
    let mut state = [x, y, 0.5];
    let mut energy = 0.0;
    #[checkpoint]
    for i in 0..n {
        let a = state[0] * state[1] + i as f64 * 0.1;
        let b = (a - state[2]).tanh();
        state[2] = state[0];
        state[0] = b;
        state[1] = state[1] * 0.9 + a * 0.1;
        energy += b * b;
    }
    energy + state[0] * state[1] + state[2]
}

#[gradient]
fn steps_plain(x: f64, y: f64, n: usize) -> f64 {
    let mut state = [x, y, 0.5];
    let mut energy = 0.0;
    for i in 0..n {
        let a = state[0] * state[1] + i as f64 * 0.1;
        let b = (a - state[2]).tanh();
        state[2] = state[0];
        state[0] = b;
        state[1] = state[1] * 0.9 + a * 0.1;
        energy += b * b;
    }
    energy + state[0] * state[1] + state[2]
}

#[test]
fn loop_with_carried_state() {
    for n in [0, 1, 2, 17, 300] {
        for p in PAIRS {
            identical(steps_grad(p[0], p[1], n), steps_plain_grad(p[0], p[1], n));
        }
    }
    check(
        |p| steps(p[0], p[1], 5),
        |p| steps_grad(p[0], p[1], 5),
        PAIRS,
    );
}

#[gradient]
fn condition_loops(x: f64, y: f64) -> f64 {
    let (mut a, mut k) = (x, 0);
    #[checkpoint]
    while a.abs() < 20.0 && k < 40 {
        a = a * 1.5 + y;
        k += 1;
    }
    let mut b = y;
    #[checkpoint]
    loop {
        k += 3;
        b = (b + x).sin();
        if k > 60 {
            break;
        }
        if b < 0.0 {
            continue;
        }
        b *= 0.9;
    }
    a * b * k as f64
}

#[gradient]
fn condition_loops_plain(x: f64, y: f64) -> f64 {
    let (mut a, mut k) = (x, 0);
    while a.abs() < 20.0 && k < 40 {
        a = a * 1.5 + y;
        k += 1;
    }
    let mut b = y;
    loop {
        k += 3;
        b = (b + x).sin();
        if k > 60 {
            break;
        }
        if b < 0.0 {
            continue;
        }
        b *= 0.9;
    }
    a * b * k as f64
}

#[test]
fn while_and_loop() {
    for p in PAIRS {
        identical(
            condition_loops_grad(p[0], p[1]),
            condition_loops_plain_grad(p[0], p[1]),
        );
    }
    check(
        |p| condition_loops(p[0], p[1]),
        |p| condition_loops_grad(p[0], p[1]),
        PAIRS,
    );
}

#[gradient]
fn long(x: f64, n: usize) -> f64 {
    let mut v = x;
    #[checkpoint]
    for _ in 0..n {
        let a = (v * 1.1).sin();
        let b = (a + v).cos();
        let c = (b * a).exp();
        v = (c - b).sin();
    }
    v
}

#[gradient]
fn long_plain(x: f64, n: usize) -> f64 {
    let mut v = x;
    for _ in 0..n {
        let a = (v * 1.1).sin();
        let b = (a + v).cos();
        let c = (b * a).exp();
        v = (c - b).sin();
    }
    v
}

#[test]
fn long_loop() {
    identical(long_grad(0.4, 20_000), long_plain_grad(0.4, 20_000));
    let (mut with, mut without) = (0.0, 0.0);
    let mut tape = Tape::new();
    long_grad_into(&mut tape, 0.4, &mut with, 20_000);
    long_plain_grad_into(&mut tape, 0.4, &mut without, 20_000);
    assert_same_value(with, without);
}
