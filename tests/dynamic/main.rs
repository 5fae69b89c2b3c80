//! Methods of a trait, called on a `dyn` of it: each value has the derivative of its own type.

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

mod calls;
mod hostile;
mod models;
#[path = "../support/mod.rs"]
mod support;
