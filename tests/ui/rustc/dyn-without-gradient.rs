//! A `dyn` of a trait without `#[gradient]`, of one that has it and not above an `impl`, and of one whose supertraits
//! the macro does not know.

use retrograde::{Differentiable, gradient};

trait Potential {
    fn energy(&self, x: f64) -> f64;
}

#[gradient]
fn energy(potential: &dyn Potential, x: f64) -> f64 {
    potential.energy(x)
}

#[gradient]
trait Rate {
    fn rate(&self, x: f64) -> f64;
}

#[derive(Differentiable)]
struct Decay {
    rate: f64,
}

impl Rate for Decay {
    fn rate(&self, x: f64) -> f64 {
        self.rate * x
    }
}

#[gradient]
trait Law: Rate {
    fn law(&self, x: f64) -> f64;
}

#[gradient]
fn of_law(law: &dyn Law, x: f64) -> f64 {
    law.law(x)
}

fn main() {}
