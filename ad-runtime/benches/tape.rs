//! One value or record pushed and popped: the tape against raw memory.
//!
//! `cargo bench -p ad-runtime --bench tape`, one size with `-- 100000`, everything once with `-- --test`.
//!
//! All contestants run the same loop. The values come out of a chain of two integer operations each, and go into one,
//! so that no iteration can be left out, reordered or done beside others; the buffer is behind `black_box`. Times are
//! for one pass forward and one back, warm.
//!
//! Three reports are made of minima of rounds in turns, because on a machine that is not idle what is timed one after
//! the other cannot be compared: `-- ratios`, the same contestants as quotients; `-- streaming`, large tiles past the
//! cache; and `-- growth`, pushes alone of up to 800 MB, in nanoseconds each. A `Vec` that grows moves what it has; a
//! tape never does.

#![allow(clippy::print_stdout, reason = "a report")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use ad_runtime::{Site, Tape};
use criterion::{BenchmarkGroup, Criterion, Throughput, measurement::WallTime};

/// The next value of the chain.
#[inline(always)]
fn next(x: u64) -> u64 {
    x.rotate_left(7) ^ 0x9E37_79B9_7F4A_7C15
}

#[inline(always)]
fn value(x: u64) -> f64 {
    f64::from_bits(x)
}

#[inline(always)]
fn record(x: u64) -> [f64; 4] {
    [value(x), value(x ^ 1), value(x ^ 2), value(x ^ 3)]
}

#[inline(always)]
fn fold(sum: u64, y: f64) -> u64 {
    sum.rotate_left(5) ^ y.to_bits()
}

#[inline(always)]
fn fold_record(sum: u64, y: [f64; 4]) -> u64 {
    y.iter().fold(sum, |sum, y| fold(sum, *y))
}

/// Both loops over a slice: what raw memory costs.
#[inline(never)]
fn raw<T: Copy>(buffer: &mut [T], of: impl Fn(u64) -> T, into: impl Fn(u64, T) -> u64) -> u64 {
    let mut x = 1;
    for place in black_box(&mut *buffer).iter_mut() {
        x = next(x);
        *place = of(x);
    }
    black_box(&mut *buffer)
        .iter()
        .rev()
        .fold(x, |sum, y| into(sum, *y))
}

#[inline(never)]
fn reserved(buffer: &mut Vec<f64>, n: usize) -> u64 {
    let mut x = 1;
    let buffer = black_box(buffer);
    for _ in 0..n {
        x = next(x);
        buffer.push(value(x));
    }
    let buffer = black_box(buffer);
    (0..n).fold(x, |sum, _| fold(sum, buffer.pop().unwrap_or_default()))
}

#[inline(never)]
fn on_tape(tape: &mut Tape, n: usize) -> u64 {
    let site = Site::new();
    let mut x = 1;
    let tape = black_box(tape);
    for _ in 0..n {
        x = next(x);
        tape.push(site, value(x));
    }
    let tape = black_box(tape);
    (0..n).fold(x, |sum, _| fold(sum, tape.pop(site)))
}

#[inline(never)]
fn on_tape_records(tape: &mut Tape, n: usize) -> u64 {
    let site = Site::new();
    let mut x = 1;
    let tape = black_box(tape);
    for _ in 0..n {
        x = next(x);
        tape.push(site, record(x));
    }
    let tape = black_box(tape);
    (0..n).fold(x, |sum, _| fold_record(sum, tape.pop(site)))
}

#[inline(never)]
fn in_tile(tape: &mut Tape, n: usize) -> u64 {
    let site = Site::new();
    let mut x = 1;
    let mut tile = black_box(&mut *tape).push_tile(site, n);
    for i in 0..n {
        x = next(x);
        tile.set(i, value(x));
    }
    let tile = black_box(tape).pop_tile(site, n);
    (0..n).rev().fold(x, |sum, i| fold(sum, tile.get(i)))
}

