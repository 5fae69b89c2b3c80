//! The sweeps do not take a clone for a copy.

use retrograde::gradient;

#[derive(Clone)]
struct Settings {
    scale: f64,
}

#[gradient]
fn scaled(#[constant] settings: Settings, x: f64) -> f64 {
    settings.scale * x * x
}

#[gradient]
fn loss(#[constant] settings: Settings, x: f64) -> f64 {
    scaled(settings, x) * x
}

fn main() {}
