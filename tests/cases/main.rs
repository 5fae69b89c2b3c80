//! Small functions, one language feature each, with known values and gradients.

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

mod arrays;
mod assignment;
mod branches;
mod calls;
mod loops;
mod operators;
#[path = "../support/mod.rs"]
mod support;

use std::hint::black_box;
use support::number::D;
use support::{Flat, assert_close, assert_same_value, differences, flat, forward};

/// Value bit-equal to the primal, and as known; gradient equal to the known one.
#[track_caller]
fn exact<G: Flat>(
    primal: impl Fn(&[f64]) -> f64,
    gradient: impl Fn(&[f64]) -> (f64, G),
    p: &[f64],
    value: f64,
    want: &[f64],
) {
    let (got, g) = gradient(black_box(p));
    assert_same_value(got, primal(black_box(p)));
    assert_close(&[got], &[value], 1e-15, p);
    assert_close(&flat(&g), want, 1e-10, p);
}

/// The same where the known gradient comes from differences: forward mode gives the digits.
#[track_caller]
fn near<G: Flat>(
    primal: impl Fn(&[f64]) -> f64,
    gradient: impl Fn(&[f64]) -> (f64, G),
    dual: impl Fn(&[D]) -> D,
    p: &[f64],
    value: f64,
    want: &[f64],
) {
    let (got, g) = gradient(black_box(p));
    assert_same_value(got, primal(black_box(p)));
    assert_close(&[got], &[value], 1e-14, p);
    assert_close(&flat(&g), &forward(p, dual), 1e-10, p);
    assert_close(&flat(&g), &differences(&primal, p), 1e-7, p);
    assert_close(&flat(&g), want, 1e-6, p);
}
