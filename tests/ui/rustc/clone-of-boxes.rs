use retrograde::{Differentiable, Record, gradient};

#[derive(Differentiable, Record)]
struct Samples {
    data: Box<[f64]>,
}

trait Doubled {
    fn clone(self) -> Box<[f64]>;
}

impl Doubled for Box<[f64]> {
    fn clone(self) -> Box<[f64]> {
        self.iter().map(|v| 2.0 * v).collect()
    }
}

#[gradient]
fn first(samples: Samples) -> f64 {
    let data = samples.data.clone();
    data[0]
}

fn main() {}
