//! Pages that are whole, and not those that were written: of another tape, of an earlier time, of another place.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

use super::*;

const SITE: Site<(u32, f64)> = Site::new();

/// Pages at their offsets; those of several tapes if they are lent the same.
type Pages = Arc<Mutex<BTreeMap<u64, Vec<Box<[u8]>>>>>;

/// What a store makes of what it is told.
#[derive(Debug, Default)]
struct Habits {
    /// Says that it has written, and has not.
    deaf: AtomicBool,
    /// Gives what lay at the offset before the last write.
    late: AtomicBool,
    /// Gives the page of another offset, if there is one.
    lost: AtomicBool,
}

/// Keeps every page that was ever written, whatever it is told to give up.
#[derive(Debug, Clone, Default)]
struct Archive {
    pages: Pages,
    habits: Arc<Habits>,
}

impl Tier for Archive {
    fn write(&mut self, at: u64, page: &[u8]) -> io::Result<()> {
        if !self.habits.deaf.load(SeqCst) {
            let mut pages = self.pages.lock().expect("no panic");
            pages.entry(at).or_default().push(page.into());
        }
        Ok(())
    }

    fn read(&mut self, at: u64, page: &mut [u8]) -> io::Result<()> {
        let pages = self.pages.lock().expect("no panic");
        let others = || pages.iter().find(|&(&other, _)| other != at);
        let found = match self.habits.lost.load(SeqCst) {
            true => others().map(|(_, found)| found),
            false => pages.get(&at),
        };
        let newest_first = found.into_iter().flat_map(|found| found.iter().rev());
        let wanted = usize::from(self.habits.late.load(SeqCst));
        let found = newest_first.clone().nth(wanted).or(newest_first.last());
        match found {
            Some(stored) => {
                let len = stored.len().min(page.len());
                page[..len].copy_from_slice(&stored[..len]);
                Ok(())
            }
            None => Err(ErrorKind::UnexpectedEof.into()),
        }
    }
}

fn over(archive: &Archive) -> Tape {
    spilling(4, 2, false, archive.clone())
}

fn forward(tape: &mut Tape, from: f64) {
    (0..RECORDS).for_each(|i| tape.push(SITE, (i, from + f64::from(i))));
}

/// Right values, or a typed error that says that a page is a stranger; whether it was one. The tape is empty then.
fn back(tape: &mut Tape, from: f64) -> bool {
    let outcome = catch_tape_error(|| {
        for i in (0..RECORDS).rev() {
            assert_eq!(tape.pop(SITE), (i, from + f64::from(i)));
        }
    });
    tape.clear();
    match outcome {
        Ok(()) => false,
        Err(TapeError::Corrupt { reason, .. }) => {
            assert!(reason.contains("it is a page of another"), "{reason}");
            true
        }
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn tapes_that_share_a_store_do_not_take_each_others_pages() {
    for shift in [0.0, 0.25] {
        let archive = Archive::default();
        let (mut a, mut b) = (over(&archive), over(&archive));
        for round in 0..4 {
            let at = f64::from(round);
            forward(&mut a, at);
            forward(&mut b, at + shift);
            let strangers = [back(&mut a, at), back(&mut b, at + shift)];
            assert!(strangers.contains(&true), "one wrote over the other");
            // One at a time, each is as good as alone.
            for tape in [&mut a, &mut b] {
                sweep(tape).expect("alone");
            }
        }
    }
}

#[test]
fn tapes_of_other_threads_that_share_a_store_do_not_take_each_others_pages() {
    let archive = Archive::default();
    let strangers: Vec<bool> = std::thread::scope(|scope| {
        let run = |k: u32| {
            let mut tape = over(&archive);
            scope.spawn(move || {
                (0..10).any(|round| {
                    forward(&mut tape, f64::from(k + round));
                    back(&mut tape, f64::from(k + round))
                })
            })
        };
        let threads: Vec<_> = (0..3).map(run).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, bool>| thread.join().expect("right");
        threads.into_iter().map(join).collect()
    });
    assert!(strangers.contains(&true));
}

#[test]
fn a_store_that_outlives_its_tape_and_goes_deaf_is_an_error() {
    let archive = Archive::default();
    let mut first = over(&archive);
    forward(&mut first, 0.0);
    drop(first);
    archive.habits.deaf.store(true, SeqCst);
    for from in [0.0, 0.5] {
        let mut second = over(&archive);
        forward(&mut second, from);
        assert!(back(&mut second, from));
        archive.habits.deaf.store(false, SeqCst);
        sweep(&mut second).expect("usable");
        archive.habits.deaf.store(true, SeqCst);
    }
}

#[test]
fn a_page_of_an_earlier_sweep_of_the_same_tape_is_an_error() {
    let archive = Archive::default();
    let mut tape = over(&archive);
    // Also if the sweep was the same, number by number.
    for from in [0.0, 0.0, 0.5] {
        archive.habits.late.store(false, SeqCst);
        forward(&mut tape, from);
        assert!(!back(&mut tape, from));
        archive.habits.late.store(true, SeqCst);
        forward(&mut tape, from);
        assert!(back(&mut tape, from));
        // The same of writes that the store loses from now on.
        archive.habits.late.store(false, SeqCst);
        archive.habits.deaf.store(true, SeqCst);
        forward(&mut tape, from);
        assert!(back(&mut tape, from));
        archive.habits.deaf.store(false, SeqCst);
    }
}

#[test]
fn a_page_of_another_offset_is_an_error() {
    let archive = Archive::default();
    let mut tape = over(&archive);
    archive.habits.lost.store(true, SeqCst);
    forward(&mut tape, 0.0);
    assert!(back(&mut tape, 0.0));
    archive.habits.lost.store(false, SeqCst);
    sweep(&mut tape).expect("usable");
}

/// The children of a tape write under its name: each into a lane of its own, and no two pages with one number.
#[test]
fn a_page_of_another_child_is_an_error() {
    let archive = Archive::default();
    let builder = Tape::builder().slab_bytes(PAGE).memory_budget(24 * PAGE);
    let mut tape = builder.tier(archive.clone()).build().expect("valid");
    for lost in [false, true] {
        let mut fork = tape.fork(2);
        for child in fork.tapes() {
            forward(child, 0.0);
        }
        fork.join();
        archive.habits.lost.store(lost, SeqCst);
        let mut fork = tape.refork(2);
        let strangers: Vec<bool> = fork.tapes().iter_mut().map(|t| back(t, 0.0)).collect();
        assert_eq!(strangers, [lost; 2]);
        drop(fork);
        tape.clear();
    }
    let pages = archive.pages.lock().expect("no panic");
    let ticket = |page: &[u8]| <[u8; 8]>::try_from(&page[16..24]).expect("eight");
    let mut tickets: Vec<_> = pages.values().flatten().map(|page| ticket(page)).collect();
    let all = tickets.len();
    tickets.sort_unstable();
    tickets.dedup();
    assert_eq!(tickets.len(), all);
}
