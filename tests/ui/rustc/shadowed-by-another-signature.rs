//! A plain function hides the name of one with `#[gradient]`, with other parameters.

mod physics {
    use retrograde::gradient;

    #[gradient]
    pub fn drag(v: f64) -> f64 {
        v * v
    }
}

use physics::*;
use retrograde::gradient;

fn drag(v: f64, density: f64) -> f64 {
    density * v * v
}

#[gradient]
fn power(v: f64, density: f64) -> f64 {
    v * drag(v, density)
}

fn main() {}
