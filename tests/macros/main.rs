//! Macros of known crates: `anyhow`, `log`, `tracing`, `approx`, `itertools`, and errors of `thiserror`.

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

mod anyhow_errors;
mod events;
mod logging;
mod numbers;
#[path = "../support/outcomes.rs"]
mod outcomes;
mod own;
mod own_like_rustc;
#[path = "../support/mod.rs"]
mod support;
