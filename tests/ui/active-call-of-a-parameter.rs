use retrograde::gradient;

#[gradient]
fn decay<F: Fn(f64) -> f64>(#[constant] rate: F, x: f64) -> f64 {
    x * rate(x)
}

fn main() {}
