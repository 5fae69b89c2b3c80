//! A result of a name that could be a float's, and is another type's, has no gradient.

use retrograde::gradient;

mod units {
    pub type Real = [f64; 2];
}
use units::Real;

#[gradient]
fn square(x: f64) -> Real {
    [x, x * x]
}

fn main() {
    square_grad(2.0);
}
