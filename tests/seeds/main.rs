//! `#[gradient(seeds)]`: several seeds through one forward and one reverse sweep. Each seed's adjoints have the bits of
//! `f_adjoint` with that seed, of the same function without the transformations that sweeps for several seeds do
//! without; and they agree with those of the function with all transformations, and with differences.

#![forbid(unsafe_code)]
#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::print_stdout,
    unused,
    unreachable_pub,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

mod calls;
mod control;
mod methods;
mod mistakes;
mod parameters;
mod straight;

use std::hint::black_box;

use retrograde::Tape;

/// Declares a function with sweeps for several seeds, and a twin whose adjoints are added up in the same order.
macro_rules! with_twin {
    ($(fn $name:ident / $twin:ident ($($args:tt)*) $(-> $ret:ty)? $body:block)*) => { $(
        #[retrograde::gradient(seeds)]
        fn $name($($args)*) $(-> $ret)? $body

        #[retrograde::gradient(no(
            reslice, lanes, wide, gather, combine, jam, hoist, terms, defer, assign, tiles, interchange
        ))]
        fn $twin($($args)*) $(-> $ret)? $body
    )* };
}
pub(crate) use with_twin;

/// A function of some numbers, with `M` numbers as its result.
pub(crate) trait Case<const M: usize> {
    /// Where it is tried.
    const AT: &'static [&'static [f64]];

    fn value(p: &[f64]) -> [f64; M];
    /// Value and adjoints by the function itself.
    fn one(tape: &mut Tape, p: &[f64], seed: [f64; M]) -> ([f64; M], Vec<f64>);
    /// The same by the twin.
    fn twin(tape: &mut Tape, p: &[f64], seed: [f64; M]) -> ([f64; M], Vec<f64>);
    /// The same for several seeds.
    fn several<const K: usize>(
        tape: &mut Tape,
        p: &[f64],
        seeds: [[f64; M]; K],
    ) -> ([f64; M], [Vec<f64>; K]);
}

/// Compares everything, for no seed, one, and several.
#[track_caller]
pub(crate) fn check<C: Case<M>, const M: usize>() {
    for p in C::AT {
        compare::<C, M, 0>(p);
        compare::<C, M, 1>(p);
        compare::<C, M, 2>(p);
        compare::<C, M, 5>(p);
    }
}

#[track_caller]
fn compare<C: Case<M>, const M: usize, const K: usize>(p: &[f64]) {
    let seeds: [[f64; M]; K] = std::array::from_fn(|k| {
        std::array::from_fn(|m| {
            if k == m {
                1.0
            } else {
                ((k * 7 + m * 3) % 5) as f64 * 0.5 - 0.75
            }
        })
    });
    let mut tape = Tape::new();
    let want = C::value(black_box(p));
    let (value, adjoints) = C::several(&mut tape, black_box(p), seeds);
    same_bits(&value, &want, "value");
    for k in 0..K {
        let (value, twin) = C::twin(&mut tape, black_box(p), seeds[k]);
        same_bits(&value, &want, "value of the twin");
        same_bits(&adjoints[k], &twin, "adjoint beside the twin's");
        let (_, one) = C::one(&mut tape, black_box(p), seeds[k]);
        close(&adjoints[k], &one, 1e-12, "adjoint beside that of one seed");
        for step in [1e-5, 3e-6] {
            let differences: Vec<f64> = (0..p.len())
                .map(|at| {
                    let mut q = p.to_vec();
                    q[at] = p[at] + step;
                    let above = C::value(&q);
                    q[at] = p[at] - step;
                    let below = C::value(&q);
                    let parts = (0..M).map(|m| seeds[k][m] * (above[m] - below[m]) / (2.0 * step));
                    parts.sum()
                })
                .collect();
            close(
                &adjoints[k],
                &differences,
                3e-7,
                "adjoint beside differences",
            );
        }
    }
}

#[track_caller]
pub(crate) fn same_bits(got: &[f64], want: &[f64], what: &str) {
    let bits = |x: &[f64]| {
        x.iter()
            .map(|x| {
                if x.is_nan() {
                    0x7ff8 << 48
                } else {
                    x.to_bits()
                }
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(bits(got), bits(want), "{what}: {got:?}, not {want:?}");
}

#[track_caller]
pub(crate) fn close(got: &[f64], want: &[f64], tolerance: f64, what: &str) {
    assert_eq!(got.len(), want.len(), "{what}");
    for (a, b) in got.iter().zip(want) {
        assert!(
            (a - b).abs() <= tolerance * (1.0 + b.abs()),
            "{what}: {got:?}, not {want:?}"
        );
    }
}
