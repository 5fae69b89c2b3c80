//! Operators of the user's own types, `#[gradient] impl Add for V`, in expressions of all kinds.

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

mod behind_a_dot;
mod expressions;
mod forms;
mod loops;
mod numbers;
mod places;
mod sums;
#[path = "../support/mod.rs"]
mod support;
mod types;
