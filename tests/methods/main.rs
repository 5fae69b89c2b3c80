//! `#[gradient]` on `impl` blocks and on methods.
//!
//! The types in `types` implement `Differentiable` by hand: one has a tangent of its own, the others are their own.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::too_many_lines,
    unused,
    unreachable_pub,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

mod api;
mod bare;
mod behind_references;
mod beside;
mod builders;
mod calls;
mod chains;
mod fields;
mod generic;
mod given_parameters;
mod lengths;
mod lent;
mod lent_alone;
mod lent_to_write;
mod names_of_all;
mod options;
mod plain;
mod receivers;
mod state;
#[path = "../support/mod.rs"]
mod support;
mod types;
