//! A literal makes what it multiplies an integer, as far as the macro sees: rustc checks that.

use std::ops::Mul;

use retrograde::{Differentiable, gradient};

#[derive(Clone, Copy, Differentiable)]
struct V {
    x: f64,
}

impl Mul<i32> for V {
    type Output = V;
    fn mul(self, k: i32) -> V {
        V { x: self.x * f64::from(k) }
    }
}

#[derive(Clone, Copy, Differentiable)]
struct Body {
    velocity: V,
}

#[gradient]
fn square(v: V) -> f64 {
    v.x * v.x
}

#[gradient]
fn energy(b: &Body) -> f64 {
    let twice = b.velocity * 2;
    square(twice)
}

fn main() {}
