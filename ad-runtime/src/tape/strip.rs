//! Strips: the tiles of a loop that is longer than a block.
//!
//! A loop whose trip count is known on entry asks for room for all of its records, gets room for as many
//! as fit into the block, runs that many iterations without another look at the tape, and asks
//! again. A strip is addressed by the counter of the loop, so that the check of an entry is the condition of
//! the loop, which the optimiser knows already.
//!
//! Where a strip begins needs no note on the tape. All strips of a loop but the first begin at the base of a
//! block, and nothing else lies above them: the newest block of the tape holds as many records of the loop as
//! lie in it, but not more than are still to come.

#![allow(unsafe_code)]

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use super::error::{Fault, TapeError};
use super::shadow::{Shape, Tag};
use super::store::{Moved, Store};
use super::{Site, Tape};
use crate::record::{Encoded, Record};

impl Tape {
    /// Pushes a strip: room for the records of the iterations `range`, or of as many of the first of them as fit
    /// into the block. The caller goes on with the rest of the range until nothing is left.
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
        self.begin_strip::<T, false>(site, range)
    }

    /// As [`push_strip`](Self::push_strip), all of the range in one strip: for a few iterations, which the optimiser unrolls.
    #[inline(always)]
    pub fn push_whole_strip<T: Record>(
        &mut self,
        site: Site<T>,
        range: Range<usize>,
    ) -> StripMut<'_, T> {
        self.begin_strip::<T, true>(site, range)
    }

    #[inline(always)]
    fn begin_strip<T: Record, const WHOLE: bool>(
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
            let mut fit = entries(self.cursor.free(), size);
            if fit < if WHOLE { wanted } else { wanted.min(1) } {
                let least = if WHOLE { wanted } else { 1 };
                let (top, tag) = (self.cursor.top, Tag::of::<T>(Shape::Tile(wanted)));
                let (moved, room) = self.store.room_for_strip(top, size, least, tag);
                self.moved(moved);
                fit = room;
            }
            end = end.min(start.saturating_add(fit));
            base = self.cursor.top;
            // SAFETY: at most `fit` records, which are free in the window.
            self.cursor.top = unsafe { base.add((end - start) * size) };
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
        if let Some(size) = T::FIXED {
            let wanted = end - start;
            let mut found = entries(self.cursor.used(), size);
            if found < if WHOLE { wanted } else { wanted.min(1) } {
                let least = if WHOLE { wanted } else { 1 };
                let (top, tag) = (self.cursor.top, Tag::of::<T>(Shape::Tile(wanted)));
                let (moved, there) = self.store.back_to_strip(top, size, least, tag);
                self.moved(moved);
                found = there;
            }
            start = start.max(end.saturating_sub(found));
            // SAFETY: at most `found` records, which are in use in the window.
            self.cursor.top = unsafe { self.cursor.top.sub((end - start) * size) };
        }
        StripRef {
            base: self.cursor.top,
            first: start,
            start,
            end,
            tape: self,
            record: PhantomData,
        }
    }
}

/// How many records of `size` bytes `bytes` hold.
#[inline(always)]
fn entries(bytes: usize, size: usize) -> usize {
    bytes.checked_div(size).unwrap_or(usize::MAX)
}

impl Store {
    /// Makes room for at least `least` records of the tile `tag`, and how many of them there is room for.
    #[cold]
    #[inline(never)]
    fn room_for_strip(
        &mut self,
        top: *mut u8,
        size: usize,
        least: usize,
        tag: Tag,
    ) -> (Moved, usize) {
        self.observe(top);
        let mut real = match self.unmask(top) {
            Ok(real) => real,
            Err(fault) => return (self.stay(top, fault), 0),
        };
        let Some(least) = least.checked_mul(size) else {
            let failed = TapeError::OutOfMemory { bytes: usize::MAX };
            return (self.stay(real.top, failed.into()), 0);
        };
        if real.free() < least {
            // The first blocks of a tape are small: a long strip begins in one of its size.
            let all = size.saturating_mul(tag.records());
            let wanted = all.min(self.slab_bytes()).max(least);
            if let Err(error) = self.advance(&mut real, wanted) {
                return (self.stay(real.top, error.into()), 0);
            }
        }
        let fit = entries(real.free(), size).min(tag.records());
        (self.pushed(real, fit * size, tag.tile(fit)).into(), fit)
    }

    /// Moves the window to the newest strip of the tile `tag`, of at least `least` records; how many of the tile's lie in it.
    #[cold]
    #[inline(never)]
    fn back_to_strip(
        &mut self,
        top: *mut u8,
        size: usize,
        least: usize,
        tag: Tag,
    ) -> (Moved, usize) {
        self.observe(top);
        let mut real = match self.unmask(top) {
            Ok(real) => real,
            Err(fault) => return (self.stay(top, fault), 0),
        };
        if let Err(fault) = self.locate(&mut real, least.saturating_mul(size), tag) {
            return (self.stay(real.top, fault), 0);
        }
        let found = entries(real.used(), size).min(tag.records());
        // The window has moved already: the tape takes it before it unwinds.
        let compared = Fault::caught(|| {
            if let Some(shadow) = &self.shadow {
                shadow.expect(tag.tile(found));
            }
            Ok::<(), Box<Fault>>(())
        });
        if let Err(fault) = compared {
            return (self.stay(real.top, fault), 0);
        }
        (self.popping(real, found * size).into(), found)
    }
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
    /// Room for the records of `n` iterations, the first of which is number `start` of the strip, to be written in any order, if
    /// there are so many and they are of fixed size. All are written.
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
    /// If there are no more than `k`. A record that is no valid `T`, because what is popped is not what was pushed, may panic, or be any value.
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
