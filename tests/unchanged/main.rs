//! Code as published crates have it: names of their own that std has as well, assertions, parts of containers, types
//! that are generic over what they hold.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    unused,
    reason = "the functions are written as users write them"
)]

mod aliases;
mod answers;
mod asked_options;
mod assertions;
mod blocks;
mod casts;
mod chosen;
mod configured;
mod counts;
mod documented;
mod fields;
mod given_parameters;
mod held;
mod lengths;
mod lifetimes;
mod names;
mod parts;
mod positions;
mod tables;
mod types;
mod units;

#[path = "../support/mod.rs"]
mod support;
