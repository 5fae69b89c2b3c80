//! Tapes with a memory budget: against the model, and at the edges of the budget.

#[cfg(feature = "disk")]
mod disk;
mod errors;
mod faults;
mod room;
#[cfg(shuttle)]
mod schedules;
mod silent;
mod strangers;

use std::io::ErrorKind;

use proptest::prelude::*;

use super::tests::{Item, Step, item, pop, push, run_checked};
use super::*;
use crate::tier::{Fault, FaultyTier, MemoryTier, NullTier, Operation, PAGE, Tier};

fn spilling(pages: usize, prefetch: usize, shadow: bool, tier: impl Tier + 'static) -> Tape {
    Tape::builder()
        .slab_bytes(PAGE)
        .memory_budget(pages * PAGE)
        .prefetch(prefetch)
        .shadow(shadow)
        .tier(tier)
        .build()
        .expect("valid")
}

/// Items that fill pages, one step out of three a small one.
fn step() -> impl Strategy<Value = Step> {
    let floats = prop::collection::vec(-1.0..1.0, 0..2500).prop_map(Item::Floats);
    let tile = prop::collection::vec((-1.0..1.0_f32, any::<u8>()), 0..700).prop_map(Item::Tile);
    prop_oneof![
        6 => prop_oneof![floats, tile, item()].prop_map(Step::Push),
        5 => Just(Step::Pop),
        2 => Just(Step::Mark),
        1 => Just(Step::Rewind),
        1 => prop_oneof![6 => Just(Step::Trim), 1 => Just(Step::Clear)],
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn behaves_like_a_stack_within_its_budget(
        steps in prop::collection::vec(step(), 0..60),
        pages in 3_usize..9,
        prefetch in 1_usize..5,
        shadow in any::<bool>(),
    ) {
        let tape = spilling(pages, prefetch, shadow, MemoryTier::new());
        run_checked(tape, &steps, &|stats| {
            // The first block of 512 bytes does not count.
            assert!(stats.held_bytes <= pages * PAGE + 512, "{stats:?}");
            assert!(stats.most_held_bytes.expect("a budget") <= pages * PAGE);
        });
    }

    /// Whatever is popped from whatever was pushed: a value or a panic, and a usable tape.
    #[test]
    fn a_wrong_pop_within_a_budget_is_never_undefined(
        pushed in prop::collection::vec(step(), 0..30),
        popped in prop::collection::vec(item(), 0..12),
    ) {
        let mut tape = spilling(3, 2, false, MemoryTier::new());
        for step in &pushed {
            if let Step::Push(item) = step {
                push(&mut tape, item);
            }
        }
        for like in &popped {
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| pop(&mut tape, like)));
            let _ = tape.stats(); // agrees with itself
        }
        tape.clear();
        tape.push(Site::new(), 1.5);
        prop_assert_eq!(tape.pop(Site::<f64>::new()), 1.5);
        prop_assert!(tape.is_empty());
    }
}

const RECORDS: u32 = 8000;

/// Pushes records and a slice, pops them, and compares. All or nothing: an error, or right values.
fn sweep(tape: &mut Tape) -> Result<(), TapeError> {
    catch_tape_error(|| {
        let mut guard = Rewind::new(tape);
        let tape = guard.tape();
        let site = Site::new();
        let slice: Vec<u64> = (0..3000).collect();
        for i in 0..RECORDS {
            tape.push(site, (i, f64::from(i)));
        }
        tape.push_slice(Site::new(), &slice);
        let mut back = vec![0_u64; slice.len()];
        tape.pop_slice(Site::new(), &mut back);
        assert_eq!(back, slice);
        for i in (0..RECORDS).rev() {
            assert_eq!(tape.pop(site), (i, f64::from(i)));
        }
        guard.disarm();
    })
}

#[test]
fn without_a_tier_the_budget_is_the_end() {
    let mut tape = Tape::builder()
        .slab_bytes(PAGE)
        .memory_budget(4 * PAGE)
        .build()
        .expect("valid");
    let error = sweep(&mut tape).expect_err("over budget");
    assert!(matches!(error, TapeError::Budget { budget, .. } if budget == 4 * PAGE));
    assert!(tape.is_empty());
    // One item that is larger than the budget cannot be spilled either.
    let mut tape = spilling(4, 1, false, MemoryTier::new());
    let outcome = catch_tape_error(|| {
        tape.push_tile(Site::<f64>::new(), PAGE);
    });
    assert!(matches!(outcome, Err(TapeError::Budget { .. })));
}

