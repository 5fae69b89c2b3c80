//! Functions without `#[gradient]` whose names other modules have too.

/// Not the one of `physics`.
#[must_use]
pub fn drag(v: f64) -> f64 {
    100.0 * v
}
