//! What is generic over a float.

use std::ops::{Add, Mul};

use ad::{Differentiable, Record, gradient};

/// A number.
pub trait Scalar: Copy + Add<Output = Self> + Mul<Output = Self> {
    /// The neutral element of addition.
    fn zero() -> Self;
}

impl Scalar for f64 {
    fn zero() -> Self {
        0.0
    }
}

impl Scalar for f32 {
    fn zero() -> Self {
        0.0
    }
}

/// The square.
#[gradient(crate = ::ad)]
pub fn square<T: Scalar>(x: T) -> T {
    x * x + T::zero()
}

/// A line.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
#[differentiable(crate = ::ad)]
#[record(crate = ::ad)]
pub struct Line<T> {
    /// Where it begins.
    pub at: T,
    pub(crate) slope: T,
}

#[gradient(crate = ::ad)]
impl<T: Scalar> Line<T> {
    /// A point of it.
    pub fn sample(&self, t: T) -> T {
        self.at + self.slope * t
    }

    pub(crate) fn both<const N: usize>(self, ts: &[T; N]) -> T {
        let mut s = self.inner(T::zero());
        for &t in ts {
            s = s + self.sample(t);
        }
        s
    }

    fn inner(&self, t: T) -> T {
        square(self.sample(t))
    }
}

#[gradient(crate = ::ad)]
impl<T: Scalar> Add for Line<T> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Line {
            at: self.at + other.at,
            slope: self.slope + other.slope,
        }
    }
}

/// Methods with a parameter of their own.
#[derive(Clone, Copy, Debug, Differentiable)]
#[differentiable(crate = ::ad)]
pub struct Gain {
    factor: f64,
}

#[gradient(crate = ::ad)]
impl Gain {
    /// The value and its square.
    pub fn amplify<T: Scalar>(&self, x: T) -> T {
        x + x * x
    }
}

/// A function with another parameter.
#[gradient(crate = ::ad)]
pub fn chosen<T: Scalar, K: PartialEq + Copy>(x: &[T], keys: &[K], key: K) -> T {
    let mut s = T::zero();
    for i in 0..x.len() {
        if keys[i] == key {
            s = s + x[i];
        }
    }
    s
}

/// A name of a float.
pub type Real = f64;

/// The cube.
#[gradient(crate = ::ad)]
#[must_use]
pub fn cube(x: Real) -> Real {
    x * x * x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::close;

    #[test]
    fn gradients() {
        let line = Line {
            at: 1.0,
            slope: 2.0,
        };
        let (value, (d, dt)) = line.sample_grad(3.0);
        assert!(close(value, 7.0) && close(d.slope, 3.0) && close(dt, 2.0));
        let (value, (d, _)) = (line + line).both_grad(&[1.0, 2.0]);
        assert!(close(value, 20.0) && close(d.at, 6.0));
        assert!(close(square_grad(3.0).1, 6.0) && close(cube_grad(2.0).1, 12.0));
        let (value, (_, dx)) = Gain { factor: 2.0 }.amplify_grad(3.0_f64);
        assert!(close(value, 12.0) && close(dx, 7.0));
        let (value, _) = chosen_grad(&[1.0, 2.0], &[1, 2], 2);
        assert!(close(value, 2.0));
    }
}
