//! Strips: the tiles of a loop that is longer than one.
//!
//! A loop whose trip count is known on entry asks for room for the records of its next iterations, runs them without
//! another look at the tape, and asks again. A strip is addressed by the counter of the loop, so that the check of an
//! entry is the condition of the loop, which the optimiser knows already.
//!
//! Loops sum strip by strip, so where strips end decides in which order. Therefore it depends on nothing but the record
//! and the trip count: all strips of a loop hold as many records as [`STRIP_BYTES`] do, but for the last one, which
//! holds the rest. A strip that does not fit into what is left of a block begins the next one, and what a block loses
//! that way is less than a strip. So no note on the tape is needed either: how many iterations are still to come says
//! how long the newest strip is.

#![allow(unsafe_code)]

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use super::error::{TapeError, fail};
use super::shadow::{Shape, Tag};
use super::{Site, Tape};
use crate::record::{Encoded, Record};

/// What the records of a strip take at most, unless one record alone takes more. Long enough that what a loop does once
/// for each strip is nothing beside what its iterations do; short enough that a small slab holds some.
const STRIP_BYTES: usize = 124 << 10;

/// Strips are multiples of so many records, if there are so many in one, as generated code runs so many iterations, or
/// a divisor of that, at a time.
const BLOCK: usize = crate::kernels::contributions::MAX_BLOCK;

