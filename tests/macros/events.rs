//! Events for a subscriber, with fields.

use retrograde::gradient;
use tracing::{debug, info};

use super::outcomes::{Fault, Of, Taken, adjoint, compare, logo, root};

#[gradient]
fn traced(x: &[f64]) -> f64 {
    tracing::trace!("x {}", x[0]);
    let mut s = 0.0;
    for v in x {
        s += v * v;
        tracing::debug!(s, v = *v, "step");
    }
    tracing::info!(total = s, ?x, "sum");
    tracing::warn!(target: "a", "w");
    s
}

#[test]
fn traced_has_its_derivative() {
    compare(|x| traced(x).value(), |x| traced_grad(x).outcome());
}

#[gradient]
fn fields(x: &[f64]) -> f64 {
    let y = x[0] * x[1];
    info!(y, "value");
    debug!(target: "abc", k = 3, y = %y, z = ?x, "text {} {y}", x[0]);
    info!(?y);
    y
}

#[test]
fn fields_has_its_derivative() {
    compare(|x| fields(x).value(), |x| fields_grad(x).outcome());
}
