//! The memory budget of a tape is a promise: budget and a stated constant, measured in a child process that may not
//! take more.

#![cfg(all(target_os = "linux", feature = "disk"))]

use std::process::Command;

use ad_runtime::{Site, Tape};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

const BUDGET: usize = 24 << 20;

/// What a tape may take beyond its budget.
const CONSTANT: usize = 16 << 20;

/// Ten times the budget.
const RECORDS: u32 = 30_000_000;

const CHILD: &str = "RETROGRADE_PEAK_MEMORY_CHILD";

/// A line of `/proc/self/status`, in bytes.
fn status(name: &str) -> usize {
    let text = std::fs::read_to_string("/proc/self/status").expect("procfs");
    let line = text
        .lines()
        .find(|line| line.starts_with(name))
        .expect("a line");
    let kib = line.split_whitespace().nth(1).expect("a number");
    kib.parse::<usize>().expect("a number") << 10
}

#[test]
fn a_budget_is_kept() {
    if let Some(dir) = std::env::var_os(CHILD) {
        return sweep(dir.as_ref());
    }
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory");
    let status = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "a_budget_is_kept", "--nocapture"])
        .env(CHILD, dir.path())
        .status()
        .expect("the child runs");
    assert!(status.success());
}

fn sweep(dir: &std::path::Path) {
    let limit = status("VmData:") + BUDGET + CONSTANT;
    let old = getrlimit(Resource::Data);
    let limit = Rlimit {
        current: Some(limit as u64),
        maximum: old.maximum,
    };
    setrlimit(Resource::Data, limit).expect("a limit");
    let before = status("VmRSS:");
    let mut tape = Tape::builder()
        .memory_budget(BUDGET)
        .spill_to(dir)
        .build()
        .expect("valid");
    let site = Site::new();
    for i in 0..RECORDS {
        tape.push(site, f64::from(i));
    }
    for i in (0..RECORDS).rev() {
        assert_eq!(tape.pop(site), f64::from(i));
    }
    let most = status("VmHWM:") - before;
    assert!(most <= BUDGET + CONSTANT, "{most} bytes at most");
    let stats = tape.stats();
    assert!(stats.most_held_bytes.is_some_and(|most| most <= BUDGET));
    assert!(
        stats.written_bytes > 8 * u64::from(RECORDS) - (BUDGET as u64),
        "{stats:?}"
    );
}
