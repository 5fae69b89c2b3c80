//! Child tapes: one for each worker of a parallel loop.
//!
//! A tape keeps its children from one fork to the next, each a stack of its own: what the workers of one loop push
//! lies on top of what those of the loop before it left. So a fork costs no block, and the children need nothing from
//! each other. The parent remembers where each child was when it was lent.
//!
//! With a memory budget, the children get shares of it, and use the thread and the tier of the parent, each in its own
//! lane (`extents.rs`). Nothing is shared on the hot paths.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::{Fault, TapeError, fail};
use super::shadow::{Shape, Tag};
use super::store::{Position, Store};
use super::{Mark, Tape, residence};
use crate::tape::block::HEADER;
use crate::tier::PAGE;

/// A share of a budget is divided into this many slabs.
const SLABS_PER_SHARE: usize = 16;

/// The most children of a tape: as many as rayon has threads at most, and one more.
const MOST_CHILDREN: usize = 1 << 16;

/// What tells a child from all other tapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kin {
    family: u64,
    number: usize,
}

/// Families are numbered; 0 is none.
static FAMILIES: AtomicU64 = AtomicU64::new(1);

/// The children of a tape, and which of them hold something for it.
#[derive(Debug, Default)]
pub(super) struct Family {
    tapes: Vec<Tape>,
    /// Forks whose records lie on the children, oldest first.
    forks: Vec<Joined>,
    /// Where the children were when they were lent, for all forks one after the other.
    marks: Vec<Mark>,
    number: u64,
    /// The budget before it was shared.
    whole_budget: Option<usize>,
}

#[derive(Debug)]
struct Joined {
    position: Position,
    /// Its part of the marks.
    marks: Range<usize>,
}

impl Family {
    pub(super) fn forks(&self) -> usize {
        self.forks.len()
    }

    /// Whether there never was a fork, so that nothing is held for one.
    #[inline(always)]
    pub(super) fn is_unused(&self) -> bool {
        self.number == 0
    }

    pub(super) fn tapes(&self) -> &[Tape] {
        &self.tapes
    }

    pub(super) fn tapes_mut(&mut self) -> &mut [Tape] {
        &mut self.tapes
    }

    /// Whether child `k` is still the one that was made.
    fn is_own(&self, k: usize) -> bool {
        let kin = Kin {
            family: self.number,
            number: k,
        };
        self.tapes[k].store.child == Some(kin)
    }

    /// Gives back memory of lists that are shorter than they were.
    pub(super) fn slim(&mut self, keep: usize) {
        self.forks.shrink_to(keep);
        self.marks.shrink_to(keep);
    }

    /// Forgets all forks but the first `forks`.
    pub(super) fn truncate(&mut self, forks: usize) {
        while self.forks.len() > forks {
            let Some(joined) = self.forks.pop() else {
                return;
            };
            self.take_back(joined.marks);
        }
    }

    /// Brings the children back to where they were when they were lent.
    fn take_back(&mut self, marks: Range<usize>) {
        for (tape, mark) in self.tapes.iter_mut().zip(&self.marks[marks.clone()]) {
            tape.try_rewind(*mark);
        }
        self.marks.truncate(marks.start);
    }
}

