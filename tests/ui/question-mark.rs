use retrograde::gradient;

#[gradient]
fn at(values: &[f64], index: Option<usize>) -> f64 {
    let i = index?;
    values[i] * values[i]
}

fn main() {}
