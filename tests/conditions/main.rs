//! Loops that violate one condition of a transformation each. Their documentation quotes what the explain report says
//! of them, which the tests of `ad-macros` compare; here is shown that value, gradient and panics are right all the
//! same.

#![allow(
    clippy::all,
    clippy::pedantic,
    unused,
    unreachable_pub,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

/// Compares value and gradient of a function of `x`, and of other arguments, with the primal and with differences.
macro_rules! checked {
    ($x:expr, $f:ident, $gradient:ident $(, $arg:expr)*) => {
        $crate::support::check(|x| $f(x $(, $arg)*), |x| $gradient(x $(, $arg)*), &[&$x])
    };
}
pub(crate) use checked;

mod at_run_time;
mod loops;
#[path = "../support/mod.rs"]
mod support;
mod tiles;

/// Around the lengths of blocks, and the smallest.
pub(crate) const SIZES: [usize; 11] = [1, 2, 3, 5, 7, 17, 31, 33, 64, 65, 67];

/// Positive numbers without a pattern.
pub(crate) fn numbers(n: usize, seed: u32) -> Vec<f64> {
    (0..n)
        .map(|i| (1.7 * i as f64 + f64::from(seed)).sin() * 0.4 + 0.9)
        .collect()
}
