use retrograde::{Differentiable, Record, gradient};

#[derive(Differentiable)]
struct View<'a> {
    values: &'a [f64],
    scale: f64,
}

#[derive(Clone, Differentiable, Record)]
struct Samples {
    values: Vec<f64>,
    scale: f64,
}

#[gradient]
fn seen(samples: &Samples) -> View<'_> {
    View {
        values: &samples.values,
        scale: samples.scale,
    }
}

impl Samples {
    #[gradient]
    fn all(&self) -> std::slice::Iter<'_, f64> {
        self.values.iter()
    }
}

#[gradient]
impl Samples {
    fn view(&self) -> View<'_> {
        View {
            values: &self.values,
            scale: self.scale,
        }
    }

    fn scaled(&self) -> f64 {
        self.view().scale
    }
}

fn main() {}
