//! Tiers that do not answer, or never with what was asked for.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use super::*;

/// Opens and shuts.
#[derive(Debug, Default)]
struct Gate(Mutex<bool>, Condvar);

impl Gate {
    fn set(&self, shut: bool) {
        *self.0.lock().expect("no panic") = shut;
        self.1.notify_all();
    }

    fn pass(&self) {
        let shut = self.0.lock().expect("no panic");
        drop(self.1.wait_while(shut, |shut| *shut).expect("no panic"));
    }
}

/// A tier behind a gate, that counts how many of its kind there are.
#[derive(Debug)]
struct Gated {
    inner: MemoryTier,
    gate: Arc<Gate>,
    /// Time that each answer takes.
    pause: Duration,
    alive: Arc<AtomicUsize>,
}

impl Gated {
    fn new(gate: &Arc<Gate>, alive: &Arc<AtomicUsize>) -> Self {
        alive.fetch_add(1, SeqCst);
        Self {
            inner: MemoryTier::new(),
            gate: Arc::clone(gate),
            pause: Duration::ZERO,
            alive: Arc::clone(alive),
        }
    }
}

impl Drop for Gated {
    fn drop(&mut self) {
        self.alive.fetch_sub(1, SeqCst);
    }
}

impl Tier for Gated {
    fn write(&mut self, at: u64, page: &[u8]) -> std::io::Result<()> {
        self.gate.pass();
        std::thread::sleep(self.pause);
        self.inner.write(at, page)
    }

    fn read(&mut self, at: u64, page: &mut [u8]) -> std::io::Result<()> {
        self.gate.pass();
        std::thread::sleep(self.pause);
        self.inner.read(at, page)
    }

    fn free(&mut self, at: u64) -> std::io::Result<()> {
        self.gate.pass();
        self.inner.free(at)
    }
}

const LIMIT: Duration = Duration::from_millis(400);

/// Longer than any wait of one limit, and shorter than waits for ever.
const LONG: Duration = Duration::from_secs(20);

fn patient(pages: usize, tier: Gated) -> Tape {
    Tape::builder()
        .slab_bytes(PAGE)
        .memory_budget(pages * PAGE)
        .tier(tier)
        .tier_timeout(LIMIT)
        .build()
        .expect("valid")
}

/// What `f` says, which must not take long.
fn soon<R>(f: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let result = f();
    assert!(start.elapsed() < LONG, "{:?}", start.elapsed());
    result
}

fn falls_to_zero(alive: &AtomicUsize) -> bool {
    (0..2000).any(|_| {
        std::thread::sleep(Duration::from_millis(1));
        alive.load(SeqCst) == 0
    })
}

#[test]
fn a_sweep_waits_for_a_silent_tier_as_long_as_it_may() {
    let (gate, alive) = (Arc::default(), Arc::default());
    let mut tape = patient(12, Gated::new(&gate, &alive));
    sweep(&mut tape).expect("it answers");
    for round in 0..3 {
        gate.set(true);
        let error = soon(|| sweep(&mut tape)).expect_err("it does not answer");
        assert!(
            matches!(error, TapeError::TierTimeout { limit } if limit == LIMIT),
            "{error}"
        );
        assert!(error.to_string().contains("400ms"), "{error}");
        assert!(tape.is_empty());
        // Still silent: what needs no tier works, and what needs it says so again.
        tape.push_slice(Site::new(), &[1.5; 20]);
        assert_eq!(tape.pop_vec(Site::<f64>::new()), [1.5; 20]);
        assert!(soon(|| sweep(&mut tape)).is_err());
        soon(|| tape.trim(0));
        gate.set(false);
        // All blocks come back.
        let held = |tape: &Tape| {
            let stats = tape.stats();
            (stats.held_bytes, stats.most_held_bytes)
        };
        sweep(&mut tape).expect("it answers again");
        tape.clear();
        tape.trim(0);
        assert_eq!(held(&tape).0, 0, "round {round}");
        assert!(held(&tape).1.expect("a budget") <= 12 * PAGE);
    }
    drop(tape);
    assert_eq!(alive.load(SeqCst), 0, "a drop waits for what answers");
}

#[test]
fn a_read_without_answer_is_a_typed_error() {
    let (gate, alive) = (Arc::default(), Arc::default());
    let mut tape = patient(12, Gated::new(&gate, &alive));
    let site = Site::new();
    for rewound in [false, true] {
        (0..30_000).for_each(|i| tape.push(site, i));
        let mark = tape.mark();
        (0..30_000).for_each(|i| tape.push(site, i));
        gate.set(true);
        if rewound {
            tape.rewind(mark); // waits for nothing
        }
        let outcome = soon(|| catch_tape_error(|| while tape.pop(site) > 0 {}));
        assert!(
            matches!(outcome, Err(TapeError::TierTimeout { .. })),
            "{outcome:?}"
        );
        gate.set(false);
        tape.clear();
        (0..30_000).for_each(|i| tape.push(site, i));
        assert!((0..30_000).rev().all(|i: i32| tape.pop(site) == i));
    }
}

