use retrograde::gradient;

fn setting() -> f32 {
    0.5
}

#[gradient]
fn widened(x: f64) -> f64 {
    let factor = setting();
    x * f64::from(factor)
}

fn main() {}
