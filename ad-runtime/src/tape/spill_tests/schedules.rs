//! The hand-over between the sweep and its thread, under many orders in which the two may run.
//!
//! Shuttle runs each test again and again, and at every send, receive, spawn and join decides who goes on. It fails a
//! test in which both threads wait for each other, and one whose thread is still there in the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use super::*;

const RUNS: usize = 300;

/// Schedules drawn at random, and those with few changes of the thread that runs.
fn check(test: impl Fn() + Send + Sync + 'static) {
    let test = Arc::new(test);
    let random = Arc::clone(&test);
    shuttle::check_random(move || random(), RUNS);
    shuttle::check_pct(move || test(), RUNS, 3);
}

/// Counts those that are alive: none of them may outlive its tape.
#[derive(Debug)]
struct Counted<T>(T, Arc<AtomicUsize>);

impl<T> Counted<T> {
    fn new(tier: T, alive: &Arc<AtomicUsize>) -> Self {
        alive.fetch_add(1, SeqCst);
        Self(tier, Arc::clone(alive))
    }
}

impl<T> Drop for Counted<T> {
    fn drop(&mut self) {
        self.1.fetch_sub(1, SeqCst);
    }
}

impl<T: Tier> Tier for Counted<T> {
    fn write(&mut self, at: u64, page: &[u8]) -> std::io::Result<()> {
        shuttle::thread::yield_now();
        self.0.write(at, page)
    }

    fn read(&mut self, at: u64, page: &mut [u8]) -> std::io::Result<()> {
        shuttle::thread::yield_now();
        self.0.read(at, page)
    }

    fn free(&mut self, at: u64) -> std::io::Result<()> {
        shuttle::thread::yield_now();
        self.0.free(at)
    }
}

/// Panics at the `n`th operation; without the hook, which shuttle takes for the end of the test.
#[derive(Debug)]
struct Panicking(MemoryTier, usize);

impl Panicking {
    fn count(&mut self) {
        if self.1 == 0 {
            std::panic::resume_unwind(Box::new("told to"));
        }
        self.1 -= 1;
    }
}

impl Tier for Panicking {
    fn write(&mut self, at: u64, page: &[u8]) -> std::io::Result<()> {
        self.count();
        self.0.write(at, page)
    }

    fn read(&mut self, at: u64, page: &mut [u8]) -> std::io::Result<()> {
        self.count();
        self.0.read(at, page)
    }

    fn free(&mut self, at: u64) -> std::io::Result<()> {
        self.count();
        self.0.free(at)
    }
}

/// Runs `test` with a tape of a few pages over the tier; the thread is gone when the tape is.
fn with_tape_over(
    tier: impl Tier + 'static,
    pages: usize,
    prefetch: usize,
    test: impl FnOnce(&mut Tape),
) {
    let alive = Arc::default();
    let mut tape = spilling(pages, prefetch, false, Counted::new(tier, &alive));
    test(&mut tape);
    assert_eq!(alive.load(SeqCst), 1);
    drop(tape);
    assert_eq!(alive.load(SeqCst), 0);
}

/// Records of a kibibyte, so that a few of them fill a page.
const KIB: usize = 128;

fn forward(tape: &mut Tape, range: std::ops::Range<u64>) {
    range.for_each(|i| tape.push(Site::new(), [i; KIB]));
}

fn back(tape: &mut Tape, range: std::ops::Range<u64>) {
    range
        .rev()
        .for_each(|i| assert_eq!(tape.pop(Site::<[u64; KIB]>::new()), [i; KIB]));
}

#[test]
fn a_sweep_ends_with_right_values() {
    for (pages, prefetch) in [(3, 1), (4, 2), (6, 4)] {
        check(move || {
            with_tape_over(MemoryTier::new(), pages, prefetch, |tape| {
                forward(tape, 0..40);
                back(tape, 20..40);
                // The direction changes while pages are on their way.
                forward(tape, 20..30);
                back(tape, 0..30);
                assert!(tape.is_empty());
            });
        });
    }
}

