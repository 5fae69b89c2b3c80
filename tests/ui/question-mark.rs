use retrograde::gradient;

#[gradient]
fn at(values: &[f64], index: Option<usize>) -> Option<f64> {
    let i = index?;
    Some(values[i] * values[i])
}

fn main() {}
