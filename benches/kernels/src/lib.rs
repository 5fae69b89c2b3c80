//! Twelve kernels as a scientist would write them, each under `#[gradient]` and beside it two adjoints by hand:
//! a mechanical one, and the best that a compiler could derive from the loops.
//!
//! The kernels are those of a paper on tapes in scratchpads (TapeFlow, Table II) and two whose tape fits no
//! cache. Sizes are arguments, so that the tests can take small and crooked ones; `full` of each module is the
//! size that is timed.

#![allow(
    clippy::manual_memcpy,
    clippy::needless_range_loop,
    clippy::too_many_arguments,
    reason = "the kernels index as the formulas do"
)]

pub mod chains;
pub mod gravity;
pub mod heat1d;
mod kernel;
pub mod lanes;
pub mod lenet5;
pub mod log_sum_exp;
pub mod mass_spring;
pub mod matdescent;
pub mod mttkrp;
pub mod nn;
pub mod numbers;
pub mod pathfinder;
pub mod plot;
pub mod race;
pub mod somier;
pub mod structs;
pub mod sumexp;
pub mod table;

pub use kernel::{ByHand, Gradient, Kernel, Parts, add, cleared, copy, parts, refill};

/// Draws a kernel's inputs.
pub type Maker = fn() -> Kernel;

/// Name and maker of every kernel at the size that is timed.
pub const ALL: [(&str, Maker); 12] = [
    ("logsumexp", log_sum_exp::full),
    ("matdescent", matdescent::full),
    ("nn", nn::full),
    ("gravity", gravity::full),
    ("mass_spring", mass_spring::full),
    ("mttkrp", mttkrp::full),
    ("somier8", somier::small),
    ("somier32", somier::large),
    ("lenet5", lenet5::full),
    ("pathfinder", pathfinder::full),
    ("heat1d", heat1d::full),
    ("sumexp_big", sumexp::full),
];
