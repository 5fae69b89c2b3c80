use retrograde::gradient;

#[gradient]
fn last(values: &[f64]) -> &f64 {
    &values[values.len() - 1]
}

fn main() {}
