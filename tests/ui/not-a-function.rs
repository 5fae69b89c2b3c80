//! What `#[gradient]` stands on must be a function with a body.

use retrograde::gradient;

#[gradient]
pub struct Model {
    weight: f64,
}

#[gradient]
enum Shape {
    Round,
}

#[gradient]
const RATE: f64 = 0.5;

#[gradient]
static LIMIT: f64 = 2.0;

#[gradient]
type Real = f64;

#[gradient]
pub use std::f64::consts::PI;

#[gradient]
mod physics {
    pub fn energy(x: f64) -> f64 {
        0.5 * x * x
    }
}

fn main() {}
