//! Results of small callees, which the reverse sweep computes again, and of others, which it must not.

use std::cell::Cell;

use retrograde::{Tape, gradient};

use crate::support::{check, flat};

/// Repeatable: it reads its arguments and nothing else.
#[gradient]
fn corners(of: &[f64], nodes: &[usize; 4]) -> [f64; 4] {
    let mut corners = [0.0; 4];
    for corner in 0..4 {
        corners[corner] = of[nodes[corner]];
    }
    corners
}

#[gradient]
fn cross(a: &[f64; 4], b: &[f64; 4]) -> [f64; 2] {
    [a[1] * b[2] - a[2] * b[1], a[3] * b[0] - a[0] * b[3]]
}

const FACES: [[usize; 4]; 4] = [[0, 1, 2, 3], [3, 1, 1, 0], [2, 2, 0, 3], [1, 3, 0, 2]];

#[gradient]
fn over_faces(x: &[f64], y: &[f64]) -> f64 {
    let mut sum = 0.0;
    for face in 0..4 {
        let (a, b) = (corners(x, &FACES[face]), corners(y, &FACES[face]));
        let c = cross(&a, &b);
        let d = cross(&b, &b);
        sum += c[0] * c[1] * a[3] + d[0] * b[2];
    }
    sum
}

#[test]
fn of_what_does_not_change_are_not_recorded() {
    let f = |p: &[f64]| over_faces(&p[..4], &p[4..]);
    let grad = |p: &[f64]| over_faces_grad(&p[..4], &p[4..]);
    let inputs: [&[f64]; 2] = [
        &[0.3, -1.2, 0.7, 2.0, 1.1, 0.4, -0.6, 0.9],
        &[1.0, 1.0, -1.0, 0.0, 0.5, 2.5, 1.5, -0.5],
    ];
    check(f, grad, &inputs);
    let mut tape = Tape::new();
    let (mut dx, mut dy) = ([0.0; 4], [0.0; 4]);
    let (x, y) = inputs[0].split_at(4);
    over_faces_adjoint(&mut tape, x, &mut dx, y, &mut dy, 1.0);
    assert_eq!(flat(&grad(inputs[0]).1), [dx, dy].concat());
    assert!(
        tape.stats().high_water < 32,
        "{} bytes",
        tape.stats().high_water
    );
}

/// Overwrites what a callee read, before the result is read last.
#[gradient]
fn overwritten(x: &[f64], n: usize) -> f64 {
    let mut state = [x[0], x[1], x[2], x[3]];
    let mut sum = 0.0;
    for k in 0..n {
        let a = corners(&state, &FACES[k % 4]);
        state[k % 4] = a[1] * x[k % 4] + 0.25;
        let b = corners(&state, &[1, 2, 3, 0]);
        state[0] = sum;
        sum += a[0] * b[1] * a[3] + b[3] * b[2];
    }
    sum
}

#[test]
fn of_what_is_overwritten_are_kept() {
    for n in [0, 1, 2, 5, 9] {
        let p = [0.8, -0.3, 0.5, 1.1];
        check(|p| overwritten(p, n), |p| overwritten_grad(p, n), &[&p]);
    }
}

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

fn count() -> usize {
    CALLS.set(CALLS.get() + 1);
    CALLS.get()
}

/// Gives another result each time.
#[gradient]
fn counted(x: f64) -> f64 {
    let factor = count() as f64;
    x * factor
}

#[gradient]
fn with_a_count(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        let y = counted(x[i]);
        sum += y * y;
    }
    sum
}

#[test]
fn of_impure_callees_are_recorded() {
    CALLS.set(0);
    let (value, dx) = with_a_count_grad(&[1.0, 2.0, 3.0]);
    assert_eq!(value, 1.0 + 16.0 + 81.0);
    assert_eq!(&*dx, [2.0, 16.0, 54.0]);
    assert_eq!(CALLS.get(), 3);
}

/// More than its result is worth.
#[gradient]
fn dear(x: f64) -> f64 {
    x.sin() * x.exp()
}

#[gradient]
fn list(x: f64, n: usize) -> Vec<f64> {
    vec![x; n]
}

#[gradient]
fn down(x: f64, n: usize) -> f64 {
    if n == 0 { x } else { x * down(x * 0.5, n - 1) }
}

#[gradient(no(inline))]
fn other_results(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        let (a, b, c) = (dear(x[i]), list(x[i], i + 1), down(x[i], 2));
        sum += a * a * b[i] * c * c;
        if a > 0.0 {
            let d = corners(&b, &[0, i, 0, i]);
            sum += d[1] * d[2];
        }
    }
    sum
}

#[test]
fn other_results_are_recorded() {
    check(
        other_results,
        |p| other_results_grad(p),
        &[&[0.3, -0.8, 1.2], &[], &[1.5]],
    );
}

mod elsewhere {
    /// Of the same name, and not the same.
    #[retrograde::gradient]
    pub(super) fn cross(a: &[f64; 4], b: &[f64; 4]) -> [f64; 2] {
        [a[0] * b[0], a[1] * b[1]]
    }
}

mod generic {
    use num_traits::Float;

    #[retrograde::gradient]
    pub(super) fn square<T: Float>(x: T) -> T {
        x * x
    }
}

#[gradient]
fn by_path(x: &[f64; 4], y: &[f64; 4]) -> f64 {
    use elsewhere::cross as other;
    let mut sum = 0.0;
    for i in 0..3 {
        let (c, d) = (cross(x, y), other(y, x));
        let e = generic::square(c[0] * x[i]);
        let f = corners(&[e, c[1], d[0], d[1]], &[0, 1, 2, 3]);
        sum += f[0] * f[1] * f[2] * f[3] * e;
    }
    sum
}

/// The result of the call is that of the function, and a match decides which.
#[gradient]
fn handed_over(x: &[f64; 4], y: &[f64; 4], which: usize) -> f64 {
    let c = match which {
        0 => cross(x, y),
        1 => cross(y, x),
        _ => [x[0], y[0]],
    };
    c[0] * c[1]
}

#[test]
fn callees_are_those_that_the_paths_mean() {
    let (x, y) = ([0.5, 1.5, -0.7, 1.2], [2.0, 0.3, 0.9, -1.4]);
    let split = |p: &[f64]| -> ([f64; 4], [f64; 4]) {
        (
            p[..4].try_into().expect("four"),
            p[4..].try_into().expect("four"),
        )
    };
    let p = [x, y].concat();
    let f = |p: &[f64]| by_path(&split(p).0, &split(p).1);
    check(f, |p| by_path_grad(&split(p).0, &split(p).1), &[&p]);
    for which in 0..3 {
        let f = |p: &[f64]| handed_over(&split(p).0, &split(p).1, which);
        check(
            f,
            |p| handed_over_grad(&split(p).0, &split(p).1, which),
            &[&p],
        );
    }
}