impl Tape {
    /// Lends `n` child tapes, one for each worker of a parallel loop, until they are joined.
    ///
    /// What the workers push stays on the children; for the parent, a joined fork is one item. The reverse sweep gets
    /// the same children back, in the same order, from [`refork`](Self::refork). Children share the slab size, the
    /// shadow, and the memory budget of the parent: from the first fork on, the parent keeps about one part in `n + 1`
    /// of the budget, at least three slabs, and the children share the rest equally. A fork into more children than any
    /// before divides the budget anew. Children have no observer.
    ///
    /// # Panics
    ///
    /// For more than 65,536 children ([`TapeError::Configuration`]); with a budget, if a share is too small to work
    /// with ([`TapeError::Budget`]), or blocks that have to leave memory for it cannot (see
    /// [`catch_tape_error`](crate::catch_tape_error)).
    ///
    /// A fault of a child is raised in the thread that uses it: to have it as an error, use
    /// [`catch_tape_error`](crate::catch_tape_error) there.
    ///
    /// ```
    /// use ad_runtime::{Site, Tape};
    ///
    /// let mut tape = Tape::new();
    /// let site = Site::new();
    /// let mut fork = tape.fork(2);
    /// std::thread::scope(|scope| {
    ///     for (k, child) in fork.tapes().iter_mut().enumerate() {
    ///         scope.spawn(move || child.push(site, k as f64));
    ///     }
    /// });
    /// fork.join();
    ///
    /// let mut fork = tape.refork(2);
    /// let popped: Vec<f64> = fork.tapes().iter_mut().map(|child| child.pop(site)).collect();
    /// fork.join();
    /// assert_eq!(popped, [0.0, 1.0]);
    /// assert!(tape.is_empty());
    /// ```
    pub fn fork(&mut self, n: usize) -> Fork<'_> {
        if let Err(error) = self.store.raise_children(n) {
            fail(error);
        }
        let Family {
            tapes,
            forks,
            marks,
            ..
        } = &mut self.store.family;
        // A fork that was leaked left marks behind.
        let first = forks.last().map_or(0, |newest| newest.marks.end);
        marks.truncate(first);
        marks.extend(tapes[..n].iter().map(Tape::mark));
        Fork {
            tape: self,
            marks: first..first + n,
            sweep: Sweep::Forward,
        }
    }

    /// Lends the children of the newest fork again, which must be the newest item on the tape: for the reverse sweep,
    /// which takes off what the forward sweep left there.
    ///
    /// # Panics
    ///
    /// If the newest item on the tape is not a fork into `n` children.
    pub fn refork(&mut self, n: usize) -> Fork<'_> {
        if let Some(shadow) = &self.store.shadow {
            shadow.expect(tag(n));
        }
        let here = self.store.position(self.cursor.top);
        let family = &mut self.store.family;
        let newest = family
            .forks
            .pop_if(|newest| newest.marks.len() == n && newest.position == here);
        let marks = match newest {
            Some(newest) => newest.marks,
            None => Fault::misuse(format!(
                "retrograde: the reverse sweep takes a fork into {n} tapes back, but that is not the newest item on \
                 the tape: \
                 pushes and pops are not in opposite order"
            ))
            .raise(),
        };
        if let Some(shadow) = &mut self.store.shadow {
            shadow.tags.pop();
        }
        Fork {
            tape: self,
            marks,
            sweep: Sweep::Reverse,
        }
    }

    /// Goes back to a mark, unless it lies above what is on the tape.
    pub(super) fn try_rewind(&mut self, mark: Mark) -> bool {
        match self.store.rewind(self.cursor.top, mark) {
            Some(cursor) => {
                self.cursor.set(cursor);
                true
            }
            None => false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sweep {
    Forward,
    Reverse,
}

/// Child tapes while they are lent; see [`Tape::fork`].
///
/// One that is dropped without [`join`](Self::join), by a panic for instance, forgets what the children hold for it.
#[must_use = "a fork that is not joined forgets what was pushed"]
pub struct Fork<'tape> {
    tape: &'tape mut Tape,
    marks: Range<usize>,
    sweep: Sweep,
}

impl Fork<'_> {
    /// The children, in the order in which they were lent.
    pub fn tapes(&mut self) -> &mut [Tape] {
        &mut self.tape.store.family.tapes[..self.marks.len()]
    }

    /// Gives the children back. In the forward sweep the fork is then the newest item of the parent; in the reverse
    /// sweep it is off the tape.
    ///
    /// # Panics
    ///
    /// If a child is not what was lent, or holds less than when it was lent; in the reverse sweep also if it holds
    /// more.
    pub fn join(self) {
        let sweep = self.sweep;
        let family = &self.tape.store.family;
        let lent = &family.marks[self.marks.clone()];
        for (k, (child, mark)) in family.tapes.iter().zip(lent).enumerate() {
            let now = child.mark();
            let right = match sweep {
                Sweep::Forward => now.is_at_or_above(mark),
                Sweep::Reverse => now == *mark,
            };
            if !family.is_own(k) || !right {
                // The drop of the fork puts the children in order.
                not_as_lent(k, sweep).raise();
            }
        }
        let mut fork = std::mem::ManuallyDrop::new(self);
        let (marks, tape) = (fork.marks.clone(), &mut *fork.tape);
        let position = tape.store.position(tape.cursor.top);
        let family = &mut tape.store.family;
        match sweep {
            Sweep::Forward => {
                let n = marks.len();
                family.forks.push(Joined { position, marks });
                let in_use = tape.store.bytes_in_use(tape.cursor.top);
                if let Some(shadow) = &mut tape.store.shadow {
                    shadow.push(tag(n), in_use);
                }
            }
            Sweep::Reverse => family.marks.truncate(marks.start),
        }
    }
}

