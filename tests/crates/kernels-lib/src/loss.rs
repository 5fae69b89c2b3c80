//! A function with the name of its module: re-exported beside the module, its companion needs another name.

use diff::gradient;

/// Half the square of the distance.
#[gradient(crate = ::diff, companion = loss_sweeps)]
#[must_use]
pub fn loss(x: f64, target: f64) -> f64 {
    0.5 * (x - target) * (x - target)
}
