//! A tape keeps its memory: its second use asks the system for nothing. In a process of its own, because it counts all
//! page faults.
//!
//! A tape that is dropped gives at most 64 MiB to the pool; the rest goes back to the system, and a new tape faults it
//! in again.

#![cfg(target_os = "linux")]

use ad_runtime::{Site, Tape};

const POOL: usize = 64 << 20;

/// Faults that are not the tape's.
const STRAY: u64 = 5;

/// 200 MB.
const BYTES: usize = 200_000_000;

/// Bytes of a slice on the tape, with its length.
const ITEM: usize = 8 * 512 + 8;

/// Page faults of this process that needed no disk.
fn faults() -> u64 {
    // The name of the process, in parentheses, may hold anything; the tenth field is the eighth after it.
    let text = std::fs::read_to_string("/proc/self/stat").expect("procfs");
    let (_, fields) = text.rsplit_once(')').expect("a name");
    let field = fields.split_whitespace().nth(7).expect("a number");
    field.parse().expect("a number")
}

/// Fills a tape with `bytes` and empties it; how many page faults that took.
fn faults_of_use(tape: &mut Tape, bytes: usize) -> u64 {
    let before = faults();
    let (site, items) = (Site::new(), bytes / ITEM);
    for i in 0..items {
        tape.push_slice(site, &[i; 512]);
    }
    let mut back = [0; 512];
    for i in (0..items).rev() {
        tape.pop_slice(site, &mut back);
        assert_eq!(back, [i; 512]);
    }
    faults() - before
}

#[test]
fn a_tape_that_is_used_again_faults_no_page_in() {
    let mut tape = Tape::new();
    let first = faults_of_use(&mut tape, BYTES);
    let second = faults_of_use(&mut tape, BYTES);
    assert!(first > 50, "{first}, even in pages of 2 MiB");
    assert!(second <= first / 100 + STRAY, "{first}, then {second}");

    // What fits into the pool comes from there.
    drop(tape);
    let mut tape = Tape::new();
    let pooled = faults_of_use(&mut tape, POOL * 7 / 8);
    assert!(
        pooled <= first / 100 + STRAY,
        "{first}, then {pooled} of the pool"
    );

    // The rest does not.
    let whole = faults_of_use(&mut tape, BYTES);
    let rest = first as f64 * (1.0 - POOL as f64 / BYTES as f64);
    assert!((whole as f64) < 1.1 * rest + 10.0, "{first}, then {whole}");
    eprintln!(
        "{first} faults, again {second}; a second tape: {pooled} within the pool, {whole} for all"
    );
}
