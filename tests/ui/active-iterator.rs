use retrograde::gradient;

#[gradient]
fn second(values: &[f64]) -> Option<f64> {
    values.iter().copied().nth(1)
}

fn main() {}
