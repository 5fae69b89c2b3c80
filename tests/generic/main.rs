//! Functions that are generic over a float, as published code is: `<T: Float>` of `num-traits`, with constants and
//! conversions of its traits, and with traits of one's own.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    unused,
    unused_qualifications,
    unreachable_pub,
    reason = "the functions are written as users write them"
)]

mod alone;
mod asked;
mod base_numbers;
mod beside;
mod blocks;
mod converted;
mod disagree;
mod functions;
mod made_from;
mod operands;
mod own_traits;
mod real_fields;
#[path = "../support/mod.rs"]
mod support;
mod united;
mod unnamed;
