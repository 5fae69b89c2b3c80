use retrograde::{Differentiable, gradient};

#[derive(Differentiable)]
struct Line {
    slope: f64,
}

#[gradient]
fn twice<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    f(f(x))
}

impl Line {
    #[gradient]
    fn twice(&self, x: f64) -> f64 {
        twice(|t| self.slope * t, x)
    }
}

fn main() {}
