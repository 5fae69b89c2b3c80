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
fn nested(x: f64, y: f64, n: usize) -> f64 {
    let mut v = vec![x, y, x * y];
    #[checkpoint]
    for i in 0..n {
        let s = #[checkpoint]
        {
            let mut s = 0.0;
            #[checkpoint]
            for j in 0..v.len() {
                v[j] = (v[j] + s).sin();
                s += v[j] * 0.5;
            }
            s
        };
        v.push(s * x);
        if i % 2 == 1 {
            v.pop();
        }
        v[0] *= s + 1.0;
    }
    v.iter().sum::<f64>() * v[1]
}

#[gradient]
fn nested_plain(x: f64, y: f64, n: usize) -> f64 {
    let mut v = vec![x, y, x * y];
    for i in 0..n {
        let s = {
            let mut s = 0.0;
            for j in 0..v.len() {
                v[j] = (v[j] + s).sin();
                s += v[j] * 0.5;
            }
            s
        };
        v.push(s * x);
        if i % 2 == 1 {
            v.pop();
        }
        v[0] *= s + 1.0;
    }
    v.iter().sum::<f64>() * v[1]
}

#[test]
fn regions_inside_regions_on_vectors() {
    check(
        |p| nested(p[0], p[1], 2),
        |p| nested_grad(p[0], p[1], 2),
        &PAIRS[..1],
    );
    for n in [0, 1, 4] {
        for p in PAIRS {
            identical(nested_grad(p[0], p[1], n), nested_plain_grad(p[0], p[1], n));
        }
    }
}

#[gradient]
fn update(v: &mut [f64], x: f64) -> f64 {
    v[0] = v[0] * x + v[1];
    v[1] = v[0].sin();
    v[0] * v[1]
}

#[gradient]
fn with_calls(x: f64, y: f64, n: usize) -> f64 {
    let mut v = [x, y];
    let mut r = 0.0;
    #[checkpoint]
    for _ in 0..n {
        r += update(&mut v, y);
        let w = &mut v[1];
        *w *= 0.5;
    }
    r + v[0]
}

#[gradient]
fn with_calls_plain(x: f64, y: f64, n: usize) -> f64 {
    let mut v = [x, y];
    let mut r = 0.0;
    for _ in 0..n {
        r += update(&mut v, y);
        let w = &mut v[1];
        *w *= 0.5;
    }
    r + v[0]
}

#[test]
fn calls_and_views_inside() {
    for n in [0, 1, 6] {
        for p in PAIRS {
            identical(
                with_calls_grad(p[0], p[1], n),
                with_calls_plain_grad(p[0], p[1], n),
            );
        }
    }
}

#[gradient]
fn swaps(u: &[f64], n: usize) -> f64 {
    let (mut a, mut b) = (u.to_vec(), vec![0.0; u.len()]);
    #[checkpoint]
    for _ in 0..n {
        for i in 0..a.len() {
            b[i] = a[i] * a[(i + 1) % a.len()] + 0.1;
        }
        std::mem::swap(&mut a, &mut b);
    }
    a[0] * a[1]
}

#[gradient]
fn swaps_plain(u: &[f64], n: usize) -> f64 {
    let (mut a, mut b) = (u.to_vec(), vec![0.0; u.len()]);
    for _ in 0..n {
        for i in 0..a.len() {
            b[i] = a[i] * a[(i + 1) % a.len()] + 0.1;
        }
        std::mem::swap(&mut a, &mut b);
    }
    a[0] * a[1]
}

