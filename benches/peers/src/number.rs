//! What the kernels ask of a library's number.

use std::ops::{Add, Mul, Neg, Sub};

/// A number that records, or carries along, how it was computed.
///
/// Operations with a plain `f64` have it on the right: every library here takes fewer records for that form.
pub(crate) trait Number:
    Copy
    + PartialOrd
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
{
    /// `e` to the power of `self`.
    fn exp(self) -> Self;
    /// The natural logarithm.
    fn ln(self) -> Self;
    /// `1 / self`.
    fn recip(self) -> Self;
    /// The larger of two numbers; the first of two equal ones.
    fn larger(self, other: Self) -> Self {
        if other > self { other } else { self }
    }
}

/// A function of a flat list of numbers, for any number.
pub(crate) trait Function {
    /// The function's value at `x`.
    fn at<N: Number>(&self, x: &[N]) -> N;
}
