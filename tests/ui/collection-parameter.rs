use retrograde::gradient;
use std::collections::HashMap;

#[gradient]
fn total(weights: &HashMap<u32, f64>, x: f64) -> f64 {
    weights[&1] * x
}

fn main() {}
