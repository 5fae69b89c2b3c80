// A variable whose type has no tangent.
use std::cmp::Reverse;

#[retrograde::gradient]
fn delayed(x: f64) -> f64 {
    let mut held = Reverse(0.0);
    held.0 = x;
    held.0 + 1.0
}

fn main() {}