impl Tape {
    /// Pushes a strip: room for the records of the first of the iterations `range`, as many as a strip has. The caller
    /// goes on with the rest of the range until nothing is left.
    ///
    /// How many a strip has depends on the type of the record alone.
    ///
    /// Records of variable size are pushed one by one as they are set.
    ///
    /// # Panics
    ///
    /// If there is no memory for another block (see [`catch_tape_error`](crate::catch_tape_error)).
    ///
    /// ```
    /// use ad_runtime::{Site, Tape};
    ///
    /// let mut tape = Tape::new();
    /// let (site, x) = (Site::new(), [0.5_f64, 1.5, 2.5]);
    /// let mut at = 0;
    /// while at < x.len() {
    ///     let mut strip = tape.push_strip(site, at..x.len());
    ///     for i in strip.range() {
    ///         strip.set(i, x[i].sin());
    ///     }
    ///     at = strip.range().end;
    /// }
    /// while at > 0 {
    ///     let strip = tape.pop_strip(site, 0..at);
    ///     at = strip.start();
    ///     for (i, y) in strip {
    ///         assert_eq!(y, x[i].sin());
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub fn push_strip<T: Record>(&mut self, site: Site<T>, range: Range<usize>) -> StripMut<'_, T> {
        self.begin_strip::<T, false, false>(site, range)
    }

    /// As [`push_strip`](Self::push_strip), for slabs that are shorter than a strip as well: the strip need not be in
    /// one piece on the tape. It is there when the next one of the loop is lent, or after
    /// [`end_strips`](Self::end_strips); nothing else is to be done with the tape before.
    #[doc(hidden)]
    #[inline(always)]
    pub fn lend_strip<T: Record>(&mut self, site: Site<T>, range: Range<usize>) -> StripMut<'_, T> {
        self.begin_strip::<T, false, true>(site, range)
    }

    /// As [`push_strip`](Self::push_strip), all of the range in one strip: for a few iterations, which the optimiser
    /// unrolls.
    #[inline(always)]
    pub fn push_whole_strip<T: Record>(
        &mut self,
        site: Site<T>,
        range: Range<usize>,
    ) -> StripMut<'_, T> {
        self.begin_strip::<T, true, false>(site, range)
    }

    #[inline(always)]
    fn begin_strip<T: Record, const WHOLE: bool, const APART: bool>(
        &mut self,
        site: Site<T>,
        range: Range<usize>,
    ) -> StripMut<'_, T> {
        let before = self.before_push();
        let Range { start, end: last } = range;
        let mut end = last.max(start);
        let mut base = self.cursor.top;
        if let Some(size) = T::FIXED {
            let wanted = end - start;
            let n = if WHOLE {
                wanted
            } else {
                wanted.min(length(size))
            };
            let bytes = bytes_of(n, size);
            end = start + n;
            if self.cursor.free() < bytes {
                let tag = Tag::of::<T>(Shape::Tile(n));
                let all = wanted.saturating_mul(size);
                let (moved, room) = self.store.room_for_strip(base, (n, size, all), APART, tag);
                self.moved(moved);
                base = room;
            } else {
                // SAFETY: `bytes` are free in the window.
                self.cursor.top = unsafe { base.add(bytes) };
            }
            self.after_push(site, before);
        }
        StripMut {
            base,
            start,
            end,
            tape: self,
            site,
        }
    }

    /// Ends what [`lend_strip`](Self::lend_strip) began: called after the last strip of a loop.
    ///
    /// # Panics
    ///
    /// As [`push_strip`](Self::push_strip).
    #[doc(hidden)]
    #[inline(always)]
    pub fn end_strips<T: Record>(&mut self, site: Site<T>) {
        if self.cursor.is_closed() {
            let before = self.before_push();
            let moved = self.store.put_strip(self.cursor.top);
            self.moved(moved);
            self.after_push(site, before);
        }
    }

    /// Pops the strip of the last of the iterations `range`, whose records are the newest item on the tape.
    ///
    /// # Panics
    ///
    /// If the newest item is seen not to be a strip of such records.
    #[inline(always)]
    pub fn pop_strip<T: Record>(&mut self, site: Site<T>, range: Range<usize>) -> StripRef<'_, T> {
        self.end_strip::<T, false>(site, range)
    }

    /// Pops what [`push_whole_strip`](Self::push_whole_strip) pushed.
    ///
    /// # Panics
    ///
    /// As [`pop_strip`](Self::pop_strip).
    #[inline(always)]
    pub fn pop_whole_strip<T: Record>(
        &mut self,
        site: Site<T>,
        range: Range<usize>,
    ) -> StripRef<'_, T> {
        self.end_strip::<T, true>(site, range)
    }

    #[inline(always)]
    fn end_strip<T: Record, const WHOLE: bool>(
        &mut self,
        site: Site<T>,
        range: Range<usize>,
    ) -> StripRef<'_, T> {
        let _ = site;
        let Range { start: first, end } = range;
        let mut start = first.min(end);
        let mut base: *const u8 = self.cursor.top;
        if let Some(size) = T::FIXED {
            let wanted = end - start;
            let n = if WHOLE { wanted } else { last(wanted, size) };
            let bytes = bytes_of(n, size);
            start = end - n;
            if self.cursor.used() < bytes {
                let (top, tag) = (self.cursor.top, Tag::of::<T>(Shape::Tile(n)));
                let (moved, found) = self.store.back_to_strip(top, (n, size), WHOLE, tag);
                self.moved(moved);
                base = found;
            } else {
                // SAFETY: `bytes` are in use in the window.
                self.cursor.top = unsafe { self.cursor.top.sub(bytes) };
                base = self.cursor.top;
            }
        }
        StripRef {
            base,
            first: start,
            start,
            end,
            tape: self,
            record: PhantomData,
        }
    }
}

/// How many records of `size` bytes a strip has, unless it is the last of its loop.
#[inline(always)]
const fn length(size: usize) -> usize {
    match STRIP_BYTES.checked_div(size) {
        None => usize::MAX,
        Some(0) => 1,
        Some(fit) if fit < BLOCK => fit,
        Some(fit) => fit / BLOCK * BLOCK,
    }
}

/// How many of the `wanted` records that a loop has left are those of its last strip.
#[inline(always)]
const fn last(wanted: usize, size: usize) -> usize {
    let length = length(size);
    if wanted <= length {
        wanted
    } else {
        (wanted - 1) % length + 1
    }
}

