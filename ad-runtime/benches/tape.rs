//! One value or record pushed and popped: the tape against raw memory.
//!
//! `cargo bench -p ad-runtime --bench tape`, one size with `-- 100000`, everything once with `-- --test`.
//!
//! All contestants run the same loop. The values come out of a chain of two integer operations each, and go into one, so
//! that no iteration can be left out, reordered or done beside others; the buffer is behind `black_box`. Times are for one pass
//! forward and one back, warm.

use std::hint::black_box;
use std::time::Duration;

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

fn main() {
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
