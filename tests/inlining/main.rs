//! Small functions that loops of the same module call: the sweeps of the caller have their bodies.
//!
//! Functions are written out here, not by macros: what a macro is given is no function of its module.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    unused,
    unreachable_pub,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

mod bodies;
mod meanings;
mod resolution;
#[path = "../support/mod.rs"]
mod support;

use support::{assert_close, assert_same_value, check, differences, flat};

/// Numbers without a pattern, so that no two differences are equal.
fn numbers(n: usize) -> Vec<f64> {
    (0..n)
        .map(|i| (0.9 * (i * i) as f64 + 1.3 * i as f64 + 0.4).sin())
        .collect()
}

/// A function of an array and its gradient, by differences; at all lengths the value bit for bit.
#[track_caller]
fn is_right(primal: fn(&[f64]) -> f64, gradient: fn(&[f64]) -> (f64, Vec<f64>)) {
    for n in [0, 1, 2, 3, 5, 8, 17, 33] {
        let x = numbers(n);
        let x = std::hint::black_box(&x[..]);
        let (value, dx) = gradient(x);
        assert_same_value(value, primal(x));
        assert_close(&dx, &differences(primal, x), 1e-7, x);
    }
    for special in [f64::NAN, f64::INFINITY, -0.0] {
        let mut x = numbers(9);
        x[4] = special;
        assert_same_value(gradient(&x).0, primal(&x));
    }
}
