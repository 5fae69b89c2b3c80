//! A process that is killed leaves no file behind: the file of a tape has no name.

#![cfg(all(target_os = "linux", feature = "disk"))]

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use ad_runtime::{Site, Tape};

const CHILD: &str = "RETROGRADE_KILLED_CHILD";

#[test]
fn a_killed_process_leaves_no_file() {
    if let Some(dir) = std::env::var_os(CHILD) {
        return spill_and_wait(dir.as_ref());
    }
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory");
    let mut child = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "a_killed_process_leaves_no_file", "--nocapture"])
        .env(CHILD, dir.path())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the child runs");
    let mut said = BufReader::new(child.stderr.take().expect("piped")).lines();
    let spilled = said.any(|line| line.is_ok_and(|line| line.starts_with("spilled")));
    assert!(spilled);
    child.kill().expect("killed");
    child.wait().expect("gone");
    assert_eq!(std::fs::read_dir(dir.path()).expect("readable").count(), 0);
}

fn spill_and_wait(dir: &std::path::Path) {
    let mut tape = Tape::builder()
        .memory_budget(1 << 20)
        .spill_to(dir)
        .build()
        .expect("valid");
    for i in 0..1_000_000 {
        tape.push(Site::new(), f64::from(i));
    }
    assert!(tape.stats().written_bytes > 4 << 20);
    eprintln!("spilled");
    // Killed here; a parent that is gone must not leave this running for ever.
    std::thread::sleep(std::time::Duration::from_secs(60));
}
