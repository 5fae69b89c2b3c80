use retrograde::gradient;

fn tail(values: &mut [f64]) -> &mut [f64] {
    &mut values[1..]
}

#[gradient]
fn stored(x: f64) -> f64 {
    let mut values = [0.0; 2];
    tail(&mut values).fill(x);
    values[1]
}

fn main() {}
