//! Passes over the primal, before it is differentiated.

mod copies;
mod lengths;
mod literal_arrays;
pub(crate) mod unroll;
pub(crate) mod views;
