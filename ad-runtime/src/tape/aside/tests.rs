use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::super::{Site, Tape, TapeBuilder, TapeError, catch_tape_error};
use crate::tier::{Fault, FaultyTier, MemoryTier, Operation, PAGE};

/// Three strips, the last of which is short, of records that fill no block.
const N: usize = 30_000;
const SITE: Site<(f64, u8)> = Site::new();

fn record(i: usize) -> (f64, u8) {
    (i as f64 * 0.5, (i % 251) as u8)
}

/// Where the strips of a loop end.
fn push(tape: &mut Tape, value: impl Fn(usize) -> (f64, u8)) -> Vec<usize> {
    let (mut at, mut ends) = (0, Vec::new());
    while at < N {
        let mut strip = tape.lend_strip(SITE, at..N);
        strip.range().for_each(|i| strip.set(i, value(i)));
        at = strip.range().end;
        ends.push(at);
    }
    tape.end_strips(SITE);
    ends
}

fn pop(tape: &mut Tape) -> Vec<usize> {
    let (mut at, mut ends) = (N, Vec::new());
    while at > 0 {
        ends.push(at);
        let strip = tape.pop_strip(SITE, 0..at);
        at = strip.start();
        let records = strip.records().expect("of fixed size");
        (at..*ends.last().expect("just pushed"))
            .for_each(|i| assert_eq!(records.get(i - at), record(i)));
    }
    ends.reverse();
    ends
}

fn spilling(pages: usize) -> TapeBuilder {
    let builder = Tape::builder().slab_bytes(PAGE);
    builder.memory_budget(pages * PAGE)
}

#[test]
fn strips_end_at_the_same_iterations_on_every_tape() {
    let want = push(&mut Tape::new(), record);
    assert_eq!(want.len(), 3);
    let slabs = [64, 100, 4096, 126_000, 200_000];
    let mut tapes: Vec<Tape> = slabs
        .into_iter()
        .flat_map(|bytes| [false, true].map(|shadow| (bytes, shadow)))
        .map(|(bytes, shadow)| Tape::builder().slab_bytes(bytes).shadow(shadow))
        .chain([spilling(3).tier(MemoryTier::new())])
        .map(|builder| builder.build().expect("valid"))
        .collect();
    for tape in &mut tapes {
        for below in [0, 1, 77, 5000] {
            (0..below).for_each(|k| tape.push(Site::new(), k as u8));
            for _ in 0..2 {
                assert_eq!(push(tape, record), want);
                tape.push(Site::new(), 3_u16);
                assert_eq!(tape.pop(Site::<u16>::new()), 3);
                assert_eq!(pop(tape), want);
            }
            (0..below)
                .rev()
                .for_each(|k| assert_eq!(tape.pop(Site::<u8>::new()), k as u8));
        }
        assert!(tape.is_empty());
    }
}

/// A budget of three pages holds strips of thirty.
#[test]
fn a_strip_may_be_longer_than_the_budget() {
    let mut tape = spilling(3).tier(MemoryTier::new()).build().expect("valid");
    push(&mut tape, record);
    let stats = tape.stats();
    assert!(stats.most_held_bytes <= Some(3 * PAGE) && stats.written_bytes > 9 * N as u64 - 20_000);
    pop(&mut tape);
    assert!(tape.is_empty());
}

#[test]
fn a_panic_in_a_strip_leaves_a_tape_that_can_be_rewound() {
    for at in [0, 5, 20_000, N - 1] {
        for shadow in [false, true] {
            let builder = Tape::builder().slab_bytes(1000).shadow(shadow);
            let mut tape = builder.build().expect("valid");
            tape.push(Site::new(), 7_u8);
            let mark = tape.mark();
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                push(&mut tape, |i| {
                    assert!(i != at, "in the middle");
                    record(i)
                })
            }));
            assert!(outcome.is_err());
            tape.rewind(mark);
            push(&mut tape, record);
            pop(&mut tape);
            assert_eq!(tape.pop(Site::<u8>::new()), 7);
            assert!(tape.is_empty());
        }
    }
}

#[test]
fn a_tier_that_fails_is_an_error_and_the_tape_can_be_cleared() {
    for operation in [Operation::Write, Operation::Read] {
        for n in [0, 1, 2, 30, 31, 50] {
            let fault = Fault::Error(ErrorKind::StorageFull);
            let tier = FaultyTier::new(MemoryTier::new()).fail(operation, n, fault);
            let mut tape = spilling(4).tier(tier).build().expect("valid");
            let outcome = catch_tape_error(|| {
                push(&mut tape, record);
                pop(&mut tape);
            });
            // What is read ahead of time is asked for again.
            assert!(
                matches!(outcome, Err(TapeError::Tier { .. }))
                    || outcome.is_ok() && operation == Operation::Read,
                "{operation:?} {n}: {outcome:?}"
            );
            tape.clear();
            push(&mut tape, record);
            pop(&mut tape);
            assert!(tape.is_empty());
        }
    }
}

#[test]
fn memory_beside_the_tape_is_given_back() {
    let mut tape = Tape::builder().slab_bytes(64).build().expect("valid");
    push(&mut tape, record);
    pop(&mut tape);
    assert!(!tape.store.aside.bytes.is_empty());
    tape.trim(0);
    assert!(tape.store.aside.bytes.is_empty());
}