#[inline(never)]
fn in_tile_records(tape: &mut Tape, n: usize) -> u64 {
    let site = Site::new();
    let mut x = 1;
    let mut tile = black_box(&mut *tape).push_tile(site, n);
    for i in 0..n {
        x = next(x);
        tile.set(i, record(x));
    }
    let tile = black_box(tape).pop_tile(site, n);
    (0..n).rev().fold(x, |sum, i| fold_record(sum, tile.get(i)))
}

fn contest(group: &mut BenchmarkGroup<'_, WallTime>, n: usize) {
    let mut buffer = vec![0.0; n];
    group.bench_function("f64/raw", |b| b.iter(|| raw(&mut buffer, value, fold)));
    let mut tape = Tape::new();
    group.bench_function("f64/tape", |b| b.iter(|| on_tape(&mut tape, n)));
    group.bench_function("f64/tile", |b| b.iter(|| in_tile(&mut tape, n)));
    let mut vec = Vec::with_capacity(n);
    group.bench_function("f64/reserved Vec", |b| b.iter(|| reserved(&mut vec, n)));
    let n = n / 4;
    let mut buffer = vec![[0.0; 4]; n];
    group.bench_function("4×f64/raw", |b| {
        b.iter(|| raw(&mut buffer, record, fold_record))
    });
    group.bench_function("4×f64/tape", |b| b.iter(|| on_tape_records(&mut tape, n)));
    group.bench_function("4×f64/tile", |b| b.iter(|| in_tile_records(&mut tape, n)));
}

/// The contestants in turns and the quotients of their minima.
fn ratios(n: usize, rounds: usize) {
    let repeats = (200_000 / n).max(1);
    let (mut floats, mut records) = (vec![0.0; n], vec![[0.0; 4]; n / 4]);
    let mut vec = Vec::with_capacity(n);
    let mut tapes: [Tape; 4] = Default::default();
    let [float_tape, float_tile, record_tape, record_tile] = &mut tapes;
    let mut contestants: [(&str, &mut dyn FnMut() -> u64, Duration); 7] = [
        (
            "f64/raw",
            &mut || raw(&mut floats, value, fold),
            Duration::MAX,
        ),
        (
            "f64/reserved Vec",
            &mut || reserved(&mut vec, n),
            Duration::MAX,
        ),
        ("f64/tape", &mut || on_tape(float_tape, n), Duration::MAX),
        ("f64/tile", &mut || in_tile(float_tile, n), Duration::MAX),
        (
            "4×f64/raw",
            &mut || raw(&mut records, record, fold_record),
            Duration::MAX,
        ),
        (
            "4×f64/tape",
            &mut || on_tape_records(record_tape, n / 4),
            Duration::MAX,
        ),
        (
            "4×f64/tile",
            &mut || in_tile_records(record_tile, n / 4),
            Duration::MAX,
        ),
    ];
    for _ in 0..rounds {
        for (_, run, best) in &mut contestants {
            let start = Instant::now();
            for _ in 0..repeats {
                black_box(run());
            }
            *best = start.elapsed().min(*best);
        }
    }
    let mut of_raw = Duration::MAX;
    for (name, _, best) in &contestants {
        if name.ends_with("raw") {
            of_raw = *best;
        }
        let nanos = best.as_secs_f64() * 1e9 / (n * repeats) as f64;
        let ratio = best.as_secs_f64() / of_raw.as_secs_f64();
        println!("{n:>9}  {name:<18} {nanos:>5.2} ns for an f64  {ratio:.2}×");
    }
}

#[inline(never)]
fn tile_by_index(tape: &mut Tape, n: usize) {
    let mut tile = tape.push_tile(Site::new(), n);
    (0..n).for_each(|i| tile.set(i, [i as f64, 1.0, 2.0, 3.0]));
}

#[inline(never)]
fn tile_with(tape: &mut Tape, n: usize) {
    tape.push_tile_with(Site::new(), n, |i| [i as f64, 1.0, 2.0, 3.0]);
}

type Fill = fn(&mut Tape, usize);

