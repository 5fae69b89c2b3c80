use retrograde::gradient;

fn tail(values: &mut [f64]) -> &mut [f64] {
    &mut values[1..]
}

#[gradient]
fn stored(x: f64) -> f64 {
    let mut values = [x, 2.0 * x, 3.0];
    tail(&mut values).reverse();
    values[1]
}

fn main() {}