#[test]
fn a_drop_leaves_a_silent_tier_to_its_thread() {
    let (gate, alive): (Arc<Gate>, Arc<AtomicUsize>) = (Arc::default(), Arc::default());
    for children in [0, 1, 8] {
        gate.set(true);
        let mut tape = patient(60, Gated::new(&gate, &alive));
        if children == 0 {
            assert!(fill(&mut tape).is_err());
        } else {
            let mut fork = tape.fork(children);
            assert!(fork.tapes().iter_mut().all(|child| fill(child).is_err()));
        }
        let start = Instant::now();
        drop(tape);
        let took = start.elapsed();
        assert!(took < 5 * LIMIT, "once, not for each: {took:?}");
        assert_eq!(alive.load(SeqCst), 1, "nobody answered");
        gate.set(false);
        assert!(falls_to_zero(&alive), "the thread ends with the answer");
    }
}

/// More than any tape here has memory for.
fn fill(tape: &mut Tape) -> Result<(), TapeError> {
    catch_tape_error(|| (0..60_000_u64).for_each(|i| tape.push(Site::new(), i)))
}

/// Works, and does not end before its gate opens.
#[derive(Debug)]
struct Stuck(Gated, Arc<Gate>);

impl Drop for Stuck {
    fn drop(&mut self) {
        self.1.pass();
    }
}

impl Tier for Stuck {
    fn write(&mut self, at: u64, page: &[u8]) -> std::io::Result<()> {
        self.0.write(at, page)
    }

    fn read(&mut self, at: u64, page: &mut [u8]) -> std::io::Result<()> {
        self.0.read(at, page)
    }
}

#[test]
fn a_drop_does_not_wait_for_a_tier_that_does_not_end() {
    let (open, end, alive) = (Arc::default(), Arc::<Gate>::default(), Arc::default());
    let tier = Stuck(Gated::new(&open, &alive), Arc::clone(&end));
    let builder = Tape::builder().slab_bytes(PAGE).memory_budget(12 * PAGE);
    let mut tape = builder
        .tier(tier)
        .tier_timeout(LIMIT)
        .build()
        .expect("valid");
    sweep(&mut tape).expect("it answers");
    end.set(true);
    soon(|| drop(tape));
    assert_eq!(alive.load(SeqCst), 1);
    end.set(false);
    assert!(falls_to_zero(&alive));
}

#[test]
fn a_slow_tier_is_not_a_silent_one() {
    let (gate, alive) = (Arc::default(), Arc::default());
    let mut tier = Gated::new(&gate, &alive);
    tier.pause = LIMIT / 8;
    let mut tape = Tape::builder()
        .slab_bytes(PAGE)
        .memory_budget(80 * PAGE)
        .prefetch(8)
        .tier(tier)
        .tier_timeout(LIMIT)
        .build()
        .expect("valid");
    let site = Site::new();
    let mut fork = tape.fork(4);
    std::thread::scope(|scope| {
        for child in fork.tapes() {
            // So many pages that one tape's come after more of the others' than the limit allows.
            scope.spawn(move || (0..12_000_u64).for_each(|i| child.push(site, i)));
        }
    });
    fork.join();
    let waited = tape.stats().waited;
    assert!(waited > LIMIT, "{waited:?}");
}

/// Answers that it was interrupted, and counts how often.
#[derive(Debug)]
struct Interrupted(Arc<AtomicU64>, Operation);

impl Interrupted {
    fn answer(&self, operation: Operation) -> std::io::Result<()> {
        if operation != self.1 {
            return Ok(());
        }
        self.0.fetch_add(1, SeqCst);
        Err(ErrorKind::Interrupted.into())
    }
}

impl Tier for Interrupted {
    fn write(&mut self, _: u64, _: &[u8]) -> std::io::Result<()> {
        self.answer(Operation::Write)
    }

    fn read(&mut self, _: u64, _: &mut [u8]) -> std::io::Result<()> {
        self.answer(Operation::Read)
    }
}

#[test]
fn an_interruption_without_end_is_an_error() {
    for operation in [Operation::Write, Operation::Read] {
        let asked = Arc::new(AtomicU64::new(0));
        let mut tape = spilling(4, 1, false, Interrupted(Arc::clone(&asked), operation));
        let error = sweep(&mut tape).expect_err("it never works");
        let TapeError::Tier { source, .. } = &error else {
            panic!("{error}");
        };
        assert_eq!(source.kind(), ErrorKind::Interrupted);
        assert!(error.to_string().contains("100000 times"), "{error}");
        assert!(asked.load(SeqCst) >= 100_000);
        // Usable within memory.
        tape.push_slice(Site::new(), &[1.5; 20]);
        assert_eq!(tape.pop_vec(Site::<f64>::new()), [1.5; 20]);
        assert!(tape.is_empty());
    }
}