/// Tiles of records of four written through the cache, and past it where they are large.
fn streaming(n: usize, rounds: usize) {
    let mut tape = Tape::new();
    let repeats = (200_000 / n).max(1);
    let contestants: [(&str, Fill); 2] =
        [("push_tile", tile_by_index), ("push_tile_with", tile_with)];
    let mut bests = [Duration::MAX; 2];
    for _ in 0..rounds {
        for ((_, run), best) in contestants.iter().zip(&mut bests) {
            let start = Instant::now();
            for _ in 0..repeats {
                run(black_box(&mut tape), n);
                tape.clear();
            }
            *best = start.elapsed().min(*best);
        }
    }
    for ((name, _), best) in contestants.iter().zip(bests) {
        let nanos = best.as_secs_f64() * 1e9 / (n * repeats) as f64;
        println!("{n:>9}  {name:<18} {nanos:>5.2} ns for a record of four");
    }
}

#[inline(never)]
fn push_to_tape(tape: &mut Tape, n: usize) {
    let site = Site::new();
    let mut x = 1;
    for _ in 0..n {
        x = next(x);
        tape.push(site, value(x));
    }
}

#[inline(never)]
fn push_to_vec(vec: &mut Vec<f64>, n: usize) {
    let mut x = 1;
    for _ in 0..n {
        x = next(x);
        vec.push(value(x));
    }
}

/// Fills the pool with blocks that no tape of the default configuration takes, so that new ones get theirs from the
/// system.
fn occupy_pool() {
    let slab = 16 << 20;
    let mut tape = Tape::builder().slab_bytes(slab).build().expect("valid");
    for _ in 0..4 {
        tape.push_tile(Site::<u8>::new(), slab);
    }
}

/// Pushes alone, on what is new and on what has seen the size.
fn growth(n: usize, rounds: usize) {
    let mut best = [Duration::MAX; 5];
    let mut timed = |contestant: usize, push: &mut dyn FnMut()| {
        let start = Instant::now();
        push();
        best[contestant] = start.elapsed().min(best[contestant]);
    };
    for _ in 0..rounds {
        let mut tape = Tape::new();
        timed(0, &mut || push_to_tape(black_box(&mut tape), n));
        tape.clear();
        timed(1, &mut || push_to_tape(black_box(&mut tape), n));
        drop(tape);
        let mut vec = Vec::new();
        timed(2, &mut || push_to_vec(black_box(&mut vec), n));
        drop(vec);
        let mut vec = Vec::with_capacity(n);
        timed(3, &mut || push_to_vec(black_box(&mut vec), n));
        vec.clear();
        timed(4, &mut || push_to_vec(black_box(&mut vec), n));
    }
    let nanos = best.map(|best| best.as_secs_f64() * 1e9 / n as f64);
    println!(
        "{n:>9}  new tape {:.2}  warm tape {:.2}  growing Vec {:.2}  new reserved Vec {:.2}  warm Vec {:.2}",
        nanos[0], nanos[1], nanos[2], nanos[3], nanos[4]
    );
}

fn main() {
    let asked = |name: &str| std::env::args().any(|argument| argument == name);
    let test = asked("--test");
    if asked("ratios") || test {
        for (n, rounds) in [(1_000, 300), (100_000, 300), (10_000_000, 20)] {
            ratios(n, if test { 1 } else { rounds });
        }
    }
    if asked("streaming") || test {
        for n in [1_000, 8_000_000] {
            streaming(n, if test { 1 } else { 12 });
        }
    }
    if asked("growth") || test {
        occupy_pool();
        for exponent in 3..=8 {
            match (exponent, test) {
                (8, true) => {} // 800 MB
                (_, true) => growth(10_usize.pow(exponent), 1),
                (_, false) => growth(
                    10_usize.pow(exponent),
                    20_usize.pow(8 - exponent).clamp(8, 5000),
                ),
            }
        }
    }
    if ["ratios", "streaming", "growth"].into_iter().any(asked) {
        return;
    }
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args();
    for n in [1_000, 100_000, 10_000_000] {
        let mut group = criterion.benchmark_group(format!("tape/{n}"));
        group.throughput(Throughput::Elements(n as u64));
        if n > 1_000_000 {
            group.sample_size(10);
        }
        contest(&mut group, n);
        group.finish();
    }
    criterion.final_summary();
}
