//! The cold half of a tape: which blocks it holds, and how the window moves between them.
//!
//! The hot half is three pointers, the [`Cursor`]. Every function here that the hot paths call
//! takes the top by value and returns the new window. So the address of the `Tape` itself is never
//! handed to an opaque call, and the optimiser may keep the cursor in registers across a loop.
//!
//! Rule for everything below: a function that may unwind changes nothing before it is certain that
//! it will not, because the cursor of the tape then keeps its old value.

#![allow(unsafe_code)]

use super::block::{Block, NEAR};
use super::error::{TapeError, fail};
use super::shadow::{Shadow, Tag};

/// The first blocks of a tape grow quickly from a small buffer to a slab, so that a small function
/// touches a few cache lines and no fresh page.
const FIRST_BLOCKS: [usize; 4] = [512, 4 << 10, 32 << 10, 256 << 10];

/// The window of the current block that can be written and read without a look at the store.
///
/// Invariant: `bottom <= top <= end`, all within one block whose bytes are initialised (or all
/// nowhere). Without a shadow, `bottom` and `end` are the bounds of the block; with one, all
/// three are equal between operations.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor {
    pub(super) top: *mut u8,
    pub(super) bottom: *mut u8,
    pub(super) end: *mut u8,
}

impl Cursor {
    /// The window of a tape without a block: an address that nothing is ever read from, far enough
    /// from zero for [`NEAR`].
    pub(super) const EMPTY: Self = {
        let nowhere = std::ptr::without_provenance_mut(NEAR);
        Self {
            top: nowhere,
            bottom: nowhere,
            end: nowhere,
        }
    };

    /// Assigns field by field: one wide store would keep the fields out of registers in a loop.
    #[inline(always)]
    pub(super) fn set(&mut self, other: Self) {
        self.top = other.top;
        self.bottom = other.bottom;
        self.end = other.end;
    }

    /// Whether `bytes` can be pushed.
    #[inline(always)]
    pub(super) fn has_room(self, bytes: usize) -> bool {
        if bytes <= NEAR {
            self.top.addr().wrapping_add(bytes) <= self.end.addr()
        } else {
            self.free() >= bytes
        }
    }

    /// Whether `bytes` can be popped.
    #[inline(always)]
    pub(super) fn has(self, bytes: usize) -> bool {
        if bytes <= NEAR {
            self.top.addr().wrapping_sub(bytes) >= self.bottom.addr()
        } else {
            self.used() >= bytes
        }
    }

    /// Bytes that can be pushed.
    #[inline(always)]
    pub(super) fn free(self) -> usize {
        self.end.addr().wrapping_sub(self.top.addr())
    }

    /// Bytes that can be popped.
    #[inline(always)]
    pub(super) fn used(self) -> usize {
        self.top.addr().wrapping_sub(self.bottom.addr())
    }
}

/// The blocks of a tape, oldest first.
#[derive(Debug)]
pub(super) struct Store {
    blocks: Vec<Block>,
    /// Blocks in use; the last of them is the current one, those after it are spare.
    depth: usize,
    slab_bytes: usize,
    /// The largest total capacity of the blocks in use at once.
    high_water: usize,
    pub(super) shadow: Option<Box<Shadow>>,
}

/// A position: blocks in use, bytes used of the last of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position {
    pub(super) depth: usize,
    pub(super) offset: usize,
}

impl Store {
    pub(super) fn new(slab_bytes: usize, shadow: bool) -> Self {
        Self {
            blocks: Vec::new(),
            depth: 0,
            slab_bytes,
            high_water: 0,
            shadow: shadow.then(Box::default),
        }
    }

    /// Makes room for `bytes` contiguous bytes at the top, which the caller then writes.
    #[cold]
    #[inline(never)]
    pub(super) fn room(&mut self, top: *mut u8, bytes: usize, tag: Tag) -> Cursor {
        let mut real = self.unmask(top);
        if real.free() < bytes {
            match self.advance(real, bytes) {
                Ok(next) => real = next,
                Err(error) => fail(error),
            }
        }
        self.pushed(real, bytes, tag)
    }

