//! Records made of records: arrays, options, branches, and what owns memory.

#![allow(unsafe_code)]

use super::{Either, Record, fixed, invalid, not_fixed, sum};
use crate::tape::{Site, Tape};

// SAFETY: `N` encodings side by side; arrays have no padding between elements, so an array of plain
// records is plain.
unsafe impl<T: Record, const N: usize> Record for [T; N] {
    const FIXED: Option<usize> = match T::FIXED {
        Some(bytes) => Some(bytes * N),
        None if N == 0 => Some(0),
        None => None,
    };
    const PLAIN: bool = T::PLAIN;

    #[inline(always)]
    unsafe fn encode(&self, at: *mut u8) {
        if T::PLAIN {
            // SAFETY: plain elements are their own encoding.
            unsafe { std::ptr::copy_nonoverlapping(self.as_ptr().cast(), at, size_of::<Self>()) };
            return;
        }
        for (i, item) in self.iter().enumerate() {
            // SAFETY: element `i` has `fixed::<T>()` bytes of its own.
            unsafe { item.encode(at.add(i * fixed::<T>())) };
        }
    }

    #[inline(always)]
    unsafe fn decode(at: *const u8) -> Self {
        if T::PLAIN {
            // SAFETY: plain elements are their own encoding, with no invalid bit pattern.
            return unsafe { at.cast::<Self>().read_unaligned() };
        }
        // SAFETY: element `i` has `fixed::<T>()` bytes of its own.
        std::array::from_fn(|i| unsafe { T::decode(at.add(i * fixed::<T>())) })
    }

    fn push_parts(&self, tape: &mut Tape) {
        self.iter().for_each(|item| tape.push_ref(item));
    }

    fn pop_parts(tape: &mut Tape) -> Self {
        let mut items: [T; N] = std::array::from_fn(|_| tape.pop_value());
        items.reverse();
        items
    }
}

// SAFETY: one byte, which is checked, and the encoding of the value or zeros.
unsafe impl<T: Record> Record for Option<T> {
    const FIXED: Option<usize> = sum(&[Some(1), T::FIXED]);

    #[inline(always)]
    unsafe fn encode(&self, at: *mut u8) {
        // SAFETY: the first byte tells which it is, the others are those of a `T`.
        unsafe {
            self.is_some().encode(at);
            match self {
                Some(value) => value.encode(at.add(1)),
                None => at.add(1).write_bytes(0, fixed::<T>()),
            }
        }
    }

    #[inline(always)]
    unsafe fn decode(at: *const u8) -> Self {
        // SAFETY: as written by `encode`.
        unsafe { bool::decode(at).then(|| T::decode(at.add(1))) }
    }

    fn push_parts(&self, tape: &mut Tape) {
        if let Some(value) = self {
            tape.push_ref(value);
        }
        tape.push_ref(&self.is_some());
    }

    fn pop_parts(tape: &mut Tape) -> Self {
        let is_some: bool = tape.pop_value();
        is_some.then(|| tape.pop_value())
    }
}

// SAFETY: one byte, which is checked, the encoding of either value, and zeros up to the longer one.
unsafe impl<A: Record, B: Record> Record for Either<A, B> {
    const FIXED: Option<usize> = match (A::FIXED, B::FIXED) {
        (Some(a), Some(b)) => Some(1 + if a > b { a } else { b }),
        _ => None,
    };

    #[inline(always)]
    unsafe fn encode(&self, at: *mut u8) {
        // SAFETY: the first byte tells which it is; the value and the gap after it fill the rest.
        unsafe {
            let used = match self {
                Self::A(a) => {
                    at.write(0);
                    a.encode(at.add(1));
                    1 + fixed::<A>()
                }
                Self::B(b) => {
                    at.write(1);
                    b.encode(at.add(1));
                    1 + fixed::<B>()
                }
            };
            at.add(used).write_bytes(0, fixed::<Self>() - used);
        }
    }

    #[inline(always)]
    unsafe fn decode(at: *const u8) -> Self {
        // SAFETY: as written by `encode`.
        unsafe {
            match at.read() {
                0 => Self::A(A::decode(at.add(1))),
                1 => Self::B(B::decode(at.add(1))),
                _ => invalid("record of a branch"),
            }
        }
    }

    fn push_parts(&self, tape: &mut Tape) {
        match self {
            Self::A(a) => {
                tape.push_ref(a);
                tape.push_ref(&0_u8);
            }
            Self::B(b) => {
                tape.push_ref(b);
                tape.push_ref(&1_u8);
            }
        }
    }

    fn pop_parts(tape: &mut Tape) -> Self {
        match tape.pop_value::<u8>() {
            0 => Self::A(tape.pop_value()),
            1 => Self::B(tape.pop_value()),
            _ => invalid("record of a branch"),
        }
    }
}

// SAFETY: the encoding of what is in the box.
unsafe impl<T: Record> Record for Box<T> {
    const FIXED: Option<usize> = T::FIXED;

    #[inline(always)]
    unsafe fn encode(&self, at: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { (**self).encode(at) };
    }

    #[inline(always)]
    unsafe fn decode(at: *const u8) -> Self {
        // SAFETY: the caller's promise.
        Box::new(unsafe { T::decode(at) })
    }

    fn push_parts(&self, tape: &mut Tape) {
        tape.push_ref(&**self);
    }

    fn pop_parts(tape: &mut Tape) -> Self {
        Box::new(tape.pop_value())
    }
}

// SAFETY: of variable size: a slice of its elements.
unsafe impl<T: Record> Record for Vec<T> {
    const FIXED: Option<usize> = None;

    unsafe fn encode(&self, _: *mut u8) {
        not_fixed();
    }

    unsafe fn decode(_: *const u8) -> Self {
        not_fixed();
    }

    fn push_parts(&self, tape: &mut Tape) {
        tape.push_slice(Site::new(), self);
    }

    fn pop_parts(tape: &mut Tape) -> Self {
        tape.pop_vec(Site::new())
    }
}

// SAFETY: of variable size: a slice of bytes, which are checked.
unsafe impl Record for String {
    const FIXED: Option<usize> = None;

    unsafe fn encode(&self, _: *mut u8) {
        not_fixed();
    }

    unsafe fn decode(_: *const u8) -> Self {
        not_fixed();
    }

    fn push_parts(&self, tape: &mut Tape) {
        tape.push_slice(Site::new(), self.as_bytes());
    }

    fn pop_parts(tape: &mut Tape) -> Self {
        String::from_utf8(tape.pop_vec(Site::new())).unwrap_or_else(|_| invalid("`String`"))
    }
}
