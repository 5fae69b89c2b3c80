use retrograde::gradient;

mod units {
    pub type Real = f32;
}
use units::Real;

#[gradient]
fn widened(x: Real) -> f64 {
    (x * x) as f64 * 2.0
}

fn main() {}
