//! An `Index` of the user's may lead wherever it likes: it has no derivative.

use std::ops::Index;

use retrograde::{Differentiable, gradient};

#[derive(Clone, Copy, Differentiable)]
#[differentiable(tangent = Self)]
struct Largest {
    a: f64,
    b: f64,
}

impl Index<usize> for Largest {
    type Output = f64;

    fn index(&self, _: usize) -> &f64 {
        if self.a > self.b { &self.a } else { &self.b }
    }
}

#[gradient]
fn square(v: &Largest) -> f64 {
    v[0] * v[0]
}

fn main() {}
