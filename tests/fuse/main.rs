//! Loops whose iterations run forward and in reverse at once, and those that must not: each function under
//! `#[gradient]` and under `#[gradient(no(fuse))]`. The value has the bits of the function, the gradients agree with
//! each other and with differences, and the tape tells which of the two it was.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    unused,
    unreachable_pub,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

use std::panic::{AssertUnwindSafe, catch_unwind};

use retrograde::Tape;

/// Declares functions in a module `on`, under `#[gradient]`, and in a module `off`, under `#[gradient(no(fuse))]`.
macro_rules! twins {
    ($($item:item)*) => {
        pub(crate) mod on {
            use super::*;
            $(#[retrograde::gradient] $item)*
        }
        pub(crate) mod off {
            use super::*;
            $(#[retrograde::gradient(no(fuse))] $item)*
        }
    };
}
pub(crate) use twins;

/// Lengths around those of blocks, and the small ones.
pub(crate) const SIZES: [usize; 16] = [0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 97];

/// Numbers between 0.2 and 1.2 without a pattern.
pub(crate) fn numbers(n: usize, seed: usize) -> Vec<f64> {
    (0..n)
        .map(|i| 0.2 + ((i * 7 + seed * 13 + 3) as f64 * 0.61).sin().abs())
        .collect()
}

pub(crate) type Buffers = Vec<Vec<f64>>;
type Value<'a> = &'a dyn Fn(&[Vec<f64>]) -> f64;
type Run<'a> = &'a dyn Fn(&mut Tape, &[Vec<f64>], &mut [Vec<f64>]) -> f64;

/// One function in its forms.
pub(crate) struct Forms<'a> {
    pub(crate) value: Value<'a>,
    /// `f_grad_into`, `f_adjoint` with the seed 1.5, and `f_grad_into` of the twin.
    pub(crate) into: Run<'a>,
    pub(crate) adjoint: Run<'a>,
    pub(crate) apart: Run<'a>,
}

fn filled(params: &[Vec<f64>], with: f64) -> Buffers {
    params.iter().map(|p| vec![with; p.len()]).collect()
}

#[track_caller]
fn near(a: &[Vec<f64>], b: &[Vec<f64>], within: f64) {
    for (a, b) in a.iter().flatten().zip(b.iter().flatten()) {
        let same = (a - b).abs() <= within * b.abs().max(1.0) || a.is_nan() && b.is_nan();
        assert!(same || a == b, "{a} for {b}");
    }
}

/// The most bytes that were on the tape: of what is fused, and of the twin.
#[track_caller]
pub(crate) fn compare(params: &[Vec<f64>], forms: &Forms<'_>) -> (u64, u64) {
    let new = || Tape::builder().shadow(true).build().unwrap();
    let (mut tape, mut other) = (new(), new());
    let value = (forms.value)(params);
    let (mut got, mut want) = (filled(params, f64::NAN), filled(params, f64::NAN));
    // Twice: the second time the buffers hold the gradient.
    for _ in 0..2 {
        let fused = (forms.into)(&mut tape, params, &mut got);
        assert_eq!(fused.to_bits(), value.to_bits());
        let apart = (forms.apart)(&mut other, params, &mut want);
        assert_eq!(apart.to_bits(), value.to_bits());
        assert!(tape.is_empty() && other.is_empty());
        near(&got, &want, 1e-12);
    }
    let most = tape.stats().high_water;
    // What an adjoint held stays in it, and the seed counts.
    let mut more = filled(params, 1.0);
    let seeded = (forms.adjoint)(&mut tape, params, &mut more);
    assert_eq!(seeded.to_bits(), value.to_bits());
    let scaled: Buffers = want
        .iter()
        .map(|p| p.iter().map(|d| 1.0 + 1.5 * d).collect())
        .collect();
    near(&more, &scaled, 1e-11);
    assert_eq!(tape.stats().high_water, most);
    for (k, gradient) in got.iter().enumerate() {
        for i in 0..gradient.len().min(20) {
            let at = |h: f64| {
                let mut moved = params.to_vec();
                moved[k][i] += h;
                (forms.value)(&moved)
            };
            let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
            let entry = gradient[i];
            let near = (slope - entry).abs() <= 2e-5 * slope.abs().max(1.0);
            assert!(near, "parameter {k}, element {i}: {entry} for {slope}");
        }
    }
    (most as u64, other.stats().high_water as u64)
}

/// The slices a function takes first, by length, and what it takes after them. Gives the bytes on the tape, both ways.
macro_rules! check {
    ($f:ident, $into:ident, $adjoint:ident, [$($n:expr),+] $(, $rest:expr)*) => {{
        let params: $crate::Buffers = [$($n),+].iter().enumerate().map(|(k, n)| $crate::numbers(*n, k)).collect();
        $crate::compare(&params, &$crate::Forms {
            value: &|p| { let mut p = p.iter(); on::$f($({ let _: usize = $n; p.next().unwrap() }),+ $(, $rest)*) },
            into: &|tape, p, bars| {
                let (mut p, mut bars) = (p.iter(), bars.iter_mut());
                on::$into(tape, $({ let _: usize = $n; p.next().unwrap() }, bars.next().unwrap()),+ $(, $rest)*)
            },
            adjoint: &|tape, p, bars| {
                let (mut p, mut bars) = (p.iter(), bars.iter_mut());
                on::$adjoint(tape, $({ let _: usize = $n; p.next().unwrap() }, bars.next().unwrap()),+ $(, $rest)*, 1.5)
            },
            apart: &|tape, p, bars| {
                let (mut p, mut bars) = (p.iter(), bars.iter_mut());
                off::$into(tape, $({ let _: usize = $n; p.next().unwrap() }, bars.next().unwrap()),+ $(, $rest)*)
            },
        })
    }};
}
pub(crate) use check;

/// What a call gives, or that it panics.
pub(crate) fn outcome<T>(f: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(f)).ok()
}

mod apart;
mod blocks;
mod callers;
mod exposed;
mod nests;
mod nests_apart;
mod records;
mod several;
mod sums;
mod unusual;
