//! A pointer to a function in a field has no derivative: a value that has one cannot be given to it.

use retrograde::{Differentiable, gradient};

#[derive(Clone, Copy, Differentiable)]
struct Activation {
    function: fn(f64) -> f64,
    gain: f64,
}

#[gradient]
fn activated(a: &Activation, x: f64) -> f64 {
    a.gain * (a.function)(x)
}

#[gradient]
fn taken_out(a: &Activation, x: f64) -> f64 {
    let function = a.function;
    a.gain * function(x)
}

#[gradient]
fn mapped(a: &Activation, x: &[f64]) -> f64 {
    x.iter().map(|&x| x).map(a.function).sum()
}

fn main() {}
