use retrograde::gradient;

#[gradient]
fn distinct(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.extend_from_within(1..);
    sorted[sorted.len() / 2]
}

fn main() {}
