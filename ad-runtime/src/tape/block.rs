//! Blocks of tape memory and the process-wide pool that recycles them.
//!
//! A block is allocated zeroed and stays fully initialised for its whole life: whatever is read
//! back from a tape, even with the wrong shape, is initialised memory. Zeroed allocation of a slab
//! costs nothing where the system hands out zero pages.

#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;
use std::sync::{Mutex, PoisonError};

use super::error::TapeError;
use crate::tier::PAGE;

/// The data of a block starts on a cache line. In a block that fills pages, the line before it is the header of the page.
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

/// What the pool keeps at most, in bytes.
const POOL_MAX_BYTES: usize = 64 << 20;

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

    /// Hands the block to the pool, or frees it if the pool is full or the block is small.
    pub(super) fn recycle(self) {
        if !is_slab(self.capacity) {
            return;
        }
        let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        if pool.bytes + self.capacity <= POOL_MAX_BYTES {
            pool.bytes += self.capacity;
            pool.blocks.push(self);
        }
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
    blocks: Vec<Block>,
    bytes: usize,
}

static POOL: Mutex<Pool> = Mutex::new(Pool {
    blocks: Vec::new(),
    bytes: 0,
});

/// The smallest pooled block that holds `capacity` bytes and less than `most`.
fn take_pooled(capacity: usize, most: usize) -> Option<Block> {
    if !is_slab(capacity) {
        return None;
    }
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let (at, _) = pool
        .blocks
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, block)| (capacity..most).contains(&block.capacity))
        .min_by_key(|(_, block)| block.capacity)?;
    let block = pool.blocks.swap_remove(at);
    pool.bytes -= block.capacity;
    Some(block)
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

    #[test]
    fn the_pool_is_bounded() {
        let blocks: Vec<Block> = (0..80)
            .map(|_| Block::obtain(1 << 20).expect("memory"))
            .collect();
        blocks.into_iter().for_each(Block::recycle);
        let pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        assert!(pool.bytes <= POOL_MAX_BYTES);
        assert_eq!(
            pool.bytes,
            pool.blocks.iter().map(Block::capacity).sum::<usize>()
        );
    }
}
