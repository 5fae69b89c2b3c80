use retrograde::{Differentiable, gradient};

#[derive(Differentiable)]
struct Line {
    slope: f64,
}

#[gradient]
impl Line {
    fn of(slope: f64) -> f64 {
        2.0 * slope
    }
}

#[gradient]
fn twice<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    f(f(x))
}

#[gradient]
fn of_line(x: f64) -> f64 {
    twice(Line::of, x)
}

fn main() {}
