//! The thread of a tape ends with the tape. In a process of its own, because it counts all threads.

#![cfg(target_os = "linux")]

use std::time::Duration;

use ad_runtime::tier::{Fault, FaultyTier, MemoryTier, Operation};
use ad_runtime::{Site, Tape, catch_tape_error};

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task")
        .expect("procfs")
        .count()
}

fn tape(fault: Option<Fault>) -> Tape {
    let mut tier = FaultyTier::new(MemoryTier::new());
    if let Some(fault) = fault {
        tier = tier.fail(Operation::Write, 3, fault);
    }
    Tape::builder()
        .slab_bytes(4096)
        .memory_budget(4 * 4096)
        .tier(tier)
        .build()
        .expect("valid")
}

/// A thread that was joined is listed for a moment longer.
fn falls_to(wanted: usize) -> bool {
    (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(1));
        threads() == wanted
    })
}

#[test]
fn no_thread_outlives_its_tape() {
    let before = threads();
    for fault in [None, Some(Fault::Short), Some(Fault::Panic)] {
        for _ in 0..10 {
            let mut tape = tape(fault);
            assert_eq!(threads(), before + 1);
            let outcome = catch_tape_error(|| (0..20_000).for_each(|i| tape.push(Site::new(), i)));
            assert_eq!(outcome.is_err(), fault.is_some());
            drop(tape);
            assert!(falls_to(before), "{} threads", threads());
        }
    }
}
