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

/// A trait that can be made into an object, with a parameter.
#[gradient(crate = ::ad)]
pub trait Rate<V: Differentiable> {
    /// The rate.
    fn rate(&self, at: &V) -> f64;

    /// Changes it.
    fn change(&mut self, by: f64);

    /// How many parameters there are.
    fn parameters(&self) -> u32;

    /// Twice the rate.
    fn twice(&self, at: &V) -> f64 {
        self.rate(at) * 2.0
    }
}

/// The same, where nobody else sees it.
#[gradient(crate = ::ad)]
trait Hidden {
    fn hidden(&mut self, x: f64) -> f64;
}

#[gradient(crate = ::ad)]
impl Rate<Vector> for Spring {
    fn rate(&self, at: &Vector) -> f64 {
        self.stiffness * at.x
    }

    fn change(&mut self, by: f64) {
        self.stiffness *= by;
    }

    fn parameters(&self) -> u32 {
        1
    }
}

#[gradient(crate = ::ad)]
impl Hidden for Spring {
    fn hidden(&mut self, x: f64) -> f64 {
        self.stiffness *= x;
        self.stiffness
    }
}

/// Rates of several, through their objects.
#[gradient(crate = ::ad)]
pub fn rates(all: &mut [Box<dyn Rate<Vector> + Send>], at: &Vector) -> f64 {
    let mut sum = 0.0;
    for one in all.iter_mut() {
        one.change(at.x);
        let count: u32 = one.parameters();
        sum += one.rate(at) * f64::from(count) + one.twice(at);
    }
    sum
}

#[gradient(crate = ::ad)]
fn hidden_of(one: &mut dyn Hidden, x: f64) -> f64 {
    one.hidden(x) * x
}

/// Uses what stands above.
#[gradient(crate = ::ad)]
pub fn of_hidden(spring: &mut Spring, x: f64, potential: &impl Potential) -> f64 {
    hidden_of(spring, x) * potential.energy(&Vector { x })
}
