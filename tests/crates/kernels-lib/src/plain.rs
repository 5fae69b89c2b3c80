//! Functions without `#[gradient]`: some whose names other modules have too, and one with a rule.

/// Not the one of `physics`.
#[must_use]
pub fn drag(v: f64) -> f64 {
    100.0 * v
}

/// Has a rule beside it.
#[must_use]
pub fn bump(x: f64) -> f64 {
    1.0 / (1.0 + x * x)
}

/// The rule of [`bump`].
#[diff::derivative_of(bump, crate = ::diff)]
#[must_use]
pub fn bump_rule(x: f64, #[result] y: f64) -> f64 {
    -2.0 * x * y * y
}

/// Has no rule here.
#[must_use]
pub fn cube(x: f64) -> f64 {
    x * x * x
}