#[test]
fn buffers_swapped_inside() {
    for n in [0, 1, 2, 5] {
        for p in PAIRS {
            identical(swaps_grad(p, n), swaps_plain_grad(p, n));
        }
    }
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

// A vector whose length a region changes: its adjoint has the length that it had after the region.

#[gradient]
fn grown_in_a_region(x: f64, y: f64) -> f64 {
    let mut v = vec![x, y];
    let s = v[0].sin();
    #[checkpoint]
    {
        if v.len() < 7 {
            v.push(x * y);
        }
    }
    s
}

#[gradient]
fn shortened_in_a_region(x: f64, y: f64) -> f64 {
    let mut v = vec![x, y, x * y];
    let s = v[0].sin() * v[2];
    #[checkpoint]
    {
        let last = v.pop().unwrap();
        v[0] = last * x;
    }
    s + v[0]
}

#[gradient]
fn replaced_in_a_region(x: f64, y: f64) -> f64 {
    let mut v = vec![x, y, x * y];
    let s = v[0].sin() * v[2];
    #[checkpoint]
    {
        v = vec![v[1] * v[2]];
    }
    s * v[0]
}

#[test]
fn lengths_changed_in_a_region() {
    check_dual(
        |p| grown_in_a_region(p[0], p[1]),
        |p| grown_in_a_region_grad(p[0], p[1]),
        |p| p[0].sin(),
        PAIRS,
    );
    check_dual(
        |p| shortened_in_a_region(p[0], p[1]),
        |p| shortened_in_a_region_grad(p[0], p[1]),
        |p| p[0].sin() * (p[0] * p[1]) + p[0] * p[1] * p[0],
        PAIRS,
    );
    check_dual(
        |p| replaced_in_a_region(p[0], p[1]),
        |p| replaced_in_a_region_grad(p[0], p[1]),
        |p| p[0].sin() * (p[0] * p[1]) * (p[1] * (p[0] * p[1])),
        PAIRS,
    );
}

// Guards that call methods of numbers may run twice.

#[gradient]
fn guarded(x: f64, y: f64, n: usize) -> f64 {
    let mut q = (2.0 * x, y);
    let mut s = 1.0;
    #[checkpoint]
    for i in 0..n {
        match (i + n) % 4 {
            k if k > 1 && q.1.is_sign_negative() => s *= q.0,
            k if usize::from(q.0 > 0.1) + k < 2 => q.1 -= 0.4 * q.0,
            0 | 1 if q.0.abs() > 1.0 => s += q.1,
            k => s += (q.0 * k as f64).sin(),
        }
    }
    s
}

#[gradient]
fn guarded_plain(x: f64, y: f64, n: usize) -> f64 {
    let mut q = (2.0 * x, y);
    let mut s = 1.0;
    for i in 0..n {
        match (i + n) % 4 {
            k if k > 1 && q.1.is_sign_negative() => s *= q.0,
            k if usize::from(q.0 > 0.1) + k < 2 => q.1 -= 0.4 * q.0,
            0 | 1 if q.0.abs() > 1.0 => s += q.1,
            k => s += (q.0 * k as f64).sin(),
        }
    }
    s
}

#[test]
fn guards_with_methods_in_a_region() {
    for n in 0..9 {
        for p in PAIRS {
            identical(
                guarded_grad(p[0], p[1], n),
                guarded_plain_grad(p[0], p[1], n),
            );
        }
    }
    check(
        |p| guarded_plain(p[0], p[1], 7),
        |p| guarded_plain_grad(p[0], p[1], 7),
        PAIRS,
    );
}

/// Arithmetic of integers gives the same again, whichever of its methods does it.
#[gradient]
fn indexed(x: &[f64], n: usize, k: i32) -> f64 {
    let mut sum = 0.0;
    #[checkpoint]
    for i in 0..n {
        let signed = (i as isize - 2).unsigned_abs();
        let checked = i.checked_pow(2).unwrap_or(1).next_multiple_of(3);
        let wrapped = i.wrapping_neg().rotate_left(3).overflowing_add(5).0;
        let sign = f64::from(u8::from((k - i as i32).is_negative()));
        sum += (x[signed % 4] * x[checked % 4]).sin() * (x[wrapped % 4] + sign);
    }
    sum
}

#[test]
fn methods_of_integers_run_again() {
    for n in [0, 1, 5, 9] {
        let x: &[f64] = &[0.3, -0.8, 1.1, 0.6];
        check(|x| indexed(x, n, 3), |x| indexed_grad(x, n, 3), &[x]);
    }
}

/// A guard computes with numbers that it declares.
#[gradient]
fn guarded_by_a_block(x: f64, n: usize) -> f64 {
    #[checkpoint]
    {
        match n % 3 {
            0 if ({
                let t: f64 = 0.75;
                t
            })
            .sin()
                > 0.5 =>
            {
                x * x
            }
            0 | 1 => x.sin(),
            _ => 1.0,
        }
    }
}

#[test]
fn guards_with_blocks_run_again() {
    for n in 0..3 {
        check(
            |p| guarded_by_a_block(p[0], n),
            |p| guarded_by_a_block_grad(p[0], n),
            &[&[0.4], &[-1.2]],
        );
    }
}
