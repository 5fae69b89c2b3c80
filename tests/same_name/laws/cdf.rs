//! What the function beside this module calls.

use retrograde::gradient;

#[gradient]
pub(crate) fn logistic(x: f64, at: f64) -> f64 {
    1.0 / (1.0 + (at - x).exp())
}

/// The function beside the module of this file, from above.
#[gradient]
pub(crate) fn both(x: f64) -> f64 {
    use super::spread;
    super::cdf(x) * spread(x)
}
