//! Scratch space under `#[constant]` that takes values with a derivative and gives them back.

use retrograde::gradient;

#[gradient]
fn through_scratch(x: f64, #[constant] scratch: &mut [f64; 2]) -> f64 {
    scratch[0] = x * x;
    scratch[1] = 1.0;
    scratch[0] + scratch[1]
}

fn main() {}
