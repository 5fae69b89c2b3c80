use retrograde::{Differentiable, Tangent, gradient};
use std::ops::Mul;

#[derive(Clone, Copy)]
struct Meters(f64);

impl Mul<f64> for Meters {
    type Output = f64;
    fn mul(self, factor: f64) -> f64 {
        self.0 * factor
    }
}

fn one() -> Meters {
    Meters(1.0)
}

#[gradient]
fn scaled(x: f64) -> f64 {
    one() * x
}

fn main() {}