#[test]
fn a_rewind_forgets_what_is_on_its_way() {
    check(|| {
        with_tape_over(MemoryTier::new(), 4, 2, |tape| {
            forward(tape, 0..9);
            let mark = tape.mark();
            for _ in 0..2 {
                forward(tape, 100..120);
                back(tape, 115..120);
                tape.rewind(mark);
            }
            back(tape, 0..9);
            forward(tape, 0..20);
            tape.clear();
            tape.trim(0);
            assert_eq!(tape.stats().held_bytes, 0);
            forward(tape, 0..20);
            back(tape, 0..20);
        });
    });
}

#[test]
fn a_tape_can_be_dropped_at_any_time() {
    check(|| {
        for pushed in [0, 5, 13, 30] {
            with_tape_over(MemoryTier::new(), 4, 2, |tape| forward(tape, 0..pushed));
            with_tape_over(MemoryTier::new(), 4, 2, |tape| {
                forward(tape, 0..pushed);
                back(tape, pushed / 2..pushed);
            });
        }
    });
}

/// Right values or an error, and a usable tape; how many errors there were.
fn either(tier: impl Tier + 'static) -> usize {
    let mut errors = 0;
    with_tape_over(tier, 4, 2, |tape| {
        tape.push(Site::new(), 0.5);
        let outcome = catch_tape_error(|| {
            let mut guard = Rewind::new(tape);
            forward(guard.tape(), 0..30);
            back(guard.tape(), 0..30);
            guard.disarm();
        });
        if let Err(error) = outcome {
            let typed = matches!(
                error,
                TapeError::Tier { .. } | TapeError::Corrupt { .. } | TapeError::TierLost
            );
            assert!(typed, "{error}");
            errors += 1;
        }
        assert_eq!(tape.pop(Site::<f64>::new()), 0.5);
        forward(tape, 0..3);
        back(tape, 0..3);
    });
    errors
}

#[test]
fn a_failing_tier_is_an_error_or_harmless() {
    let errors = Arc::new(AtomicUsize::new(0));
    for operation in [Operation::Write, Operation::Read] {
        for fault in [
            Fault::Error(ErrorKind::StorageFull),
            Fault::FlippedBit { bit: 8000 },
            Fault::Lost,
        ] {
            let errors = Arc::clone(&errors);
            check(move || {
                let n = shuttle::rand::Rng::gen_range(&mut shuttle::rand::thread_rng(), 0..8);
                let tier = FaultyTier::new(MemoryTier::new()).fail(operation, n, fault);
                errors.fetch_add(either(tier), SeqCst);
            });
        }
    }
    assert!(errors.load(SeqCst) > RUNS);
}

#[test]
fn a_panicking_tier_is_an_error_or_harmless() {
    let errors = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&errors);
    check(move || {
        let n = shuttle::rand::Rng::gen_range(&mut shuttle::rand::thread_rng(), 0..16);
        seen.fetch_add(either(Panicking(MemoryTier::new(), n)), SeqCst);
    });
    assert!(errors.load(SeqCst) > RUNS);
}

/// Each tape goes to a thread and comes back.
fn on_threads(tapes: &mut [Tape], work: fn(&mut Tape)) {
    let run = |tape: &mut Tape| {
        let mut own = std::mem::take(tape);
        shuttle::thread::spawn(move || {
            work(&mut own);
            own
        })
    };
    let threads: Vec<_> = tapes.iter_mut().map(run).collect();
    for (tape, thread) in tapes.iter_mut().zip(threads) {
        *tape = thread.join().expect("no panic");
    }
}

#[test]
fn children_use_one_thread_side_by_side() {
    check(|| {
        with_tape_over(MemoryTier::new(), 16, 2, |tape| {
            let mut fork = tape.fork(2);
            on_threads(fork.tapes(), |tape| forward(tape, 0..40));
            fork.join();
            let mut fork = tape.refork(2);
            on_threads(fork.tapes(), |tape| back(tape, 0..40));
            fork.join();
            assert!(tape.is_empty());
        });
    });
}
