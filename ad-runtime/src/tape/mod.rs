//! The tape: what the forward sweep pushes, the reverse sweep pops, last in first out.
//!
//! | file | what it holds |
//! |---|---|
//! | `mod.rs` | [`Tape`], push and pop of single records: the hot paths |
//! | `slice.rs`, `tile.rs`, `strip.rs`, `stream.rs` | items of many records |
//! | `aside.rs` | strips that are longer than a slab |
//! | `cursor.rs` | the window that push and pop work in |
//! | `store.rs`, `store/` | the cold half: blocks in use, moving between them; positions; what is held and given back |
//! | `slot.rs`, `residence.rs` | with a memory budget: which blocks are in memory |
//! | `spill.rs`, `sync.rs` | the thread that moves blocks to a [tier](crate::tier) and back |
//! | `pages.rs`, `page.rs`, `extents.rs` | how they lie there, and where |
//! | `patience.rs` | how long it is waited for a tier that does not answer |
//! | `fork.rs` | child tapes for parallel sweeps |
//! | `block.rs` | tape memory and its pool |
//! | `shadow.rs` | tags that check each pop against its push |
//! | `mark.rs` | [`Mark`] and the drop guard [`Rewind`] |
//! | `local.rs` | the tapes of a thread, for functions that are given none |
//! | `observe.rs` | events for progress bars and plots |
//! | `trace.rs`, `trace/` | what `tracing` is told, with the feature `trace` |
//! | `site.rs`, `builder.rs`, `stats.rs`, `error.rs` | the small public types |
//!
//! A tape starts with no memory, then holds a small buffer of 512 bytes, a few blocks of growing
//! size, and slabs. The small buffer is not inside the `Tape` value: the pointers of the hot path
//! would then point into their own tape, which could neither move nor be assumed free of aliases.
//!
//! Safety rests on three facts. Every byte between the base and the end of a block is
//! initialised from its allocation on. The cursor always lies within one block that the store
//! keeps alive. [`Record`]s are decoded with a check wherever a bit pattern can be invalid. So a
//! pop of the wrong type or in the wrong order can give wrong numbers or panic, but is never
//! undefined behaviour; the shadow tape turns it into a panic always. The model tests of this folder
//! pop wrong items on purpose; they run under AddressSanitizer and valgrind:
//!
//! ```text
//! RUSTFLAGS=-Zsanitizer=address cargo +nightly test -p ad-runtime --lib --target x86_64-unknown-linux-gnu
//! PROPTEST_CASES=40 CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER="valgrind -q --error-exitcode=9 \
//!     --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite" \
//!     cargo test -p ad-runtime --lib
//! ```
//!
//! The hand-over between the sweep and the thread of the tier is tested under many orders in which the two
//! may run:
//!
//! ```text
//! RUSTFLAGS="--cfg shuttle" cargo test -p ad-runtime --lib schedules
//! ```

#![allow(unsafe_code)]

mod aside;
mod block;
mod builder;
mod cursor;
mod error;
mod extents;
mod fork;
#[cfg(test)]
mod fork_tests;
mod local;
mod mark;
mod observe;
mod page;
mod pages;
mod patience;
mod residence;
mod shadow;
mod site;
mod slice;
mod slot;
mod spill;
#[cfg(test)]
mod spill_tests;
mod stats;
mod store;
mod stream;
mod strip;
mod sync;
mod tally;
#[cfg(test)]
mod tests;
mod tile;
mod trace;

pub use builder::TapeBuilder;
#[cfg(feature = "rayon")]
pub(crate) use error::fail;
pub use error::{TapeError, TierOperation, catch_tape_error, report_tape_error};
pub use fork::Fork;
pub use local::with_tape;
pub use mark::{Mark, Rewind};
pub use observe::{Sweep, TapeEvent};
pub use site::Site;
pub use stats::TapeStats;
pub use strip::{StripMut, StripRecords, StripRef, StripSlots};
pub use tile::{TileMut, TileRef};

use crate::record::{Encoded, Record};
use block::Giver;
use cursor::Cursor;
use shadow::{Shape, Tag};
use store::{Moved, Store};

/// The store between the forward sweep, which pushes, and the reverse sweep, which pops.
///
/// Last in, first out: what is popped must be of the type, and for slices and tiles of the length,
/// of what was pushed last. [`Site`] links the types. A tape keeps its memory, so once it has seen
/// the largest problem it allocates nothing more; [`trim`](Self::trim) gives it back, and so does a drop. Up to 64 MiB
/// then wait in a pool for other tapes, the rest goes to the system.
///
/// Functions that are given no tape (`f_grad`) use one of their thread's. Between two calls a thread keeps less than 1
/// MiB for its tapes. What they have held beyond that goes to the pool, where at most 256 MiB stay for the whole
/// process while nobody uses them: a gradient that needs more than that again and again is faster with a tape of its
/// own (`f_grad_into`).
///
/// ```
/// use ad_runtime::{Site, Tape};
///
/// let mut tape = Tape::new();
/// let site = Site::new();
/// for i in 0..1000 {
///     tape.push(site, f64::from(i));
/// }
/// for i in (0..1000).rev() {
///     assert_eq!(tape.pop(site), f64::from(i));
/// }
/// assert!(tape.is_empty());
/// ```
pub struct Tape {
    cursor: Cursor,
    store: Box<Store>,
}

