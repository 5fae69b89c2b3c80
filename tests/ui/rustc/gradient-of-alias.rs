//! A result of a name that could be a float's, and is another type's, has no gradient.

use retrograde::gradient;

mod units {
    pub type Real = Vec<f64>;
}
use units::Real;

#[gradient]
fn square(x: f64) -> Real {
    vec![x, x * x]
}

fn main() {
    square_grad(2.0);
}
