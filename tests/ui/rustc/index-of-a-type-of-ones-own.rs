//! An adjoint is found by the same index in the tangent, where it may be another element.

use std::ops::Index;

use retrograde::{Differentiable, Duplicate, gradient};

#[derive(Duplicate)]
struct Newest(Vec<f64>);

impl Index<usize> for Newest {
    type Output = f64;

    fn index(&self, k: usize) -> &f64 {
        &self.0[self.0.len() - 1 - k]
    }
}

impl Differentiable for Newest {
    type Tangent = Vec<f64>;

    fn zero_tangent(&self) -> Vec<f64> {
        self.0.zero_tangent()
    }

    fn step(&mut self, scale: f64, tangent: &Vec<f64>) {
        self.0.step(scale, tangent);
    }
}

#[gradient]
fn newest(r: &Newest, k: f64) -> f64 {
    r[0] * r[1] * k
}

fn main() {}
