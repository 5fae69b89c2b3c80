//! What a tape holds of memory, and how it gives back what it does not need.

use super::{FIRST_BLOCKS, Store};
use crate::tape::block::Giver;
use crate::tape::slot::{Slot, State};

/// Places for blocks, forks, and tags that a tape keeps which is trimmed or goes back to its thread.
const KEEP_PLACES: usize = 64;

impl Store {
    /// Whether it holds a first block at most.
    #[inline(always)]
    pub(in crate::tape) fn is_small(&self) -> bool {
        let first = self.slots.first().map_or(0, Slot::capacity);
        self.slots.len() <= 1
            && first <= FIRST_BLOCKS[0]
            && self.family.is_unused()
            && self.spill.is_none()
    }

    /// Bytes in use of the blocks that are not in memory, or on their way from it.
    pub(in crate::tape) fn away_bytes(&self) -> usize {
        let spilling = |slot: &Slot| slot.spills;
        let in_use = &self.slots[..self.depth];
        let (Some(first), Some(oldest)) = (
            in_use.iter().position(spilling),
            (self.oldest_here..self.depth).find(|&at| in_use[at].is_here() && in_use[at].spills),
        ) else {
            return 0;
        };
        in_use[oldest].bytes_below() - in_use[first].bytes_below()
    }

    /// Number and total size of all blocks in memory, spare ones included, and the high-water mark.
    pub(in crate::tape) fn held(&self) -> (usize, usize, usize) {
        let (mut blocks, mut bytes) = (0, 0);
        for slot in self.slots.iter().filter(|slot| slot.is_here()) {
            blocks += 1;
            if !slot.spills {
                bytes += slot.capacity();
            }
        }
        bytes += match &self.spill {
            Some(spill) => {
                blocks += spill.free.len() + spill.in_flight;
                spill.held
            }
            None => 0,
        };
        let high_water = self
            .shadow
            .as_ref()
            .map_or(self.high_water, |shadow| shadow.high_water);
        (blocks, bytes, high_water)
    }

    /// Gives spare blocks away until at most `keep` bytes are held.
    pub(in crate::tape) fn trim(&mut self, keep: usize, giver: Giver) {
        self.settle_all();
        let (_, mut held, _) = self.held();
        while held > keep && self.slots.len() > self.depth {
            if let Some(State::Here(block)) = self.slots.pop().map(Slot::into_state) {
                held -= block.capacity();
                block.recycle_from(giver);
            }
        }
        if let Some(spill) = &mut self.spill {
            while held > keep
                && let Some(block) = spill.free.pop()
            {
                held -= block.capacity();
                spill.holds(0, block.capacity());
                block.recycle_from(giver);
            }
        }
        self.slim();
    }

    /// Gives back what lies beside the blocks, as far as nothing is in it.
    pub(in crate::tape) fn slim(&mut self) {
        self.aside.trim();
        self.slots.shrink_to(KEEP_PLACES);
        self.family.slim(KEEP_PLACES);
        if let Some(shadow) = &mut self.shadow {
            shadow.tags.shrink_to(KEEP_PLACES);
        }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // The lowest last: the next tape begins with it.
        for slot in self.slots.drain(..).rev() {
            if let State::Here(block) = slot.into_state() {
                block.recycle();
            }
        }
    }
}
