use retrograde::gradient;

#[gradient]
fn doubled(x: Option<f64>) -> f64 {
    let y = x.filter(|v| *v > 0.0).unwrap_or(1.0);
    2.0 * y
}

fn main() {}
