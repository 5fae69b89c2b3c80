//! A trait whose types another file names.

use retrograde::gradient;

#[gradient]
pub trait Lerp {
    /// What the distance is measured by.
    type Scalar;

    fn lerp(&self, to: &Self, t: &Self::Scalar) -> Self;
}

#[gradient]
impl Lerp for f64 {
    type Scalar = f64;

    fn lerp(&self, to: &f64, t: &f64) -> f64 {
        self + (to - self) * t
    }
}

#[gradient]
pub fn lerp<T: Lerp>(a: &T, b: &T, t: &T::Scalar) -> T {
    a.lerp(b, t)
}
