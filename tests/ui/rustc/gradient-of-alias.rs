//! The result type counts as a float only where it is written `f32` or `f64`.

use retrograde::gradient;

type Real = f64;

#[gradient]
fn square(x: f64) -> Real {
    x * x
}

fn main() {
    square_grad(2.0);
}
