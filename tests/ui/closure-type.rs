use retrograde::{Differentiable, gradient};

#[derive(Clone, Copy, Differentiable)]
struct Line<const N: usize> {
    slopes: [f64; N],
}

#[gradient]
fn twice<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    f(f(x))
}

#[gradient]
fn scaled(x: f64) -> f64 {
    let line = Line { slopes: [x, 2.0] };
    twice(|t| line.slopes[0] * t, x)
}

fn main() {}
