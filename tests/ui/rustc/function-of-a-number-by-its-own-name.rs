//! A function of a trait for numbers that has the name of one of std's, which calls mean.

use retrograde::gradient;

#[gradient]
trait Turn {
    fn recip(self) -> Self;
}

#[gradient]
impl Turn for f64 {
    fn recip(self) -> Self {
        3.0 * self
    }
}

fn main() {}
