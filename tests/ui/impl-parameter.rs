use retrograde::{Differentiable, gradient};

trait Low {
    fn low(&self) -> f64;
}

trait Next<T> {
    fn next(&mut self, x: T) -> f64;
}

#[derive(Differentiable)]
struct Minimum {
    least: f64,
}

#[gradient]
impl<T: Low> Next<&T> for Minimum {
    fn next(&mut self, x: &T) -> f64 {
        self.least = self.least.min(x.low());
        self.least
    }
}

fn main() {}