    /// Moves the window so that the `bytes` newest bytes lie in it, for the caller to take off.
    #[cold]
    #[inline(never)]
    pub(super) fn back(&mut self, top: *mut u8, bytes: usize, tag: Tag) -> Cursor {
        if let Some(shadow) = &self.shadow {
            shadow.expect(tag);
        }
        let (depth, real) = self.locate(self.depth, self.unmask(top), bytes, tag);
        self.depth = depth;
        self.popping(real, bytes)
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

    /// The window with the true bounds of the current block.
    pub(super) fn unmask(&self, top: *mut u8) -> Cursor {
        match self.depth.checked_sub(1) {
            Some(at) => {
                let block = &self.blocks[at];
                Cursor {
                    top,
                    bottom: block.base(),
                    end: block.end(),
                }
            }
            None => Cursor::EMPTY,
        }
    }

    /// The window that the tape presents: all of it, or none with a shadow.
    pub(super) fn mask(&self, real: Cursor) -> Cursor {
        match self.shadow {
            Some(_) => Cursor {
                top: real.top,
                bottom: real.top,
                end: real.top,
            },
            None => real,
        }
    }

    /// Starts the next block, one that holds at least `bytes`.
    pub(super) fn advance(&mut self, real: Cursor, bytes: usize) -> Result<Cursor, TapeError> {
        let spare = self.blocks[self.depth..]
            .iter()
            .position(|block| block.capacity() >= bytes);
        match spare {
            Some(at) => self.blocks.swap(self.depth, self.depth + at),
            None => {
                let usual = FIRST_BLOCKS.get(self.depth).copied().unwrap_or(usize::MAX);
                let capacity = usual.min(self.slab_bytes).max(bytes);
                let failed = TapeError::OutOfMemory { bytes: capacity };
                self.blocks.try_reserve(1).map_err(|_| failed)?;
                let block = Block::obtain(capacity)?;
                self.blocks.insert(self.depth, block);
            }
        }
        if let Some(at) = self.depth.checked_sub(1) {
            self.blocks[at].fill = real.used();
        }
        self.depth += 1;
        let held: usize = self.blocks[..self.depth].iter().map(Block::capacity).sum();
        self.high_water = self.high_water.max(held);
        Ok(self.window(self.depth, 0))
    }

    /// Finds the newest `bytes` bytes, seen from `real` in block `depth - 1`: empty blocks are
    /// stepped over.
    ///
    /// # Panics
    ///
    /// If the tape is empty or the bytes do not lie in one block: no record straddles blocks.
    pub(super) fn locate(
        &self,
        mut depth: usize,
        mut real: Cursor,
        bytes: usize,
        tag: Tag,
    ) -> (usize, Cursor) {
        while real.used() == 0 && depth > 1 {
            depth -= 1;
            real = self.window(depth, self.blocks[depth - 1].fill);
        }
        if real.used() < bytes {
            underflow(tag, real.used());
        }
        (depth, real)
    }

    pub(super) fn enter(&mut self, depth: usize) {
        self.depth = depth;
    }

    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    pub(super) fn slab_bytes(&self) -> usize {
        self.slab_bytes
    }

    /// Where the top is. Of a block boundary, the end of the lower block, so that one state of the
    /// tape has one position.
    #[inline]
    pub(super) fn position(&self, top: *mut u8) -> Position {
        let mut depth = self.depth;
        let mut offset = match depth.checked_sub(1) {
            Some(at) => top.addr() - self.blocks[at].base().addr(),
            None => 0,
        };
        while offset == 0 && depth > 0 {
            depth -= 1;
            offset = depth.checked_sub(1).map_or(0, |at| self.blocks[at].fill);
        }
        Position { depth, offset }
    }

    /// Goes back to a position, unless it is above the top.
    #[cold]
    #[inline(never)]
    pub(super) fn rewind(&mut self, top: *mut u8, to: Position, tags: usize) -> Option<Cursor> {
        let here = self.position(top);
        let beyond_fill = |at: usize| to.depth < here.depth && to.offset > self.blocks[at].fill;
        let tags_left = self.shadow.as_ref().map_or(0, |shadow| shadow.tags.len());
        if to > here || to.depth.checked_sub(1).is_some_and(beyond_fill) || tags > tags_left {
            return None;
        }
        if let Some(shadow) = &mut self.shadow {
            shadow.tags.truncate(tags);
        }
        self.depth = to.depth;
        if to.depth == 0 {
            return Some(Cursor::EMPTY);
        }
        Some(self.mask(self.window(to.depth, to.offset)))
    }

    /// Bytes between the bottom of the first block and the top.
    pub(super) fn bytes_in_use(&self, top: *mut u8) -> usize {
        match self.depth.checked_sub(1) {
            Some(at) => {
                let below: usize = self.blocks[..at].iter().map(|block| block.fill).sum();
                below + (top.addr() - self.blocks[at].base().addr())
            }
            None => 0,
        }
    }

    /// Number and total size of all blocks, spare ones included, and the high-water mark.
    pub(super) fn held(&self) -> (usize, usize, usize) {
        let bytes = self.blocks.iter().map(Block::capacity).sum();
        let high_water = self
            .shadow
            .as_ref()
            .map_or(self.high_water, |shadow| shadow.high_water);
        (self.blocks.len(), bytes, high_water)
    }

    /// Gives spare blocks away until at most `keep` bytes are held.
    pub(super) fn trim(&mut self, keep: usize) {
        let mut held: usize = self.blocks.iter().map(Block::capacity).sum();
        while held > keep && self.blocks.len() > self.depth {
            if let Some(block) = self.blocks.pop() {
                held -= block.capacity();
                block.recycle();
            }
        }
    }

    /// The true window of block `depth - 1` with `used` bytes in use.
    fn window(&self, depth: usize, used: usize) -> Cursor {
        let block = &self.blocks[depth - 1];
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

impl Drop for Store {
    fn drop(&mut self) {
        self.blocks.drain(..).for_each(Block::recycle);
    }
}

#[cold]
#[inline(never)]
fn underflow(tag: Tag, found: usize) -> ! {
    if found == 0 {
        panic!("retrograde: pop of {tag} from an empty tape: more pops than pushes");
    }
    panic!(
        "retrograde: pop of {tag}, but the newest item on the tape has another shape (only {found} \
         bytes are left in its block): pushes and pops are not in opposite order; \
         `Tape::builder().shadow(true)` names the two items"
    );
}
