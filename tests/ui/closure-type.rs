use retrograde::{Differentiable, gradient};

#[derive(Clone, Copy, Differentiable)]
struct Line {
    slope: f64,
}

#[gradient]
fn twice<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    f(f(x))
}

#[gradient]
fn scaled(x: f64) -> f64 {
    let line = Line { slope: x };
    twice(|t| line.slope * t, x)
}

fn main() {}
