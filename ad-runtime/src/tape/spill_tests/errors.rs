//! What errors say: numbers and offsets against what the tape and the tier were asked for.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

use super::*;

/// The budget that the error says is needed, and whether it advises a place to spill to.
fn needed(outcome: Result<(), TapeError>) -> (usize, bool) {
    let error = outcome.expect_err("over budget");
    let text = error.to_string();
    let TapeError::Budget { needed, budget, .. } = error else {
        panic!("{error}");
    };
    let says = format!("needs {needed} bytes, and its memory budget is {budget} bytes");
    assert!(needed > budget && text.contains(&says), "{text}");
    (needed, text.contains("place to spill to"))
}

#[test]
fn the_budget_that_a_fork_needs_suffices() {
    let fork = |budget, tier: bool| {
        let builder = Tape::builder().slab_bytes(PAGE).memory_budget(budget);
        let builder = if tier {
            builder.tier(MemoryTier::new())
        } else {
            builder
        };
        let mut tape = builder.build().expect("valid");
        catch_tape_error(|| tape.fork(2).join())
    };
    for tier in [false, true] {
        assert_eq!(needed(fork(3 * PAGE, tier)), (9 * PAGE, false));
        assert_eq!(needed(fork(9 * PAGE - 1, tier)), (9 * PAGE, false));
        fork(9 * PAGE, tier).expect("enough");
    }
}

#[test]
fn the_budget_that_an_item_needs_suffices() {
    let push = |budget, tiles: usize, tier: bool| {
        let builder = Tape::builder().slab_bytes(PAGE).memory_budget(budget);
        let builder = if tier {
            builder.tier(MemoryTier::new())
        } else {
            builder
        };
        let mut tape = builder.build().expect("valid");
        catch_tape_error(|| {
            for _ in 0..tiles {
                tape.push_tile(Site::<f64>::new(), PAGE);
            }
        })
    };
    for tier in [false, true] {
        // More than a third of the budget.
        let (one, advice) = needed(push(4 * PAGE, 1, tier));
        assert!(!advice);
        push(one, 1, tier).expect("enough");
    }
    // What is on the tape counts where it cannot leave.
    let (all, advice) = needed(push(30 * PAGE, 4, false));
    assert!(advice);
    push(all, 4, false).expect("enough");
    push(30 * PAGE, 4, true).expect("a place to spill to");
}

/// Fails from some operation on, and says where.
#[derive(Debug)]
struct Failing {
    inner: MemoryTier,
    writes: bool,
    left: u32,
    failed_at: Arc<AtomicU64>,
}

impl Failing {
    fn step(&mut self, at: u64) -> io::Result<()> {
        let Some(left) = self.left.checked_sub(1) else {
            let _ = self
                .failed_at
                .compare_exchange(u64::MAX, at, SeqCst, SeqCst);
            return Err(ErrorKind::Other.into());
        };
        self.left = left;
        Ok(())
    }
}

impl Tier for Failing {
    fn write(&mut self, at: u64, page: &[u8]) -> io::Result<()> {
        if self.writes {
            self.step(at)?;
        }
        self.inner.write(at, page)
    }

    fn read(&mut self, at: u64, page: &mut [u8]) -> io::Result<()> {
        if !self.writes {
            self.step(at)?;
        }
        self.inner.read(at, page)
    }
}

#[test]
fn the_offset_of_a_failure_is_the_one_that_the_tier_was_asked_for() {
    for (writes, left) in [(true, 0), (true, 5), (false, 0), (false, 5)] {
        let failed_at = Arc::new(AtomicU64::new(u64::MAX));
        let tier = Failing {
            inner: MemoryTier::new(),
            writes,
            left: left + 20,
            failed_at: Arc::clone(&failed_at),
        };
        let builder = Tape::builder().slab_bytes(PAGE).memory_budget(16 * PAGE);
        let mut tape = builder.tier(tier).prefetch(1).build().expect("valid");
        let mut fork = tape.fork(2);
        let site = Site::new();
        let outcome = catch_tape_error(|| {
            for _ in 0..40 {
                for child in fork.tapes() {
                    (0..500).for_each(|i| child.push(site, f64::from(i)));
                }
            }
            for child in fork.tapes().iter_mut().rev() {
                (0..20_000).for_each(|_| assert!(child.pop(site) < 500.0));
            }
        });
        match outcome {
            Err(TapeError::Tier { at: Some(at), .. }) => assert_eq!(at, failed_at.load(SeqCst)),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_page_that_is_damaged_is_named_by_its_place_on_the_tier() {
    let fault = Fault::FlippedBit { bit: 1000 };
    let tier = FaultyTier::new(MemoryTier::new()).fail(Operation::Read, 0, fault);
    let builder = Tape::builder().slab_bytes(PAGE).memory_budget(16 * PAGE);
    let mut tape = builder.tier(tier).prefetch(1).build().expect("valid");
    let site = Site::new();
    let mut fork = tape.fork(2);
    let outcome = catch_tape_error(|| {
        for child in fork.tapes() {
            (0..20_000).for_each(|i| child.push(site, f64::from(i)));
        }
        (0..20_000).for_each(|_| assert!(fork.tapes()[1].pop(site) < 20_000.0));
    });
    // The pages of the other child lie below: alone, it would be within the 160,000 bytes that were pushed.
    match outcome {
        Err(TapeError::Corrupt { at, .. }) => assert!(at > 200_000, "{at}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_fork_into_too_many_children_is_no_failure_to_build() {
    let mut tape = Tape::new();
    let error = catch_tape_error(|| tape.fork(70_000).join()).expect_err("too many");
    let text = error.to_string();
    assert!(matches!(error, TapeError::Configuration { .. }) && !text.contains("built"));
    assert!(text.ends_with("a fork into 70000 tapes, 65536 are the most"));
}

/// The thread goes on, for the other tapes of a fork.
#[test]
fn a_tier_that_panics_is_what_is_lost() {
    let tier = FaultyTier::new(MemoryTier::new()).fail(Operation::Write, 0, Fault::Panic);
    let error = sweep(&mut spilling(4, 2, false, tier)).expect_err("panics");
    assert_eq!(
        error.to_string(),
        "retrograde: the tape's tier has panicked and is not used any more"
    );
}