/// The item that a joined fork is.
fn tag(n: usize) -> Tag {
    Tag {
        name: "Tape",
        shape: Shape::Fork(n),
    }
}

#[cold]
fn not_as_lent(k: usize, sweep: Sweep) -> Box<Fault> {
    let what = match sweep {
        Sweep::Forward => "the forward sweep took off what it had not pushed",
        Sweep::Reverse => "the reverse sweep did not take off exactly what was pushed",
    };
    Fault::misuse(format!(
        "retrograde: child tape {k} of a fork was exchanged for another tape, or {what}"
    ))
}

impl Drop for Fork<'_> {
    fn drop(&mut self) {
        self.tape.store.family.take_back(self.marks.clone());
    }
}

impl fmt::Debug for Fork<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fork")
            .field("n", &self.marks.len())
            .field("sweep", &self.sweep)
            .finish_non_exhaustive()
    }
}

impl Store {
    /// Makes sure that there are at least `n` children.
    fn raise_children(&mut self, n: usize) -> Result<(), TapeError> {
        if self.family.is_unused() {
            self.family.number = FAMILIES.fetch_add(1, Ordering::Relaxed);
        }
        // A child that was taken away is missed by the forks that it holds something for, and else replaced.
        if self.family.forks.is_empty()
            && let Some(k) = (0..self.family.tapes.len()).find(|&k| !self.family.is_own(k))
        {
            self.family.tapes.truncate(k);
        }
        if n <= self.family.tapes.len() {
            return Ok(());
        }
        if n > MOST_CHILDREN {
            return Err(TapeError::Configuration {
                reason: format!("a fork into {n} tapes, {MOST_CHILDREN} are the most"),
            });
        }
        let share = self.divide_budget(n)?;
        for k in self.family.tapes.len()..n {
            let (spill, slab) = match (&self.spill, share) {
                (Some(spill), Some(share)) => {
                    (Some(Box::new(spill.another(share.bytes)?)), share.slab)
                }
                _ => (None, self.slab_bytes()),
            };
            let mut store = Store::new(slab, self.shadow.is_some(), spill);
            store.child = Some(Kin {
                family: self.family.number,
                number: k,
            });
            self.family.tapes.push(Tape::with_store(store));
        }
        Ok(())
    }

    /// Divides the budget, if there is one, among this tape and `n` children.
    fn divide_budget(&mut self, n: usize) -> Result<Option<Share>, TapeError> {
        let Some(spill) = &self.spill else {
            return Ok(None);
        };
        let whole = *self.family.whole_budget.get_or_insert(spill.budget);
        let least = residence::least_budget(self.slab_bytes() + HEADER);
        let own = (whole / (n + 1)).max(least);
        let bytes = whole.saturating_sub(own) / n;
        let slab = (bytes / SLABS_PER_SHARE).clamp(PAGE, self.slab_bytes() + HEADER) / PAGE * PAGE;
        let mut needed = residence::least_budget(slab);
        for child in &self.family.tapes {
            needed = needed.max(residence::least_budget(child.store.slab_bytes() + HEADER));
        }
        if bytes < needed {
            return Err(TapeError::Budget {
                needed: needed.saturating_mul(n).saturating_add(own),
                budget: whole,
                tier_would_do: false,
            });
        }
        for child in &mut self.family.tapes {
            child.store.shrink(bytes)?;
        }
        self.shrink(own)?;
        Ok(Some(Share {
            bytes,
            slab: slab - HEADER,
        }))
    }
}

#[derive(Clone, Copy)]
struct Share {
    bytes: usize,
    slab: usize,
}
