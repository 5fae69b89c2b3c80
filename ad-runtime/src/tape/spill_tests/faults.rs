//! Tiers that fail: every fault at every point, full tiers, lost pages.

use super::*;

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
