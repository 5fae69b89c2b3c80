//! Tiles far larger than the cache, written past it.
//!
//! A store to memory that is not in the cache first reads the line that it writes to. A streaming store does not, so
//! that a tile that will have left the cache long before it is read back costs one transfer instead of two. Other cores
//! may see streaming stores late: a fence ends them before the tape can go anywhere else. That is why such tiles are
//! filled by a closure, inside of one call: a value that ends the writing when it is dropped could be leaked.

#![allow(unsafe_code)]

use super::shadow::Shape;
use super::tile::{entry_bytes, tile_bytes};
use super::{Site, Tape};
use crate::record::{Encoded, Record};

/// Tiles from this size on are written past the cache: several times what a core has of it for itself.
const WIDE: usize = 32 << 20;

/// Records of at least so many bytes. Shorter ones gained nothing where the loop around them vectorises.
const MIN_BYTES: usize = 16;

/// Records of at most so many bytes, which are encoded on the stack first.
const MAX_BYTES: usize = 256;

impl Tape {
    /// Pushes a tile of `n` records, entry `i` being `value(i)`: a [`push_tile`](Self::push_tile) for tiles that may be
    /// large.
    ///
    /// Far beyond the size of the caches, the entries are written past them where the processor can do that. The
    /// closure is called for 0, 1, … in order.
    ///
    /// # Panics
    ///
    /// If there is no memory for another block (see [`catch_tape_error`](crate::catch_tape_error)), or `value` panics:
    /// the tile is then on the tape all the same.
    ///
    /// ```
    /// use ad_runtime::{Site, Tape};
    ///
    /// let mut tape = Tape::new();
    /// let site = Site::new();
    /// tape.push_tile_with(site, 4, |i| (i as f64, 0.5));
    /// let tile = tape.pop_tile(site, 4);
    /// assert_eq!(tile.get(3), (3.0, 0.5));
    /// ```
    #[inline]
    pub fn push_tile_with<T: Record>(
        &mut self,
        site: Site<T>,
        n: usize,
        mut value: impl FnMut(usize) -> T,
    ) {
        let size = const { entry_bytes::<T>() };
        let streams = const { can_stream(entry_bytes::<T>()) };
        if !streams || tile_bytes::<T>(n) < WIDE {
            let mut tile = self.push_tile(site, n);
            return (0..n).for_each(|i| tile.set(i, value(i)));
        }
        let before = self.before_push();
        let base = self.reserve::<T>(n * size, Shape::Tile(n));
        self.after_push(site, before);
        // Also if `value` panics.
        let _fence = Fence;
        for i in 0..n {
            let value = value(i);
            // SAFETY: entry `i < n` lies in the bytes that were reserved, and `size` fits `can_stream`.
            unsafe { write(&value, base.add(i * size), size) };
        }
    }
}

const fn can_stream(size: usize) -> bool {
    cfg!(target_arch = "x86_64") && size >= MIN_BYTES && size <= MAX_BYTES && size.is_multiple_of(8)
}

/// Writes a record past the cache.
///
/// # Safety
///
/// `size` bytes at `at` must be writable, and be the fixed size of `T`: a multiple of 8, and at most [`MAX_BYTES`].
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn write<T: Record>(value: &T, at: *mut u8, size: usize) {
    use std::arch::x86_64::_mm_stream_si64;

    let mut words = [0_i64; MAX_BYTES / 8];
    // SAFETY: `words` has room for `size` bytes.
    unsafe { value.encode(words.as_mut_ptr().cast()) };
    for (k, word) in words[..size / 8].iter().enumerate() {
        // SAFETY: as the caller promises; the instruction, part of every x86-64, asks for no alignment.
        unsafe { _mm_stream_si64(at.add(8 * k).cast(), *word) };
    }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
unsafe fn write<T: Record>(value: &T, at: *mut u8, _size: usize) {
    // SAFETY: as the caller promises.
    unsafe { value.encode(at) };
}

/// Ends streaming stores.
struct Fence;

impl Drop for Fence {
    #[inline(always)]
    fn drop(&mut self) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: part of every x86-64.
        unsafe {
            std::arch::x86_64::_mm_sfence();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use crate::tier::MemoryTier;

    const N: usize = WIDE / 16 + 3;
    const SITE: Site<(f64, u64)> = Site::new();

    fn record(i: usize) -> (f64, u64) {
        (i as f64 * 0.5, !(i as u64))
    }

    /// From whatever address the tile begins at.
    #[test]
    fn a_wide_tile_holds_what_was_written() {
        for shadow in [false, true] {
            let mut tape = Tape::builder().shadow(shadow).build().expect("valid");
            tape.push(Site::new(), 7_u8);
            tape.push_tile_with(SITE, N, record);
            tape.push(Site::new(), 8_u8);
            assert_eq!(tape.pop(Site::<u8>::new()), 8);
            let tile = tape.pop_tile(SITE, N);
            assert!((0..N).all(|i| tile.get(i) == record(i)));
            assert_eq!(tape.pop(Site::<u8>::new()), 7);
            assert!(tape.is_empty());
        }
    }

    /// The thread of the tape sees what was streamed.
    #[test]
    fn a_wide_tile_goes_to_the_tier_and_back() {
        let builder = Tape::builder().memory_budget(3 * (WIDE + (1 << 20)));
        let mut tape = builder.tier(MemoryTier::new()).build().expect("valid");
        for k in 0..4 {
            tape.push_tile_with(SITE, N, |i| record(i + k));
        }
        assert!(tape.stats().written_bytes as usize > WIDE);
        for k in (0..4).rev() {
            let tile = tape.pop_tile(SITE, N);
            assert!((0..N).all(|i| tile.get(i) == record(i + k)));
        }
    }

    #[test]
    fn a_panic_in_the_middle_leaves_a_tile_that_can_be_rewound() {
        let mut tape = Tape::new();
        let mark = tape.mark();
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            tape.push_tile_with(SITE, N, |i| {
                assert!(i < N / 2);
                record(i)
            });
        }));
        assert!(outcome.is_err() && !tape.is_empty());
        tape.rewind(mark);
        assert!(tape.is_empty());
    }
}
