//! Each `impl` of a trait with `#[gradient]` has it, too: through the trait, nobody can see which has not.

use retrograde::{Differentiable, gradient};

#[gradient]
trait Model {
    fn energy(&self, x: f64) -> f64;

    fn name(&self) -> String;
}

#[derive(Clone, Differentiable)]
struct Spring {
    stiffness: f64,
}

impl Model for Spring {
    fn energy(&self, x: f64) -> f64 {
        self.stiffness * x * x
    }

    fn name(&self) -> String {
        "spring".to_owned()
    }
}

#[gradient]
fn loss<M: Model>(m: &M, x: f64) -> f64 {
    m.energy(x) * x
}

fn main() {}
