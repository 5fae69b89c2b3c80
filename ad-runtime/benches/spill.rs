//! A tape larger than its memory budget, against the disk and against memory.
//!
//! ```text
//! cargo bench -p ad-runtime --bench spill                 4 GiB of records through 64 MiB, in the temporary folder
//! cargo bench -p ad-runtime --bench spill -- --gib 8 --budget-mib 256 --dir /some/disk
//! cargo bench -p ad-runtime --bench spill -- --test                        16 MiB, as a check
//! ```
//!
//! One run after the other, each forward and back, with records of 32 bytes: the disk alone (pages of the size of a
//! slab through `DiskTier`), the sweep in memory, on a tier that keeps nothing (what checksums and hand-over cost), and
//! on disk. The sweep cannot be faster than the slower of disk and memory.

#![allow(clippy::print_stdout, reason = "a report")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ad_runtime::tier::{DiskTier, NullTier, PAGE, Tier};
use ad_runtime::{Site, Tape, TapeError};

const RECORD: usize = 32;

struct Options {
    bytes: usize,
    budget: usize,
    dir: PathBuf,
}

fn options() -> Options {
    let mut options = Options {
        bytes: 4 << 30,
        budget: 64 << 20,
        dir: std::env::temp_dir(),
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().expect("a value after the option");
        match argument.as_str() {
            "--gib" => options.bytes = value().parse::<usize>().expect("a number") << 30,
            "--budget-mib" => options.budget = value().parse::<usize>().expect("a number") << 20,
            "--dir" => options.dir = value().into(),
            "--test" => (options.bytes, options.budget) = (16 << 20, 2 << 20),
            _ => {} // what cargo passes on
        }
    }
    options
}

/// Writes and reads the bytes in pages, past the tape.
fn disk_alone(
    dir: &Path,
    bytes: usize,
    page: usize,
) -> Result<(Duration, Duration, bool), std::io::Error> {
    let mut tier = DiskTier::new(dir)?;
    let mut memory = vec![1_u8; page + PAGE];
    let start = memory.as_ptr().align_offset(PAGE);
    let memory = &mut memory[start..start + page];
    let offsets: Vec<u64> = (0..(bytes / page) as u64)
        .map(|k| k * page as u64)
        .collect();
    let begin = Instant::now();
    for &at in &offsets {
        tier.write(at, memory)?;
    }
    let written = begin.elapsed();
    for &at in offsets.iter().rev() {
        tier.read(at, memory)?;
    }
    Ok((written, begin.elapsed() - written, tier.is_direct()))
}

/// Forward and back; a chain of integer operations, so that the compiler keeps the order.
fn sweep(tape: &mut Tape, records: usize, checked: bool) -> (Duration, Duration) {
    let site = Site::new();
    let begin = Instant::now();
    let mut x = 1_u64;
    for _ in 0..records {
        x = x.rotate_left(7) ^ 0x9E37_79B9_7F4A_7C15;
        tape.push(site, [x, x ^ 1, x ^ 2, x ^ 3]);
    }
    let forward = begin.elapsed();
    let mut wrong = 0;
    for _ in 0..records {
        let [a, b, c, d] = tape.pop(site);
        wrong += usize::from(a != x || b != x ^ 1 || c != x ^ 2 || d != x ^ 3);
        x = (x ^ 0x9E37_79B9_7F4A_7C15).rotate_right(7);
    }
    assert!(!checked || wrong == 0, "{wrong} wrong records");
    (forward, begin.elapsed() - forward)
}

fn row(name: &str, (forward, back): (Duration, Duration), records: usize) {
    let nanos = |t: Duration| t.as_secs_f64() * 1e9 / records as f64;
    println!(
        "{name:<24} forward {:>6.2} s ({:>5.1} ns a record)   back {:>6.2} s ({:>5.1} ns a record)",
        forward.as_secs_f64(),
        nanos(forward),
        back.as_secs_f64(),
        nanos(back)
    );
}

fn main() -> Result<(), TapeError> {
    let Options { bytes, budget, dir } = options();
    let records = bytes / RECORD;
    let page = (budget / 8).clamp(128 << 10, 4 << 20);
    println!(
        "{} MiB of records of {RECORD} bytes, a budget of {} MiB",
        bytes >> 20,
        budget >> 20
    );
    let mut disk = Duration::MAX;
    for _ in 0..2 {
        match disk_alone(&dir, bytes, page) {
            Ok((out, back, direct)) => {
                row(
                    if direct {
                        "disk (O_DIRECT)"
                    } else {
                        "disk (buffered)"
                    },
                    (out, back),
                    records,
                );
                disk = disk.min(out + back);
            }
            Err(error) => println!("disk: {error}"),
        }
    }
    let mut memory = Duration::MAX;
    {
        let mut tape = Tape::new();
        for name in ["in memory, cold", "in memory, warm"] {
            let (forward, back) = sweep(&mut tape, records, true);
            row(name, (forward, back), records);
            memory = memory.min(forward + back);
        }
    }
    let mut tape = Tape::builder()
        .memory_budget(budget)
        .tier(NullTier)
        .build()?;
    row(
        "budget, nothing kept",
        sweep(&mut tape, records, false),
        records,
    );
    let mut best = Duration::MAX;
    for _ in 0..2 {
        let mut tape = Tape::builder()
            .memory_budget(budget)
            .spill_to(&dir)
            .build()?;
        let (forward, back) = sweep(&mut tape, records, true);
        row("budget, on disk", (forward, back), records);
        best = best.min(forward + back);
        let stats = tape.stats();
        println!(
            "{:<24} {} stalls, waited {:.2} s, at most {} MiB in memory",
            "",
            stats.stalls,
            stats.waited.as_secs_f64(),
            stats.most_held_bytes.unwrap_or(0) >> 20
        );
    }
    let bound = disk.max(memory).as_secs_f64();
    println!(
        "on disk / slower of disk and memory: {:.2}",
        best.as_secs_f64() / bound
    );
    Ok(())
}
