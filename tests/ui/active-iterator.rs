use retrograde::gradient;

#[gradient]
fn largest(values: &[f64]) -> Option<f64> {
    values.iter().copied().reduce(f64::max)
}

fn main() {}
