//! Functions of floats by the path of a trait of `num-traits`: `Float::sqrt(x)`.

#![allow(
    clippy::all,
    unused,
    unused_qualifications,
    unreachable_pub,
    reason = "the functions are written as users write them"
)]

#[path = "support/mod.rs"]
mod support;

use num_traits::real::Real;
use num_traits::{Float, float::FloatCore};
use retrograde::{Differentiable, gradient};

use support::{check, unary};

unary! {
    Float:
    abs: [-0.6, 0.5];
    acos: [-0.6, 0.1, 0.5];
    asinh: [-2.0, 0.0, 0.5];
    cbrt: [-2.0, 0.5];
    exp: [-2.0, 0.5];
    floor: [-2.1, 0.5];
    ln: [0.2, 2.5];
    recip: [-2.0, 0.5];
    sin: [-2.0, 0.5];
    sqrt: [0.5, 2.0];
    tanh: [-2.0, 0.5];
}

#[derive(Clone, Debug, Differentiable)]
struct Line {
    slope: f64,
    intercept: f64,
}

#[gradient]
impl Line {
    /// Of fields, whose types are those of a definition.
    fn distance(&self) -> f64 {
        Float::abs(self.intercept) / Float::sqrt(self.slope * self.slope + 1.0)
    }

    fn ray(&self, theta: f64) -> f64 {
        self.intercept / (Float::sin(theta) - self.slope * <f64 as Float>::cos(theta))
    }
}

#[test]
fn fields() {
    let line = |p: &[f64]| Line {
        slope: p[0],
        intercept: p[1],
    };
    let flat = |(value, line): (f64, LineTangent)| (value, vec![line.slope, line.intercept]);
    check(
        |p| line(p).distance(),
        |p| flat(line(p).distance_grad()),
        &[&[0.5, -1.5], &[-2.0, 0.25]],
    );
    check(
        |p| line(p).ray(p[2]),
        |p| {
            let (value, (line, theta)) = line(p).ray_grad(p[2]);
            (value, vec![line.slope, line.intercept, theta])
        },
        &[&[0.5, -1.5, 1.1], &[-2.0, 0.25, 0.3]],
    );
}

#[gradient]
fn several(x: f64, y: f64) -> f64 {
    let (s, c) = Float::sin_cos(x);
    let angle = num_traits::Float::atan2(y, x);
    let power = Float::powi(y, 3) + num_traits::float::Float::powf(x, y);
    let near = Real::max(x, y) * Real::mul_add(x, y, 1.0);
    let whole = FloatCore::floor(x) + FloatCore::min(x, 2.0 * y);
    // A literal has no type of its own.
    let root = Float::sqrt(2.0);
    s * c + angle * power + near * root + whole
}

#[test]
fn functions_of_several_arguments() {
    check(
        |p| several(p[0], p[1]),
        |p| several_grad(p[0], p[1]),
        &[&[0.7, 1.3], &[2.5, 1.1], &[1.2, 0.4]],
    );
}

#[gradient]
fn narrow(x: f32) -> f32 {
    let y: f32 = Float::exp(x);
    <f32 as Float>::hypot(x, y)
}

#[test]
fn single_precision() {
    let (value, dx) = narrow_grad(0.5);
    assert_eq!(value.to_bits(), narrow(0.5).to_bits());
    let y = 0.5_f32.exp();
    let expected = (0.5 + y * y) / value;
    assert!((dx - expected).abs() < 1e-6 * expected, "{dx} {expected}");
}

/// Conditions, closures, and paths that are given on.
#[gradient]
fn in_chains(x: &[f64]) -> f64 {
    let longest = x.iter().copied().map(Float::abs).fold(0.0, Float::max);
    let rest: f64 = x
        .iter()
        .map(|v| {
            if Float::is_nan(*v) {
                0.0
            } else {
                Float::sin(*v)
            }
        })
        .sum();
    if Float::abs(rest) > 100.0 {
        rest
    } else {
        longest * rest
    }
}

#[test]
fn chains_and_conditions() {
    check(
        |p| in_chains(p),
        |p| in_chains_grad(p),
        &[&[0.3, -1.7, 0.9], &[1.2, 0.4, -0.1]],
    );
}

/// Names that generated code might take.
#[gradient]
fn shadowed(function: f64, names: f64) -> f64 {
    let known = Float::sqrt(function);
    known * names
}

#[test]
fn shadowed_names() {
    check(
        |p| shadowed(p[0], p[1]),
        |p| shadowed_grad(p[0], p[1]),
        &[&[0.3, 1.7], &[1.2, 0.4]],
    );
}

/// Small functions that loops call are inlined.
#[gradient]
fn root(x: f64, y: f64) -> f64 {
    Float::sqrt(x * x + 1.0) * <f64 as Float>::cos(y)
}

#[gradient]
fn looped(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        sum += root(x[i], x[i - 1]) * x[i];
    }
    sum
}

#[test]
fn functions_that_loops_call() {
    check(
        |p| looped(p),
        |p| looped_grad(p),
        &[&[0.3, -1.7, 0.9, 2.0], &[1.2, 0.4, -0.1]],
    );
}
