//! Positions on a tape, and the guard that goes back to one.

use super::Tape;
use super::store::Position;

/// A position on a tape, to go back to; made by [`Tape::mark`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    pub(super) position: Position,
    /// Tags below the mark, for tapes with a shadow.
    pub(super) tags: usize,
    /// Joined forks below the mark.
    pub(super) forks: usize,
}

impl Mark {
    pub(super) const START: Self = Self {
        position: Position {
            depth: 0,
            offset: 0,
        },
        tags: 0,
        forks: 0,
    };

    /// Whether nothing that lay below `other` is missing here.
    pub(super) fn is_at_or_above(&self, other: &Self) -> bool {
        self.position >= other.position && self.tags >= other.tags && self.forks >= other.forks
    }
}

impl Tape {
    /// The present position.
    ///
    /// ```
    /// use ad_runtime::{Site, Tape};
    ///
    /// let mut tape = Tape::new();
    /// tape.push(Site::new(), 1.0);
    /// let mark = tape.mark();
    /// tape.push_slice(Site::new(), &[2.0, 3.0]);
    /// tape.rewind(mark);
    /// assert_eq!(tape.pop(Site::<f64>::new()), 1.0);
    /// ```
    #[inline]
    #[must_use]
    pub fn mark(&self) -> Mark {
        self.store.mark(self.cursor.top)
    }

    /// Forgets everything that was pushed since `mark` was made on this tape.
    ///
    /// # Panics
    ///
    /// If what lay below the mark has been popped since.
    pub fn rewind(&mut self, mark: Mark) {
        assert!(
            self.try_rewind(mark),
            "retrograde: the tape cannot go back to a mark that lies above its newest item"
        );
    }
}

/// A guard that takes a tape back to where it was if a panic unwinds.
///
/// A sweep that pushes and pops runs under a guard and disarms it at its end. If user code
/// panics in between, the records of the unfinished sweep go, and the tape can be used again.
///
/// A sweep with a hot loop is best a function of its own that takes `guard.tape()`: inside the
/// function that holds the guard, the optimiser must keep the cursor of the tape in memory.
///
/// ```
/// use ad_runtime::{Rewind, Site, Tape};
///
/// fn sweeps(tape: &mut Tape, user_code: impl FnOnce(f64) -> f64) -> f64 {
///     let mut guard = Rewind::new(tape);
///     let site = Site::new();
///     guard.tape().push(site, 2.0);
///     let y = user_code(3.0);
///     let x = guard.tape().pop(site);
///     guard.disarm();
///     x * y
/// }
///
/// let mut tape = Tape::new();
/// assert_eq!(sweeps(&mut tape, |x| x + 1.0), 8.0);
/// let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
///     sweeps(&mut tape, |_| panic!("in user code"))
/// }));
/// assert!(outcome.is_err() && tape.is_empty());
/// ```
#[derive(Debug)]
#[must_use = "a guard that is dropped at once rewinds nothing"]
pub struct Rewind<'tape> {
    tape: &'tape mut Tape,
    mark: Mark,
}

impl<'tape> Rewind<'tape> {
    /// Guards `tape` at its present position.
    #[inline(always)]
    pub fn new(tape: &'tape mut Tape) -> Self {
        let mark = tape.mark();
        Self { tape, mark }
    }

    /// The tape.
    #[inline(always)]
    #[must_use]
    pub fn tape(&mut self) -> &mut Tape {
        self.tape
    }

    /// Leaves the tape as it is.
    #[inline(always)]
    pub fn disarm(self) {
        std::mem::forget(self);
    }
}

impl Drop for Rewind<'_> {
    /// Rewinds. A tape that was popped below the mark is left alone: a second panic would abort.
    #[inline(always)]
    fn drop(&mut self) {
        self.tape.try_rewind(self.mark);
    }
}
