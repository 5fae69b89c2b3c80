//! Products that a loop adds to the adjoint of a matrix, added for several iterations at once.
//!
//! Each function is compared with the primal bit for bit, with a twin that is not transformed, and with one that lacks
//! this transformation alone; and with differences where it is small enough. Matrices have more elements than what is
//! worth it, and fewer.

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

mod around;
mod cells;
mod left;
mod sizes;
#[path = "../support/mod.rs"]
mod support;
mod terms;
#[path = "../transforms/twins.rs"]
mod transformed;

/// As the twins of other transformations, and in a module `kept` without this one.
macro_rules! twins {
    ($($item:item)*) => {
        pub(crate) mod on {
            use super::*;
            $(#[retrograde::gradient] $item)*
        }
        mod kept {
            use super::*;
            $(#[retrograde::gradient(no(defer))] $item)*
        }
        mod off {
            use super::*;
            $(#[retrograde::gradient(no(all))] $item)*
        }
    };
}
pub(crate) use twins;

/// Compares a function with its twins.
macro_rules! both {
    ($f:ident, $g:ident, $($arg:expr),*) => {{
        crate::transformed::agree(
            || on::$f($($arg),*),
            || on::$g($($arg),*),
            || off::$g($($arg),*),
        );
        crate::transformed::agree(
            || on::$f($($arg),*),
            || on::$g($($arg),*),
            || kept::$g($($arg),*),
        );
    }};
}
pub(crate) use both;

/// Numbers that keep a layer of so many inputs from growing.
pub(crate) fn small(n: usize, seed: u32, inputs: usize) -> Vec<f64> {
    let scale = 1.0 / (inputs as f64 + 1.0).sqrt();
    let numbers = crate::transformed::numbers(n, seed);
    numbers.into_iter().map(|v| v * scale).collect()
}

/// Sizes of matrices on both sides of what is worth it with debug assertions, with ends of rows and of blocks of rows.
pub(crate) const MATRICES: [(usize, usize); 12] = [
    (0, 5),
    (5, 0),
    (1, 1),
    (7, 9),
    (33, 17),
    (17, 33),
    (32, 32),
    (65, 8),
    (16, 57),
    (3, 100),
    (40, 41),
    (64, 64),
];
