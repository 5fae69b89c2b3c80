use retrograde::gradient;

fn bounds() -> (f64, f64) {
    (0.0, 1.0)
}

#[gradient]
fn scaled(x: f64) -> f64 {
    let [a, b] = settings();
    x * a + b
}

fn settings() -> [f64; 2] {
    [1.0, 2.0]
}

fn main() {}