/// The bytes of `n` records.
#[inline(always)]
fn bytes_of(n: usize, size: usize) -> usize {
    n.checked_mul(size)
        .unwrap_or_else(|| fail(TapeError::OutOfMemory { bytes: usize::MAX }))
}

/// A strip that the forward sweep writes; see [`Tape::push_strip`].
pub struct StripMut<'tape, T> {
    base: *mut u8,
    start: usize,
    end: usize,
    tape: &'tape mut Tape,
    site: Site<T>,
}

impl<T: Record> StripMut<'_, T> {
    /// The iterations whose records lie in this strip.
    #[inline(always)]
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Writes the record of iteration `i`. All are written, in ascending order.
    ///
    /// # Panics
    ///
    /// If `i` is not in the range of the strip.
    #[inline(always)]
    pub fn set(&mut self, i: usize, value: T) {
        let Some(size) = T::FIXED else {
            return self.tape.push(self.site, value);
        };
        if i < self.start || i >= self.end {
            out_of_strip(i, self.start, self.end);
        }
        // SAFETY: the record lies in the bytes that `begin_strip` took, which nobody else reaches while
        // the tape is borrowed.
        unsafe { value.encode(self.base.add((i - self.start) * size)) };
    }
}

impl<T: Record> StripMut<'_, T> {
    /// Room for the records of `n` iterations, the first of which is number `start` of the strip, to be written in any
    /// order, if there are so many and they are of fixed size. All are written.
    #[inline(always)]
    #[must_use]
    pub fn slots(&mut self, start: usize, n: usize) -> Option<StripSlots<'_, T>> {
        let size = T::FIXED?;
        if start.checked_add(n)? > self.end - self.start {
            return None;
        }
        Some(StripSlots {
            // SAFETY: `start` is not beyond the end of the strip.
            base: unsafe { self.base.add(start * size) },
            len: n,
            record: PhantomData,
        })
    }
}

/// Room for records in a strip, by their number; see [`StripMut::slots`].
pub struct StripSlots<'strip, T> {
    base: *mut u8,
    len: usize,
    record: PhantomData<&'strip mut T>,
}

impl<T: Record> StripSlots<'_, T> {
    /// Writes record `k`.
    ///
    /// # Panics
    ///
    /// If there are no more than `k`.
    #[inline(always)]
    pub fn set(&mut self, k: usize, value: T) {
        if k >= self.len {
            no_record(k, self.len);
        }
        let size = T::FIXED.unwrap_or_default();
        // SAFETY: the record lies in the bytes of the strip, which is borrowed alone.
        unsafe { value.encode(self.base.add(k * size)) };
    }
}

impl<T> fmt::Debug for StripSlots<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StripSlots")
            .field("len", &self.len)
            .finish_non_exhaustive()
    }
}

/// A strip that the reverse sweep reads: an iterator over the iterations and their records, from the last to the first;
/// see [`Tape::pop_strip`].
pub struct StripRef<'tape, T> {
    base: *const u8,
    /// The first iteration of the strip.
    first: usize,
    /// What is still to come.
    start: usize,
    end: usize,
    tape: &'tape mut Tape,
    record: PhantomData<fn() -> T>,
}

impl<'tape, T: Record> StripRef<'tape, T> {
    /// The first of the iterations whose records lie in this strip.
    #[inline(always)]
    #[must_use]
    #[expect(clippy::misnamed_getters, reason = "`start` is where the iteration is")]
    pub fn start(&self) -> usize {
        self.first
    }

