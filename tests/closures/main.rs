//! Closures that are bound to a name: calls, captures, what leaves their bodies.

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

mod assigned;
mod calls;
mod captures;
mod inner;
mod leaving;
mod mixed;
#[path = "../support/outcomes.rs"]
mod outcomes;
mod passive;
#[path = "../support/mod.rs"]
mod support;
