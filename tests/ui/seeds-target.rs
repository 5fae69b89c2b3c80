use retrograde::{Differentiable, gradient};

pub trait Float: Copy + std::ops::Mul<Output = Self> {}

impl Float for f64 {}
impl Float for f32 {}

#[gradient(seeds)]
fn square<T: Float>(x: T) -> T {
    x * x
}

#[derive(Differentiable)]
struct Spring {
    stiffness: f64,
}

trait Energy {
    fn energy(&self, x: f64) -> f64;
}

#[gradient(seeds)]
impl Energy for Spring {
    fn energy(&self, x: f64) -> f64 {
        self.stiffness * x * x
    }
}

fn main() {}
