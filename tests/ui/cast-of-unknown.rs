use retrograde::{Differentiable, gradient};

#[derive(Clone, Copy, Differentiable)]
enum Level {
    Low,
    High,
}

#[gradient]
fn scaled(level: Level, x: f64) -> f64 {
    let level = level;
    x * level as f64
}

fn main() {}
