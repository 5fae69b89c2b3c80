//! Where the oldest blocks of a tape go when its memory budget is used up.
//!
//! A [`Tier`] stores pages under byte offsets and gives them back. The tape calls it from a thread of
//! its own, so that the sweep goes on meanwhile; see [`TapeBuilder::memory_budget`](crate::TapeBuilder::memory_budget).
//!
//! | tier | for |
//! |---|---|
//! | `DiskTier` (feature `disk`) | a file without a name, which is gone when the process is |
//! | [`MemoryTier`] | memory that does not count as the tape's: what a device would be |
//! | [`NullTier`] | benches: forgets everything, so that only the sweep itself is timed |
//! | [`FaultyTier`] | tests: fails on cue |

#[cfg(feature = "disk")]
mod disk;
mod faulty;
mod memory;

#[cfg(feature = "disk")]
pub use disk::DiskTier;
pub use faulty::{Fault, FaultyTier, Operation};
pub use memory::{MemoryTier, NullTier};

use std::fmt;
use std::io;

/// Offsets, lengths and addresses of pages are multiples of this many bytes.
pub const PAGE: usize = 4096;

/// A store for pages of a tape.
///
/// The tape uses room from offset 0 on, at most twice as much as all pages that lie there at once take. A page is
/// written in one piece, in rare cases in several, and read in the same pieces. One that is written across older ones
/// of other offsets or lengths ends them.
///
/// A store belongs to one tape. Pages of another that it gives by mistake are refused
/// ([`TapeError::Corrupt`](crate::TapeError::Corrupt)). An [`Interrupted`](io::ErrorKind::Interrupted) operation is
/// tried again by the tape; one that is interrupted 100,000 times in a row has failed. An operation that does not
/// return blocks the tape, unless it has a [`tier_timeout`](crate::TapeBuilder::tier_timeout).
pub trait Tier: Send + fmt::Debug {
    /// Stores a page, or a piece of one.
    ///
    /// `at`, the length of `page` and its address are multiples of [`PAGE`].
    ///
    /// # Errors
    ///
    /// Whatever keeps the whole page from being stored. The page is then still in memory.
    fn write(&mut self, at: u64, page: &[u8]) -> io::Result<()>;

    /// Reads back what was stored last at `at`, with the same alignment.
    ///
    /// # Errors
    ///
    /// Whatever keeps the whole page from being read.
    fn read(&mut self, at: u64, page: &mut [u8]) -> io::Result<()>;

    /// Gives up what is stored from `at` on.
    ///
    /// The tape asks for it with 0 when none of its pages is needed any more: at once if they took more than 256 MiB or
    /// the tape is dropped, else when it has been idle for 50 milliseconds.
    ///
    /// # Errors
    ///
    /// If it cannot be done now. The tape goes on, and asks again: while it idles, after longer and longer times, and
    /// when it is dropped.
    fn free(&mut self, at: u64) -> io::Result<()> {
        let _ = at;
        Ok(())
    }

    /// The bytes that it can hold, if that is known.
    fn capacity(&self) -> Option<u64> {
        None
    }

    /// Whether what is read is what was written, so that the tape can check its pages.
    fn is_faithful(&self) -> bool {
        true
    }
}
