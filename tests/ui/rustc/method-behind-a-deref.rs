use std::ops::Deref;

use retrograde::{Differentiable, Duplicate, gradient};

#[derive(Clone)]
struct Inner(f64);

#[derive(Clone, Duplicate)]
struct Outer(Inner);

#[gradient]
impl Inner {
    fn wave(#[constant] &self, x: f64) -> f64 {
        x.sin()
    }
}

impl Outer {
    fn wave(&self, x: f64) -> f64 {
        x.cos()
    }
}

impl Deref for Outer {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

#[gradient]
fn loss(#[constant] a: &Outer, x: f64) -> f64 {
    a.wave(x)
}

impl Differentiable for Outer {
    type Tangent = ();

    fn zero_tangent(&self) {}

    fn step(&mut self, _: f64, (): &()) {}
}

fn main() {}
