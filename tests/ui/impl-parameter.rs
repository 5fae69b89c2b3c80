use retrograde::{Differentiable, gradient};

trait Next<T> {
    fn next(&mut self, x: T) -> f64;
}

#[derive(Differentiable)]
struct Minimum {
    least: f64,
}

#[gradient]
impl<T: Into<f64>> Next<T> for Minimum {
    fn next(&mut self, x: T) -> f64 {
        self.least = self.least.min(x.into());
        self.least
    }
}

fn main() {}
