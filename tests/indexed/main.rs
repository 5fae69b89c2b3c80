//! Elements of the user's own types, `v[i]`, where the `impl` of `Index` stands in the same module.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    unused,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

mod elsewhere;
mod integers;
mod matrices;
mod parts;
mod points;
mod regions;
mod rows;
mod types;

#[path = "../support/mod.rs"]
mod support;
