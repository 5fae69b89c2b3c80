//! How much room a tape takes on its tier, and when it gives it back.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::time::{Duration, Instant};

use super::*;

/// How long the file is, and has been.
#[derive(Debug, Default)]
struct Length {
    now: AtomicU64,
    most: AtomicU64,
}

impl Length {
    fn now(&self) -> u64 {
        self.now.load(SeqCst)
    }

    fn most(&self) -> u64 {
        self.most.load(SeqCst)
    }

    /// Waits for the thread of the tape to have given everything back.
    fn is_given_back(&self) -> bool {
        let begin = Instant::now();
        while self.now() > 0 && begin.elapsed() < Duration::from_secs(20) {
            std::thread::yield_now();
        }
        self.now() == 0
    }
}

/// As long as a file would be: up to the end of what was written, until it is cut off.
#[derive(Debug, Default)]
struct Measured<T>(T, Arc<Length>);

impl<T: Tier> Measured<T> {
    fn over(tier: T) -> (Self, Arc<Length>) {
        let length = Arc::default();
        (Self(tier, Arc::clone(&length)), length)
    }
}

impl<T: Tier> Tier for Measured<T> {
    fn write(&mut self, at: u64, page: &[u8]) -> io::Result<()> {
        assert!(at.is_multiple_of(PAGE as u64) && page.len().is_multiple_of(PAGE));
        let end = at + page.len() as u64;
        self.1.now.fetch_max(end, SeqCst);
        self.1.most.fetch_max(end, SeqCst);
        self.0.write(at, page)
    }

    fn read(&mut self, at: u64, page: &mut [u8]) -> io::Result<()> {
        self.0.read(at, page)
    }

    fn free(&mut self, at: u64) -> io::Result<()> {
        self.0.free(at)?;
        self.1.now.fetch_min(at, SeqCst);
        Ok(())
    }

    fn is_faithful(&self) -> bool {
        self.0.is_faithful()
    }
}

/// Pushes tiles of these many numbers, and takes them off again.
fn tiles(tape: &mut Tape, lengths: &[usize]) {
    for (k, &n) in lengths.iter().enumerate() {
        let mut tile = tape.push_tile(Site::new(), n);
        (0..n).for_each(|i| tile.set(i, (k + i) as f64));
    }
    for (k, &n) in lengths.iter().enumerate().rev() {
        let tile = tape.pop_tile(Site::<f64>::new(), n);
        assert!((0..n).all(|i| tile.get(i) == (k + i) as f64));
    }
    assert!(tape.is_empty());
}

/// At most 15 MB on the tape; the file once had 900 MB, as only room of the very same length was used again.
#[test]
fn a_file_does_not_grow_with_the_number_of_sweeps() {
    let (tier, length) = Measured::over(MemoryTier::new());
    let builder = Tape::builder().memory_budget(1 << 20);
    let mut tape = builder.tier(tier).build().expect("valid");
    tape.push(Site::new(), 0.5); // something that stays
    for round in 0..60 {
        let n = 20_000 + 600 * round;
        let mark = tape.mark();
        for i in 0..(13 << 20) / (8 * n) {
            let mut tile = tape.push_tile(Site::new(), n + i);
            tile.set(0, round as f64);
        }
        assert!(tape.stats().bytes < 15_000_000);
        tape.rewind(mark);
    }
    assert_eq!(tape.pop(Site::<f64>::new()), 0.5);
    assert!(length.most() < 15_500_000, "{}", length.most());
}

/// The same within one sweep: there is always something on the tier.
#[test]
fn a_file_does_not_grow_over_what_stays() {
    let (tier, length) = Measured::over(MemoryTier::new());
    let builder = Tape::builder().memory_budget(1 << 20);
    let mut tape = builder.tier(tier).build().expect("valid");
    let site = Site::new();
    (0..400_000).for_each(|i| tape.push(site, f64::from(i)));
    for round in 0..60 {
        let n = 20_000 + 600 * round;
        let lengths: Vec<usize> = (0..10_000_000 / (8 * n)).map(|i| n + i).collect();
        tape.push_slice(Site::new(), &[1.0; 1000]);
        let mark = tape.mark();
        for (i, n) in lengths.iter().enumerate() {
            tape.push_tile(Site::new(), *n).set(0, i as f64);
        }
        for (i, n) in lengths.iter().enumerate().rev() {
            assert_eq!(tape.pop_tile(Site::<f64>::new(), *n).get(0), i as f64);
        }
        assert_eq!(tape.mark(), mark);
        assert_eq!(tape.pop_vec(Site::<f64>::new()), [1.0; 1000]);
    }
    assert!((0..400_000).rev().all(|i| tape.pop(site) == f64::from(i)));
    assert!(length.most() < 14_000_000, "{}", length.most());
}

