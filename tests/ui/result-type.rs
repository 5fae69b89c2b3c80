use retrograde::gradient;

#[gradient]
fn doubled(x: Result<f64, String>) -> f64 {
    2.0 * x.unwrap_or(0.0)
}

fn main() {}
