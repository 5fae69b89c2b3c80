//! A field of what a type dereferences to, which its tangent may find elsewhere.

use std::ops::{Deref, DerefMut};

use retrograde::{Differentiable, gradient};

#[derive(Clone, Differentiable)]
#[differentiable(tangent = Self)]
struct Inner {
    x: f64,
}

#[derive(Clone, Differentiable)]
#[differentiable(tangent = Self)]
struct Chosen {
    a: Inner,
    b: Inner,
    sign: f64,
}

impl Deref for Chosen {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        if self.sign > 0.0 { &self.a } else { &self.b }
    }
}

impl DerefMut for Chosen {
    fn deref_mut(&mut self) -> &mut Inner {
        if self.sign > 0.0 { &mut self.a } else { &mut self.b }
    }
}

#[gradient]
fn chosen(c: &Chosen, k: f64) -> f64 {
    c.x * c.x * k
}

fn main() {}
