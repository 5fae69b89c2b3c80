//! A method with a body in a trait has a derivative on type parameters: a type may have a function of the same name.

use retrograde::{Differentiable, gradient};

#[gradient]
trait Model {
    fn energy(&self, x: f64) -> f64;

    fn twice(&self, x: f64) -> f64 {
        2.0 * self.energy(x)
    }
}

#[derive(Clone, Differentiable)]
struct Spring {
    stiffness: f64,
}

impl Spring {
    fn twice(&self, x: f64) -> f64 {
        self.stiffness + x
    }
}

#[gradient]
impl Model for Spring {
    fn energy(&self, x: f64) -> f64 {
        self.stiffness * x * x
    }
}

#[gradient]
fn work(spring: &Spring, x: f64) -> f64 {
    spring.twice(x) * x
}

fn main() {}
