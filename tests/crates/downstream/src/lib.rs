//! Functions under `#[gradient]` that call those of another crate, each by another form of name.
//!
//! The gradients are compared with formulas written by hand.

#![deny(warnings)]

pub mod arrays;
pub mod forms;
pub mod rules;
pub mod shadows;
pub mod structs;

#[cfg(test)]
pub(crate) fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-13 * (1.0 + a.abs().max(b.abs()))
}

#[cfg(test)]
pub(crate) fn all_close(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| close(*a, *b))
}
