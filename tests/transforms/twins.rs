//! Each function with all transformations and with none: the value has the same bits, and the gradient is the same up to the
//! order of its sums.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::support::{Flat, flat};

/// Declares functions in a module `on`, under `#[gradient]`, and in a module `off`, under `#[gradient(no(all))]`.
macro_rules! twins {
    ($($item:item)*) => {
        pub(crate) mod on {
            use super::*;
            $(#[retrograde::gradient] $item)*
        }
        mod off {
            use super::*;
            $(#[retrograde::gradient(no(all))] $item)*
        }
    };
}
pub(crate) use twins;

/// Lengths around those of blocks, and the small ones.
pub(crate) const SIZES: [usize; 13] = [0, 1, 2, 3, 5, 7, 17, 31, 33, 63, 64, 65, 129];

/// Numbers between -1 and 1 without a pattern.
pub(crate) fn numbers(n: usize, seed: u32) -> Vec<f64> {
    (0..n)
        .map(|i| (i as f64 * 0.73 + f64::from(seed) * 1.37).sin())
        .collect()
}

/// What a call gives, or that it panics.
pub(crate) fn outcome<T>(f: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(f)).ok()
}

/// The same value bit for bit (or a panic in all three), the same gradient up to rounding.
#[track_caller]
pub(crate) fn agree<G: Flat, H: Flat>(
    primal: impl FnOnce() -> f64,
    on: impl FnOnce() -> (f64, G),
    off: impl FnOnce() -> (f64, H),
) {
    let (primal, on, off) = (outcome(primal), outcome(on), outcome(off));
    let bits = |v: Option<f64>| v.map(f64::to_bits);
    assert_eq!(
        bits(on.as_ref().map(|r| r.0)),
        bits(primal),
        "value, transformed: {on:?} {primal:?}",
        on = on.as_ref().map(|r| r.0)
    );
    assert_eq!(bits(off.as_ref().map(|r| r.0)), bits(primal), "value");
    if let (Some((_, on)), Some((_, off))) = (on, off) {
        near(&flat(&on), &flat(&off));
    }
}

/// The same numbers up to rounding, in relation to the largest.
#[track_caller]
pub(crate) fn near(on: &[f64], off: &[f64]) {
    assert_eq!(on.len(), off.len());
    let largest = off
        .iter()
        .filter(|v| v.is_finite())
        .fold(1.0_f64, |m, v| m.max(v.abs()));
    for (k, (a, b)) in on.iter().zip(off).enumerate() {
        let same = a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-12 * largest;
        assert!(
            same,
            "entry {k}: {a:e} with, {b:e} without\n{on:?}\n{off:?}"
        );
    }
}

/// Bits, to compare arrays that a panic left behind.
pub(crate) fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|v| v.to_bits()).collect()
}