    /// The same in whatever order is best: from the first to the last, if the records are of fixed size.
    #[inline(always)]
    pub fn in_any_order(self) -> impl Iterator<Item = (usize, T)> + use<'tape, T> {
        AnyOrder(self)
    }

    /// The records of all iterations still to come, to be read in any order, if they are of fixed size.
    #[inline(always)]
    #[must_use]
    pub fn records(&self) -> Option<StripRecords<'_, T>> {
        T::FIXED?;
        Some(StripRecords {
            base: self.base,
            len: self.end - self.first,
            record: PhantomData,
        })
    }

    /// The record of iteration `i`, of the iterations still to come.
    ///
    /// # Safety
    ///
    /// `i` is between `first` and the end of the strip, and `size` is the fixed size of a record.
    #[inline(always)]
    unsafe fn read(&self, i: usize, size: usize) -> (usize, T) {
        // SAFETY: the record lies in the bytes that `end_strip` found, which are initialised and not written
        // while the tape is borrowed.
        (i, unsafe {
            T::decode(self.base.add((i - self.first) * size))
        })
    }
}

impl<T: Record> Iterator for StripRef<'_, T> {
    type Item = (usize, T);

    /// # Panics
    ///
    /// If the record is no valid `T`: what is popped is not what was pushed.
    #[inline(always)]
    fn next(&mut self) -> Option<(usize, T)> {
        if self.start >= self.end {
            return None;
        }
        self.end -= 1;
        Some(match T::FIXED {
            // SAFETY: `first <= start <= end`, and `end` was above `start`.
            Some(size) => unsafe { self.read(self.end, size) },
            None => (self.end, self.tape.pop_value()),
        })
    }
}

/// The records of a strip, by their number; see [`StripRef::records`].
#[derive(Clone, Copy)]
pub struct StripRecords<'strip, T> {
    base: *const u8,
    len: usize,
    record: PhantomData<&'strip T>,
}

impl<T: Record> StripRecords<'_, T> {
    /// Those of the `n` iterations from the `start`th on, if there are so many.
    #[inline(always)]
    #[must_use]
    pub fn part(&self, start: usize, n: usize) -> Option<Self> {
        let end = start.checked_add(n)?;
        let size = T::FIXED?;
        if end > self.len {
            return None;
        }
        Some(Self {
            // SAFETY: `start <= self.len`, so that the address is in the strip or at its end.
            base: unsafe { self.base.add(start * size) },
            len: n,
            record: PhantomData,
        })
    }

    /// The `k`th record.
    ///
    /// # Panics
    ///
    /// If there are no more than `k`. A record that is no valid `T`, because what is popped is not what was pushed, may
    /// panic, or be any value.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, k: usize) -> T {
        if k >= self.len {
            no_record(k, self.len);
        }
        let size = T::FIXED.unwrap_or_default();
        // SAFETY: `k < len`, and the records are initialised and not written while the strip is borrowed.
        unsafe { T::decode_any(self.base.add(k * size)) }
    }
}

impl<T> fmt::Debug for StripRecords<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StripRecords")
            .field("len", &self.len)
            .finish_non_exhaustive()
    }
}

struct AnyOrder<'tape, T>(StripRef<'tape, T>);

impl<T: Record> Iterator for AnyOrder<'_, T> {
    type Item = (usize, T);

    #[inline(always)]
    fn next(&mut self) -> Option<(usize, T)> {
        let strip = &mut self.0;
        let Some(size) = T::FIXED else {
            return strip.next();
        };
        if strip.start >= strip.end {
            return None;
        }
        let i = strip.start;
        strip.start += 1;
        // SAFETY: `first <= i`, and `i` was below `end`.
        Some(unsafe { strip.read(i, size) })
    }
}

impl<T> fmt::Debug for StripMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StripMut")
            .field("range", &(self.start..self.end))
            .finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for StripRef<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StripRef")
            .field("range", &(self.start..self.end))
            .finish_non_exhaustive()
    }
}

#[cold]
#[inline(never)]
fn out_of_strip(i: usize, start: usize, end: usize) -> ! {
    panic!("retrograde: iteration {i} of a strip of the iterations {start}..{end}");
}

/// Takes the numbers themselves: a message that refers to the counter of a loop would keep it in memory.
#[cold]
#[inline(never)]
fn no_record(k: usize, n: usize) -> ! {
    panic!("retrograde: record {k} of {n}");
}
