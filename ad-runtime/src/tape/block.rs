//! Blocks of tape memory and the process-wide pool that recycles them.
//!
//! A block is allocated zeroed and stays fully initialised for its whole life: whatever is read
//! back from a tape, even with the wrong shape, is initialised memory. Zeroed allocation of a slab
//! costs nothing where the system hands out zero pages.

#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::collections::VecDeque;
use std::ptr::NonNull;
use std::sync::{Mutex, PoisonError};

use super::error::TapeError;
use crate::tier::PAGE;

/// The data of a block starts on a cache line. In a block that fills pages, the line before it is the header of the
/// page.
const LINE: usize = 64;

/// Bytes of a page before the data.
pub(super) const HEADER: usize = LINE;

/// The alignment asked of the allocator: above it, zeroed memory would be written instead of
/// mapped.
const ALLOCATOR_ALIGN: usize = 16;

/// No block lies this near to either end of the address space, so that an address in a block plus
/// or minus that many bytes does not wrap.
pub(super) const NEAR: usize = 4096;

/// Blocks from this size on, header included, fill pages and are pooled; smaller ones are left to the allocator.
const POOL_MIN_BLOCK: usize = 128 << 10;

fn is_slab(capacity: usize) -> bool {
    capacity >= POOL_MIN_BLOCK - HEADER
}

/// What the pool keeps at most of tapes that are dropped or trimmed, in bytes.
const POOL_MAX_BYTES: usize = 64 << 20;

/// What the pool keeps at most, in bytes, once tapes of threads have put there what their next gradients will need.
const POOL_MAX_IDLE_BYTES: usize = 256 << 20;

/// Who gives a block to the pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Giver {
    /// A tape that is dropped, or gives memory away.
    Tape,
    /// A tape that a thread keeps, between two gradients.
    IdleThread,
}

/// One contiguous, never moved piece of tape memory.
#[derive(Debug)]
pub(super) struct Block {
    /// What the allocator returned.
    raw: NonNull<u8>,
    /// The first byte of the data.
    base: NonNull<u8>,
    capacity: usize,
    /// Whether there is a header before the data, and a page boundary before that.
    paged: bool,
}

// SAFETY: a block owns its memory, and the memory holds plain bytes.
unsafe impl Send for Block {}

impl Block {
    /// A block of at least `capacity` bytes, from the pool if it has one of about that size.
    pub(super) fn obtain(capacity: usize) -> Result<Self, TapeError> {
        Self::new(capacity, is_slab(capacity), capacity.saturating_mul(2))
    }

    /// A block of hardly more than `capacity` bytes.
    pub(super) fn obtain_exact(capacity: usize) -> Result<Self, TapeError> {
        Self::new(capacity, is_slab(capacity), capacity.saturating_add(PAGE))
    }

    /// A block that fills pages, of any size, and hardly larger than asked for.
    pub(super) fn obtain_paged(capacity: usize) -> Result<Self, TapeError> {
        Self::new(capacity, true, capacity.saturating_add(PAGE))
    }

    fn new(capacity: usize, paged: bool, most: usize) -> Result<Self, TapeError> {
        if let Some(block) = take_pooled(capacity, most) {
            return Ok(block);
        }
        let failed = TapeError::OutOfMemory { bytes: capacity };
        let layout = Self::layout(capacity, paged).ok_or_else(|| failed.clone())?;
        // SAFETY: the size of the layout is at least `LINE`, so not zero.
        let raw = NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or_else(|| failed.clone())?;
        let (align, header) = if paged { (PAGE, HEADER) } else { (LINE, 0) };
        let pad = raw.as_ptr().align_offset(align);
        debug_assert!(pad < align);
        // SAFETY: the allocation is longer than `capacity` by a header and `align`, and `pad < align`.
        let base = unsafe { raw.add(pad + header) };
        let block = Self {
            raw,
            base,
            capacity,
            paged,
        };
        let room_above = usize::MAX - block.end().addr();
        if block.base().addr() < NEAR || room_above < NEAR {
            return Err(failed);
        }
        Ok(block)
    }

    /// The first byte.
    pub(super) fn base(&self) -> *mut u8 {
        self.base.as_ptr()
    }

    /// Usable bytes.
    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    /// One past the last usable byte.
    pub(super) fn end(&self) -> *mut u8 {
        // SAFETY: `capacity` bytes from `base` lie inside the allocation.
        unsafe { self.base.as_ptr().add(self.capacity) }
    }

    /// Hands the block to the pool, or frees it if it is small.
    pub(super) fn recycle(self) {
        self.recycle_from(Giver::Tape);
    }

    /// Hands the block to the pool, or frees it if it is small. A pool that is full frees those that it had for
    /// longest.
    pub(super) fn recycle_from(self, giver: Giver) {
        if !is_slab(self.capacity) {
            return;
        }
        let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        let most = match giver {
            Giver::Tape => pool.bytes.max(POOL_MAX_BYTES),
            Giver::IdleThread => POOL_MAX_IDLE_BYTES,
        };
        let freed = pool.take_in(self, most);
        drop(pool); // what is freed is freed without the lock
        drop(freed);
    }

    /// The header and the first `fill` bytes, up to the end of the last page that they touch.
    ///
    /// # Panics
    ///
    /// If the block has no header, or `fill` exceeds its capacity.
    pub(super) fn page_mut(&mut self, fill: usize) -> &mut [u8] {
        let (start, len) = self.page_bounds(fill);
        // SAFETY: `page_bounds` lie in the allocation, which is initialised, and `self` owns it and is borrowed
        // exclusively.
        unsafe { std::slice::from_raw_parts_mut(start, len) }
    }

