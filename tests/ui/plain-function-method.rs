use retrograde::{Differentiable, gradient};

#[derive(Differentiable)]
struct Cord {
    rigor: f64,
}

impl Cord {
    /// By Hooke.
    fn pull_of_cord(&self, x: f64) -> f64 {
        -self.rigor * x
    }

    fn mean_of_cord(a: f64, b: f64) -> f64 {
        0.5 * (a + b)
    }

    fn is_loose(&self, x: f64) -> bool {
        x < self.rigor
    }
}

#[gradient]
impl Cord {
    fn energy_of_cord(&self, x: f64) -> f64 {
        0.5 * self.rigor * x * x
    }
}

#[gradient]
fn work(cord: &Cord, x: f64) -> f64 {
    x * cord.pull_of_cord(x) + cord.energy_of_cord(x)
}

#[gradient]
fn path(cord: &Cord, x: f64) -> f64 {
    match cord.is_loose(x) {
        true => Cord::mean_of_cord(x, 2.0) * Cord::mean_of_cord(1.0, 2.0),
        false => x,
    }
}

fn main() {}
