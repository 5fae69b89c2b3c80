use retrograde::gradient;

#[gradient]
fn largest(a: f64, b: f64) -> f64 {
    let candidate = Some(&a);
    if let Some(value) = candidate {
        value * b
    } else {
        0.0
    }
}

fn main() {}
