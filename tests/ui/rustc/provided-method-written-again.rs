//! Through the trait, a method with a body there has the derivative of that body, where the `impl` cannot see it.

use retrograde::{Differentiable, gradient};

mod models {
    #[retrograde::gradient]
    pub trait Model {
        fn energy(&self, x: f64) -> f64;

        fn twice(&self, x: f64) -> f64 {
            2.0 * self.energy(x)
        }
    }
}
use models::Model;

#[derive(Clone, Differentiable)]
struct Spring {
    stiffness: f64,
}

#[gradient]
impl Model for Spring {
    fn energy(&self, x: f64) -> f64 {
        self.stiffness * x * x
    }

    fn twice(&self, x: f64) -> f64 {
        3.0 * self.stiffness * x
    }
}

fn main() {}
