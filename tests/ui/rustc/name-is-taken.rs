//! Two functions of one name in one module.

use retrograde::gradient;

#[gradient]
fn drag(v: f64) -> f64 {
    v * v
}

fn drag_adjoint(v: f64) -> f64 {
    2.0 * v
}

fn main() {}
