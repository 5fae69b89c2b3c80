//! Tapes with a memory budget: against the model, with every fault at every point, and without leaks.

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
fn every_fault_at_every_point_is_an_error_or_harmless() {
    let faults = [
        Fault::Error(ErrorKind::StorageFull),
        Fault::Error(ErrorKind::PermissionDenied),
        Fault::Error(ErrorKind::Interrupted),
        Fault::Short,
        Fault::FlippedBit { bit: 3 },
        Fault::FlippedBit { bit: 8 * 20 + 1 },
        Fault::FlippedBit { bit: 8 * 1000 },
        Fault::Lost,
        Fault::Panic,
    ];
    let (mut errors, mut harmless) = (0, 0);
    for fault in faults {
        for operation in [Operation::Write, Operation::Read] {
            for n in (0..34).chain([60, 1000]) {
                let tier = FaultyTier::new(MemoryTier::new()).fail(operation, n, fault);
                let mut tape = spilling(4, 2, false, tier);
                tape.push(Site::new(), 0.25);
                let first = sweep(&mut tape);
                let failed = first.is_err();
                match first {
                    Ok(()) => harmless += 1,
                    Err(error) => {
                        errors += 1;
                        assert!(!error.to_string().is_empty());
                        let expected = match fault {
                            Fault::Panic => matches!(error, TapeError::TierLost),
                            Fault::FlippedBit { .. } => matches!(error, TapeError::Corrupt { .. }),
                            _ => matches!(error, TapeError::Tier { .. }),
                        };
                        assert!(expected, "{fault:?} {operation:?} {n}: {error}");
                    }
                }
                // Usable: what was below is there, and what fits into memory, and without panic all the rest.
                assert_eq!(tape.pop(Site::<f64>::new()), 0.25);
                assert!(tape.is_empty());
                if let Err(error) = sweep(&mut tape) {
                    // It was an operation of this sweep then.
                    let lost = matches!(error, TapeError::TierLost);
                    assert!(!failed || lost, "{fault:?} {operation:?} {n}: {error}");
                }
                tape.clear();
                tape.push_slice(Site::new(), &[1.0; 500]);
                assert_eq!(tape.pop_vec(Site::<f64>::new()), [1.0; 500]);
            }
        }
    }
    assert!(errors > 300, "{errors} errors, {harmless} harmless");
}

#[test]
fn an_interruption_is_tried_again() {
    let mut tier = FaultyTier::new(MemoryTier::new());
    for n in [0, 1, 5] {
        tier = tier
            .fail(Operation::Write, n, Fault::Error(ErrorKind::Interrupted))
            .fail(Operation::Read, n, Fault::Error(ErrorKind::Interrupted));
    }
    let mut tape = spilling(3, 1, false, tier);
    sweep(&mut tape).expect("tried again");
}

