use retrograde::gradient;

#[gradient]
fn guarded(x: f64) -> f64 {
    let y: Option<f64> = try { x * x };
    y.unwrap_or(0.0)
}

fn main() {}
