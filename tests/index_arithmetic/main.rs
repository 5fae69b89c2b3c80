//! Index arithmetic that wraps around, saturates, is checked, narrows or has a sign.
//!
//! A form of an index says something of integers only as long as the machine computes with integers. Here it does not:
//! each index stands in loops that overwrite elements which other iterations may have reached. With overflow checks
//! most of these functions panic where a number is too large, and so must their gradients; without (`cargo test
//! --release --test index_arithmetic`) they compute with what is left of it.

#![allow(
    unused_variables,
    unconditional_panic,
    arithmetic_overflow,
    clippy::pedantic,
    clippy::all,
    reason = "loops as they may be written, all of the same parameters"
)]

/// The step of loops over all numbers: a few hundred iterations, or some millions, of which later ones wrap around.
const LEAP: usize = 1 << if cfg!(debug_assertions) { 56 } else { 40 };

#[path = "../support/mod.rs"]
mod support;

#[macro_use]
mod triplets;
#[macro_use]
mod indices;
mod edges;
mod nests;
mod saves;
mod single;
mod stores;
