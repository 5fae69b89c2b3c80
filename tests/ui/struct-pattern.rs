use retrograde::{Differentiable, gradient};

#[derive(Clone, Copy, Differentiable)]
enum Side {
    Left,
    Right,
}

struct Bounds {
    low: f64,
    high: f64,
}

#[gradient]
fn width(#[constant] bounds: Bounds, x: f64) -> f64 {
    let Bounds { low, high } = bounds;
    x * (high - low)
}

fn main() {}
