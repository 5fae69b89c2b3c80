//! The `impl` of a trait for a number, where the trait has no `#[gradient]`, and the text does not show that.

use retrograde::gradient;

mod here {
    pub trait Lerp {
        fn lerp(self, other: Self, t: f64) -> Self;
    }
}

mod there {
    /// Another one of the name.
    pub trait Lerp {}
}

#[gradient]
impl here::Lerp for f64 {
    fn lerp(self, other: Self, t: f64) -> Self {
        self + (other - self) * t
    }
}

fn main() {}
