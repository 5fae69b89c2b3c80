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

/// Blocks start on a cache line.
const LINE: usize = 64;

/// The alignment asked of the allocator: above it, zeroed memory would be written instead of
/// mapped.
const ALLOCATOR_ALIGN: usize = 16;

/// No block lies this near to either end of the address space, so that an address in a block plus
/// or minus that many bytes does not wrap.
pub(super) const NEAR: usize = 4096;

/// Smaller blocks are left to the allocator.
const POOL_MIN_BLOCK: usize = 128 << 10;

/// What the pool keeps at most, in bytes.
const POOL_MAX_BYTES: usize = 64 << 20;

/// One contiguous, never moved piece of tape memory.
#[derive(Debug)]
pub(super) struct Block {
    /// What the allocator returned.
    raw: NonNull<u8>,
    /// The first cache line inside.
    base: NonNull<u8>,
    capacity: usize,
    /// Bytes in use; kept up to date only while the block is not the current one.
    pub(super) fill: usize,
}

// SAFETY: a block owns its memory, and the memory holds plain bytes.
unsafe impl Send for Block {}

impl Block {
    /// A block of at least `capacity` bytes, from the pool if it has one of about that size.
    pub(super) fn obtain(capacity: usize) -> Result<Self, TapeError> {
        if let Some(block) = take_pooled(capacity) {
            return Ok(block);
        }
        let failed = TapeError::OutOfMemory { bytes: capacity };
        let layout = Self::layout(capacity).ok_or_else(|| failed.clone())?;
        // SAFETY: the size of the layout is at least `LINE`, so not zero.
        let raw = NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or_else(|| failed.clone())?;
        let pad = raw.as_ptr().align_offset(LINE);
        debug_assert!(pad < LINE);
        // SAFETY: the allocation is `LINE` bytes longer than `capacity`, and `pad < LINE`.
        let base = unsafe { raw.add(pad) };
        let block = Self {
            raw,
            base,
            capacity,
            fill: 0,
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
        if self.capacity < POOL_MIN_BLOCK {
            return;
        }
        let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        if pool.bytes + self.capacity <= POOL_MAX_BYTES {
            pool.bytes += self.capacity;
            pool.blocks.push(self);
        }
    }

    fn layout(capacity: usize) -> Option<Layout> {
        let bytes = capacity.checked_add(LINE)?;
        Layout::from_size_align(bytes, ALLOCATOR_ALIGN).ok()
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        if let Some(layout) = Self::layout(self.capacity) {
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

/// The smallest pooled block that holds `capacity` bytes and is less than twice as large.
fn take_pooled(capacity: usize) -> Option<Block> {
    if capacity < POOL_MIN_BLOCK {
        return None;
    }
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let (at, _) = pool
        .blocks
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, block)| block.capacity >= capacity && block.capacity / 2 < capacity)
        .min_by_key(|(_, block)| block.capacity)?;
    let mut block = pool.blocks.swap_remove(at);
    pool.bytes -= block.capacity;
    block.fill = 0;
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
