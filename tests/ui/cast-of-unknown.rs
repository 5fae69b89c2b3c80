use retrograde::gradient;

type Real = f32;

#[gradient]
fn widened(x: Real) -> f64 {
    (x * x) as f64 * 2.0
}

fn main() {}
