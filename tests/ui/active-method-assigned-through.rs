use retrograde::gradient;
use std::collections::HashMap;

// What is added through the method has a derivative, and the map is walked in the order of its hashes.
#[gradient]
fn weighted(x: &[f64], #[constant] keys: &[u8]) -> f64 {
    let mut sums = HashMap::new();
    for (v, k) in x.iter().zip(keys) {
        *sums.entry(*k).or_insert(0.0) += v;
    }
    let largest: f64 = sums.values().copied().fold(0.0, f64::max);
    largest * x[0]
}

fn main() {}
