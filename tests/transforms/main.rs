//! Loops that run on slices, in blocks, or several iterations at once: what must not change, and who must stay as they
//! are.

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

mod ahead;
mod aliases;
mod around;
mod backwards;
mod combine;
mod copies;
mod counters;
mod elements;
mod factors;
mod fields;
mod gather;
mod groups;
mod in_place;
mod inverses;
mod lengths;
mod lent;
mod merge;
mod middle;
mod mirrored;
mod motion;
mod moves;
mod named_indices;
mod names;
mod nested;
mod nests;
mod numerics;
mod open_types;
mod outputs;
mod panics;
mod preallocate;
mod recomputed;
mod recycle;
mod rename;
mod replay;
mod room;
mod scalars;
mod scratch;
mod sections;
mod shapes;
mod shared_elements;
mod sink;
mod skipped;
mod speculate;
mod split;
mod stencils;
#[path = "../support/mod.rs"]
mod support;
mod switches;
mod tiles;
mod twins;
mod unassigned;
mod undone;
mod views;
mod wide;
mod windows;
