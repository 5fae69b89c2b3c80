//! An operator of the user's without `#[gradient]` has no derivative: not as a value, nor where it assigns.

use std::ops::{AddAssign, Mul, Neg, Not};

use retrograde::{Differentiable, Record, gradient};

#[derive(Clone, Copy, Differentiable, Record)]
struct V {
    x: f64,
}

impl Mul<V> for f64 {
    type Output = V;
    fn mul(self, v: V) -> V {
        V { x: self * v.x }
    }
}

impl Neg for V {
    type Output = V;
    fn neg(self) -> V {
        V { x: -self.x }
    }
}

impl Not for V {
    type Output = f64;
    fn not(self) -> f64 {
        self.x
    }
}

impl AddAssign for V {
    fn add_assign(&mut self, o: V) {
        self.x += o.x;
    }
}

#[gradient]
fn scaled(v: V, k: f64) -> V {
    k * v
}

#[gradient]
fn negated(v: V) -> V {
    -v
}

#[gradient]
fn inner(v: V) -> f64 {
    !v
}

#[gradient]
fn sum(v: V, w: V) -> V {
    let mut sum = v;
    sum += w;
    sum
}

fn main() {}
