//! Child tapes against a model, and what can go wrong with them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use proptest::prelude::*;

use super::tests::{Item, item, pop, push};
use super::*;
use crate::tier::{Fault, FaultyTier, MemoryTier, Operation};

/// What the model keeps.
#[derive(Debug, Clone, PartialEq)]
enum Entry {
    Item(Item),
    Fork(Vec<Vec<Item>>),
}

#[derive(Debug, Clone)]
enum Step {
    Push(Item),
    Fork(Vec<Vec<Item>>),
    /// A fork that is never joined.
    Abandon(Vec<Vec<Item>>),
    Pop,
    Mark,
    Rewind,
    Clear,
}

fn workloads() -> impl Strategy<Value = Vec<Vec<Item>>> {
    prop::collection::vec(prop::collection::vec(item(), 0..6), 0..4)
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => item().prop_map(Step::Push),
        5 => workloads().prop_map(Step::Fork),
        1 => workloads().prop_map(Step::Abandon),
        7 => Just(Step::Pop),
        2 => Just(Step::Mark),
        1 => Just(Step::Rewind),
        1 => prop_oneof![3 => Just(Step::Mark), 1 => Just(Step::Clear)],
    ]
}

/// Each child is filled by a thread of its own.
fn fork<'tape>(tape: &'tape mut Tape, work: &[Vec<Item>]) -> Fork<'tape> {
    let mut fork = tape.fork(work.len());
    std::thread::scope(|scope| {
        for (child, items) in fork.tapes().iter_mut().zip(work) {
            scope.spawn(move || items.iter().for_each(|item| push(child, item)));
        }
    });
    fork
}

fn pop_entry(tape: &mut Tape, like: &Entry) -> Entry {
    let work = match like {
        Entry::Item(item) => return Entry::Item(pop(tape, item)),
        Entry::Fork(work) => work,
    };
    let mut fork = tape.refork(work.len());
    let mut found = Vec::new();
    for (child, items) in fork.tapes().iter_mut().zip(work) {
        let mut items: Vec<Item> = items.iter().rev().map(|item| pop(child, item)).collect();
        items.reverse();
        found.push(items);
    }
    fork.join();
    Entry::Fork(found)
}

fn run(mut tape: Tape, steps: &[Step]) {
    let mut model: Vec<Entry> = Vec::new();
    let mut marks: Vec<(Mark, usize)> = Vec::new();
    for step in steps {
        match step {
            Step::Push(item) => {
                push(&mut tape, item);
                model.push(Entry::Item(item.clone()));
            }
            Step::Fork(work) => {
                fork(&mut tape, work).join();
                model.push(Entry::Fork(work.clone()));
            }
            Step::Abandon(work) => drop(fork(&mut tape, work)),
            Step::Pop => {
                if let Some(entry) = model.pop() {
                    assert_eq!(pop_entry(&mut tape, &entry), entry);
                }
            }
            Step::Mark => marks.push((tape.mark(), model.len())),
            Step::Rewind => {
                if let Some((mark, length)) = marks.pop() {
                    tape.rewind(mark);
                    model.truncate(length);
                }
            }
            Step::Clear => {
                tape.clear();
                model.clear();
            }
        }
        marks.retain(|&(_, length)| length <= model.len());
        assert_eq!(
            tape.is_empty(),
            model.iter().all(is_nothing) && tape.mark().forks == 0
        );
    }
    while let Some(entry) = model.pop() {
        assert_eq!(pop_entry(&mut tape, &entry), entry);
    }
    assert!(tape.is_empty());
    assert_eq!(tape.stats().bytes, 0);
}

/// Items of no size leave nothing on the tape.
fn is_nothing(entry: &Entry) -> bool {
    match entry {
        Entry::Fork(_) => false,
        Entry::Item(Item::Tile(x) | Item::WholeStrip(x) | Item::Strips(_, x)) => x.is_empty(),
        Entry::Item(Item::StripsOfWords(x)) => x.is_empty(),
        Entry::Item(_) => false,
    }
}

fn small(shadow: bool) -> TapeBuilder {
    Tape::builder().slab_bytes(64).shadow(shadow)
}

