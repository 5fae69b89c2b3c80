//! The functions that a soak runs: many kinds, written as users write them.
//!
//! The build script compiles each file twice more, without transformations (`off`) and over dual numbers (`dual`). The
//! name of a parameter says how long it is and what is in it (`Input::named`); "Sizes: up to" in a function's
//! documentation bounds what is drawn.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    unused,
    unreachable_pub,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

pub(crate) mod callees;
pub(crate) mod grids;
pub(crate) mod matrices;
pub(crate) mod recurrences;
pub(crate) mod single;
pub(crate) mod structures;
pub(crate) mod sums;

use super::subject::Subject;

include!(concat!(env!("OUT_DIR"), "/soak.rs"));
