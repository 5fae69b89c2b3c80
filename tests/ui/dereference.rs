use retrograde::gradient;

fn slot(values: &mut [f64]) -> &mut f64 {
    &mut values[0]
}

#[gradient]
fn stored(x: f64) -> f64 {
    let mut values = [0.0; 2];
    *slot(&mut values) = x;
    values[0]
}

fn main() {}
