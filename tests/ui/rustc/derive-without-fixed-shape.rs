use retrograde::{Differentiable, FixedShape};

#[derive(Differentiable)]
struct Model {
    scale: f64,
    weights: Vec<f64>,
}

fn zero<T: FixedShape>() -> T {
    T::zero()
}

fn main() {
    zero::<ModelTangent>();
}
