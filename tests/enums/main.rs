//! Enums with data: made, looked at by patterns, changed in place, kept in containers, as the state of a computation,
//! and as trees.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::too_many_lines,
    unused,
    unreachable_pub,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

mod containers;
mod hostile;
mod idioms;
mod names;
mod not_zero;
mod parameters;
mod patterns;
mod state;
#[path = "../support/mod.rs"]
mod support;
mod trees;
mod types;
