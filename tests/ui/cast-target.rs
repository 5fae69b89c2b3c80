use retrograde::gradient;

mod units {
    pub type Real = f64;
}
use units::Real;

#[gradient]
fn widened(x: f32) -> f64 {
    let wide = x as Real;
    wide * wide
}

fn main() {}
