//! Slices of records: the elements, then their number.
//!
//! Elements of a slice lie side by side; where a block is full, the slice goes on at the start of
//! the next one. So a pop, coming from above, takes whole elements down to the start of each block
//! until it has all.

#![allow(unsafe_code)]

use super::cursor::Cursor;
use super::error::{Fault, TapeError};
use super::shadow::{Shape, Tag};
use super::store::{Moved, Store};
use super::{Site, Tape};
use crate::record::{Encoded, Record};

/// Bytes of the number of elements, a `u64`.
const COUNT: usize = size_of::<u64>();

impl Tape {
    /// Pushes a slice, with its length.
    ///
    /// Plain numbers are copied in bulk. The slice may be larger than a slab.
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
    /// tape.push_slice(site, &[1.0, 2.0, 3.0]);
    /// let mut x = [0.0; 3];
    /// tape.pop_slice(site, &mut x);
    /// assert_eq!(x, [1.0, 2.0, 3.0]);
    /// ```
    #[inline]
    pub fn push_slice<T: Record>(&mut self, site: Site<T>, items: &[T]) {
        let before = self.before_push();
        self.push_elements(items);
        self.after_push(site, before);
    }

    /// The elements and their number.
    #[inline(always)]
    pub(crate) fn push_elements<T: Record>(&mut self, items: &[T]) {
        let Some(size) = T::FIXED else {
            items.iter().for_each(|item| self.push_ref(item));
            return self.push_ref(&(items.len() as u64));
        };
        let bytes = items.len().saturating_mul(size);
        if self.cursor.free() < bytes.saturating_add(COUNT) {
            let moved = self.store.push_chunks(self.cursor.top, items, size);
            return self.moved(moved);
        }
        let at = self.cursor.top;
        // SAFETY: the elements and their number fit into the window.
        unsafe {
            self.cursor.top = at.add(bytes + COUNT);
            write_elements(at, items, size);
            write_count(at.add(bytes), items.len());
        }
    }

    /// Pops a slice into `items`.
    ///
    /// # Panics
    ///
    /// If the newest item on the tape is seen not to be a slice of this length.
    #[inline]
    pub fn pop_slice<T: Record>(&mut self, site: Site<T>, items: &mut [T]) {
        let _ = site;
        let Some(size) = T::FIXED else {
            let count = self.pop_value::<u64>();
            check_count::<T>(count, items.len());
            return items
                .iter_mut()
                .rev()
                .for_each(|item| *item = self.pop_value());
        };
        let bytes = items.len().saturating_mul(size);
        let used = self.cursor.used();
        if used >= bytes.saturating_add(COUNT) {
            // SAFETY: the elements and their number lie in the window.
            unsafe {
                let end = self.cursor.top.sub(COUNT);
                check_count::<T>(read_count(end), items.len());
                self.cursor.top = end.sub(bytes);
                read_elements::<T, false>(self.cursor.top, items.as_mut_ptr(), items.len(), size);
            }
            return;
        }
        // SAFETY: `items` are that many initialised elements.
        let moved = unsafe {
            let (top, start) = (self.cursor.top, items.as_mut_ptr());
            self.store
                .pop_chunks::<T, false>(top, start, items.len(), size)
        };
        self.moved(moved);
    }

    /// Pops a slice of any length.
    ///
    /// # Panics
    ///
    /// If the newest item on the tape is seen not to be a slice.
    ///
    /// ```
    /// use ad_runtime::{Site, Tape};
    ///
    /// let mut tape = Tape::new();
    /// tape.push_slice(Site::new(), &[1_u8, 2]);
    /// assert_eq!(tape.pop_vec(Site::<u8>::new()), [1, 2]);
    /// ```
    pub fn pop_vec<T: Record>(&mut self, site: Site<T>) -> Vec<T> {
        let _ = site;
        let Some(size) = T::FIXED else {
            let count = self.pop_value::<u64>();
            // Each has at least a byte: more of them than bytes are no slice.
            if count > self.store.bytes_in_use(self.cursor.top) as u64 {
                no_slice(std::any::type_name::<T>()).raise();
            }
            let mut items = Vec::new();
            (0..count).for_each(|_| items.push(self.pop_value()));
            items.reverse();
            return items;
        };
        let (moved, count) =
            self.store
                .peek_count(self.cursor.top, Tag::of::<T>(Shape::Slice(0)), size);
        self.moved(moved);
        let mut items = T::room(count);
        if items.capacity() < count {
            items.reserve(count);
        }
        // SAFETY: the vector has room for `count` elements, and `pop_chunks` writes all of them
        // before the length is set.
        unsafe {
            let start = items.as_mut_ptr();
            let moved = self
                .store
                .pop_chunks::<T, true>(self.cursor.top, start, count, size);
            self.moved(moved);
            items.set_len(count);
        }
        items
    }
}

