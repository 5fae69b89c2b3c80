use retrograde::gradient;

#[gradient]
fn largest(mut a: f64, b: f64) -> f64 {
    let candidate = Some(&mut a);
    if let Some(value) = candidate {
        *value * b
    } else {
        0.0
    }
}

fn main() {}
