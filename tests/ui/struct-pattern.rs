use retrograde::gradient;

struct Bounds {
    low: f64,
    high: f64,
}

#[gradient]
fn width(#[constant] bounds: Bounds, x: f64) -> f64 {
    let (low, high);
    Bounds { low, high } = bounds;
    x * (high - low)
}

fn main() {}
