//! Functions as arguments.

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

mod awkward;
mod by_trait;
mod captured;
mod counters;
mod forms;
mod generic;
mod in_chains;
mod methods;
mod mixed;
mod named;
#[path = "../support/outcomes.rs"]
mod outcomes;
mod passing;
mod paths;
mod plain;
#[path = "../support/mod.rs"]
mod support;
mod unwritten;
mod values;

/// A derivative by differences at two step sizes.
fn differences(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let at = |h: f64| (f(x + h) - f(x - h)) / (2.0 * h);
    (4.0 * at(5e-4) - at(1e-3)) / 3.0
}

#[track_caller]
fn assert_near(got: f64, want: f64) {
    assert!(
        (got - want).abs() <= 1e-9 * (1.0 + want.abs()),
        "{got} is not {want}"
    );
}
