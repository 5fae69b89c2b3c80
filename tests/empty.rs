//! Zero trips, empty slices, no differentiable parameter, NaN.

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
use support::{assert_same_value, check};

#[gradient]
fn sum(v: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..v.len() {
        s += v[i] * v[i];
    }
    s
}

#[test]
fn empty_slice() {
    let (value, g) = sum_grad(&[]);
    assert_eq!((value, g.len()), (0.0, 0));
    assert_eq!(sum_grad_into(&mut Tape::new(), &[], &mut []), 0.0);
}

#[gradient]
fn zero_trips(x: f64, n: usize) -> f64 {
    let mut r = x;
    for i in 0..n {
        let back = i - 1 + 1;
        r *= x * back as f64;
    }
    while r < -1e300 {
        r = r * r;
    }
    for i in (n..n).rev() {
        r = r / (i - n) as f64;
    }
    r
}

#[test]
fn loops_that_never_run() {
    assert_eq!(zero_trips_grad(3.0, 0), (3.0, 1.0));
}

#[gradient]
fn first_write_in_a_loop(v: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        s += v[i] * v[i];
    }
    s
}

#[test]
fn buffers_are_overwritten_also_by_a_loop_that_never_runs() {
    let mut tape = Tape::new();
    let mut dv = [7.0; 3];
    assert_eq!(
        first_write_in_a_loop_grad_into(&mut tape, &[1.0, 2.0, 3.0], &mut dv, 0),
        0.0
    );
    assert_eq!(dv, [0.0; 3]);
    let mut dv = [7.0; 3];
    first_write_in_a_loop_grad_into(&mut tape, &[1.0, 2.0, 3.0], &mut dv, 2);
    assert_eq!(dv, [2.0, 4.0, 0.0]);
}

#[gradient]
fn index_arithmetic(v: &[f64], k: usize) -> f64 {
    let mut s = 1.0;
    for i in k..v.len() {
        s *= v[i - k] + v[i];
    }
    s
}

#[test]
fn index_arithmetic_that_would_overflow_without_a_trip() {
    assert_eq!(index_arithmetic_grad(&[], 0), (1.0, vec![]));
    assert_eq!(index_arithmetic_grad(&[2.0], 5), (1.0, vec![0.0]));
    check(
        |p| index_arithmetic(p, 1),
        |p| index_arithmetic_grad(p, 1),
        &[&[0.7, 0.4, -0.3]],
    );
}

#[gradient]
fn constant(n: usize) -> f64 {
    n as f64 * 0.5
}

#[gradient]
fn nothing() -> f64 {
    4.25
}

#[gradient]
fn unused(x: f64, y: f64, v: &[f64]) -> f64 {
    let _ = y;
    x
}

#[test]
fn no_differentiable_parameter() {
    assert_eq!(constant_grad(5), (2.5, ()));
    assert_eq!(nothing_grad(), (4.25, ()));
    assert_eq!(constant_grad_into(&mut Tape::new(), 5), 2.5);
    assert_eq!(nothing_adjoint(&mut Tape::new(), 3.0), 4.25);
}

#[test]
fn parameters_without_influence_have_zero_gradient() {
    assert_eq!(
        unused_grad(2.0, 3.0, &[1.0, 2.0]),
        (2.0, (1.0, 0.0, vec![0.0, 0.0]))
    );
}

#[gradient]
fn does_nothing(x: &mut f64, y: f64) {}

#[test]
fn empty_body() {
    let (mut x, mut dx, mut dy) = (2.0, 5.0, 1.0);
    does_nothing_adjoint(&mut Tape::new(), &mut x, &mut dx, 3.0, &mut dy, ());
    assert_eq!((x, dx, dy), (2.0, 5.0, 1.0));
}

#[gradient]
fn nan_branch(x: f64, y: f64) -> f64 {
    let a = x + y;
    if a > 0.0 {
        a
    } else if a <= 0.0 {
        -a
    } else {
        y
    }
}

#[gradient]
fn nan_everywhere(x: f64, y: f64) -> f64 {
    let a = x * y;
    let b = a.max(1.0) + a.abs() + a.floor();
    b + (a as i64) as f64
}

#[test]
fn nan_values() {
    assert_eq!(nan_branch_grad(f64::NAN, 2.0), (2.0, (0.0, 1.0)));
    for (x, y) in [
        (f64::NAN, 1.0),
        (f64::INFINITY, 0.0),
        (f64::INFINITY, 1.0),
        (-0.0, 3.0),
    ] {
        assert_same_value(nan_branch_grad(x, y).0, nan_branch(x, y));
        assert_same_value(nan_everywhere_grad(x, y).0, nan_everywhere(x, y));
    }
}

#[gradient]
fn empty_local(x: f64, n: usize) -> f64 {
    let mut v: Vec<f64> = Vec::new();
    for i in 0..n {
        v.push(x * i as f64);
    }
    let w = vec![x; n];
    let a: [f64; 0] = [];
    v.iter().sum::<f64>() + w.iter().map(|t| t * t).sum::<f64>() + a.len() as f64
}

#[test]
fn empty_vectors_and_arrays() {
    check(
        |p| empty_local(p[0], 3),
        |p| empty_local_grad(p[0], 3),
        &[&[0.7]],
    );
    let (value, dx) = empty_local_grad(1.5, 0);
    assert_eq!((value, dx), (empty_local(1.5, 0), 0.0));
}

#[gradient]
fn empty_views(v: &[f64], k: usize) -> f64 {
    let part = &v[k..];
    let mut s = 1.0;
    for x in part {
        s += x * x;
    }
    if part.is_empty() { s } else { s * part[0] }
}

#[test]
fn empty_sub_slices() {
    for k in 0..4 {
        check(
            |p| empty_views(p, k),
            |p| empty_views_grad(p, k),
            &[&[0.7, 0.4, -0.3]],
        );
    }
}
