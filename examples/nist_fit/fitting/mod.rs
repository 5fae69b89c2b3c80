//! The fitting itself, shared by the example and by `tests/nist_fit.rs`.
//!
//! `archive` reads a problem, `models` holds the functions under `#[gradient]`, `regression` makes
//! residuals and Jacobians of the two, `fit` minimises, `digits` compares with the certified values.

pub(crate) mod archive;
pub(crate) mod digits;
pub(crate) mod error;
pub(crate) mod fit;
pub(crate) mod models;
mod regression;
