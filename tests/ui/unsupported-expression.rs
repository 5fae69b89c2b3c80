use retrograde::gradient;

#[gradient]
fn chained(x: Option<f64>, limit: f64) -> f64 {
    let positive = if let Some(v) = x { v > limit } else { false };
    if positive || (let Some(_) = x) { limit } else { 0.0 }
}

fn main() {}
