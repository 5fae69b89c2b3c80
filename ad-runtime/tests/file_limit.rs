//! A file that may not grow: the page at the limit is written in part, then the system refuses the rest. In a process
//! of its own, because the limit is that of the process.

#![cfg(all(target_os = "linux", feature = "disk"))]

use ad_runtime::{Site, Tape, TapeError, catch_tape_error};
use nix::sys::signal::{SigSet, Signal};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// In the middle of a page, so that a part of it can be written.
const LIMIT: u64 = (5 << 20) + 8192;

#[test]
fn a_page_that_is_written_in_part_is_an_error_and_loses_nothing() {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory");
    // Blocked here and in the thread of the tape, or the signal would end the process before there is an error.
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGXFSZ);
    signals.thread_block().expect("blocked");
    let mut tape = Tape::builder()
        .memory_budget(1 << 20)
        .spill_to(dir.path())
        .build()
        .expect("valid");
    let limit = Rlimit {
        current: Some(LIMIT),
        ..getrlimit(Resource::Fsize)
    };
    setrlimit(Resource::Fsize, limit).expect("a limit");
    let site = Site::new();
    let outcome = catch_tape_error(|| {
        for i in 0_u64.. {
            tape.push(site, i);
        }
    });
    match outcome {
        Err(TapeError::Tier { source, .. }) => {
            assert_eq!(source.kind(), std::io::ErrorKind::FileTooLarge);
        }
        other => panic!("{other:?}"),
    }
    let pushed = tape.stats().bytes as u64 / 8;
    assert!(8 * pushed > LIMIT, "{pushed} records");
    assert!((0..pushed).rev().all(|i| tape.pop(site) == i));
    assert!(tape.is_empty());
}