    fn page_bounds(&self, fill: usize) -> (*mut u8, usize) {
        assert!(self.paged && fill <= self.capacity);
        // SAFETY: such blocks have a header before their data, and the allocation goes on for a page
        // beyond their capacity (`layout`).
        let start = unsafe { self.base.as_ptr().sub(HEADER) };
        (start, page_bytes(fill))
    }

    fn layout(capacity: usize, paged: bool) -> Option<Layout> {
        // One page to align, a header, and what rounds the last page up.
        let extra = if paged { 2 * PAGE + LINE } else { LINE };
        let bytes = capacity.checked_add(extra)?;
        Layout::from_size_align(bytes, ALLOCATOR_ALIGN).ok()
    }
}

/// The size of a page with `fill` bytes of data.
pub(super) fn page_bytes(fill: usize) -> usize {
    (fill + HEADER).next_multiple_of(PAGE)
}

impl Drop for Block {
    fn drop(&mut self) {
        if let Some(layout) = Self::layout(self.capacity, self.paged) {
            // SAFETY: `raw` was allocated in `obtain` with the layout of this very capacity.
            unsafe { dealloc(self.raw.as_ptr(), layout) };
        }
    }
}

struct Pool {
    /// Those that came last at the end.
    blocks: VecDeque<Block>,
    bytes: usize,
}

static POOL: Mutex<Pool> = Mutex::new(Pool {
    blocks: VecDeque::new(),
    bytes: 0,
});

impl Pool {
    /// Takes a block in, and gives out what then exceeds `most` bytes.
    fn take_in(&mut self, block: Block, most: usize) -> Vec<Block> {
        if block.capacity > most {
            return vec![block];
        }
        let mut freed = Vec::new();
        self.bytes += block.capacity;
        self.blocks.push_back(block);
        while self.bytes > most
            && let Some(oldest) = self.blocks.pop_front()
        {
            self.bytes -= oldest.capacity;
            freed.push(oldest);
        }
        freed
    }

    /// The smallest block that holds `capacity` bytes and less than `most`; of several, the one that came last.
    fn take_out(&mut self, capacity: usize, most: usize) -> Option<Block> {
        let (at, _) = self
            .blocks
            .iter()
            .enumerate()
            .rev()
            .filter(|(_, block)| (capacity..most).contains(&block.capacity))
            .min_by_key(|(_, block)| block.capacity)?;
        let block = self.blocks.remove(at)?;
        self.bytes -= block.capacity;
        Some(block)
    }
}

/// A pooled block that holds `capacity` bytes and less than `most`.
fn take_pooled(capacity: usize, most: usize) -> Option<Block> {
    if !is_slab(capacity) {
        return None;
    }
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    pool.take_out(capacity, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_start_on_a_cache_line_and_are_zero() {
        for capacity in [1, 63, 512, 5000] {
            let block = Block::obtain(capacity).expect("memory");
            assert_eq!(block.base().addr() % LINE, 0);
            // SAFETY: the block has `capacity` initialised bytes.
            let bytes = unsafe { std::slice::from_raw_parts(block.base(), capacity) };
            assert!(bytes.iter().all(|&byte| byte == 0));
        }
    }

    #[test]
    fn an_impossible_size_is_an_error_not_an_abort() {
        for capacity in [usize::MAX, isize::MAX as usize] {
            let error = Block::obtain(capacity).expect_err("no machine has this");
            assert!(matches!(error, TapeError::OutOfMemory { bytes } if bytes == capacity));
        }
    }

    #[test]
    fn a_recycled_slab_comes_back() {
        // A size that no other test uses, because the pool is shared by all of them.
        let capacity = (1 << 20) + 4096;
        let block = Block::obtain(capacity).expect("memory");
        let base = block.base();
        block.recycle();
        assert_eq!(Block::obtain(capacity - 100).expect("pooled").base(), base);
    }

    fn slab(capacity: usize) -> Block {
        Block::new(capacity, true, 0).expect("memory")
    }

    #[test]
    fn the_pool_is_bounded() {
        let blocks: Vec<Block> = (0..80).map(|_| slab(1 << 20)).collect();
        blocks.into_iter().for_each(Block::recycle);
        let pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        assert!(pool.bytes <= POOL_MAX_BYTES);
        assert_eq!(
            pool.bytes,
            pool.blocks.iter().map(Block::capacity).sum::<usize>()
        );
    }

    #[test]
    fn a_full_pool_frees_what_it_had_for_longest() {
        let mut pool = Pool {
            blocks: VecDeque::new(),
            bytes: 0,
        };
        let sizes = [1 << 20, 128 << 10, 256 << 10];
        for capacity in sizes {
            assert!(pool.take_in(slab(capacity), 3 << 19).is_empty());
        }
        let freed = pool.take_in(slab(200 << 10), 3 << 19);
        assert_eq!(freed.len(), 1);
        assert_eq!(freed[0].capacity, 1 << 20);
        assert_eq!(pool.bytes, (128 + 256 + 200) << 10);
        // The smallest that fits, and none that is much larger.
        let found = pool.take_out(129 << 10, 258 << 10).expect("pooled");
        assert_eq!(found.capacity, 200 << 10);
        assert!(pool.take_out(129 << 10, 256 << 10).is_none());
        // One that exceeds the bound alone is not kept.
        assert_eq!(pool.take_in(slab(2 << 20), 1 << 20).len(), 1);
        assert_eq!((pool.bytes, pool.blocks.len()), (384 << 10, 2));
    }
}
