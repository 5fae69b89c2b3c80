//! How much a tape holds.

use super::Tape;

/// What a tape holds and has held, from [`Tape::stats`]. All sizes in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TapeStats {
    /// In use now, the lengths of slices included.
    pub bytes: usize,
    /// The most that was in use at once: exact with a shadow; without, the size of the blocks that
    /// were in use at once, because a push counts nothing.
    pub high_water: usize,
    /// Blocks held, spare ones included.
    pub blocks: usize,
    /// Memory held, spare blocks included.
    pub held_bytes: usize,
    /// Items pushed since the tape was made (a slice or a tile is one); only with a shadow.
    pub pushed: Option<u64>,
}

impl Tape {
    /// What the tape holds. Costs nothing until it is asked for.
    ///
    /// ```
    /// use ad_runtime::{Site, Tape};
    ///
    /// let mut tape = Tape::new();
    /// tape.push(Site::new(), (1.0, 2_u8));
    /// assert_eq!(tape.stats().bytes, 9);
    /// ```
    #[must_use]
    pub fn stats(&self) -> TapeStats {
        let (blocks, held_bytes, high_water) = self.store.held();
        TapeStats {
            bytes: self.store.bytes_in_use(self.cursor.top),
            high_water,
            blocks,
            held_bytes,
            pushed: self.store.shadow.as_ref().map(|shadow| shadow.pushed),
        }
    }
}
