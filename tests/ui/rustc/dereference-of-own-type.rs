use std::ops::{Deref, DerefMut};

use retrograde::{Differentiable, Record, gradient};

#[derive(Clone, Differentiable, Record)]
#[differentiable(tangent = Self)]
struct Pair {
    a: f64,
    b: f64,
}

impl Deref for Pair {
    type Target = f64;

    fn deref(&self) -> &f64 {
        if self.a > 0.0 { &self.a } else { &self.b }
    }
}

impl DerefMut for Pair {
    fn deref_mut(&mut self) -> &mut f64 {
        if self.a > 0.0 { &mut self.a } else { &mut self.b }
    }
}

#[gradient]
fn larger(p: Pair) -> f64 {
    *p * 2.0
}

fn main() {}
