//! `get_unchecked`: elements that nothing checks, as those that are checked.

#![allow(unsafe_code, reason = "the functions are written as users write them")]

use retrograde::{Differentiable, Tape, gradient};

use crate::support::{check, check_exact, panic_message};

#[gradient]
fn doubled(x: &[f64], i: usize) -> f64 {
    unsafe { *x.get_unchecked(i) * 2.0 }
}

/// The same element is read and written, in one loop.
#[gradient]
fn smoothed(x: &[f64], y: &mut [f64]) {
    for i in 1..x.len() {
        unsafe {
            *y.get_unchecked_mut(i) += x.get_unchecked(i) * *y.get_unchecked(i - 1);
        }
    }
}

#[gradient]
fn after_smoothing(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    smoothed(x, &mut y);
    let last = unsafe { y.get_unchecked(y.len() - 1) };
    last * last
}

#[gradient]
fn in_parts(x: &[f64]) -> f64 {
    let part = unsafe { x.get_unchecked(1..3) };
    let first = unsafe {
        let first = *part.get_unchecked(0);
        if first < 0.0 {
            return first;
        }
        first.sqrt()
    };
    first * part[1]
}

#[gradient]
fn nested(rows: &[[f64; 2]], i: usize) -> f64 {
    let row = unsafe { rows.get_unchecked(i) };
    (0..2)
        .map(|k| unsafe { *row.get_unchecked(k) }.powi(2))
        .sum()
}

#[derive(Clone, Differentiable)]
struct Grid {
    values: Vec<f64>,
    width: usize,
}

#[gradient]
impl Grid {
    fn at(&self, i: usize, j: usize) -> f64 {
        unsafe { *self.values.get_unchecked(i * self.width + j) }
    }

    fn diagonal(&self) -> f64 {
        self.at(0, 0) * self.at(1, 1)
    }
}

#[test]
fn of_slices() {
    let of_doubled = |p: &[f64]| {
        let (value, (dx, ..)) = (doubled_grad(p, 1).0, (doubled_grad(p, 1).1,));
        (value, dx)
    };
    check_exact(
        |p| doubled(p, 1),
        of_doubled,
        |_| vec![0.0, 2.0],
        &[&[0.3, 0.7]],
    );
    let points: &[&[f64]] = &[&[0.5, 1.5, 0.25, 2.0], &[-0.5, 0.75, 1.25, -1.0], &[2.0]];
    check(after_smoothing, after_smoothing_grad, points);
    check(
        in_parts,
        in_parts_grad,
        &[&[1.0, 0.5, 2.0], &[1.0, -0.5, 2.0]],
    );
}

#[test]
fn of_rows_and_fields() {
    let rows = |p: &[f64]| [[p[0], p[1]], [p[2], p[3]]];
    check(
        |p| nested(&rows(p), 1),
        |p| nested_grad(&rows(p), 1),
        &[&[0.5, 1.5, 0.25, 2.0]],
    );
    let grid = |p: &[f64]| Grid {
        values: p.to_vec(),
        width: 2,
    };
    check(
        |p| grid(p).diagonal(),
        |p| {
            let (value, dgrid) = grid(p).diagonal_grad();
            (value, dgrid.values)
        },
        &[&[0.5, 1.5, 0.25, 2.0]],
    );
}

/// Where the function as written is not defined, sweeps say so.
#[test]
fn a_position_outside_panics() {
    let mut dx = [0.0];
    let message = panic_message(|| {
        doubled_adjoint(&mut Tape::new(), &[1.0], &mut dx, 1, 1.0);
    });
    assert!(
        message.contains("index out of bounds") || message.contains("out of range"),
        "{message}"
    );
}
