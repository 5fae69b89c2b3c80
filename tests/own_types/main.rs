//! `#[derive(Differentiable)]`: the tangents of all forms of types, and gradients with respect to them.

#![forbid(unsafe_code)]
#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::too_many_lines,
    reason = "the types and functions are written as users write them"
)]

#[path = "../support/mod.rs"]
mod support;

mod boxes;
mod constants;
mod conversions;
mod elsewhere;
mod enums;
mod flat;
mod functions;
mod generic;
mod lengths;
mod named_like_floats;
mod names_of_floats;
mod own;
mod pointers;
mod queues;
mod ranges;
mod shared;
mod shown;
mod shown_operators;
mod shown_parts;
mod structs;
mod units;
mod with_fields;
