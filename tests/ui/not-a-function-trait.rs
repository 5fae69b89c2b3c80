//! A function without a body has no derivative of its own.

use retrograde::gradient;

trait Force {
    #[gradient]
    fn force(x: f64) -> f64;
}

fn main() {}