#[derive(Debug, Clone)]
enum Turn {
    Push { child: usize, n: usize },
    Pop { child: usize, tiles: usize },
}

fn turn() -> impl Strategy<Value = Turn> {
    let n = prop_oneof![1..2000_usize, Just(511), Just(1500)];
    prop_oneof![
        3 => (0..CHILDREN, n).prop_map(|(child, n)| Turn::Push { child, n }),
        1 => (0..CHILDREN, 1..6_usize).prop_map(|(child, tiles)| Turn::Pop { child, tiles }),
    ]
}

const CHILDREN: usize = 3;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn however_children_take_turns_the_file_is_at_most_twice_what_they_held(
        turns in prop::collection::vec(turn(), 0..400),
    ) {
        let (tier, length) = Measured::over(MemoryTier::new());
        let builder = Tape::builder().slab_bytes(PAGE).memory_budget(64 * PAGE);
        let mut tape = builder.tier(tier).build().expect("valid");
        let mut fork = tape.fork(CHILDREN);
        let mut held: Vec<Vec<(usize, usize)>> = vec![Vec::new(); CHILDREN];
        let mut most = 0;
        let pop = |child: &mut Tape, (n, k): (usize, usize)| {
            let tile = child.pop_tile(Site::<f64>::new(), n);
            assert!((0..n).all(|i| tile.get(i) == (k + i) as f64));
        };
        for (k, turn) in turns.iter().enumerate() {
            match *turn {
                Turn::Push { child, n } => {
                    let mut tile = fork.tapes()[child].push_tile(Site::new(), n);
                    (0..n).for_each(|i| tile.set(i, (k + i) as f64));
                    held[child].push((n, k));
                }
                Turn::Pop { child, tiles } => {
                    let left = held[child].len().saturating_sub(tiles);
                    let tiles = held[child].split_off(left).into_iter().rev();
                    tiles.for_each(|tile| pop(&mut fork.tapes()[child], tile));
                }
            }
            // A page has a header, is rounded up, and holds a tile or more.
            let pages = held.iter().flatten().map(|&(n, _)| 8 * n + 64 + PAGE - 1);
            most = most.max(pages.sum::<usize>() as u64);
        }
        for (child, tiles) in fork.tapes().iter_mut().zip(held) {
            tiles.into_iter().rev().for_each(|tile| pop(child, tile));
        }
        drop(fork);
        prop_assert!(length.most() <= 2 * most, "{} > 2 * {most}", length.most());
        prop_assert!(length.is_given_back());
    }
}

/// A long file does not wait for the tape to be idle.
#[test]
fn a_long_file_is_given_back_while_the_tape_is_at_work() {
    let (tier, length) = Measured::over(NullTier);
    let builder = Tape::builder().memory_budget(16 << 20);
    let mut tape = builder.tier(tier).build().expect("valid");
    let site = Site::<f64>::new();
    for megabytes in [300, 24, 24] {
        (0..megabytes).for_each(|_| tape.push_tile(site, 1 << 17).set(0, 1.5));
        assert!(megabytes > 100 || length.now() < 50 << 20);
        for _ in 0..megabytes {
            let _ = tape.pop_tile(site, 1 << 17);
        }
        assert!(tape.is_empty());
    }
    assert!(length.most() > 256 << 20 && length.is_given_back());
}