impl Store {
    /// The slow form of `push_slice`: over several blocks, or with a shadow.
    #[cold]
    #[inline(never)]
    fn push_chunks<T: Record>(&mut self, top: *mut u8, items: &[T], size: usize) -> Moved {
        self.observe(top);
        let start = self.mark(top);
        let mut real = match self.unmask(top) {
            Ok(real) => real,
            Err(fault) => return self.stay(top, fault),
        };
        if let Err(fault) = Fault::caught(|| self.write_chunks(&mut real, items, size)) {
            // What was written goes: half a slice is no item.
            let cursor = self.rewind(real.top, start).unwrap_or(Cursor::EMPTY);
            return Moved {
                cursor,
                fault: Some(fault),
            };
        }
        let in_use = if self.shadow.is_some() {
            self.bytes_in_use(real.top)
        } else {
            0
        };
        if let Some(shadow) = &mut self.shadow {
            shadow.push(Tag::of::<T>(Shape::Slice(items.len())), in_use);
        }
        self.mask(real).into()
    }

    fn write_chunks<T: Record>(
        &mut self,
        real: &mut Cursor,
        items: &[T],
        size: usize,
    ) -> Result<(), TapeError> {
        let mut rest = items;
        while size > 0 && !rest.is_empty() {
            self.room_in_chunk(real, size, rest.len().saturating_mul(size))?;
            let (now, later) = rest.split_at(rest.len().min(real.free() / size));
            // SAFETY: as many elements as are free in the window.
            unsafe {
                write_elements(real.top, now, size);
                real.top = real.top.add(now.len() * size);
            }
            rest = later;
        }
        self.room_in_chunk(real, COUNT, COUNT)?;
        // SAFETY: `COUNT` bytes are free in the window.
        unsafe {
            write_count(real.top, items.len());
            real.top = real.top.add(COUNT);
        }
        Ok(())
    }

    /// Leaves at least `least` bytes free; if a block is begun, it is one for `wanted` bytes or a slab.
    pub(super) fn room_in_chunk(
        &mut self,
        real: &mut Cursor,
        least: usize,
        wanted: usize,
    ) -> Result<(), TapeError> {
        if real.free() >= least {
            return Ok(());
        }
        self.advance(real, wanted.min(self.slab_bytes()).max(least))
    }

    /// Pops a slice of `count` elements to `items`, wherever it lies.
    ///
    /// # Safety
    ///
    /// `items` must be valid for writes of `count` elements; they are initialised unless `FRESH`.
    #[cold]
    #[inline(never)]
    unsafe fn pop_chunks<T: Record, const FRESH: bool>(
        &mut self,
        top: *mut u8,
        items: *mut T,
        count: usize,
        size: usize,
    ) -> Moved {
        self.observe(top);
        let tag = Tag::of::<T>(Shape::Slice(count));
        if let Some(shadow) = &self.shadow {
            shadow.expect(tag);
        }
        let mut real = match self.unmask(top) {
            Ok(real) => real,
            Err(fault) => return self.stay(top, fault),
        };
        // SAFETY: the caller's promise.
        let read = || unsafe { self.read_chunks::<T, FRESH>(&mut real, items, count, size) };
        match Fault::caught(read) {
            Ok(()) => {
                if let Some(shadow) = &mut self.shadow {
                    shadow.tags.pop();
                }
                self.mask(real).into()
            }
            Err(fault) => self.stay(real.top, fault),
        }
    }

    /// # Safety
    ///
    /// As for `pop_chunks`.
    unsafe fn read_chunks<T: Record, const FRESH: bool>(
        &mut self,
        real: &mut Cursor,
        items: *mut T,
        count: usize,
        size: usize,
    ) -> Result<(), Box<Fault>> {
        let tag = Tag::of::<T>(Shape::Slice(count));
        self.locate(real, COUNT, tag)?;
        // SAFETY: `locate` found `COUNT` bytes below the top.
        let found = unsafe { read_count(real.top.sub(COUNT)) };
        if found != count as u64 {
            return Err(wrong_count(std::any::type_name::<T>(), found, count));
        }
        // SAFETY: as above.
        real.top = unsafe { real.top.sub(COUNT) };
        let mut left = count;
        while left > 0 {
            self.locate(real, size, tag)?;
            let now = real
                .used()
                .checked_div(size)
                .map_or(left, |fit| left.min(fit));
            // SAFETY: `now` elements lie below the top, and `left` elements of `items` are still
            // to be written.
            unsafe {
                real.top = real.top.sub(now * size);
                left -= now;
                read_elements::<T, FRESH>(real.top, items.add(left), now, size);
            }
        }
        Ok(())
    }

