//! Strips on tapes whose slabs are shorter than a strip.
//!
//! How long a strip is does not depend on the tape, and for the loop its records lie side by side. Where no slab is as
//! long, the loop writes them to memory beside the blocks. When it has, pieces go to the tape: as many records as there
//! is room for, the others at the start of the next block, as for a slice. So a small budget holds long strips. Whether
//! a strip lies in one piece is seen when it is popped: all pieces but the first begin where a block does, with nothing
//! else above them.
//!
//! While a strip lies aside the window is closed, so that whatever comes next, the next strip or the end of the loop,
//! looks here.

#![allow(unsafe_code)]

use std::ptr::null_mut;

use super::cursor::Cursor;
use super::error::{Fault, TapeError};
use super::shadow::Tag;
use super::store::{Moved, Store};

/// Memory for one strip.
#[derive(Debug, Default)]
pub(super) struct Aside {
    /// As long as the longest strip that was there, or empty.
    bytes: Vec<u8>,
    /// What is being written there.
    strip: Option<Strip>,
}

/// So many records of one size that are not on the tape yet.
#[derive(Debug, Clone, Copy)]
struct Strip {
    n: usize,
    size: usize,
    tag: Tag,
}

impl Aside {
    /// Nothing lies there any more.
    pub(super) fn forget(&mut self) {
        self.strip = None;
    }

    /// Gives the memory back, unless something lies there.
    pub(super) fn trim(&mut self) {
        if self.strip.is_none() {
            self.bytes = Vec::new();
        }
    }

    fn reserve(&mut self, bytes: usize) -> Result<(), TapeError> {
        if self.bytes.len() < bytes {
            let failed = TapeError::OutOfMemory { bytes };
            let more = bytes - self.bytes.len();
            self.bytes.try_reserve_exact(more).map_err(|_| failed)?;
            self.bytes.resize(bytes, 0);
        }
        Ok(())
    }
}

impl Store {
    /// Makes room for a strip of `n` records of `size` bytes, in a loop with `all` bytes still to come: at the top, or
    /// aside, if it may be `apart`. Where it is, and the window behind it.
    #[cold]
    #[inline(never)]
    pub(super) fn room_for_strip(
        &mut self,
        top: *mut u8,
        (n, size, all): (usize, usize, usize),
        apart: bool,
        tag: Tag,
    ) -> (Moved, *mut u8) {
        self.observe(top);
        let mut real = match self.unmask(top) {
            Ok(real) => real,
            Err(fault) => return (self.stay(top, fault), null_mut()),
        };
        if let Some(fault) = self.put_pieces(&mut real) {
            return (self.stay(real.top, fault), null_mut());
        }
        let bytes = n * size;
        if real.free() < bytes {
            let aside = apart && bytes > self.slab_bytes() && n > 1;
            // The first blocks of a tape are small: a long loop begins in one of its size.
            let wanted = all.min(self.slab_bytes()).max(bytes);
            let made = if aside {
                self.aside.reserve(bytes)
            } else {
                self.advance(&mut real, wanted)
            };
            if let Err(error) = made {
                return (self.stay(real.top, error.into()), null_mut());
            }
            if aside {
                self.aside.strip = Some(Strip { n, size, tag });
                let room = self.aside.bytes.as_mut_ptr();
                return (Cursor::closed_at(real.top).into(), room);
            }
        }
        let room = real.top;
        let mut window = self.pushed(real, bytes, tag);
        // SAFETY: `bytes` are free above the top.
        window.top = unsafe { room.add(bytes) };
        (window.into(), room)
    }

    /// Puts the strip that lies aside, if one does, onto the tape.
    #[cold]
    #[inline(never)]
    pub(super) fn put_strip(&mut self, top: *mut u8) -> Moved {
        if self.aside.strip.is_none() {
            return Cursor::closed_at(top).into(); // it is closed for another reason
        }
        self.observe(top);
        let mut real = match self.unmask(top) {
            Ok(real) => real,
            Err(fault) => return self.stay(top, fault),
        };
        match self.put_pieces(&mut real) {
            Some(fault) => self.stay(real.top, fault),
            None => self.mask(real).into(),
        }
    }

    /// The same; what went wrong.
    fn put_pieces(&mut self, real: &mut Cursor) -> Option<Box<Fault>> {
        let strip = self.aside.strip.take()?;
        let start = self.mark(real.top);
        if let Err(error) = self.write_pieces(real, strip) {
            // What was written goes: half a strip is no item.
            *real = self.rewind(real.top, start).unwrap_or(Cursor::EMPTY);
            return Some(error.into());
        }
        if self.shadow.is_some() {
            let in_use = self.bytes_in_use(real.top);
            if let Some(shadow) = &mut self.shadow {
                shadow.push(strip.tag, in_use);
            }
        }
        None
    }

    fn write_pieces(&mut self, real: &mut Cursor, strip: Strip) -> Result<(), TapeError> {
        let Strip { n, size, .. } = strip;
        let mut done = 0;
        while done < n {
            self.room_in_chunk(real, size, (n - done) * size)?;
            let now = (n - done).min(real.free() / size);
            let piece = &self.aside.bytes[done * size..][..now * size];
            // SAFETY: as many bytes are free in the window, which is no part of what lies aside.
            unsafe {
                std::ptr::copy_nonoverlapping(piece.as_ptr(), real.top, piece.len());
                real.top = real.top.add(piece.len());
            }
            done += now;
        }
        Ok(())
    }

    /// Takes the newest strip, of `n` records of `size` bytes, off the tape: where its records are, and the window
    /// below it.
    #[cold]
    #[inline(never)]
    pub(super) fn back_to_strip(
        &mut self,
        top: *mut u8,
        (n, size): (usize, usize),
        whole: bool,
        tag: Tag,
    ) -> (Moved, *const u8) {
        self.observe(top);
        if let Some(shadow) = &self.shadow {
            shadow.expect(tag);
        }
        let mut real = match self.unmask(top) {
            Ok(real) => real,
            Err(fault) => return (self.stay(top, fault), null_mut()),
        };
        let bytes = n * size;
        let least = if whole { bytes } else { size };
        if let Err(fault) = self.locate(&mut real, least, tag) {
            return (self.stay(real.top, fault), null_mut());
        }
        if real.used() >= bytes {
            let mut window = self.popping(real, bytes);
            // SAFETY: `bytes` are in use below the top.
            window.top = unsafe { real.top.sub(bytes) };
            return (window.into(), window.top);
        }
        if let Err(fault) = self.read_pieces(&mut real, (n, size), tag) {
            return (self.stay(real.top, fault), null_mut());
        }
        if let Some(shadow) = &mut self.shadow {
            shadow.tags.pop();
        }
        (self.mask(real).into(), self.aside.bytes.as_ptr())
    }

    fn read_pieces(
        &mut self,
        real: &mut Cursor,
        (n, size): (usize, usize),
        tag: Tag,
    ) -> Result<(), Box<Fault>> {
        self.aside.reserve(n * size)?;
        let mut left = n;
        while left > 0 {
            self.locate(real, size, tag)?;
            let now = left.min(real.used() / size);
            left -= now;
            let piece = &mut self.aside.bytes[left * size..][..now * size];
            // SAFETY: as many bytes are in use in the window, which is no part of what lies aside.
            unsafe {
                real.top = real.top.sub(piece.len());
                std::ptr::copy_nonoverlapping(real.top, piece.as_mut_ptr(), piece.len());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
