//! Structs whose definitions reach the functions that use them: what is computed, and where the definitions are found.

#![forbid(unsafe_code)]
#![deny(warnings)]
#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::too_many_lines,
    reason = "the types and functions are written as users write them"
)]
#![allow(
    dead_code,
    unreachable_pub,
    missing_docs,
    unused_qualifications,
    reason = "the same"
)]

mod beside_slices;
mod blocks;
mod bodies;
mod copies;
mod fields;
mod forms;
mod generic_blocks;
mod hostile;
mod meeting;
mod names;
mod operators;
mod oracle;
mod shapes;
#[path = "../support/mod.rs"]
mod support;