    /// The number of elements of the slice on top. A fault if the tape holds fewer bytes than that many elements have:
    /// it is no slice, and nothing must be allocated for it.
    fn peek_count(&mut self, top: *mut u8, tag: Tag, size: usize) -> (Moved, usize) {
        let mut real = match self.unmask(top) {
            Ok(real) => real,
            Err(fault) => return (self.stay(top, fault), 0),
        };
        if let Err(fault) = self.locate(&mut real, COUNT, tag) {
            return (self.stay(real.top, fault), 0);
        }
        // SAFETY: `locate` found `COUNT` bytes below the top.
        let count = unsafe { read_count(real.top.sub(COUNT)) };
        let bytes = usize::try_from(count)
            .ok()
            .and_then(|count| count.checked_mul(size));
        if bytes.is_none_or(|bytes| bytes > self.bytes_in_use(real.top)) {
            return (self.stay(real.top, no_slice(tag.name)), 0);
        }
        (self.mask(real).into(), count as usize)
    }
}

#[inline(always)]
fn check_count<T>(found: u64, wanted: usize) {
    if found != wanted as u64 {
        wrong_count(std::any::type_name::<T>(), found, wanted).raise();
    }
}

#[cold]
#[inline(never)]
fn wrong_count(name: &str, found: u64, wanted: usize) -> Box<Fault> {
    Fault::misuse(format!(
        "retrograde: pop of a slice of {wanted} records of type `{name}`, but the newest item on \
         the tape is a slice of {found} or no slice at all"
    ))
}

#[cold]
#[inline(never)]
fn no_slice(name: &str) -> Box<Fault> {
    Fault::misuse(format!(
        "retrograde: pop of a slice of `{name}`, but the newest item on the tape is no slice"
    ))
}

/// # Safety
///
/// `items.len() * size` bytes at `at` must be writable, and `size` must be `T::FIXED`.
#[inline(always)]
unsafe fn write_elements<T: Record>(at: *mut u8, items: &[T], size: usize) {
    if T::PLAIN {
        // SAFETY: a plain record is its own encoding, so `size` is its size in memory.
        unsafe { std::ptr::copy_nonoverlapping(items.as_ptr().cast(), at, items.len() * size) };
        return;
    }
    for (i, item) in items.iter().enumerate() {
        // SAFETY: element `i` has `size` bytes of its own.
        unsafe { item.encode(at.add(i * size)) };
    }
}

/// # Safety
///
/// `count * size` bytes at `at` must be initialised, `size` must be `T::FIXED`, and `items` must be
/// valid for writes of `count` elements, which are initialised unless `FRESH`.
#[inline(always)]
unsafe fn read_elements<T: Record, const FRESH: bool>(
    at: *const u8,
    items: *mut T,
    count: usize,
    size: usize,
) {
    if T::PLAIN {
        // SAFETY: a plain record is its own encoding, and all its bit patterns are valid.
        unsafe { std::ptr::copy_nonoverlapping(at, items.cast(), count * size) };
        return;
    }
    for i in 0..count {
        // SAFETY: element `i` has `size` initialised bytes of its own. Only an initialised target
        // is dropped by the assignment.
        unsafe {
            let item = T::decode(at.add(i * size));
            if FRESH {
                items.add(i).write(item);
            } else {
                *items.add(i) = item;
            }
        }
    }
}

/// # Safety
///
/// `COUNT` bytes at `at` must be writable.
#[inline(always)]
unsafe fn write_count(at: *mut u8, count: usize) {
    // SAFETY: the caller's promise; the write may be unaligned.
    unsafe { at.cast::<u64>().write_unaligned(count as u64) };
}

/// # Safety
///
/// `COUNT` bytes at `at` must be initialised.
#[inline(always)]
unsafe fn read_count(at: *const u8) -> u64 {
    // SAFETY: the caller's promise; the read may be unaligned.
    unsafe { at.cast::<u64>().read_unaligned() }
}
