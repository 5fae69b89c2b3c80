//! One question has one answer, to the last bit: a gradient does not depend on the tape that it is computed with, on
//! what lay on that tape or went over it before, on its memory, or on the thread.
//!
//! It began with `exponentials` of 100,000 numbers: `dc` had other last digits in memory than under a budget, and two
//! calls of `exponentials_grad` in a row could differ, as sums were split where blocks of the tape end.

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
#[cfg(feature = "rayon")]
mod workers;

use cases::{Case, Run, all};
use layouts::{Layout, layouts};
use retrograde::tier::MemoryTier;
use retrograde::{Site, Tape};

/// Trip counts around the lengths of blocks of lanes and of strips, and some far beyond.
const LENGTHS: [usize; 11] = [0, 1, 7, 33, 64, 65, 129, 1_000, 4_097, 20_011, 100_000];

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

/// A function, the numbers of its arguments, and what it gives on a new tape in memory.
struct Question {
    case: Case,
    n: usize,
    run: Run,
    want: Vec<u64>,
}

impl Question {
    fn new(case: Case, n: usize) -> Self {
        let run = (case.of)(n);
        let want = run.grad_into(&mut Layout::plain().tape());
        Self { case, n, run, want }
    }

    #[track_caller]
    fn expect(&self, how: &str, got: &[u64]) {
        same(&self.case, self.n, how, got, &self.want);
    }
}

/// All functions at a length that differs from one to the next.
fn questions() -> Vec<Question> {
    let cases = all().into_iter().enumerate();
    let ask = |(k, case): (usize, Case)| {
        let n = [3, 1_500, 70, 3_999, 530][k % 5];
        Question::new(case, n)
    };
    cases.map(ask).collect()
}

/// Which of `n` comes next, for hundreds of steps that look like chance.
fn order(n: usize, steps: usize) -> impl Iterator<Item = usize> {
    let next = |state: &u64| {
        let mixed = state.wrapping_mul(6_364_136_223_846_793_005);
        Some(mixed.wrapping_add(1_442_695_040_888_963_407))
    };
    let states = std::iter::successors(Some(9_u64), next);
    states
        .map(move |state| (state >> 33) as usize % n)
        .take(steps)
}

#[test]
fn on_every_layout() {
    for case in all() {
        for n in LENGTHS.into_iter().filter(|n| *n <= case.most) {
            let question = Question::new(Case { ..case }, n);
            for layout in layouts() {
                let mut tape = layout.tape();
                for again in ["on a new tape", "on a warm one"] {
                    let got = question.run.grad_into(&mut tape);
                    question.expect(&format!("{again}: {layout:?}"), &got);
                    let got = question.run.adjoint(&mut tape);
                    question.expect(&format!("as adjoint, {again}: {layout:?}"), &got);
                }
                assert_eq!(tape.stats().bytes, layout.below);
            }
        }
    }
}

/// One tape for everything, and what lies below changes from one to the next.
#[test]
fn whatever_went_over_the_tape_before() {
    let questions = questions();
    for layout in layouts() {
        let mut tape = layout.tape();
        for (step, k) in order(questions.len(), 60).enumerate() {
            let question = &questions[k];
            let mark = tape.mark();
            for _ in 0..step * 37 % 1000 {
                tape.push(Site::new(), 0.5_f32);
            }
            let got = match step % 2 {
                0 => question.run.grad_into(&mut tape),
                _ => question.run.adjoint(&mut tape),
            };
            question.expect(&format!("at step {step}: {layout:?}"), &got);
            tape.rewind(mark);
            if step % 11 == 0 {
                tape.trim(0);
            }
        }
    }
}

/// Tapes of the thread, which other functions have used, and tapes whose memory has.
#[test]
fn without_a_tape() {
    let questions = questions();
    for (step, k) in order(questions.len(), 300).enumerate() {
        questions[k].expect(&format!("at step {step}"), &questions[k].run.grad());
        questions[k].expect("right again", &questions[k].run.grad());
    }
}

#[test]
fn on_every_thread() {
    let questions = questions();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let questions = &questions;
            scope.spawn(move || {
                for k in order(questions.len(), 60 + thread * 31).skip(thread * 31) {
                    questions[k].expect("on another thread", &questions[k].run.grad());
                }
            });
        }
    });
}

/// How it was found.
#[test]
fn exponentials_in_memory_and_under_a_budget() {
    let question = Question::new(all().swap_remove(0), 100_000);
    let others = questions();
    for k in order(others.len(), 20) {
        question.expect("with other calls between", &question.run.grad());
        others[k].run.grad();
    }
    let mut tape = Tape::builder()
        .memory_budget(1 << 19)
        .tier(MemoryTier::new())
        .build()
        .expect("valid");
    for _ in 0..20 {
        question.expect("under a budget", &question.run.grad_into(&mut tape));
    }
    assert!(tape.stats().written_bytes > 20 * 100_000);
}
