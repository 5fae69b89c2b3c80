//! Where the signature itself is refused there are stubs as well.

use retrograde::gradient;

#[gradient]
fn twice(_f: fn(f64) -> f64, x: f64) -> f64 {
    2.0 * x
}

#[gradient]
fn caller(x: f64) -> f64 {
    x * x
}

fn halved(x: f64) -> f64 {
    0.5 * x
}

fn main() {
    let _ = twice_grad(halved, 1.0);
    let _ = caller_grad(1.0);
}