#[test]
fn a_full_tier_is_an_error_and_leaves_what_is_there() {
    let mut tape = spilling(3, 1, false, MemoryTier::with_limit(5 * PAGE as u64));
    let site = Site::new();
    let outcome = catch_tape_error(|| {
        for i in 0.. {
            tape.push(site, i);
        }
    });
    match outcome {
        Err(TapeError::Tier { source, .. }) => assert_eq!(source.kind(), ErrorKind::StorageFull),
        other => panic!("{other:?}"),
    }
    // Every record that was pushed comes back.
    let mut next = None;
    while !tape.is_empty() {
        let i: i32 = tape.pop(site);
        assert!(next.is_none_or(|next| next == i));
        next = Some(i - 1);
    }
    assert_eq!(next, Some(-1));
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
fn a_lost_page_below_a_mark_is_an_error_not_an_abort() {
    let tier = FaultyTier::new(MemoryTier::new()).fail(Operation::Write, 40, Fault::Lost);
    let mut tape = spilling(3, 1, false, tier);
    let site = Site::new();
    for i in 0..5000 {
        tape.push(site, f64::from(i));
    }
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let mut guard = Rewind::new(&mut tape);
        for i in 0..40_000 {
            guard.tape().push(site, f64::from(i));
        }
        panic!("in user code");
    }));
    assert!(outcome.is_err());
    assert_eq!(tape.stats().bytes, 40_000);
    let outcome = catch_tape_error(|| tape.pop(site));
    assert!(
        matches!(outcome, Err(TapeError::Tier { .. })),
        "{outcome:?}"
    );
    tape.clear();
    sweep(&mut tape).expect("usable");
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
fn an_item_that_is_lost_half_way_is_not_popped_again() {
    let tier =
        FaultyTier::new(MemoryTier::new()).fail(Operation::Read, 3, Fault::Error(ErrorKind::Other));
    let mut tape = spilling(3, 1, false, tier);
    tape.push(Site::new(), 0.5);
    let mark = tape.mark();
    // Every element is the length: a part of the slice would pass for a whole one.
    tape.push_slice(Site::new(), &vec![5000_u64; 5000]);
    let mut back = vec![0_u64; 5000];
    let mut first = None;
    for _ in 0..3 {
        let outcome = catch_unwind_text(|| tape.pop_slice(Site::new(), &mut back));
        let text = outcome.expect_err("the page is lost");
        first.get_or_insert_with(|| text.clone());
    }
    assert!(first.is_some_and(|text| text.contains("cannot read a page")));
    tape.rewind(mark);
    assert_eq!(tape.pop(Site::<f64>::new()), 0.5);
}

fn catch_unwind_text<R>(f: impl FnOnce() -> R) -> Result<R, String> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(f))
        .map_err(|payload| *payload.downcast::<String>().expect("a text"))
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
}

#[cfg(feature = "disk")]
mod disk {
    use super::*;
    use crate::tier::DiskTier;

    fn directory() -> tempfile::TempDir {
        tempfile::tempdir().expect("a directory")
    }

    #[test]
    fn a_tape_on_disk_gives_back_what_it_got() {
        let dir = directory();
        let mut tape = Tape::builder()
            .memory_budget(1 << 20)
            .spill_to(dir.path())
            .build()
            .expect("valid");
        for _ in 0..2 {
            let site = Site::new();
            for i in 0..1_000_000 {
                tape.push(site, f64::from(i));
            }
            assert!((0..1_000_000).rev().all(|i| tape.pop(site) == f64::from(i)));
            sweep(&mut tape).expect("works");
        }
        let stats = tape.stats();
        assert!(
            stats.written_bytes > 12 << 20 && stats.read_bytes > 12 << 20,
            "{stats:?}"
        );
        assert!(stats.most_held_bytes.expect("a budget") <= 1 << 20);
        // The file has no name.
        assert_eq!(std::fs::read_dir(dir.path()).expect("readable").count(), 0);
    }

    #[test]
    fn a_directory_that_cannot_be_used_is_an_error() {
        let dir = directory();
        let missing = dir.path().join("missing");
        let built = Tape::builder()
            .memory_budget(1 << 20)
            .spill_to(missing)
            .build();
        match built {
            Err(TapeError::Tier {
                operation: TierOperation::Start,
                source,
                ..
            }) => {
                assert_eq!(source.kind(), ErrorKind::NotFound);
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_truncated_file_is_an_error() {
        let mut tier = DiskTier::new(directory().path()).expect("a file");
        let mut tape = MemoryTier::new();
        let page = Box::new([7_u8; 3 * PAGE]);
        let start = page.as_ptr().align_offset(PAGE);
        let page = &page[start..start + PAGE];
        for at in [0, PAGE as u64] {
            tier.write(at, page).expect("written");
            tape.write(at, page).expect("written");
        }
        tier.free(PAGE as u64).expect("truncated");
        let mut back = vec![0_u8; 2 * PAGE];
        let start = back.as_ptr().align_offset(PAGE);
        let back = &mut back[start..start + PAGE];
        tier.read(0, back).expect("there");
        assert_eq!(back, page);
        let error = tier.read(PAGE as u64, back).expect_err("gone");
        assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
    }
}
