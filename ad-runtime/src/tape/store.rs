//! The cold half of a tape: which blocks it holds, and how the window moves between them.
//!
//! The hot half is three pointers, the [`Cursor`]. Every function here that the hot paths call
//! takes the top by value and returns the new window. So the address of the `Tape` itself is never
//! handed to an opaque call, and the optimiser may keep the cursor in registers across a loop.
//!
//! What goes wrong travels the same way: a [`Moved`] window comes with the fault, the tape takes the
//! window, and only then unwinds. So the cursor always agrees with the store.
//!
//! With a memory budget (`spill.rs`, `residence.rs`) some of the older blocks are not in memory. The current one
//! is, unless the tape is *parked*: after a rewind to a block that is away the window is empty, and the
//! next push or pop brings the block back.

#![allow(unsafe_code)]

mod held;
mod position;

use super::aside::Aside;
use super::block::Block;
use super::cursor::Cursor;
use super::error::{Fault, TapeError};
use super::fork::{Family, Kin};
use super::observe::Observer;
use super::shadow::{Shadow, Tag};
use super::slot::Slot;
use super::spill::Spill;
use super::trace;

pub(super) use position::Position;

/// The first blocks of a tape grow quickly from a small buffer to a slab, so that a small function
/// touches a few cache lines and no fresh page.
const FIRST_BLOCKS: [usize; 4] = [512, 4 << 10, 32 << 10, 256 << 10];

/// Where the window is after an operation, and what went wrong, if anything did.
#[derive(Debug)]
#[must_use]
pub(super) struct Moved {
    pub(super) cursor: Cursor,
    pub(super) fault: Option<Box<Fault>>,
}

impl From<Cursor> for Moved {
    fn from(cursor: Cursor) -> Self {
        Self {
            cursor,
            fault: None,
        }
    }
}

/// The blocks of a tape, oldest first.
#[derive(Debug)]
pub(super) struct Store {
    pub(super) slots: Vec<Slot>,
    /// Blocks in use; the last of them is the current one, those after it are spare.
    pub(super) depth: usize,
    slab_bytes: usize,
    /// The largest total capacity of the blocks in use at once.
    high_water: usize,
    /// The offset of the top in a current block that is not in memory.
    pub(super) parked: Option<usize>,
    /// Whether an item was lost half-way off the tape: it can only be rewound then.
    torn: bool,
    /// No block below this one that could spill is in memory.
    pub(super) oldest_here: usize,
    pub(super) shadow: Option<Box<Shadow>>,
    pub(super) aside: Aside,
    pub(super) spill: Option<Box<Spill>>,
    pub(super) observer: Option<Box<Observer>>,
    pub(super) family: Family,
    /// Which child of which family the tape is.
    pub(super) child: Option<Kin>,
    pub(super) watch: trace::Watch,
    #[cfg(feature = "report")]
    pub(super) tally: Option<Box<super::tally::Tally>>,
}

impl Store {
    pub(super) fn new(slab_bytes: usize, shadow: bool, spill: Option<Box<Spill>>) -> Self {
        Self {
            slots: Vec::new(),
            depth: 0,
            slab_bytes,
            high_water: 0,
            parked: None,
            torn: false,
            oldest_here: 0,
            shadow: shadow.then(Box::default),
            aside: Aside::default(),
            spill,
            observer: None,
            family: Family::default(),
            child: None,
            watch: trace::Watch::default(),
            #[cfg(feature = "report")]
            tally: None,
        }
    }

    /// Makes room for `bytes` contiguous bytes at the top, which the caller then writes.
    #[cold]
    #[inline(never)]
    pub(super) fn room(&mut self, top: *mut u8, bytes: usize, tag: Tag) -> Moved {
        self.observe(top);
        let mut real = match self.unmask(top) {
            Ok(real) => real,
            Err(fault) => return self.stay(top, fault),
        };
        if real.free() < bytes
            && let Err(error) = self.advance(&mut real, bytes)
        {
            return self.stay(real.top, error.into());
        }
        self.pushed(real, bytes, tag).into()
    }

