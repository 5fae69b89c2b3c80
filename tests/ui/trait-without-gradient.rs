//! The `impl` of a trait for a number, without the attribute above the trait.

use retrograde::gradient;

trait Lerp {
    fn lerp(self, other: Self, t: f64) -> Self;
}

#[gradient]
impl Lerp for f64 {
    fn lerp(self, other: Self, t: f64) -> Self {
        self + (other - self) * t
    }
}

fn main() {}
