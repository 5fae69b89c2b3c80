//! A struct that the reverse sweep has to keep, and which is no record.

use retrograde::{Differentiable, Duplicate, Tangent, gradient};

#[derive(Clone, Copy, Duplicate)]
struct Pair {
    a: f64,
    b: f64,
}

impl Differentiable for Pair {
    type Tangent = Pair;

    fn zero_tangent(&self) -> Pair {
        Pair { a: 0.0, b: 0.0 }
    }

    fn step(&mut self, _: f64, _: &Pair) {}
}

impl Tangent for Pair {
    fn accumulate(&mut self, _: &Pair) {}
    fn scale(&mut self, _: f64) {}
    fn set_zero(&mut self) {}

    fn dot(&self, _: &Pair) -> f64 {
        0.0
    }
}

#[gradient]
fn step(p: &Pair) -> Pair {
    Pair { a: p.b, b: -p.a }
}

#[gradient]
fn energy(start: &Pair) -> f64 {
    let mut p = *start;
    for _ in 0..3 {
        p = step(&p);
    }
    p.a * p.b
}

fn main() {}
