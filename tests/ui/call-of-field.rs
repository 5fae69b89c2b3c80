use retrograde::{Differentiable, Record, gradient};

#[derive(Clone, Differentiable, Record)]
struct Quadrature<F: Fn(f64) -> f64> {
    #[constant]
    f: F,
    width: f64,
}

#[gradient]
impl<F: Fn(f64) -> f64> Quadrature<F> {
    fn trapezium(&self, x: f64) -> f64 {
        0.5 * self.width * ((self.f)(x) + (self.f)(x + self.width))
    }
}

fn main() {}
