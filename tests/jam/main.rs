//! Several iterations of a loop at once, together with all that may be done to the same loops.
//!
//! Each function is run at trip counts around those of a block and with inner loops long enough for a block to pay, and
//! compared with the primal bit for bit, with a twin that is not transformed, and with a formula or differences.

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

mod across;
mod arrays;
mod bounds;
mod bounds_in_place;
mod carried;
mod conditions;
mod hoist;
mod layers;
mod lists;
mod nests;
mod overflow;
mod panics;
mod promoted;
mod segments;
mod sums;
#[path = "../support/mod.rs"]
mod support;
mod terms;
#[path = "../transforms/twins.rs"]
mod twins;

/// Trip counts of the outer loop: none, parts of a block, a block, and more.
pub(crate) const OUTER: [usize; 13] = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33];

/// Trip counts of the inner loop, around blocks of 8 and 16 columns and on both sides of where slices pay.
pub(crate) const INNER: [usize; 12] = [0, 1, 5, 7, 8, 9, 16, 17, 31, 50, 100, 200];

/// Compares a function with both twins.
macro_rules! both {
    ($f:ident, $g:ident, $($arg:expr),*) => {
        crate::twins::agree(
            || on::$f($($arg),*),
            || on::$g($($arg),*),
            || off::$g($($arg),*),
        )
    };
}
pub(crate) use both;
