use retrograde::gradient;

#[gradient]
fn second(values: &[f64]) -> Option<f64> {
    values.iter().copied().peekable().nth(1)
}

fn main() {}
