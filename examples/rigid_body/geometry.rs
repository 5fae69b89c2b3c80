//! Vectors and rotations of space.

use std::ops::{Add, Mul, Sub};

use retrograde::{Differentiable, Record, gradient};

/// A vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Differentiable, Record)]
#[differentiable(tangent = Self)]
pub(crate) struct Vec3 {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) z: f64,
}

#[gradient]
impl Vec3 {
    pub(crate) fn new(x: f64, y: f64, z: f64) -> Vec3 {
        Vec3 { x, y, z }
    }

    pub(crate) fn dot(self, other: Vec3) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    pub(crate) fn cross(self, other: Vec3) -> Vec3 {
        Vec3 {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }
}

#[gradient]
impl Add for Vec3 {
    type Output = Vec3;

    fn add(self, other: Vec3) -> Vec3 {
        Vec3 {
            x: self.x + other.x,
            y: self.y + other.y,
            z: self.z + other.z,
        }
    }
}

#[gradient]
impl Sub for Vec3 {
    type Output = Vec3;

    fn sub(self, other: Vec3) -> Vec3 {
        Vec3 {
            x: self.x - other.x,
            y: self.y - other.y,
            z: self.z - other.z,
        }
    }
}

#[gradient]
impl Mul<Vec3> for f64 {
    type Output = Vec3;

    fn mul(self, v: Vec3) -> Vec3 {
        Vec3 {
            x: self * v.x,
            y: self * v.y,
            z: self * v.z,
        }
    }
}

/// A quaternion; those of length 1 are rotations.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
#[differentiable(tangent = Self)]
pub(crate) struct Quaternion {
    pub(crate) real: f64,
    pub(crate) imaginary: Vec3,
}

#[gradient]
impl Quaternion {
    /// The rotation by `angle` about an axis of length 1.
    pub(crate) fn rotation(axis: Vec3, angle: f64) -> Quaternion {
        Quaternion {
            real: (0.5 * angle).cos(),
            imaginary: (0.5 * angle).sin() * axis,
        }
    }

    pub(crate) fn squared_length(self) -> f64 {
        self.real * self.real + self.imaginary.dot(self.imaginary)
    }

    /// The vector, turned by the rotation that this quaternion is a multiple of.
    pub(crate) fn rotate(self, v: Vec3) -> Vec3 {
        let twice = (2.0 / self.squared_length()) * self.imaginary.cross(v);
        v + self.real * twice + self.imaginary.cross(twice)
    }
}

#[gradient]
impl Mul for Quaternion {
    type Output = Quaternion;

    fn mul(self, other: Quaternion) -> Quaternion {
        Quaternion {
            real: self.real * other.real - self.imaginary.dot(other.imaginary),
            imaginary: self.real * other.imaginary
                + other.real * self.imaginary
                + self.imaginary.cross(other.imaginary),
        }
    }
}

#[gradient]
impl Add for Quaternion {
    type Output = Quaternion;

    fn add(self, other: Quaternion) -> Quaternion {
        Quaternion {
            real: self.real + other.real,
            imaginary: self.imaginary + other.imaginary,
        }
    }
}

#[gradient]
impl Mul<Quaternion> for f64 {
    type Output = Quaternion;

    fn mul(self, q: Quaternion) -> Quaternion {
        Quaternion {
            real: self * q.real,
            imaginary: self * q.imaginary,
        }
    }
}
