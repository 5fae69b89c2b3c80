//! Where the top of a tape is, and the way back there.

use super::{FIRST_BLOCKS, Store};
use crate::tape::Mark;
use crate::tape::cursor::Cursor;
use crate::tape::trace;

/// A position: blocks in use, bytes used of the last of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::tape) struct Position {
    pub(in crate::tape) depth: usize,
    pub(in crate::tape) offset: usize,
}

impl Store {
    /// Where the top is. Of a block boundary, the end of the lower block, so that one state of the
    /// tape has one position.
    #[inline]
    pub(in crate::tape) fn position(&self, top: *mut u8) -> Position {
        let mut depth = self.depth;
        let mut offset = self.offset(top);
        while offset == 0 && depth > 0 {
            depth -= 1;
            offset = depth.checked_sub(1).map_or(0, |at| self.slots[at].fill);
        }
        Position { depth, offset }
    }

    /// Bytes between the base of the current block and the top.
    #[inline]
    fn offset(&self, top: *mut u8) -> usize {
        match (self.parked, self.depth.checked_sub(1)) {
            (Some(offset), _) => offset,
            (None, Some(at)) => top.addr() - self.slots[at].block().base().addr(),
            (None, None) => 0,
        }
    }

    #[inline]
    pub(in crate::tape) fn mark(&self, top: *mut u8) -> Mark {
        Mark {
            position: self.position(top),
            tags: self.shadow.as_ref().map_or(0, |shadow| shadow.tags.len()),
            forks: self.family.forks(),
        }
    }

    /// Goes back to a position, unless it is above the top.
    #[cold]
    #[inline(never)]
    pub(in crate::tape) fn rewind(&mut self, top: *mut u8, mark: Mark) -> Option<Cursor> {
        let Mark {
            position: to,
            tags,
            forks,
        } = mark;
        let here = self.position(top);
        let beyond_fill = |at: usize| to.depth < here.depth && to.offset > self.slots[at].fill;
        let tags_left = self.shadow.as_ref().map_or(0, |shadow| shadow.tags.len());
        let items_left = tags <= tags_left && forks <= self.family.forks();
        if to > here || to.depth.checked_sub(1).is_some_and(beyond_fill) || !items_left {
            return None;
        }
        self.family.truncate(forks);
        if self.depth > to.depth.max(FIRST_BLOCKS.len()) {
            let below = to.depth.checked_sub(1);
            let left = below.map_or(0, |at| self.slots[at].bytes_below() + to.offset);
            trace::rewound(self.bytes_in_use(top), left);
        }
        if let Some(shadow) = &mut self.shadow {
            shadow.tags.truncate(tags);
        }
        self.aside.forget();
        self.depth = to.depth;
        self.torn = false;
        if self.spill.is_some() {
            self.retire();
        }
        let current = to.depth.checked_sub(1);
        self.parked = current
            .filter(|&at| !self.slots[at].is_here())
            .map(|_| to.offset);
        self.give_up_pages();
        self.tell();
        let (Some(_), None) = (current, self.parked) else {
            return Some(Cursor::EMPTY);
        };
        Some(self.mask(self.window(to.depth, to.offset)))
    }

    /// Bytes between the bottom of the first block and the top.
    pub(in crate::tape) fn bytes_in_use(&self, top: *mut u8) -> usize {
        let below = self
            .depth
            .checked_sub(1)
            .map_or(0, |at| self.slots[at].bytes_below());
        below + self.offset(top)
    }
}
