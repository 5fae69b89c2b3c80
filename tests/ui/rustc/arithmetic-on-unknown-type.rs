use retrograde::gradient;
use std::time::Duration;

fn tick() -> Duration {
    Duration::from_millis(1)
}

#[gradient]
fn scaled(x: f64) -> f64 {
    let time = tick() * 2.0;
    time * x
}

fn main() {}
