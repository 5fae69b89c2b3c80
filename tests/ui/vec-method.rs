use retrograde::gradient;

#[gradient]
fn distinct(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.dedup_by_key(|v| *v as i64);
    sorted[sorted.len() / 2]
}

fn main() {}