/// Without a call of `clear`: generated code takes off what it has pushed, and no more.
#[test]
fn an_empty_tape_leaves_nothing_on_its_tier() {
    let (tier, length) = Measured::over(MemoryTier::new());
    let mut tape = spilling(4, 2, false, tier);
    for n in [3, 700, 5000] {
        // Records, tiles, and a tile that is the first item: then the lowest block is a page.
        for lengths in [vec![50; n], vec![300, 1, 511], vec![511; 40]] {
            tiles(&mut tape, &lengths);
            assert!(length.is_given_back(), "{n} {lengths:?}");
        }
        sweep(&mut tape).expect("works");
        assert!(length.is_given_back());
    }
    assert!(length.most() > 100_000);
    assert!(tape.stats().read_bytes > 100_000);
}

/// Its first answers to `free` are these errors.
#[derive(Debug)]
struct Reluctant(Vec<ErrorKind>);

impl Tier for Reluctant {
    fn write(&mut self, _: u64, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn read(&mut self, _: u64, _: &mut [u8]) -> io::Result<()> {
        Ok(())
    }

    fn free(&mut self, _: u64) -> io::Result<()> {
        self.0.pop().map_or(Ok(()), |kind| Err(kind.into()))
    }

    fn is_faithful(&self) -> bool {
        false
    }
}

#[test]
fn a_tier_that_cannot_give_room_back_at_once_is_asked_again() {
    let lengths = vec![300; 700];
    let errors = [ErrorKind::ResourceBusy, ErrorKind::Interrupted];
    for errors in errors
        .map(|kind| vec![kind])
        .into_iter()
        .chain([errors.to_vec()])
    {
        let push = |tape: &mut Tape| {
            for &n in &lengths {
                tape.push_tile(Site::<f64>::new(), n);
            }
        };
        // While the tape idles,
        let (tier, length) = Measured::over(Reluctant(errors.clone()));
        let mut tape = spilling(4, 2, false, tier);
        push(&mut tape);
        tape.clear();
        assert!(length.is_given_back(), "{errors:?}, idle");
        drop(tape);
        // and when it ends.
        let (tier, length) = Measured::over(Reluctant(errors.clone()));
        let mut tape = spilling(4, 2, false, tier);
        push(&mut tape);
        drop(tape);
        assert!(length.most() > 100_000);
        assert_eq!(length.now(), 0, "{errors:?}, dropped");
    }
}

/// Also if the lowest pages were in memory again, because the sweep went forward once more while they came.
#[test]
fn a_tape_that_turns_twice_leaves_nothing_on_its_tier() {
    let (tier, length) = Measured::over(MemoryTier::new());
    let mut tape = spilling(8, 4, false, tier);
    let site = Site::new();
    for left in (1..13).map(|pages| 500 * pages) {
        (0..6000).for_each(|i| tape.push(site, f64::from(i)));
        assert!((left..6000).rev().all(|i| tape.pop(site) == f64::from(i)));
        std::thread::sleep(Duration::from_millis(5));
        (left..left + 900).for_each(|i| tape.push(site, f64::from(i)));
        assert!(
            (0..left + 900)
                .rev()
                .all(|i| tape.pop(site) == f64::from(i))
        );
        assert!(tape.is_empty() && length.is_given_back(), "{left}");
    }
}

#[test]
fn an_empty_tape_with_children_leaves_nothing_on_its_tier() {
    let (tier, length) = Measured::over(MemoryTier::new());
    let builder = Tape::builder().slab_bytes(PAGE).memory_budget(32 * PAGE);
    let mut tape = builder.tier(tier).build().expect("valid");
    for _ in 0..3 {
        let each = [400, 500, 30, 511, 2000];
        let mut fork = tape.fork(3);
        for (k, child) in fork.tapes().iter_mut().enumerate() {
            let full = (0..each[k] * 100).map(|i| i as f64);
            full.for_each(|x| child.push(Site::new(), x));
        }
        fork.join();
        assert!(length.now() > 0);
        let mut fork = tape.refork(3);
        for (k, child) in fork.tapes().iter_mut().enumerate() {
            let back = (0..each[k] * 100).rev();
            back.for_each(|i| assert_eq!(child.pop(Site::<f64>::new()), i as f64));
        }
        fork.join();
        assert!(tape.is_empty() && length.is_given_back());
    }
}
