use retrograde::Differentiable;

struct Settings {
    scale: f64,
}

#[derive(Differentiable)]
struct Model {
    settings: Settings,
    weights: Vec<f64>,
}

fn main() {}
