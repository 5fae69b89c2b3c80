use retrograde::{Differentiable, Record, gradient};

#[derive(Differentiable, Record)]
struct Samples {
    values: Vec<f64>,
}

impl<T: Into<Vec<f64>>> From<T> for Samples {
    fn from(values: T) -> Self {
        Samples { values: values.into() }
    }
}

#[gradient]
fn first(x: &[f64]) -> f64 {
    let samples = Samples::from(x);
    samples.values[0]
}

fn main() {}
