//! Methods that advance a state by a step of time.

use retrograde::{Differentiable, gradient};

use crate::body::{Body, State};

/// A one-step method.
#[gradient]
pub(crate) trait Integrator {
    /// Its order: halving the step divides the error by two to the power of it.
    const ORDER: u32;

    /// The state after `dt` seconds.
    fn step(&self, body: &Body, state: State, dt: f64) -> State;
}

/// The midpoint method.
#[derive(Clone, Copy, Debug, Differentiable)]
pub(crate) struct Midpoint;

/// The classical method of Runge and Kutta.
#[derive(Clone, Copy, Debug, Differentiable)]
pub(crate) struct RungeKutta;

#[gradient]
impl Integrator for Midpoint {
    const ORDER: u32 = 2;

    fn step(&self, body: &Body, state: State, dt: f64) -> State {
        let half = state + (0.5 * dt) * body.rate(state);
        state + dt * body.rate(half)
    }
}

#[gradient]
impl Integrator for RungeKutta {
    const ORDER: u32 = 4;

    fn step(&self, body: &Body, state: State, dt: f64) -> State {
        let k1 = body.rate(state);
        let k2 = body.rate(state + (0.5 * dt) * k1);
        let k3 = body.rate(state + (0.5 * dt) * k2);
        let k4 = body.rate(state + dt * k3);
        state + (dt / 6.0) * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    }
}
