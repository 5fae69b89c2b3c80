//! Loops over slices and iterator chains.

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

mod around;
mod backwards;
mod by_reference;
mod counted;
mod counts;
mod ends;
mod itertools;
mod nested;
mod operator_paths;
mod or_else;
#[path = "../support/outcomes.rs"]
mod outcomes;
mod parts;
mod selected;
mod sources;
mod staged;
#[path = "../support/mod.rs"]
mod support;
mod variables;
mod writing;