    /// Moves the window so that the `bytes` newest bytes lie in it, for the caller to take off.
    #[cold]
    #[inline(never)]
    pub(super) fn back(&mut self, top: *mut u8, bytes: usize, tag: Tag) -> Moved {
        self.observe(top);
        if let Some(shadow) = &self.shadow {
            shadow.expect(tag);
        }
        let mut real = match self.unmask(top) {
            Ok(real) => real,
            Err(fault) => return self.stay(top, fault),
        };
        match self.locate(&mut real, bytes, tag) {
            Ok(()) => self.popping(real, bytes).into(),
            Err(fault) => self.stay(real.top, fault),
        }
    }

    /// The window at `top` in the current block, with a fault.
    pub(super) fn stay(&self, top: *mut u8, fault: Box<Fault>) -> Moved {
        let cursor = match self.current() {
            Some(block) => self.mask(Cursor {
                top,
                bottom: block.base(),
                end: block.end(),
            }),
            None => Cursor::EMPTY,
        };
        Moved {
            cursor,
            fault: Some(fault),
        }
    }

    /// The current block, if there is one and it is in memory.
    fn current(&self) -> Option<&Block> {
        if self.parked.is_some() {
            return None;
        }
        self.depth.checked_sub(1).map(|at| self.slots[at].block())
    }

    /// Notes a push of `bytes` at the top of `real`, and the window in which it is written.
    pub(super) fn pushed(&mut self, real: Cursor, bytes: usize, tag: Tag) -> Cursor {
        let in_use = if self.shadow.is_some() {
            self.bytes_in_use(real.top) + bytes
        } else {
            0
        };
        let Some(shadow) = &mut self.shadow else {
            return real;
        };
        shadow.push(tag, in_use);
        // SAFETY: the caller made sure that `bytes` are free above `top`.
        let top = unsafe { real.top.add(bytes) };
        Cursor {
            top: real.top,
            bottom: top,
            end: top,
        }
    }

    /// Notes a pop of `bytes` from the top of `real`, and the window in which it is read.
    pub(super) fn popping(&mut self, real: Cursor, bytes: usize) -> Cursor {
        let Some(shadow) = &mut self.shadow else {
            return real;
        };
        shadow.tags.pop();
        // SAFETY: the caller made sure that `bytes` are in use below `top`.
        let top = unsafe { real.top.sub(bytes) };
        Cursor {
            top: real.top,
            bottom: top,
            end: top,
        }
    }

    /// The window with the true bounds of the current block, which is brought to memory if it is away.
    pub(super) fn unmask(&mut self, top: *mut u8) -> Result<Cursor, Box<Fault>> {
        if self.torn {
            return Err(Fault::misuse(
                "retrograde: the newest item of the tape was lost half-way when its tier failed: rewind or clear the \
                 tape"
                    .to_owned(),
            ));
        }
        if let Some(offset) = self.parked {
            self.bring(self.depth - 1)?;
            self.parked = None;
            self.tell();
            return Ok(self.window(self.depth, offset));
        }
        Ok(match self.current() {
            Some(block) => Cursor {
                top,
                bottom: block.base(),
                end: block.end(),
            },
            None => Cursor::EMPTY,
        })
    }

    /// The window that the tape presents: all of it, or none with a shadow.
    pub(super) fn mask(&self, real: Cursor) -> Cursor {
        if self.shadow.is_none() && !self.torn {
            return real;
        }
        Cursor {
            top: real.top,
            bottom: real.top,
            end: real.top,
        }
    }

