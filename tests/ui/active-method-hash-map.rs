use retrograde::gradient;
use std::collections::HashMap;

#[gradient]
fn looked_up(x: f64) -> f64 {
    let mut cache = HashMap::new();
    cache.insert(1, x * x);
    cache[&1] * x
}

fn main() {}
