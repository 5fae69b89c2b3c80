//! Operators and traits, on types of all visibilities.

use std::ops::{AddAssign, Mul, Sub};

use ad::{Differentiable, Record, gradient};

/// A vector.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
#[differentiable(crate = ::ad)]
#[record(crate = ::ad)]
pub struct Vector {
    /// Along the first axis.
    pub x: f64,
}

#[gradient(crate = ::ad)]
impl Sub for Vector {
    type Output = Self;

    fn sub(self, other: Self) -> Self::Output {
        Vector {
            x: self.x - other.x,
        }
    }
}

#[gradient(crate = ::ad)]
impl<'a> Mul<&'a Vector> for f64 {
    type Output = Vector;

    fn mul(self, v: &'a Vector) -> Vector {
        Vector { x: self * v.x }
    }
}

#[gradient(crate = ::ad)]
impl AddAssign for Vector {
    fn add_assign(&mut self, other: Self) {
        self.x += other.x;
    }
}

/// What has an energy.
#[gradient(crate = ::ad)]
pub trait Potential {
    /// The exponent.
    const ORDER: i32;

    /// The energy.
    fn energy(&self, at: &Vector) -> f64;

    /// Changes it.
    fn kick(&mut self, by: f64);

    /// The energy at the mirrored place.
    fn mirrored(&self, at: &Vector) -> f64 {
        self.energy(&(-1.0 * at)) * f64::from(Self::ORDER)
    }
}

/// A spring.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
#[differentiable(crate = ::ad)]
#[record(crate = ::ad)]
pub struct Spring {
    stiffness: f64,
}

#[gradient(crate = ::ad)]
impl Potential for Spring {
    const ORDER: i32 = 2;

    fn energy(&self, at: &Vector) -> f64 {
        self.stiffness * at.x.powi(Self::ORDER)
    }

    fn kick(&mut self, by: f64) {
        self.stiffness *= by;
    }
}

/// The work on the way.
#[gradient(crate = ::ad)]
pub fn work<P: Potential>(p: &P, from: Vector, to: Vector) -> f64 {
    let mut way = to - from;
    way += from;
    p.energy(&way) - p.mirrored(&from)
}
