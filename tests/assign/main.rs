//! Gradients that are assigned instead of cleared and added to, and those that must not be. Every buffer holds NaN
//! before; what comes out is compared with what `f_adjoint` adds to zeros, and with differences at two step sizes.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    unused,
    unreachable_pub,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

use retrograde::Tape;

/// A small stand-in for random numbers, none of them zero.
pub(crate) fn numbers(n: usize, seed: usize) -> Vec<f64> {
    (0..n)
        .map(|i| 0.2 + ((i * 7 + seed * 13 + 3) as f64 * 0.61).sin().abs())
        .collect()
}

pub(crate) type Buffers = Vec<Vec<f64>>;

#[track_caller]
pub(crate) fn compare(
    params: Buffers,
    f: impl Fn(&[Vec<f64>]) -> f64,
    into: impl Fn(&mut Tape, &[Vec<f64>], &mut [Vec<f64>]) -> f64,
    adjoint: impl Fn(&mut Tape, &[Vec<f64>], &mut [Vec<f64>]) -> f64,
) {
    let filled = |with: f64| -> Buffers { params.iter().map(|p| vec![with; p.len()]).collect() };
    let mut tape = Tape::builder().shadow(true).build().unwrap();
    let (mut got, mut want) = (filled(f64::NAN), filled(0.0));
    let value = f(&params);
    // Twice: the second time the buffers hold the gradient.
    for _ in 0..2 {
        assert_eq!(
            into(&mut tape, &params, &mut got).to_bits(),
            value.to_bits()
        );
        assert!(tape.is_empty());
        want = filled(0.0);
        assert_eq!(
            adjoint(&mut tape, &params, &mut want).to_bits(),
            value.to_bits()
        );
        assert_eq!(got, want);
    }
    // What is added to stays.
    let mut more = filled(1.0);
    adjoint(&mut tape, &params, &mut more);
    for (more, want) in more.iter().flatten().zip(want.iter().flatten()) {
        assert!((more - want - 1.0).abs() < 1e-9);
    }
    for (k, gradient) in got.iter().enumerate() {
        for i in 0..gradient.len() {
            for step in [1e-4, 3e-5] {
                let at = |h: f64| {
                    let mut moved = params.clone();
                    moved[k][i] += h;
                    f(&moved)
                };
                let slope = (at(step) - at(-step)) / (2.0 * step);
                let near = (slope - gradient[i]).abs() <= 2e-6 * slope.abs().max(1.0);
                assert!(
                    near,
                    "parameter {k}, element {i}: {} for {slope}",
                    gradient[i]
                );
            }
        }
    }
}

/// The slices a function takes first, by length, and what it takes after them.
macro_rules! check {
    ($f:ident, $into:ident, $adjoint:ident, [$($n:expr),+] $(, $rest:expr)*) => {{
        let params: $crate::Buffers = [$($n),+].iter().enumerate().map(|(k, n)| $crate::numbers(*n, k)).collect();
        $crate::compare(
            params,
            |p| { let mut p = p.iter(); $f($({ let _: usize = $n; p.next().unwrap() }),+ $(, $rest)*) },
            |tape, p, bars| {
                let (mut p, mut bars) = (p.iter(), bars.iter_mut());
                $into(tape, $({ let _: usize = $n; p.next().unwrap() }, bars.next().unwrap()),+ $(, $rest)*)
            },
            |tape, p, bars| {
                let (mut p, mut bars) = (p.iter(), bars.iter_mut());
                $adjoint(tape, $({ let _: usize = $n; p.next().unwrap() }, bars.next().unwrap()),+ $(, $rest)*, 1.0)
            },
        );
    }};
}

pub(crate) const SIZES: [usize; 7] = [0, 1, 2, 3, 5, 7, 17];

pub(crate) use check;

mod added;
mod covered;
mod forms;
mod nests;
