use retrograde::gradient;

#[gradient]
fn last(values: &mut [f64]) -> &mut f64 {
    let last = values.len() - 1;
    &mut values[last]
}

#[gradient]
fn found(values: &[f64], from: usize) -> &[f64] {
    if from > values.len() {
        return &[];
    }
    &values[from..]
}

fn main() {}
