use retrograde::gradient;

#[gradient]
fn distinct(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.dedup();
    sorted[sorted.len() / 2]
}

fn main() {}
