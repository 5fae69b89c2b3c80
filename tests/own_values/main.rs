//! Values of the user's struct types: patterns, literals, fields that are read and written, containers of them, and
//! in-out parameters.
//!
//! The types implement `Differentiable` by hand or derive it, with themselves as tangent or with a type of its own;
//! what the reverse sweep has to keep derives `Record`.

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

mod assigned_later;
mod containers;
mod in_out;
mod kept;
mod left_early;
mod literals;
#[path = "../support/outcomes.rs"]
mod outcomes;
mod patterns;
mod replaced;
mod shared;
mod state;
mod stored;
#[path = "../support/mod.rs"]
mod support;
mod types;
mod worlds;