// SAFETY: the cursor points into blocks that the store of this very tape owns.
unsafe impl Send for Tape {}

impl Tape {
    /// An empty tape of the default configuration: slabs of 2 MiB, no shadow.
    #[must_use]
    pub fn new() -> Self {
        Self::with_store(Store::new(builder::SLAB_BYTES, false, None))
    }

    /// Starts the configuration of a tape.
    pub fn builder() -> TapeBuilder {
        TapeBuilder::new()
    }

    fn with_store(store: Store) -> Self {
        Self {
            cursor: Cursor::EMPTY,
            store: Box::new(store),
        }
    }

    /// Pushes one record.
    ///
    /// # Panics
    ///
    /// If there is no memory for another block (see [`catch_tape_error`]).
    #[inline(always)]
    pub fn push<T: Record>(&mut self, site: Site<T>, value: T) {
        let before = self.before_push();
        self.push_ref(&value);
        self.after_push(site, before);
    }

    /// Pops one record, which must be the newest item on the tape.
    ///
    /// # Panics
    ///
    /// If the tape is empty, or the newest item is seen to be another one. Without
    /// [`shadow`](TapeBuilder::shadow) not every mismatch can be seen.
    #[inline(always)]
    pub fn pop<T: Record>(&mut self, site: Site<T>) -> T {
        let _ = site;
        self.pop_value()
    }

    #[inline(always)]
    pub(crate) fn push_ref<T: Record>(&mut self, value: &T) {
        let Some(bytes) = T::FIXED else {
            return value.push_parts(self);
        };
        if !self.cursor.has_room(bytes) {
            self.make_room::<T>(bytes, Shape::One);
        }
        let at = self.cursor.top;
        // SAFETY: at least `bytes` are free in the window, now or after `room`.
        self.cursor.top = unsafe { at.add(bytes) };
        // SAFETY: as above; `encode` writes `T::FIXED` bytes, which is `bytes`.
        unsafe { value.encode(at) };
    }

    #[inline(always)]
    pub(crate) fn pop_value<T: Record>(&mut self) -> T {
        let Some(bytes) = T::FIXED else {
            return T::pop_parts(self);
        };
        if !self.cursor.has(bytes) {
            self.step_back::<T>(bytes, Shape::One);
        }
        // SAFETY: at least `bytes` are in use in the window, now or after `back`.
        self.cursor.top = unsafe { self.cursor.top.sub(bytes) };
        // SAFETY: the `bytes` above the new top lie in the block, which is initialised.
        unsafe { T::decode(self.cursor.top) }
    }

    /// Makes room for `bytes` in the window.
    #[inline(always)]
    fn make_room<T>(&mut self, bytes: usize, shape: Shape) {
        let moved = self.store.room(self.cursor.top, bytes, Tag::of::<T>(shape));
        self.moved(moved);
    }

    /// Moves the window to the `bytes` newest bytes.
    #[inline(always)]
    fn step_back<T>(&mut self, bytes: usize, shape: Shape) {
        let moved = self.store.back(self.cursor.top, bytes, Tag::of::<T>(shape));
        self.moved(moved);
    }

    /// Takes the window over from the store, and unwinds if something went wrong.
    #[inline(always)]
    fn moved(&mut self, moved: Moved) {
        self.cursor.set(moved.cursor);
        if let Some(fault) = moved.fault {
            fault.raise();
        }
    }

    /// Whether there is nothing on the tape.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.store.bytes_in_use(self.cursor.top) == 0 && self.store.family.forks() == 0
    }

    /// Forgets everything on the tape. Its memory is kept for what comes next.
    pub fn clear(&mut self) {
        self.rewind(Mark::START);
        self.store
            .family
            .tapes_mut()
            .iter_mut()
            .for_each(Self::clear);
    }

    /// Gives memory that is not in use back to the process, until at most `keep` bytes are held.
    ///
    /// ```
    /// use ad_runtime::{Site, Tape};
    ///
    /// let mut tape = Tape::new();
    /// tape.push(Site::new(), 1.0);
    /// tape.clear();
    /// tape.trim(0);
    /// assert_eq!(tape.stats().held_bytes, 0);
    /// ```
    pub fn trim(&mut self, keep: usize) {
        self.trim_from(keep, Giver::Tape);
    }

    fn trim_from(&mut self, keep: usize, giver: Giver) {
        if self.is_empty() {
            self.clear();
        }
        let (_, held, _) = self.store.held();
        self.store.trim(keep, giver);
        let (_, mut left, _) = self.store.held();
        if left < held && giver == Giver::Tape {
            trace::trimmed(held, left);
        }
        for child in self.store.family.tapes_mut() {
            child.trim_from(keep.saturating_sub(left), giver);
            left += child.store.held().1;
        }
    }
}

impl Default for Tape {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Tape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tape")
            .field("stats", &self.stats())
            .finish_non_exhaustive()
    }
}
