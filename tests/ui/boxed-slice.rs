use retrograde::gradient;

#[gradient]
fn squares(x: &[f64]) -> Box<[f64]> {
    x.iter().map(|v| v * v).collect()
}

#[gradient]
fn both(x: &[f64]) -> Result<(f64, Box<[f64]>), String> {
    Ok((x[0], x.to_vec().into_boxed_slice()))
}

fn main() {}
