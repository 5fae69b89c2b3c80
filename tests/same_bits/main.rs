//! One question has one answer, to the last bit: a gradient does not depend on the tape that it is computed with, on what lay on that
//! tape or went over it before, on its memory, or on the thread.
//!
//! It began with `exponentials` of 100,000 numbers: `dc` had other last digits in memory than under a budget, and two calls of
//! `exponentials_grad` in a row could differ, because sums were split where blocks of the tape end.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::too_many_lines,
    unused,
    unreachable_pub,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

mod cases;
mod layouts;
mod loops;
mod nests;

use cases::{Case, all};
use layouts::{Layout, disturb, layouts};

/// Trip counts around the lengths of blocks of lanes and of strips, and some far beyond.
const LENGTHS: [usize; 11] = [
    0, 1, 7, 33, 64, 65, 129, 1_000, 4_097, 20_011, 100_000,
];

#[track_caller]
fn same(case: &Case, n: usize, how: &str, got: &[u64], want: &[u64]) {
    assert_eq!(got.len(), want.len());
    let mut pairs = got.iter().zip(want).enumerate();
    let differing = pairs.clone().filter(|(_, (a, b))| a != b).count();
    if let Some((k, (a, b))) = pairs.find(|(_, (a, b))| a != b) {
        panic!(
            "`{}` of {n}: {differing} of {} numbers differ {how}: number {k} is {a:#x}, not {b:#x}",
            case.name,
            want.len()
        );
    }
}

#[test]
fn on_every_layout() {
    for case in all() {
        for n in LENGTHS.into_iter().filter(|n| *n <= case.most) {
            let run = (case.of)(n);
            let want = run.grad_into(&mut Layout::plain().tape());
            for layout in layouts() {
                let mut tape = layout.tape();
                for again in ["on a new tape", "on a warm one"] {
                    let got = run.grad_into(&mut tape);
                    same(&case, n, &format!("{again}: {layout:?}"), &got, &want);
                    let got = run.adjoint(&mut tape);
                    same(&case, n, &format!("as adjoint, {again}: {layout:?}"), &got, &want);
                }
            }
        }
    }
}
