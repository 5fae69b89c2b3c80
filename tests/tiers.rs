//! Gradients over a tape with a memory budget: the same bits as in memory, and errors where the tier fails.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::too_many_lines,
    unused,
    unreachable_pub,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

mod support;

use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use retrograde::tier::{Fault, FaultyTier, MemoryTier, Operation, Tier};
use retrograde::{Tape, TapeError, gradient};
use support::assert_same_value;

/// Explicit steps of a nonlinear diffusion: each needs the state before it. All of them lie on the tape.
#[gradient(no(tiles))]
fn diffusion(u0: &[f64], steps: usize) -> f64 {
    let n = u0.len();
    let mut u = u0.to_vec();
    let mut v = u.clone();
    for _ in 0..steps {
        for i in 1..n - 1 {
            let flux = u[i + 1] - 2.0 * u[i] + u[i - 1];
            v[i] = u[i] + 0.1 * flux / (1.0 + u[i] * u[i]);
        }
        std::mem::swap(&mut u, &mut v);
    }
    u.iter().map(|x| x * x).sum::<f64>()
}

/// A record in every iteration of a loop of unknown length.
#[gradient]
fn chain(x: f64, n: usize) -> f64 {
    let mut y = x;
    let mut k = 0;
    while k < n {
        y = (y * 1.1 + 0.3).sin() * y.cos();
        k += 1;
    }
    y
}

fn start(n: usize) -> Vec<f64> {
    (0..n).map(|i| (i as f64 * 0.1).sin()).collect()
}

fn budgeted() -> Tape {
    Tape::builder()
        .memory_budget(1 << 20)
        .tier(MemoryTier::new())
        .build()
        .expect("valid")
}

#[test]
fn a_budget_changes_no_bit() {
    let u0 = start(3000);
    let (mut tape, mut plain) = (budgeted(), Tape::new());
    for steps in [0, 1, 10, 300] {
        let (mut du, mut want) = (vec![0.0; u0.len()], vec![0.0; u0.len()]);
        let value = diffusion_grad_into(&mut tape, &u0, &mut du, steps);
        assert_same_value(
            value,
            diffusion_grad_into(&mut plain, &u0, &mut want, steps),
        );
        du.iter()
            .zip(&want)
            .for_each(|(a, b)| assert_same_value(*a, *b));
        let (mut dx, mut wanted) = (0.0, 0.0);
        let value = chain_grad_into(&mut tape, 0.7, &mut dx, 1000 * steps);
        assert_same_value(
            value,
            chain_grad_into(&mut plain, 0.7, &mut wanted, 1000 * steps),
        );
        assert_same_value(dx, wanted);
    }
    let stats = tape.stats();
    assert!(stats.written_bytes > 4 << 20, "{stats:?}");
    assert!(tape.is_empty());
}

#[cfg(feature = "disk")]
#[test]
fn a_file_changes_no_bit() {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory");
    let u0 = start(3000);
    let mut tape = Tape::builder()
        .memory_budget(1 << 20)
        .spill_to(dir.path())
        .build()
        .expect("valid");
    let (mut du, mut want) = (vec![0.0; u0.len()], vec![0.0; u0.len()]);
    let value = diffusion_grad_into(&mut tape, &u0, &mut du, 300);
    assert_same_value(
        value,
        diffusion_grad_into(&mut Tape::new(), &u0, &mut want, 300),
    );
    du.iter()
        .zip(&want)
        .for_each(|(a, b)| assert_same_value(*a, *b));
    assert!(tape.stats().read_bytes > 4 << 20);
}

fn faulty(operation: Operation, n: u64, fault: Fault) -> Tape {
    Tape::builder()
        .memory_budget(1 << 20)
        .tier(FaultyTier::new(MemoryTier::new()).fail(operation, n, fault))
        .build()
        .expect("valid")
}

#[test]
fn a_failing_tier_is_an_error_of_the_fallible_forms() {
    let faults = [
        Fault::Error(ErrorKind::StorageFull),
        Fault::Short,
        Fault::FlippedBit { bit: 12_345 },
        Fault::Panic,
    ];
    let mut errors = 0;
    for fault in faults {
        for operation in [Operation::Write, Operation::Read] {
            for n in [0, 3, 11] {
                let mut tape = faulty(operation, n, fault);
                let mut dx = 7.0;
                let outcome = chain_try_grad_into(&mut tape, 0.7, &mut dx, 300_000);
                // A read ahead of time that fails is tried again when it is needed.
                match outcome {
                    Ok(value) => assert_same_value(value, chain(0.7, 300_000)),
                    Err(error) => {
                        errors += 1;
                        assert!(
                            matches!(
                                error,
                                TapeError::Tier { .. }
                                    | TapeError::Corrupt { .. }
                                    | TapeError::TierLost
                            ),
                            "{error}"
                        );
                    }
                }
                assert!(tape.is_empty());
                let value =
                    chain_try_grad_into(&mut tape, 0.7, &mut dx, 1000).expect("fits into memory");
                assert_same_value(value, chain(0.7, 1000));
            }
        }
    }
    assert!(errors >= 12, "{errors}");
}

#[test]
fn a_failing_tier_is_a_panic_with_the_same_text_elsewhere() {
    let full = Fault::Error(ErrorKind::StorageFull);
    let mut tape = faulty(Operation::Write, 2, full);
    let mut dx = 0.0;
    let text = support::panic_message(|| {
        chain_grad_into(&mut tape, 0.7, &mut dx, 300_000);
    });
    let mut tape = faulty(Operation::Write, 2, full);
    let error = chain_try_grad_into(&mut tape, 0.7, &mut dx, 300_000).expect_err("full");
    assert_eq!(text, error.to_string());
}

