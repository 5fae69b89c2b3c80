//! Records for a logger.

use log::{debug, error, info, trace, warn};
use retrograde::gradient;

use super::outcomes::{Fault, Of, Taken, adjoint, compare, logo, root};

#[gradient]
fn logged(x: &[f64]) -> f64 {
    trace!("x {}", x[0]);
    let mut s = 0.0;
    for v in x {
        s += v * v;
        debug!("s = {s}");
    }
    if s > 3.0 {
        warn!("large {s:.3}");
    }
    log::info!("done {}", s);
    log::error!(target: "abc", "e {s}");
    info!("x");
    s
}

#[test]
fn logged_has_its_derivative() {
    compare(|x| logged(x).value(), |x| logged_grad(x).outcome());
}
