//! What tapes with a budget take beside it, as `TapeBuilder::memory_budget` says. In a process of its own, because it
//! counts all memory; one test, so that nothing else runs meanwhile.

#![allow(unsafe_code, reason = "an allocator that counts is one")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use ad_runtime::tier::NullTier;
use ad_runtime::{Site, Tape};

/// Bytes of a tape or child, of a slab in memory, and of a slab anywhere.
const OF_TAPE: usize = 512 << 10;
const OF_BLOCK: usize = 8256;
const OF_SLAB: usize = 300;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

struct Counting;

fn took(bytes: usize) {
    let live = LIVE.fetch_add(bytes, SeqCst) + bytes;
    MOST.fetch_max(live, SeqCst);
}

// SAFETY: all is left to the allocator of the system; what is added is a number.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        LIVE.fetch_sub(layout.size(), SeqCst);
        took(size);
        // SAFETY: the caller's promise.
        unsafe { System.realloc(at, layout, size) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), SeqCst);
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// The most that was allocated during `work`, in bytes.
fn most(work: impl FnOnce()) -> usize {
    let before = LIVE.load(SeqCst);
    MOST.store(before, SeqCst);
    work();
    MOST.load(SeqCst) - before
}

fn tape(budget: usize, slab: usize) -> Tape {
    let builder = Tape::builder().memory_budget(budget).slab_bytes(slab);
    builder.tier(NullTier).build().expect("valid")
}

fn fill(tape: &mut Tape, bytes: usize) {
    let site = Site::new();
    (0..bytes / 8).for_each(|i| tape.push(site, i as f64));
}

#[test]
fn what_lies_beside_the_budget_is_what_is_said() {
    const BYTES: usize = 200 << 20;
    for (budget, slab) in [(4 << 20, 4 << 10), (4 << 20, 64 << 10), (8 << 20, 1 << 20)] {
        let took = most(|| fill(&mut tape(budget, slab), BYTES));
        let beside = OF_TAPE + budget / slab * OF_BLOCK + BYTES / (slab - 64) * OF_SLAB;
        assert!(took <= budget + beside, "{took} > {budget} + {beside}");
    }
    // Children, whose slabs are the sixteenth part of their share.
    let (budget, n) = (32 << 20, 15);
    let slab = budget / (n + 1) / 16;
    let took = most(|| {
        let mut tape = tape(budget, 256 << 10);
        let mut fork = tape.fork(n);
        for child in fork.tapes() {
            fill(child, BYTES / n);
        }
        fork.join();
    });
    let beside = (n + 1) * OF_TAPE + budget / slab * OF_BLOCK + BYTES / (slab - 64) * OF_SLAB;
    assert!(took <= budget + beside, "{took} > {budget} + {beside}");
}
