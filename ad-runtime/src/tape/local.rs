//! The tapes of a thread, for gradient functions that are given none.
//!
//! Idle tapes are boxed: a call then moves one pointer. Moving a tape whose fields were just
//! written one by one stalls on them (16 ns for a call instead of 4).

#![expect(
    clippy::vec_box,
    reason = "see above: what is moved is to be one pointer"
)]

use std::cell::{Cell, RefCell};

use super::Tape;
use super::block::Giver;
use super::fork::Family;

/// Tapes that a thread keeps besides the first.
const KEEP_TAPES: usize = 8;

/// Bytes that the first tape of a thread keeps: its first few blocks. The others are in the pool, where a gradient
/// finds them for less than the thousandth part of what it costs to fill them.
const KEEP_BYTES: usize = 320 << 10;

/// Bytes that each of the others keeps.
const KEEP_OTHERS: usize = 40 << 10;

/// Child tapes that a tape keeps.
const KEEP_CHILDREN: usize = 64;

thread_local! {
    /// The tape of the outermost call.
    static FIRST: Cell<Option<Box<Tape>>> = const { Cell::new(None) };
    /// The tapes of re-entrant calls.
    static OTHERS: RefCell<Vec<Box<Tape>>> = const { RefCell::new(Vec::new()) };
}

/// Runs `f` with a tape of this thread, empty and, after the first call, warm.
///
/// A call inside `f` gets a tape of its own. If `f` panics, its tape is cleared.
///
/// # Memory
///
/// A thread that is not in such a call holds less than 1 MiB for its tapes, however much they have held, until it ends.
/// Everything beyond goes to a pool, from which the next call of any thread takes it again. Of what nobody uses, the
/// pool keeps at most 256 MiB for the whole process; the rest goes back to the system. A [`Tape`] of your own keeps its
/// memory until it is [trimmed](Tape::trim) or dropped.
///
/// ```
/// use ad_runtime::{Site, with_tape};
///
/// let twice = with_tape(|tape| {
///     tape.push(Site::new(), 2.0);
///     with_tape(|other| assert!(other.is_empty()));
///     tape.pop(Site::<f64>::new())
/// });
/// assert_eq!(twice, 2.0);
/// ```
#[inline]
pub fn with_tape<R>(f: impl FnOnce(&mut Tape) -> R) -> R {
    let mut loan = Loan {
        tape: Some(borrow()),
    };
    match &mut loan.tape {
        Some(tape) => f(tape),
        None => unreachable!("a loan holds its tape until it is dropped"),
    }
}

/// A tape on loan; goes back when dropped, also by a panic.
struct Loan {
    tape: Option<Box<Tape>>,
}

impl Drop for Loan {
    #[inline]
    fn drop(&mut self) {
        if let Some(mut tape) = self.tape.take() {
            if !tape.is_small() {
                tape.tidy(KEEP_BYTES);
            }
            give_back(tape);
        }
    }
}

impl Tape {
    /// Whether the tape is empty and has never left its first block, which is a small one.
    #[inline(always)]
    fn is_small(&self) -> bool {
        self.cursor.top == self.cursor.bottom && self.store.is_small()
    }

    /// Gives back what the tape and its children hold beside their blocks.
    fn slim(&mut self) {
        self.store.slim();
        self.store
            .family
            .tapes_mut()
            .iter_mut()
            .for_each(Self::slim);
    }

    /// Leaves an empty tape, which holds at most `keep` bytes.
    #[cold]
    #[inline(never)]
    fn tidy(&mut self, keep: usize) {
        if !self.is_empty() {
            self.clear();
        }
        if self.store.family.tapes().len() > KEEP_CHILDREN && self.store.spill.is_none() {
            self.store.family = Family::default();
        }
        let children = self.store.family.tapes().iter();
        let held = |tape: &Self| tape.store.held().1;
        if held(self) + children.map(held).sum::<usize>() > keep {
            self.trim_from(keep, Giver::IdleThread);
        } else {
            self.slim();
        }
    }
}

#[inline]
fn borrow() -> Box<Tape> {
    // The thread may be past the destructors of its locals: then the tape is a fresh one.
    match FIRST.try_with(Cell::take) {
        Ok(Some(tape)) => tape,
        _ => another(),
    }
}

#[cold]
#[inline(never)]
fn another() -> Box<Tape> {
    let kept = OTHERS.try_with(|others| others.borrow_mut().pop());
    kept.ok().flatten().unwrap_or_default()
}

#[inline]
fn give_back(tape: Box<Tape>) {
    let displaced = FIRST.try_with(|first| first.replace(Some(tape)));
    if let Ok(Some(tape)) = displaced {
        keep(tape);
    }
}

#[cold]
#[inline(never)]
fn keep(mut tape: Box<Tape>) {
    tape.tidy(KEEP_OTHERS);
    let _ = OTHERS.try_with(|others| {
        let mut others = others.borrow_mut();
        if others.len() < KEEP_TAPES {
            others.push(tape);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Site;
    use std::panic::catch_unwind;

    #[test]
    fn re_entrant_calls_get_their_own_tape() {
        fn nested(depth: u32) -> u32 {
            with_tape(|tape| {
                assert!(tape.is_empty());
                let site = Site::new();
                tape.push(site, depth);
                let below = if depth == 0 { 0 } else { nested(depth - 1) };
                below + tape.pop(site)
            })
        }
        for _ in 0..3 {
            assert_eq!(nested(20), 210);
        }
        OTHERS.with(|others| assert!(others.borrow().len() <= KEEP_TAPES));
    }

    #[test]
    fn a_panic_leaves_an_empty_tape() {
        for n in [1_usize, 100, 100_000] {
            let outcome = catch_unwind(|| {
                with_tape(|tape| {
                    tape.push_slice(Site::new(), &vec![1.0; n]);
                    panic!("in user code");
                })
            });
            assert!(outcome.is_err());
            with_tape(|tape| assert!(tape.is_empty()));
        }
    }

    #[test]
    fn a_call_while_the_thread_ends_works() {
        struct Late;
        impl Drop for Late {
            fn drop(&mut self) {
                with_tape(|tape| tape.push(Site::new(), 1.0));
            }
        }
        thread_local!(static LATE: Late = const { Late });
        std::thread::spawn(|| {
            LATE.with(|_| ());
            with_tape(|tape| tape.push(Site::new(), 1.0));
        })
        .join()
        .expect("no panic");
    }
}