    /// Starts the next block, one that holds at least `bytes`. On failure nothing changes.
    pub(super) fn advance(&mut self, real: &mut Cursor, bytes: usize) -> Result<(), TapeError> {
        let usual = FIRST_BLOCKS.get(self.depth).copied().unwrap_or(usize::MAX);
        let usual = usual.min(self.slab_bytes);
        let wanted = if bytes <= usual || self.spill.is_none() {
            usual.max(bytes)
        } else {
            self.slab_bytes.max(bytes) // what is smaller does not count towards a budget
        };
        let spare = self.slots[self.depth..]
            .iter()
            .position(|slot| slot.capacity() >= bytes);
        match spare {
            Some(at) => self.slots.swap(self.depth, self.depth + at),
            None => {
                let failed = TapeError::OutOfMemory { bytes: wanted };
                self.slots.try_reserve(1).map_err(|_| failed)?;
                let block = if self.spill.is_some() {
                    self.block_within_budget(wanted)?
                } else {
                    Block::obtain(wanted)?
                };
                let counted = self.spill.is_some() && wanted >= self.slab_bytes;
                self.slots.insert(self.depth, Slot::new(block, counted));
            }
        }
        if let Some(at) = self.depth.checked_sub(1) {
            self.slots[at].leave(real.used());
        }
        self.place_page(self.depth);
        let below = self.depth.checked_sub(1);
        let (bytes, capacity) = below.map_or((0, 0), |at| self.slots[at].sums());
        self.slots[self.depth].set_below(bytes, capacity);
        self.depth += 1;
        let (_, held) = self.slots[self.depth - 1].sums();
        self.high_water = self.high_water.max(held);
        *real = self.window(self.depth, 0);
        Ok(())
    }

    /// Goes down to where the newest `bytes` bytes lie: empty blocks are stepped over.
    ///
    /// A fault if the tape is empty, the bytes do not lie in one block (no record straddles blocks), or the block
    /// cannot be brought back; the window is then at the bottom of the block above.
    pub(super) fn locate(
        &mut self,
        real: &mut Cursor,
        bytes: usize,
        tag: Tag,
    ) -> Result<(), Box<Fault>> {
        while real.used() == 0 && self.depth > 1 {
            self.depth -= 1;
            let fill = self.slots[self.depth - 1].fill;
            if self.spill.is_some() {
                // The empty block is free at once: the one below may need its memory.
                self.retire();
                if !self.slots[self.depth - 1].is_here() {
                    self.parked = Some(fill);
                    *real = Cursor::EMPTY;
                    if let Err(fault) = self.bring(self.depth - 1) {
                        self.torn = true; // a part of the item may be off already
                        return Err(fault);
                    }
                    self.parked = None;
                }
                self.give_up_pages();
                self.look_ahead(self.depth - 1);
                self.tell();
            }
            *real = self.window(self.depth, fill);
        }
        if real.used() < bytes {
            return Err(underflow(tag, real.used()));
        }
        Ok(())
    }

    pub(super) fn slab_bytes(&self) -> usize {
        self.slab_bytes
    }

    /// The true window of block `depth - 1` with `used` bytes in use.
    fn window(&self, depth: usize, used: usize) -> Cursor {
        let block = self.slots[depth - 1].block();
        debug_assert!(used <= block.capacity());
        // SAFETY: fills and offsets never exceed the capacity of their block: they are differences
        // of a top and the base of the block, and `rewind` compares before it comes here.
        let top = unsafe { block.base().add(used) };
        Cursor {
            top,
            bottom: block.base(),
            end: block.end(),
        }
    }
}

#[cold]
#[inline(never)]
fn underflow(tag: Tag, found: usize) -> Box<Fault> {
    Fault::misuse(if found == 0 {
        format!("retrograde: pop of {tag} from an empty tape: more pops than pushes")
    } else {
        format!(
            "retrograde: pop of {tag}, but the newest item on the tape has another shape (only {found} \
             bytes are left in its block): pushes and pops are not in opposite order; \
             `Tape::builder().shadow(true)` names the two items"
        )
    })
}
