use retrograde::gradient;

mod units {
    type Single = f32;
    pub type Real = Single;
}
use units::Real;

#[gradient]
fn widened(x: Real) -> f64 {
    (x * x) as f64 * 2.0
}

fn main() {}
