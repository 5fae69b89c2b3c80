use retrograde::{Differentiable, Duplicate, gradient};

#[derive(Duplicate)]
struct Spring {
    stiffness: f64,
}

impl Spring {
    fn force(&self, x: f64) -> f64 {
        -self.stiffness * x
    }

    fn mean(a: f64, b: f64) -> f64 {
        0.5 * (a + b)
    }

    fn remember(&self) {}
}

impl Differentiable for Spring {
    type Tangent = f64;

    fn zero_tangent(&self) -> f64 {
        0.0
    }

    fn step(&mut self, scale: f64, tangent: &f64) {
        self.stiffness += scale * tangent;
    }
}

#[gradient]
fn work(s: &Spring, x: f64) -> f64 {
    x * s.force(x)
}

#[gradient]
fn path(s: &Spring, x: f64) -> f64 {
    Spring::mean(x, 2.0)
}

#[gradient]
fn statement(s: &Spring, x: f64) -> f64 {
    s.remember();
    x * x
}

fn main() {}
