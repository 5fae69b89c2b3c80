//! The `impl` of a trait that has `#[gradient]` is one for `f64`, or for `f32`.

use num_traits::Float;
use retrograde::{Differentiable, gradient};

#[gradient]
trait Model {
    fn energy(&self, x: f64) -> f64;
}

#[derive(Clone, Differentiable)]
struct Spring<T> {
    stiffness: T,
}

#[gradient]
impl<T: Float> Model for Spring<T> {
    fn energy(&self, x: f64) -> f64 {
        self.stiffness.to_f64().unwrap() * x * x
    }
}

fn main() {}