fn budgeted(shadow: bool) -> TapeBuilder {
    Tape::builder()
        .slab_bytes(4096)
        .memory_budget(48 << 10)
        .shadow(shadow)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn children_behave_like_stacks(steps in prop::collection::vec(step(), 0..30)) {
        run(small(false).build().expect("valid"), &steps);
        run(small(true).build().expect("valid"), &steps);
        run(Tape::new(), &steps);
        for shadow in [false, true] {
            run(budgeted(shadow).tier(MemoryTier::new()).build().expect("valid"), &steps);
        }
    }
}

const SITE: Site<f64> = Site::new();

fn fill(tape: &mut Tape, n: usize, from: f64) {
    (0..n).for_each(|i| tape.push(SITE, from + i as f64));
}

fn assert_filled(tape: &mut Tape, n: usize, from: f64) {
    (0..n)
        .rev()
        .for_each(|i| assert_eq!(tape.pop(SITE), from + i as f64));
}

#[test]
fn children_spill_within_the_budget_of_the_parent() {
    const EACH: usize = 60_000;
    let builder = Tape::builder().slab_bytes(4096).memory_budget(256 << 10);
    let mut tape = builder.tier(MemoryTier::new()).build().expect("valid");
    for round in 0..3 {
        fill(&mut tape, 1000, f64::from(round));
        let mut fork = tape.fork(3);
        std::thread::scope(|scope| {
            for (k, child) in fork.tapes().iter_mut().enumerate() {
                scope.spawn(move || fill(child, EACH, k as f64 + f64::from(round)));
            }
        });
        fork.join();
    }
    let stats = tape.stats();
    assert!(stats.bytes >= 3 * (1000 + 3 * EACH) * 8);
    // The blocks smaller than a slab do not count: 512 bytes, for each of the four tapes.
    assert!(stats.held_bytes <= (256 << 10) + 4 * 4096, "{stats:?}");
    assert!(stats.written_bytes > 3_500_000);
    for round in (0..3).rev() {
        let mut fork = tape.refork(3);
        std::thread::scope(|scope| {
            for (k, child) in fork.tapes().iter_mut().enumerate() {
                scope.spawn(move || assert_filled(child, EACH, k as f64 + f64::from(round)));
            }
        });
        fork.join();
        assert_filled(&mut tape, 1000, f64::from(round));
    }
    assert!(tape.is_empty());
}

#[test]
fn a_fault_in_a_child_is_a_typed_error_and_all_tapes_are_usable_afterwards() {
    for operation in [Operation::Write, Operation::Read] {
        for n in [0, 1, 5] {
            for fault in [
                Fault::Error(std::io::ErrorKind::StorageFull),
                Fault::FlippedBit { bit: 7777 },
                Fault::Panic,
            ] {
                let tier = FaultyTier::new(MemoryTier::new()).fail(operation, n, fault);
                let mut tape = budgeted(false).tier(tier).build().expect("valid");
                let outcome = catch_tape_error(|| {
                    let mut fork = tape.fork(2);
                    for child in fork.tapes() {
                        fill(child, 9000, 0.5);
                    }
                    fork.join();
                    let mut fork = tape.refork(2);
                    for child in fork.tapes() {
                        assert_filled(child, 9000, 0.5);
                    }
                    fork.join();
                });
                assert!(outcome.is_err(), "{operation:?} {n} {fault:?}");
                tape.clear();
                if fault != Fault::Panic {
                    let mut fork = tape.fork(2);
                    fork.tapes()
                        .iter_mut()
                        .for_each(|child| fill(child, 9000, 2.0));
                    fork.join();
                    let mut fork = tape.refork(2);
                    fork.tapes()
                        .iter_mut()
                        .for_each(|child| assert_filled(child, 9000, 2.0));
                    fork.join();
                }
                fill(&mut tape, 10, 0.0);
                assert_filled(&mut tape, 10, 0.0);
                assert!(tape.is_empty());
            }
        }
    }
}

#[test]
fn a_budget_too_small_for_the_shares_is_an_error() {
    let mut tape = budgeted(false).build().expect("valid");
    let error = catch_tape_error(|| tape.fork(100).join());
    assert!(matches!(error, Err(TapeError::Budget { .. })));
    tape.fork(2).join();
    tape.refork(2).join();
    assert!(tape.is_empty());
}

