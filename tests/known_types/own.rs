//! Types of one's own that are called like those of std.

use retrograde::{Differentiable, gradient};

#[derive(Clone, Copy, Debug, Differentiable)]
pub struct Path(pub f64);

#[derive(Clone, Copy, Debug, Differentiable)]
pub struct Instant {
    pub seconds: f64,
}

#[gradient]
pub fn length(path: &Path, at: Instant, by: f64) -> f64 {
    path.0 * by * at.seconds
}
