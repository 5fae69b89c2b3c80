//! `#[gradient]` on `impl`s of traits.

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

mod arguments;
mod associated;
mod concrete;
mod configured;
mod constants;
mod conversions;
mod distributions;
mod elements;
mod generic;
mod inherited;
mod language;
mod language_arguments;
mod lerp_elsewhere;
mod names;
mod overridden;
mod parameters;
mod paths;
mod qualified;
mod scopes;
#[path = "../support/mod.rs"]
mod support;
mod without_self;
mod without_values;
