use num_traits::Float;
use retrograde::{Differentiable, gradient};

#[derive(Differentiable)]
struct Scale {
    by: f64,
}

#[gradient]
impl Scale {
    fn scaled<T: Float, U: Float>(&self, x: T, y: U) -> T {
        x * T::from(y).unwrap() * T::from(self.by).unwrap()
    }
}

fn main() {}
