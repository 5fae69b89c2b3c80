use retrograde::{Differentiable, Duplicate, gradient};

#[derive(Clone, Copy, Duplicate)]
struct Angle(f64);

#[gradient]
impl Angle {
    fn wave(#[constant] &self, x: f64) -> f64 {
        x.sin()
    }
}

trait Wave {
    fn wave(self, x: f64) -> f64;
}

impl Wave for Angle {
    // Rust tries receivers by value first.
    fn wave(self, x: f64) -> f64 {
        x.cos()
    }
}

#[gradient]
fn loss(#[constant] a: Angle, x: f64) -> f64 {
    a.wave(x)
}

impl Differentiable for Angle {
    type Tangent = ();

    fn zero_tangent(&self) {}

    fn step(&mut self, _: f64, (): &()) {}
}

fn main() {}
