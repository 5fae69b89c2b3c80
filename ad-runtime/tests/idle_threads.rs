//! What threads hold that have run a gradient and idle. In a process of its own, because it counts all memory; one
//! test, so that nothing else runs meanwhile.

#![allow(unsafe_code, reason = "an allocator that counts is one")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Barrier, Mutex};

use ad_runtime::__rt::{Corners, Ix, MatrixMut, Products, recycle, zeros};
use ad_runtime::{Site, Tape, with_tape};

const MB: usize = 1 << 20;

/// What a thread and the pool hold at most for tapes, as `with_tape` says.
const OF_THREAD: usize = MB;
const OF_ALL: usize = 256 * MB;

/// What a thread, and all together, hold at most of buffers for products of `f64` that wait.
const BUFFERS_OF_THREAD: usize = MB / 2;
const BUFFERS_OF_ALL: usize = 16 * MB;

/// What a thread holds at most of vectors of `f64` that sweeps are done with, and of their list.
const VECTORS_OF_THREAD: usize = MB + 2048;

/// Bytes that are allocated.
static LIVE: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// SAFETY: all is left to the allocator of the system; what is added is a number.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.fetch_add(layout.size(), SeqCst);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        LIVE.fetch_add(layout.size(), SeqCst);
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), SeqCst);
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Bytes that are held more than `before`.
fn more_than(before: usize) -> usize {
    LIVE.load(SeqCst).saturating_sub(before)
}

static ITEM: [u64; 4096] = [7; 4096];

/// Both sweeps of a gradient with so many bytes on the tape; `in_the_middle` between them.
fn sweeps(tape: &mut Tape, bytes: usize, in_the_middle: &dyn Fn()) {
    let (site, items) = (Site::new(), bytes / size_of_val(&ITEM));
    (0..items).for_each(|_| tape.push_slice(site, &ITEM));
    in_the_middle();
    let mut back = [0; ITEM.len()];
    for _ in 0..items {
        tape.pop_slice(site, &mut back);
        assert_eq!(back, ITEM);
    }
    assert!(tape.is_empty());
}

fn gradient(bytes: usize, in_the_middle: &dyn Fn()) {
    with_tape(|tape| sweeps(tape, bytes, in_the_middle));
}

/// A gradient that calls functions that compute gradients.
fn nested(depth: usize, bytes: usize) {
    gradient(bytes, &|| {
        if depth > 0 {
            nested(depth - 1, bytes);
        }
    });
}

/// A gradient with a parallel loop.
fn forked(bytes: usize) {
    with_tape(|tape| {
        let mut fork = tape.fork(4);
        for child in fork.tapes() {
            child.push_slice(Site::new(), &vec![1.5; bytes / 8]);
        }
        fork.join();
        let mut fork = tape.refork(4);
        for child in fork.tapes() {
            let mut back = vec![0.0; bytes / 8];
            child.pop_slice(Site::new(), &mut back);
        }
        fork.join();
    });
}

/// A loop with many parallel loops in it, and the tape's own lists of them.
fn many_forks() {
    with_tape(|tape| {
        (0..200_000).for_each(|_| tape.fork(2).join());
        (0..200_000).for_each(|_| tape.refork(2).join());
    });
}

/// Loops with nothing to do.
fn empty_forks() {
    with_tape(|tape| {
        (0..200_000).for_each(|_| tape.fork(0).join());
        (0..200_000).for_each(|_| tape.refork(0).join());
    });
}

/// A tape with checks that is left to the thread.
fn exchanged() {
    with_tape(|tape| {
        *tape = Tape::builder().shadow(true).build().expect("valid");
        sweeps(tape, MB, &|| ());
        let site = Site::new();
        (0..200_000).for_each(|i| tape.push(site, f64::from(i)));
        (0..200_000)
            .rev()
            .for_each(|i| assert_eq!(tape.pop(site), f64::from(i)));
    });
}

/// A gradient that panics half-way.
fn broken(bytes: usize) {
    let outcome =
        std::panic::catch_unwind(|| gradient(bytes, &|| std::panic::resume_unwind(Box::new(()))));
    assert!(outcome.is_err());
}

