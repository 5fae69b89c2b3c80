//! How much a tape holds.

use std::time::Duration;

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
    /// The most memory that was held at once; only with a [budget](crate::TapeBuilder::memory_budget), which it never
    /// exceeds by more than the first few blocks.
    pub most_held_bytes: Option<usize>,
    /// Bytes written to the tier, since the tape was made.
    pub written_bytes: u64,
    /// Bytes asked back from the tier, since the tape was made.
    pub read_bytes: u64,
    /// What the tier can hold in all, if it says.
    pub tier_capacity: Option<u64>,
    /// How often a sweep had to wait for the tier.
    pub stalls: u64,
    /// How long sweeps have waited for the tier in all.
    pub waited: Duration,
    /// Items pushed since the tape was made (a slice or a tile is one); only with a shadow.
    pub pushed: Option<u64>,
}

impl TapeStats {
    /// Adds what a child tape holds.
    fn add(&mut self, child: &Self) {
        self.bytes += child.bytes;
        self.high_water += child.high_water;
        self.blocks += child.blocks;
        self.held_bytes += child.held_bytes;
        self.most_held_bytes = self
            .most_held_bytes
            .zip(child.most_held_bytes)
            .map(|(own, other)| own + other);
        self.written_bytes += child.written_bytes;
        self.read_bytes += child.read_bytes;
        self.stalls += child.stalls;
        self.waited += child.waited;
        self.pushed = self
            .pushed
            .zip(child.pushed)
            .map(|(own, other)| own + other);
    }
}

impl Tape {
    /// What the tape and its [children](Tape::fork) hold. Costs nothing until it is asked for.
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
        let mut stats = self.own_stats();
        for child in self.store.family.tapes() {
            stats.add(&child.stats());
        }
        stats
    }

    fn own_stats(&self) -> TapeStats {
        let (blocks, held_bytes, high_water) = self.store.held();
        let spill = self.store.spill.as_ref();
        let counts = spill.map(|spill| spill.counts).unwrap_or_default();
        TapeStats {
            bytes: self.store.bytes_in_use(self.cursor.top),
            high_water,
            blocks,
            held_bytes,
            most_held_bytes: self.store.spill.as_ref().map(|spill| spill.most_held),
            written_bytes: counts.written,
            read_bytes: counts.read,
            tier_capacity: spill.and_then(|spill| spill.capacity()),
            stalls: counts.stalls,
            waited: counts.waited,
            pushed: self.store.shadow.as_ref().map(|shadow| shadow.pushed),
        }
    }
}
