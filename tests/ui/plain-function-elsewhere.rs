use retrograde::gradient;

mod activations {
    /// Smooth everywhere.
    #[inline]
    pub fn smooth_ramp(x: f64) -> f64 {
        x.exp().ln_1p()
    }

    pub mod gates {
        #[retrograde::gradient]
        pub fn gate(x: f64) -> f64 {
            1.0 / (1.0 + (-x).exp())
        }

        pub fn is_open(x: f64) -> bool {
            x > 0.0
        }
    }
}

use activations::gates;
use activations::smooth_ramp;

#[gradient]
fn loss(x: f64) -> f64 {
    smooth_ramp(x) * gates::gate(x)
}

#[gradient]
fn by_path(x: f64) -> f64 {
    // What has no derivative may be given to anything, and yes or no may be answered.
    let scale = activations::smooth_ramp(2.0);
    match gates::is_open(x) {
        true => scale * crate::activations::smooth_ramp(x),
        false => 0.0,
    }
}

fn main() {}
