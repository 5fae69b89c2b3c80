//! Which values can lie on a tape, and how they are written there.
//!
//! Any `Copy` type would be unsound: a `&'static str` popped from bytes that were something else
//! points anywhere. So a record is written field by field, without padding, and decoded with a
//! check wherever a bit pattern can be invalid. Whatever initialised bytes are decoded, the outcome
//! is a valid value or a panic.

#![allow(unsafe_code)]

mod compound;
#[cfg(test)]
mod tests;
mod tuple;

use std::marker::PhantomData;

use crate::tape::Tape;

/// A value that can be pushed to a [`Tape`] and popped again.
///
/// Provided for numbers, `bool`, `char`, arrays, tuples, [`Option`], [`Either`], [`Vec`], [`Box`]
/// and [`String`]. Records of fixed size cost one capacity check and a few stores; the others are
/// pushed in parts, each followed by what is needed to pop it again.
///
/// # Safety
///
/// - If [`FIXED`](Self::FIXED) is `Some(n)`, [`encode`](Self::encode) writes all of the `n` bytes
///   at its argument and nothing else, and does not panic. [`decode`](Self::decode) reads nothing
///   but those `n` bytes, and for *any* content of them returns a valid value or panics.
/// - If [`PLAIN`](Self::PLAIN) is true, then `FIXED` is `Some(size_of::<Self>())`, the type has no
///   padding, all of its bit patterns are valid, and its encoding is its memory.
/// - If `FIXED` is `None`, [`pop_parts`](Self::pop_parts) pops what
///   [`push_parts`](Self::push_parts) pushed, in the opposite order.
#[diagnostic::on_unimplemented(
    message = "a value of type `{Self}` cannot be recorded on the tape",
    label = "the reverse sweep needs this value, so it must be a `Record`",
    note = "records are numbers, `bool`, `char`, and arrays, tuples, `Option`, `Vec`, `Box` and \
            `String` of records; references and handles are not"
)]
pub unsafe trait Record: Sized {
    /// The size of the encoding in bytes, if it is the same for all values.
    const FIXED: Option<usize>;

    /// Whether the encoding is the memory of the value, so that slices can be copied in bulk.
    const PLAIN: bool = false;

    /// Writes the encoding of a record of fixed size.
    ///
    /// # Safety
    ///
    /// [`FIXED`](Self::FIXED) must be `Some(n)`, and `n` bytes at `at` must be writable; no
    /// alignment is required.
    unsafe fn encode(&self, at: *mut u8);

    /// Reads the encoding of a record of fixed size.
    ///
    /// # Safety
    ///
    /// [`FIXED`](Self::FIXED) must be `Some(n)`, and `n` bytes at `at` must be initialised.
    ///
    /// # Panics
    ///
    /// If the bytes are not the encoding of a value.
    unsafe fn decode(at: *const u8) -> Self;

    /// Pushes a record of variable size, part by part.
    fn push_parts(&self, tape: &mut Tape) {
        tape.push_ref(self);
    }

    /// Pops what [`push_parts`](Self::push_parts) pushed.
    fn pop_parts(tape: &mut Tape) -> Self {
        tape.pop_value()
    }
}

/// One of two records, where two branches record different things. Nested for more branches.
///
/// Of fixed size if both are: one byte and the larger of the two.
///
/// ```
/// use ad_runtime::{Either, Site, Tape};
///
/// let mut tape = Tape::new();
/// let site = Site::new();
/// tape.push(site, if tape.is_empty() { Either::A(1.5) } else { Either::B((2_u8, 'x')) });
/// assert_eq!(tape.pop(site), Either::A(1.5));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Either<A, B> {
    /// The record of the first branch.
    A(A),
    /// The record of the second branch.
    B(B),
}

#[cold]
#[inline(never)]
fn invalid(what: &str) -> ! {
    panic!(
        "retrograde: the bytes on the tape are no {what}: pushes and pops are not in opposite \
         order; `Tape::builder().shadow(true)` names the two items"
    );
}

/// The body of `encode` and `decode` of types that have no fixed size.
#[cold]
#[inline(never)]
fn not_fixed() -> ! {
    unreachable!("a record of variable size is pushed in parts");
}

const fn fixed<T: Record>() -> usize {
    match T::FIXED {
        Some(bytes) => bytes,
        None => 0,
    }
}

const fn sum(sizes: &[Option<usize>]) -> Option<usize> {
    let mut total = 0;
    let mut i = 0;
    while i < sizes.len() {
        match sizes[i] {
            Some(bytes) => total += bytes,
            None => return None,
        }
        i += 1;
    }
    Some(total)
}

macro_rules! plain {
    ($($ty:ty)*) => {$(
        // SAFETY: numbers have no padding and no invalid bit pattern; their encoding is their
        // memory, written and read unaligned.
        unsafe impl Record for $ty {
            const FIXED: Option<usize> = Some(size_of::<$ty>());
            const PLAIN: bool = true;

            #[inline(always)]
            unsafe fn encode(&self, at: *mut u8) {
                // SAFETY: the caller's promise.
                unsafe { at.cast::<$ty>().write_unaligned(*self) };
            }

            #[inline(always)]
            unsafe fn decode(at: *const u8) -> Self {
                // SAFETY: the caller's promise.
                unsafe { at.cast::<$ty>().read_unaligned() }
            }
        }
    )*};
}

plain! { f32 f64 u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }

// SAFETY: one byte, which is checked.
unsafe impl Record for bool {
    const FIXED: Option<usize> = Some(1);

    #[inline(always)]
    unsafe fn encode(&self, at: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { at.write(u8::from(*self)) };
    }

    #[inline(always)]
    unsafe fn decode(at: *const u8) -> Self {
        // SAFETY: the caller's promise.
        match unsafe { at.read() } {
            0 => false,
            1 => true,
            _ => invalid("`bool`"),
        }
    }
}

// SAFETY: four bytes, which are checked.
unsafe impl Record for char {
    const FIXED: Option<usize> = Some(4);

    #[inline(always)]
    unsafe fn encode(&self, at: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { u32::from(*self).encode(at) };
    }

    #[inline(always)]
    unsafe fn decode(at: *const u8) -> Self {
        // SAFETY: the caller's promise.
        let code = unsafe { u32::decode(at) };
        char::from_u32(code).unwrap_or_else(|| invalid("`char`"))
    }
}

// SAFETY: no bytes at all.
unsafe impl<T: ?Sized> Record for PhantomData<T> {
    const FIXED: Option<usize> = Some(0);

    #[inline(always)]
    unsafe fn encode(&self, _: *mut u8) {}

    #[inline(always)]
    unsafe fn decode(_: *const u8) -> Self {
        PhantomData
    }
}

// SAFETY: no bytes at all.
unsafe impl Record for () {
    const FIXED: Option<usize> = Some(0);

    #[inline(always)]
    unsafe fn encode(&self, _: *mut u8) {}

    #[inline(always)]
    unsafe fn decode(_: *const u8) {}
}
