//! The tapes that gradients run on.

use std::path::Path;

use retrograde::tier::MemoryTier;
use retrograde::{Tape, TapeError};

use crate::rng::Rng;

use super::faults::{Cue, CueTier};

/// Where a tape with a budget spills to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Store {
    /// Nowhere: what does not fit is an error.
    Nowhere,
    Memory,
    File,
    /// A [`CueTier`].
    OnCue,
}

/// How a tape is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) slab: Option<usize>,
    pub(crate) shadow: bool,
    /// Budget in slabs, prefetched slabs, tier.
    pub(crate) budget: Option<(usize, usize, Store)>,
}

/// Slabs of tapes in memory.
const SLABS: [usize; 9] = [64, 96, 100, 1000, 4096, 5000, 65_536, 100_001, 1 << 20];

/// Slabs of tapes that spill: whole pages.
const SPILLED: [usize; 6] = [4096, 8192, 12_288, 65_536, 131_072, 1 << 20];

/// A budget in which functions under `#[gradient]` have room: three items of up to 128 KiB, rounded up to slabs.
const ITEMS: usize = 512 << 10;

impl Layout {
    pub(crate) const DEFAULT: Self = Self {
        slab: None,
        shadow: false,
        budget: None,
    };

    pub(crate) fn draw(rng: &mut Rng) -> Self {
        let shadow = rng.percent(15);
        match rng.below(10) {
            0 => Self {
                shadow,
                ..Self::DEFAULT
            },
            1..=3 => Self {
                slab: Some(SLABS[rng.below(SLABS.len())]),
                shadow,
                budget: None,
            },
            _ => Self::spilling(rng, shadow),
        }
    }

    fn spilling(rng: &mut Rng, shadow: bool) -> Self {
        let store = match rng.below(10) {
            0 => Store::Nowhere,
            1..=2 => Store::Memory,
            3..=4 => Store::File,
            _ => Store::OnCue,
        };
        let slab = SPILLED[rng.below(SPILLED.len())];
        // Mostly room for the items that functions make, now and then hardly any.
        let least = if rng.percent(50) { ITEMS / slab } else { 0 };
        Self {
            slab: Some(slab),
            shadow,
            budget: Some((
                rng.within(3, 9).max(least + rng.below(3)),
                rng.within(1, 4),
                store,
            )),
        }
    }

    /// Builds the tape, and the cue for its tier.
    pub(crate) fn build(&self, dir: &Path) -> Result<(Tape, Option<Cue>), TapeError> {
        let mut builder = Tape::builder().shadow(self.shadow);
        if let Some(bytes) = self.slab {
            builder = builder.slab_bytes(bytes);
        }
        let mut cue = None;
        if let Some((slabs, prefetch, store)) = self.budget {
            let bytes = slabs * self.slab.unwrap_or(2 << 20);
            builder = builder.memory_budget(bytes).prefetch(prefetch);
            builder = match store {
                Store::Nowhere => builder,
                Store::Memory => builder.tier(MemoryTier::new()),
                Store::File => builder.spill_to(dir),
                Store::OnCue => {
                    let tier = CueTier::new(cue.insert(Cue::default()).clone());
                    builder.tier(tier)
                }
            };
        }
        Ok((builder.build()?, cue))
    }

    /// Whether a gradient may not fit.
    pub(crate) fn may_be_too_small(&self) -> bool {
        self.budget.is_some_and(|(slabs, _, store)| {
            store == Store::Nowhere || slabs * self.slab.unwrap_or(2 << 20) < ITEMS
        })
    }
}
