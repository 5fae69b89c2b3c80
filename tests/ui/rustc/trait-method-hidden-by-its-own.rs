//! A type's own function comes in front of the trait's: its value would be one and its gradient the other's.

use retrograde::{Differentiable, gradient};

trait Energy {
    fn energy(&self, x: f64) -> f64;
}

#[derive(Clone, Differentiable)]
struct Spring {
    stiffness: f64,
}

impl Spring {
    fn energy(&self, x: f64) -> f64 {
        0.5 * self.stiffness * x * x
    }
}

#[gradient]
impl Energy for Spring {
    fn energy(&self, x: f64) -> f64 {
        self.stiffness * x
    }
}

#[gradient]
fn work(spring: &Spring, x: f64) -> f64 {
    spring.energy(x) * x
}

fn main() {}