/// Products for a matrix that wait for others, of the largest buffers that are kept.
fn products() {
    const N: usize = 4096;
    const ROWS: usize = 512;
    let mut matrix = vec![0.0; ROWS * N];
    let corners = || Corners {
        starts: [0, N, (ROWS - 1) * N].map(Ix::of),
        ends: [N - 1, ROWS * N - 1].map(Ix::of),
    };
    let mut all: [Products<f64, true>; 4] = std::array::from_fn(|_| Products::new());
    for products in &mut all {
        for _ in 0..4 {
            if products.wants(MatrixMut::of(&mut matrix, corners(), ROWS, N), true) {
                products.begin(&mut matrix, |_| 1.0);
                products.rows(&[1.0; ROWS]);
            }
        }
        products.add(&mut matrix);
    }
    assert_eq!(matrix[0], 8.0, "two of four were kept, of four");
}

/// Vectors of many lengths that a sweep is done with, more than are kept.
fn vectors() {
    for len in [128, 3000, 20_000, 32_768, 200_000] {
        let all: Vec<Vec<f64>> = (0..64).map(|_| zeros(len)).collect();
        all.into_iter().for_each(recycle);
    }
}

/// What `threads` threads hold together that have all done their work and wait.
fn held_by(threads: usize, work: &(dyn Fn() + Sync)) -> usize {
    let (before, done, asked) = (
        LIVE.load(SeqCst),
        Barrier::new(threads + 1),
        Barrier::new(threads + 1),
    );
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                work();
                done.wait();
                asked.wait();
            });
        }
        done.wait();
        let held = more_than(before);
        asked.wait();
        held
    })
}

#[test]
fn idle_threads_hold_little() {
    // One after the other: each uses what the one before gave back.
    let turn = Mutex::new(());
    let held = held_by(60, &|| {
        let _turn = turn.lock();
        gradient(10 * MB, &|| ());
    });
    assert!(
        held <= 20 * MB + 60 * OF_THREAD,
        "{held} bytes, one after the other"
    );
    // All at once: together they need more than what stays.
    let all = Barrier::new(40);
    let held = held_by(40, &|| {
        gradient(8 * MB, &|| {
            all.wait();
        })
    });
    assert!(held <= OF_ALL + 40 * OF_THREAD, "{held} bytes, all at once");

    // What is nested needs 26 MB at once.
    let work: [(&str, &(dyn Fn() + Sync)); 8] = [
        ("nested", &|| nested(12, 2 * MB)),
        ("forked", &|| forked(4 * MB)),
        ("many forks", &many_forks),
        ("empty forks", &empty_forks),
        ("exchanged", &exchanged),
        ("broken", &|| broken(10 * MB)),
        ("products", &products),
        ("vectors", &vectors),
    ];
    let before = LIVE.load(SeqCst);
    for (name, work) in work {
        let held = held_by(24, &|| {
            let _turn = turn.lock();
            work();
        });
        let buffers = match name {
            "products" => BUFFERS_OF_ALL + 24 * BUFFERS_OF_THREAD,
            "vectors" => 24 * VECTORS_OF_THREAD,
            _ => 0,
        };
        assert!(
            held <= 30 * MB + buffers + 24 * OF_THREAD,
            "{held} bytes, {name}"
        );
    }
    // Of what these hold, nothing is in the pool.
    for (name, work) in [
        ("many forks", &many_forks as &(dyn Fn() + Sync)),
        ("empty forks", &empty_forks),
        ("exchanged", &exchanged),
    ] {
        let held = held_by(1, work);
        assert!(held <= OF_THREAD, "{held} bytes, {name}, one thread");
    }
    // A tape of one's own that is trimmed.
    let held = more_than(before);
    let mut tape = Tape::builder().shadow(true).build().expect("valid");
    (0..100_000).for_each(|_| tape.fork(2).join());
    (0..100_000).for_each(|_| tape.refork(2).join());
    tape.trim(0);
    let left = more_than(before).saturating_sub(held);
    assert!(left < 64 << 10, "{left} bytes after `trim`");
    drop(tape);
    assert!(
        more_than(before) <= 30 * MB + BUFFERS_OF_ALL,
        "threads that have ended hold nothing"
    );
}