#[test]
fn a_mark_under_spilled_blocks_is_reached_again() {
    let mut tape = spilling(3, 2, false, MemoryTier::new());
    let site = Site::new();
    for i in 0..1000 {
        tape.push(site, f64::from(i));
    }
    let mark = tape.mark();
    for round in 0..3 {
        for i in 0..20_000 {
            tape.push(site, f64::from(i + round));
        }
        tape.rewind(mark);
        assert_eq!(tape.mark(), mark);
        assert_eq!(tape.stats().bytes, 8000);
    }
    assert!((0..1000).rev().all(|i| tape.pop(site) == f64::from(i)));
    assert!(tape.is_empty());
}

#[test]
fn nothing_is_kept_by_a_tier_that_keeps_nothing() {
    let mut tape = spilling(3, 2, false, NullTier);
    let site = Site::new();
    (0..50_000).for_each(|i| tape.push(site, f64::from(i)));
    (0..50_000).for_each(|_| {
        let _ = tape.pop(site);
    });
    assert!(tape.is_empty());
    assert!(tape.stats().written_bytes > 300_000);
}

#[test]
fn a_large_tile_below_many_small_records_comes_back() {
    for eighths in 1..=5 {
        let mut tape = Tape::builder()
            .memory_budget(1 << 20)
            .tier(MemoryTier::new())
            .build()
            .expect("valid");
        let entries = eighths << 14;
        let mut tile = tape.push_tile(Site::new(), entries);
        (0..entries).for_each(|i| tile.set(i, i as u64));
        let site = Site::new();
        (0..500_000).for_each(|i| tape.push(site, i));
        assert!((0..500_000).rev().all(|i: i32| tape.pop(site) == i));
        let tile = tape.pop_tile(Site::<u64>::new(), entries);
        assert!((0..entries).all(|i| tile.get(i) == i as u64));
        assert!(tape.stats().most_held_bytes.expect("a budget") <= 1 << 20);
    }
}

#[test]
fn a_tile_of_any_size_is_an_error_not_an_overflow() {
    let mut tape = spilling(4, 2, false, MemoryTier::new());
    (0..5000).for_each(|i| tape.push(Site::new(), i));
    for n in [usize::MAX, usize::MAX - 10, isize::MAX as usize] {
        let outcome = catch_tape_error(|| {
            tape.push_tile(Site::<u8>::new(), n);
        });
        assert!(
            matches!(outcome, Err(TapeError::Budget { .. })),
            "{outcome:?}"
        );
    }
    assert!(
        (0..5000)
            .rev()
            .all(|i: i32| tape.pop(Site::<i32>::new()) == i)
    );
}

#[test]
fn trimming_counts_what_is_on_its_way() {
    let mut tape = spilling(5, 3, false, MemoryTier::new());
    for _ in 0..20 {
        (0..9000).for_each(|i| tape.push(Site::new(), f64::from(i)));
        tape.clear();
        tape.trim(0);
        assert_eq!(tape.stats().held_bytes, 0);
    }
}

/// Counts the pages written since it was last emptied.
#[derive(Debug)]
struct Watched(MemoryTier, std::sync::Arc<std::sync::atomic::AtomicUsize>);

impl Tier for Watched {
    fn write(&mut self, at: u64, page: &[u8]) -> std::io::Result<()> {
        self.1.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        self.0.write(at, page)
    }

    fn read(&mut self, at: u64, page: &mut [u8]) -> std::io::Result<()> {
        self.0.read(at, page)
    }

    fn free(&mut self, at: u64) -> std::io::Result<()> {
        self.1.store(0, std::sync::atomic::Ordering::SeqCst);
        self.0.free(at)
    }
}

#[test]
fn a_cleared_tape_leaves_nothing_on_its_tier() {
    let held = std::sync::Arc::default();
    let mut tape = spilling(
        3,
        2,
        false,
        Watched(MemoryTier::new(), std::sync::Arc::clone(&held)),
    );
    (0..20_000).for_each(|i| tape.push(Site::new(), f64::from(i)));
    assert!(held.load(std::sync::atomic::Ordering::SeqCst) > 10);
    tape.clear();
    drop(tape); // the thread has done all it was told
    assert_eq!(held.load(std::sync::atomic::Ordering::SeqCst), 0);
}

#[test]
fn configurations_that_make_no_tape_are_refused() {
    let budget = |bytes| Tape::builder().memory_budget(bytes);
    let refused = |builder: TapeBuilder, text: &str| {
        let error = builder.build().expect_err(text);
        assert!(error.to_string().contains(text), "{error}");
    };
    refused(budget(1 << 20).slab_bytes(5000), "no pages");
    refused(budget(1000), "less than three slabs");
    refused(budget(1 << 20).prefetch(0), "at least 1");
    refused(Tape::builder().tier(MemoryTier::new()), "memory_budget");
    let limit = std::time::Duration::ZERO;
    refused(budget(1 << 20).tier_timeout(limit), "more than zero");
}
