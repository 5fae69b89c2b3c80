//! Tiles: many fixed-size records side by side, addressed by index.
//!
//! A loop whose trip count is known on entry pushes one tile and writes entry `i` in iteration
//! `i`. There is one capacity check for the loop instead of one for each iteration, and no position
//! to carry from one iteration to the next, so that the loop can vectorise.

#![allow(unsafe_code)]

use std::fmt;
use std::marker::PhantomData;

use super::error::{TapeError, fail};
use super::shadow::Shape;
use super::{Site, Tape};
use crate::record::{Encoded, Record};

impl Tape {
    /// Pushes a tile of `n` records, to be written by index.
    ///
    /// The tile borrows the tape: a loop that pushes other records meanwhile cannot use one.
    /// Entries that are never set have an unspecified value, which is read back without a check
    /// that it was set. A tile larger than a slab gets a block of its own.
    ///
    /// Only records of fixed size ([`Encoding::FIXED`](crate::Encoding::FIXED)) can lie in a tile; others do not
    /// compile.
    ///
    /// # Panics
    ///
    /// If there is no memory for another block (see [`catch_tape_error`](crate::catch_tape_error)).
    ///
    /// ```
    /// use ad_runtime::{Site, Tape};
    ///
    /// let mut tape = Tape::new();
    /// let site = Site::new();
    /// let mut tile = tape.push_tile(site, 4);
    /// for i in 0..4 {
    ///     tile.set(i, i as f64);
    /// }
    /// let tile = tape.pop_tile(site, 4);
    /// assert_eq!((0..4).rev().map(|i| tile.get(i)).sum::<f64>(), 6.0);
    /// ```
    #[inline]
    pub fn push_tile<T: Record>(&mut self, site: Site<T>, n: usize) -> TileMut<'_, T> {
        let before = self.before_push();
        let base = self.reserve::<T>(tile_bytes::<T>(n), Shape::Tile(n));
        self.after_push(site, before);
        TileMut {
            base,
            len: n,
            tape: PhantomData,
            record: PhantomData,
        }
    }

    /// Takes `bytes` at the top for an item of that shape, to be written by the caller.
    #[inline(always)]
    pub(super) fn reserve<T: Record>(&mut self, bytes: usize, shape: Shape) -> *mut u8 {
        if !self.cursor.has_room(bytes) {
            self.make_room::<T>(bytes, shape);
        }
        let base = self.cursor.top;
        // SAFETY: `bytes` are free in the window, now or after `room`.
        self.cursor.top = unsafe { base.add(bytes) };
        base
    }

    /// Pops a tile of `n` records, to be read by index in any order.
    ///
    /// The tile is off the tape at once; it borrows the tape because its memory is still there.
    ///
    /// # Panics
    ///
    /// If the tape is empty, or the newest item is seen not to be a tile of `n` such records.
    #[inline]
    pub fn pop_tile<T: Record>(&mut self, site: Site<T>, n: usize) -> TileRef<'_, T> {
        let _ = site;
        let bytes = tile_bytes::<T>(n);
        if !self.cursor.has(bytes) {
            self.step_back::<T>(bytes, Shape::Tile(n));
        }
        // SAFETY: `bytes` are in use in the window, now or after `back`.
        self.cursor.top = unsafe { self.cursor.top.sub(bytes) };
        TileRef {
            base: self.cursor.top,
            len: n,
            tape: PhantomData,
            record: PhantomData,
        }
    }
}

pub(super) const fn entry_bytes<T: Record>() -> usize {
    match T::FIXED {
        Some(bytes) => bytes,
        None => panic!("a tile holds records of fixed size only"),
    }
}

#[inline(always)]
pub(super) fn tile_bytes<T: Record>(n: usize) -> usize {
    const { entry_bytes::<T>() }
        .checked_mul(n)
        .unwrap_or_else(|| fail(TapeError::OutOfMemory { bytes: usize::MAX }))
}

/// Whether records from there on are the bytes on the tape.
#[inline(always)]
fn lies_in_memory<T: Record>(base: *const u8) -> bool {
    T::PLAIN && base.cast::<T>().is_aligned()
}

/// A tile that the forward sweep writes; see [`Tape::push_tile`].
pub struct TileMut<'tape, T> {
    base: *mut u8,
    len: usize,
    tape: PhantomData<&'tape mut Tape>,
    record: PhantomData<fn(T)>,
}

impl<T: Record> TileMut<'_, T> {
    /// Writes entry `i`.
    ///
    /// # Panics
    ///
    /// If `i` is not below the length of the tile.
    #[inline(always)]
    pub fn set(&mut self, i: usize, value: T) {
        if i >= self.len {
            out_of_tile(i, self.len);
        }
        // SAFETY: entry `i < len` lies in the bytes that `push_tile` took, which nobody else
        // reaches while the tape is borrowed.
        unsafe { value.encode(self.base.add(i * const { entry_bytes::<T>() })) };
    }

    /// All entries as they lie in memory, if they do: records that are their own encoding, at an address that suits
    /// them. What they hold is unspecified until they are set.
    #[inline]
    pub(crate) fn as_slice_mut(&mut self) -> Option<&mut [T]> {
        if !lies_in_memory::<T>(self.base) {
            return None;
        }
        // SAFETY: the `len` entries lie in the bytes that `push_tile` took, which nobody else reaches while the tape is
        // borrowed; tape memory is initialised, each bit pattern is a valid `T` of that size, and the address suits
        // one.
        Some(unsafe { std::slice::from_raw_parts_mut(self.base.cast(), self.len) })
    }

    /// The number of entries.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no entries.
    #[inline(always)]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// A tile that the reverse sweep reads; see [`Tape::pop_tile`].
pub struct TileRef<'tape, T> {
    base: *const u8,
    len: usize,
    tape: PhantomData<&'tape Tape>,
    record: PhantomData<fn() -> T>,
}

impl<T: Record> TileRef<'_, T> {
    /// Reads entry `i`.
    ///
    /// # Panics
    ///
    /// If `i` is not below the length of the tile, or the entry is no valid `T` (the item popped is
    /// not the item pushed).
    #[inline(always)]
    #[must_use]
    pub fn get(&self, i: usize) -> T {
        if i >= self.len {
            out_of_tile(i, self.len);
        }
        // SAFETY: entry `i < len` lies in the bytes that `pop_tile` found, which are initialised
        // and not written while the tape is borrowed.
        unsafe { T::decode(self.base.add(i * const { entry_bytes::<T>() })) }
    }

    /// All entries as they lie in memory, if they do, as for the tile that was pushed.
    #[inline]
    pub(crate) fn as_slice(&self) -> Option<&[T]> {
        if !lies_in_memory::<T>(self.base) {
            return None;
        }
        // SAFETY: the `len` entries lie in the bytes that `pop_tile` found, which are initialised and not written while
        // the tape is borrowed; each bit pattern is a valid `T` of that size, and the address suits one.
        Some(unsafe { std::slice::from_raw_parts(self.base.cast(), self.len) })
    }

    /// The number of entries.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no entries.
    #[inline(always)]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl<T> fmt::Debug for TileMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TileMut")
            .field("len", &self.len)
            .finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for TileRef<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TileRef")
            .field("len", &self.len)
            .finish_non_exhaustive()
    }
}

#[cold]
#[inline(never)]
fn out_of_tile(i: usize, len: usize) -> ! {
    panic!("retrograde: entry {i} of a tile of {len} records");
}
