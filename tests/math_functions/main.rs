//! Every differentiable float function: `f64` and `f32`, as method and by path, at several inputs, with the
//! documented conventions at kinks and at the edges of domains.

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

mod angles;
mod binary;
mod conventions;
#[path = "../support/mod.rs"]
mod support;
mod unary;

use support::{assert_close, assert_same_value};

/// Compares `(value, slope)` with the value's bits and the slope to a few roundings.
#[track_caller]
pub(crate) fn same64(got: (f64, f64), value: f64, slope: f64, x: f64) {
    assert_same_value(got.0, value);
    assert_close(&[got.1], &[slope], 1e-13, &[x]);
}

/// The same in single precision; the slope comes from a formula in double precision.
#[track_caller]
pub(crate) fn same32(got: (f32, f32), value: f32, slope: f64, x: f64) {
    assert!(
        got.0.to_bits() == value.to_bits() || (got.0.is_nan() && value.is_nan()),
        "value {} primal {value}",
        got.0
    );
    assert_close(&[f64::from(got.1)], &[slope], 2e-5, &[x]);
}
