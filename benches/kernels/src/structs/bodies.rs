//! gravity over a vector of bodies, with operators on vectors of three coordinates.

use crate::gravity::{DT, SOFTENING};
use retrograde::{Differentiable, Record, gradient};
use std::ops::{Add, AddAssign, Mul, Sub};

/// Three coordinates.
#[derive(Clone, Copy, Debug, Default, Differentiable, Record)]
pub struct Vec3 {
    /// The first one.
    pub x: f64,
    /// The second one.
    pub y: f64,
    /// The third one.
    pub z: f64,
}

#[gradient]
impl Add for Vec3 {
    type Output = Vec3;
    fn add(self, o: Vec3) -> Vec3 {
        Vec3 {
            x: self.x + o.x,
            y: self.y + o.y,
            z: self.z + o.z,
        }
    }
}

#[gradient]
impl Sub for Vec3 {
    type Output = Vec3;
    fn sub(self, o: Vec3) -> Vec3 {
        Vec3 {
            x: self.x - o.x,
            y: self.y - o.y,
            z: self.z - o.z,
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

#[gradient]
impl AddAssign for Vec3 {
    fn add_assign(&mut self, o: Vec3) {
        self.x += o.x;
        self.y += o.y;
        self.z += o.z;
    }
}

#[gradient]
impl Vec3 {
    fn square(self) -> f64 {
        self.x * self.x + self.y * self.y + self.z * self.z
    }
}

/// A body.
#[derive(Clone, Copy, Debug, Default, Differentiable, Record)]
pub struct Body {
    /// Where it is.
    pub position: Vec3,
    /// How fast it moves.
    pub velocity: Vec3,
}

/// By how much the bodies miss their targets, squared.
#[gradient]
pub fn gravity(
    start: &[Body],
    #[constant] mass: &[f64],
    #[constant] target: &[Vec3],
    steps: usize,
) -> f64 {
    let n = mass.len();
    let mut bodies = start.to_vec();
    for _ in 0..steps {
        for i in 0..n {
            let mut pull = Vec3 {
                x: 0.0,
                y: 0.0,
                z: 0.0,
            };
            for j in 0..n {
                let d = bodies[j].position - bodies[i].position;
                let r2 = d.square() + SOFTENING;
                let w = mass[j] / (r2 * r2.sqrt());
                pull += w * d;
            }
            bodies[i].velocity += DT * pull;
        }
        for i in 0..n {
            let velocity = bodies[i].velocity;
            bodies[i].position += DT * velocity;
        }
    }
    let mut f = 0.0;
    for i in 0..n {
        let d = bodies[i].position - target[i];
        f += d.square();
    }
    f
}