/// A store that more than one tape may have got hold of. It keeps what it is told to give up.
#[derive(Debug, Clone, Default)]
struct Store {
    pages: Arc<Mutex<MemoryTier>>,
    /// Says that it has written, and has not.
    deaf: Arc<AtomicBool>,
    end: Arc<AtomicU64>,
    most: Arc<AtomicU64>,
}

impl Tier for Store {
    fn write(&mut self, at: u64, page: &[u8]) -> io::Result<()> {
        if self.deaf.load(SeqCst) {
            return Ok(());
        }
        let end = at + page.len() as u64;
        self.end.fetch_max(end, SeqCst);
        self.most.fetch_max(end, SeqCst);
        self.pages.lock().unwrap().write(at, page)
    }

    fn read(&mut self, at: u64, page: &mut [u8]) -> io::Result<()> {
        self.pages.lock().unwrap().read(at, page)
    }

    fn free(&mut self, at: u64) -> io::Result<()> {
        self.end.fetch_min(at, SeqCst);
        Ok(())
    }
}

impl Store {
    fn tape(&self) -> Tape {
        let builder = Tape::builder().memory_budget(1 << 20);
        builder.tier(self.clone()).build().expect("valid")
    }
}

/// Right to the last bit, or an error that says that the page is another one; whether it was right.
fn right_or_refused(tape: &mut Tape, x: f64, n: usize) -> bool {
    let (mut dx, mut want) = (0.0, 0.0);
    let outcome = chain_try_grad_into(tape, x, &mut dx, n);
    assert!(tape.is_empty());
    match outcome {
        Ok(value) => {
            assert_same_value(value, chain_grad_into(&mut Tape::new(), x, &mut want, n));
            assert_same_value(dx, want);
            true
        }
        Err(TapeError::Corrupt { reason, .. }) => {
            assert!(reason.contains("it is a page of another"), "{reason}");
            false
        }
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn a_gradient_never_has_pages_of_another_tape_or_of_an_earlier_gradient() {
    let store = Store::default();
    let mut first = store.tape();
    let mut second = store.tape();
    assert!(right_or_refused(&mut first, 0.7, 300_000));
    // The same pages with other numbers, of another tape and of the same.
    store.deaf.store(true, SeqCst);
    for x in [0.7, 0.9] {
        assert!(!right_or_refused(&mut second, x, 300_000));
        assert!(!right_or_refused(&mut first, x, 300_000));
        assert!(
            right_or_refused(&mut first, x, 10_000),
            "it fits into memory"
        );
    }
    store.deaf.store(false, SeqCst);
    for x in [0.7, 0.9] {
        assert!(right_or_refused(&mut second, x, 300_000));
        assert!(right_or_refused(&mut first, x, 300_000));
    }
    // Side by side, each gradient is right or refused.
    let sweeps = |tape: &mut Tape| {
        (0..6)
            .filter(|k| right_or_refused(tape, 0.1 * f64::from(*k), 200_000))
            .count()
    };
    std::thread::scope(|scope| {
        scope.spawn(|| sweeps(&mut first));
        scope.spawn(|| sweeps(&mut second));
    });
    assert!(right_or_refused(&mut first, 0.3, 200_000));
}

#[test]
fn gradients_of_any_lengths_leave_a_short_file_and_then_none() {
    let store = Store::default();
    let mut tape = store.tape();
    let mut most = 0;
    for n in (1..12).map(|k| 50_000 * k) {
        assert!(right_or_refused(&mut tape, 0.7, n));
        most = most.max(tape.stats().high_water as u64);
    }
    let file = store.most.load(SeqCst);
    assert!(file > 4 << 20 && file < 2 * most, "{file} of {most}");
    let begin = Instant::now();
    while store.end.load(SeqCst) > 0 {
        assert!(
            begin.elapsed() < Duration::from_secs(20),
            "{}",
            store.end.load(SeqCst)
        );
        std::thread::yield_now();
    }
}

/// Waits for each answer as long as its end of the channel is there.
#[derive(Debug)]
struct Silent(std::sync::mpsc::Receiver<()>);

impl Tier for Silent {
    fn write(&mut self, _: u64, _: &[u8]) -> std::io::Result<()> {
        let _ = self.0.recv();
        Ok(())
    }

    fn read(&mut self, _: u64, _: &mut [u8]) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_tier_that_never_answers_is_an_error_where_the_tape_has_a_limit() {
    let limit = std::time::Duration::from_millis(300);
    let (open, shut) = std::sync::mpsc::channel();
    let mut tape = Tape::builder()
        .memory_budget(1 << 20)
        .tier(Silent(shut))
        .tier_timeout(limit)
        .build()
        .expect("valid");
    let mut dx = 0.0;
    for _ in 0..2 {
        let error = chain_try_grad_into(&mut tape, 0.7, &mut dx, 300_000).expect_err("silent");
        assert!(matches!(error, TapeError::TierTimeout { .. }), "{error}");
        assert!(tape.is_empty());
        // What fits into memory needs no tier.
        let value = chain_try_grad_into(&mut tape, 0.7, &mut dx, 1000).expect("fits into memory");
        assert_same_value(value, chain(0.7, 1000));
    }
    drop(tape); // does not wait for ever
    drop(open);
}
