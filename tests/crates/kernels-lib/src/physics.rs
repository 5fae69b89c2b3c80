//! Scalars.

use diff::gradient;

/// Quadratic drag.
#[gradient(crate = ::diff)]
#[must_use]
pub fn drag(v: f64) -> f64 {
    0.5 * v * v.abs()
}

/// The force of a spring that hardens.
#[gradient(crate = ::diff)]
#[must_use]
pub fn spring(stiffness: f64, x: f64) -> f64 {
    stiffness * (x + x * x * x)
}

/// Force and potential.
#[gradient(crate = ::diff)]
#[must_use]
pub fn force_and_potential(x: f64) -> (f64, f64) {
    (-x.sin(), 1.0 - x.cos())
}

/// One step of motion, in place.
#[gradient(crate = ::diff)]
pub fn advance(x: &mut f64, v: &mut f64, dt: f64) {
    *v -= dt * spring(1.0, *x);
    *x += dt * *v;
}
