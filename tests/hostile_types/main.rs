//! Own types whose traits do what nobody expects. Most of all their `Clone` does not copy: it resets a field, swaps
//! fields, counts, or panics.
//!
//! The sweeps never call it by themselves: gradients and values are those of the function. Where a function calls it,
//! the clone is compared with the value, and what differs panics.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    unused,
    unreachable_pub,
    reason = "the functions are written as users write them"
)]

mod called;
mod containers;
mod methods;
mod parameters;
mod state;
#[path = "../support/mod.rs"]
mod support;
mod traits;
mod types;
