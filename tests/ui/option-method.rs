use retrograde::gradient;

#[gradient]
fn doubled(x: Option<f64>) -> f64 {
    let y = x.map_or(0.0, f64::sin);
    2.0 * y
}

fn main() {}
