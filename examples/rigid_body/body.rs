//! A rigid body in free flight.

use std::ops::{Add, Mul};

use retrograde::{Differentiable, Record, gradient};

use crate::geometry::{Quaternion, Vec3};

/// What does not change in flight.
#[derive(Clone, Debug, Differentiable)]
pub(crate) struct Body {
    /// Moments of inertia about the principal axes, in kg m².
    pub(crate) inertia: Vec3,
    /// Acceleration of free fall, in m/s².
    pub(crate) gravity: Vec3,
    /// Where the markers are, in m from the centre of mass along the principal axes.
    pub(crate) markers: Vec<Vec3>,
}

/// Where a body is, and how it moves.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
#[differentiable(tangent = Self)]
pub(crate) struct State {
    /// Of the centre of mass, in m.
    pub(crate) position: Vec3,
    /// In m/s.
    pub(crate) velocity: Vec3,
    /// Turns the body's axes into those of space; its length means nothing.
    pub(crate) attitude: Quaternion,
    /// Angular velocity along the body's axes, in rad/s.
    pub(crate) spin: Vec3,
}

#[gradient]
impl Add for State {
    type Output = State;

    fn add(self, other: State) -> State {
        State {
            position: self.position + other.position,
            velocity: self.velocity + other.velocity,
            attitude: self.attitude + other.attitude,
            spin: self.spin + other.spin,
        }
    }
}

#[gradient]
impl Mul<State> for f64 {
    type Output = State;

    fn mul(self, state: State) -> State {
        State {
            position: self * state.position,
            velocity: self * state.velocity,
            attitude: self * state.attitude,
            spin: self * state.spin,
        }
    }
}

#[gradient]
impl Body {
    /// The rate at which a state changes: free fall, and Euler's equations without a torque.
    pub(crate) fn rate(&self, state: State) -> State {
        let (inertia, spin) = (self.inertia, state.spin);
        let torque = Vec3 {
            x: (inertia.y - inertia.z) * spin.y * spin.z,
            y: (inertia.z - inertia.x) * spin.z * spin.x,
            z: (inertia.x - inertia.y) * spin.x * spin.y,
        };
        let turning = Quaternion {
            real: 0.0,
            imaginary: spin,
        };
        State {
            position: state.velocity,
            velocity: self.gravity,
            attitude: 0.5 * (state.attitude * turning),
            spin: Vec3 {
                x: torque.x / inertia.x,
                y: torque.y / inertia.y,
                z: torque.z / inertia.z,
            },
        }
    }

    /// Where a marker is in space.
    pub(crate) fn marker(&self, number: usize, state: State) -> Vec3 {
        state.position + state.attitude.rotate(self.markers[number])
    }

    /// The energy of rotation, in J. It does not change in flight.
    pub(crate) fn rotational_energy(&self, state: State) -> f64 {
        let spin = state.spin;
        0.5 * (self.inertia.x * spin.x * spin.x
            + self.inertia.y * spin.y * spin.y
            + self.inertia.z * spin.z * spin.z)
    }
}
