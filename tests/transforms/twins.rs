//! Each function with all transformations and with none: the value has the same bits, and the gradient is the same up
//! to the order of its sums.

use std::panic::{AssertUnwindSafe, catch_unwind};

use retrograde::Tape;

use crate::support::{Flat, check, flat};

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

/// The same value bit for bit (or a panic in all three), the same gradient up to rounding. Which NaN comes is not said.
#[track_caller]
pub(crate) fn agree<G: Flat, H: Flat>(
    primal: impl FnOnce() -> f64,
    on: impl FnOnce() -> (f64, G),
    off: impl FnOnce() -> (f64, H),
) {
    let (primal, on, off) = (outcome(primal), outcome(on), outcome(off));
    let bits = |v: Option<f64>| {
        v.map(|v| {
            if v.is_nan() {
                f64::NAN.to_bits()
            } else {
                v.to_bits()
            }
        })
    };
    let (with, without) = (on.as_ref().map(|r| r.0), off.as_ref().map(|r| r.0));
    assert_eq!(
        bits(with),
        bits(primal),
        "{with:?} with, {primal:?} by the function"
    );
    assert_eq!(
        bits(without),
        bits(primal),
        "{without:?} without, {primal:?} by the function"
    );
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

/// A function of an array and of two numbers, and its gradient.
type OfTwo = fn(&[f64], f64, f64) -> f64;
type GradientOfTwo = fn(&[f64], f64, f64) -> (f64, (Vec<f64>, f64, f64));

/// The twins agree at the pairs of numbers, also where `special` has changed elements, and the gradient is that of
/// differences.
#[track_caller]
pub(crate) fn agree_at(
    primal: OfTwo,
    [on, off]: [GradientOfTwo; 2],
    pairs: &[(f64, f64)],
    special: impl Fn(usize, &mut f64),
) {
    for n in SIZES {
        for &(a, b) in pairs {
            let mut x = numbers(n, 3);
            agree(|| primal(&x, a, b), || on(&x, a, b), || off(&x, a, b));
            for (at, v) in x.iter_mut().enumerate() {
                special(at, v);
            }
            agree(|| primal(&x, a, b), || on(&x, a, b), || off(&x, a, b));
        }
    }
    let all = [numbers(19, 5), vec![1.6, 1.1]].concat();
    check(
        |p| primal(&p[..19], p[19], p[20]),
        |p| on(&p[..19], p[19], p[20]),
        &[&all],
    );
}

/// Runs the function and both forward sweeps: the same outcome, the same bits in what they change.
#[track_caller]
pub(crate) fn same_writes(
    from: &[f64],
    primal: impl Fn(&mut [f64]),
    on: impl Fn(&mut Tape, &mut [f64], &mut [f64]),
    off: impl Fn(&mut Tape, &mut [f64], &mut [f64]),
    what: &str,
) -> bool {
    let run = |f: &dyn Fn(&mut [f64])| {
        let mut out = from.to_vec();
        let done = outcome(|| f(&mut out)).is_some();
        (done, bits(&out))
    };
    let want = run(&primal);
    // After the reverse sweep in-out arguments hold what the forward sweep left.
    let adjoint = |f: &dyn Fn(&mut Tape, &mut [f64], &mut [f64])| {
        run(&|out| f(&mut Tape::new(), out, &mut vec![1.0; from.len()]))
    };
    assert_eq!(adjoint(&off), want, "{what}, not transformed");
    assert_eq!(adjoint(&on), want, "{what}");
    want.0
}

/// Compares the twins of a function.
macro_rules! both {
    ($f:ident, $g:ident, ($($arg:expr),*)) => {
        agree(|| on::$f($($arg),*), || on::$g($($arg),*), || off::$g($($arg),*))
    };
}
pub(crate) use both;

/// Tests of functions of two slices and a number, with all transformations and with none, and with differences.
macro_rules! compared {
    ($($f:ident $g:ident)*) => { $(
        #[test]
        fn $f() {
            for n in [0, 1, 2, 3, 7, 17, 40] {
                for seed in [1, 4] {
                    let (x, y) = (numbers(n + 1, seed), numbers(n + 1, seed + 5));
                    both!($f, $g, (&x, &y, n));
                    // Too short, so that an index panics.
                    both!($f, $g, (&x[..n / 2], &y, n));
                    let strange = [f64::NAN, -0.0, f64::INFINITY];
                    let strange: Vec<f64> = x.iter().zip(strange).map(|(_, v)| v).chain(x.iter().copied()).collect();
                    both!($f, $g, (&strange, &y, n));
                }
            }
            let all = numbers(24, 7);
            let (_, (dx, dy)) = on::$g(&all[..12], &all[12..], 11);
            let want = $crate::support::differences(|p| on::$f(&p[..12], &p[12..], 11), &all);
            $crate::support::assert_close(&[dx, dy].concat(), &want, 1e-6, &[]);
        }
    )* };
}
pub(crate) use compared;