#[test]
fn every_number_of_children_is_a_fork_or_a_typed_error() {
    let tapes: [&dyn Fn() -> Tape; 4] = [
        &Tape::new,
        &|| small(true).build().expect("valid"),
        &|| budgeted(false).build().expect("valid"),
        &|| {
            budgeted(true)
                .tier(MemoryTier::new())
                .build()
                .expect("valid")
        },
    ];
    for new in tapes {
        let has_budget = new().stats().most_held_bytes.is_some();
        let mut tape = new();
        tape.push(SITE, 0.5);
        for n in [0, 1, 2, 65_536, 65_537, usize::MAX - 1, usize::MAX] {
            let outcome = catch_tape_error(|| {
                let mut fork = tape.fork(n);
                assert_eq!(fork.tapes().len(), n);
                fork.tapes()
                    .iter_mut()
                    .for_each(|child| child.push(SITE, 1.5));
                fork.join();
                let mut fork = tape.refork(n);
                fork.tapes()
                    .iter_mut()
                    .for_each(|child| assert_eq!(child.pop(SITE), 1.5));
                fork.join();
            });
            match outcome {
                Ok(()) => assert!(n <= 2 || (n == 65_536 && !has_budget), "{n}"),
                Err(TapeError::Budget { budget, .. }) => assert!(n == 65_536 && budget == 48 << 10),
                Err(TapeError::Configuration { reason }) => {
                    assert!(n > 65_536 && reason.contains(&n.to_string()), "{reason}");
                }
                Err(error) => panic!("{n}: {error}"),
            }
            let taken_back = catch_unwind(AssertUnwindSafe(|| drop(tape.refork(n))));
            assert!(taken_back.is_err(), "{n}: there is none");
        }
        assert_filled(&mut tape, 1, 0.5);
        assert!(tape.is_empty());
    }
}

/// A child that is moved out keeps the thread, and nobody waits for ever.
#[test]
fn a_stolen_child_outlives_its_parent_and_is_missed() {
    let mut tape = budgeted(false)
        .tier(MemoryTier::new())
        .build()
        .expect("valid");
    let mut fork = tape.fork(2);
    let mut stolen = std::mem::take(&mut fork.tapes()[0]);
    let outcome = catch_unwind(AssertUnwindSafe(|| fork.join()));
    assert!(outcome.is_err());
    // The next fork has another in its place.
    let mut fork = tape.fork(2);
    fork.tapes()[0].push(SITE, 1.0);
    fork.join();
    let mut fork = tape.refork(2);
    assert_eq!(fork.tapes()[0].pop(SITE), 1.0);
    fork.join();
    drop(tape);
    fill(&mut stolen, 9000, 0.0);
    assert_filled(&mut stolen, 9000, 0.0);
}

/// Children of two parents that are where the other's should be.
#[test]
fn children_of_another_tape_are_not_taken_for_its_own() {
    for shadow in [false, true] {
        let mut tapes = [(); 2].map(|()| small(shadow).build().expect("valid"));
        let [a, b] = &mut tapes;
        let (mut f, mut g) = (a.fork(2), b.fork(2));
        for child in f.tapes().iter_mut().chain(g.tapes()) {
            fill(child, 50, 0.0);
        }
        std::mem::swap(&mut f.tapes()[0], &mut g.tapes()[0]);
        assert!(catch_unwind(AssertUnwindSafe(|| f.join())).is_err());
        assert!(catch_unwind(AssertUnwindSafe(|| g.join())).is_err());
    }
}

#[test]
fn wrong_order_is_a_panic() {
    for shadow in [false, true] {
        let panics = |f: &mut dyn FnMut()| catch_unwind(AssertUnwindSafe(f)).is_err();
        let mut tape = small(shadow).build().expect("valid");
        assert!(panics(&mut || drop(tape.refork(2))));
        let mut fork = tape.fork(2);
        fork.tapes()[1].push(SITE, 1.0);
        fork.join();
        assert!(panics(&mut || drop(tape.refork(3))), "another number");
        tape.push(SITE, 2.0);
        assert!(panics(&mut || drop(tape.refork(2))), "not the newest item");
        assert_eq!(tape.pop(SITE), 2.0);
        assert!(panics(&mut || tape.refork(2).join()), "left behind");
        assert!(tape.is_empty());
        let mut exchange = || {
            let mut fork = tape.fork(2);
            fork.tapes().swap(0, 1);
            fork.join();
        };
        assert!(panics(&mut exchange), "exchanged");
    }
}
