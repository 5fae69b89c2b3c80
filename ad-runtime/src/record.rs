//! Which values can lie on a tape, and how they are written there.
//!
//! Any `Copy` type would be unsound: a `&'static str` popped from bytes that were something else
//! points anywhere. So a record is written field by field, without padding, and decoded with a
//! check wherever a bit pattern can be invalid. Whatever initialised bytes are decoded, the outcome
//! is a valid value or a panic.

#![allow(unsafe_code)]

mod collections;
mod compound;
pub mod fields;
#[cfg(test)]
mod tests;
mod tuple;

use std::cmp::Ordering;
use std::marker::PhantomData;
use std::num::NonZero;
use std::time::Duration;

use crate::spare;
use crate::tape::Tape;

/// A value that can be pushed to a [`Tape`] and popped again.
///
/// Provided for numbers, `bool`, `char`, arrays, tuples, [`Option`], [`Either`], [`Vec`], [`Box`],
/// [`String`], and the collections of std whose order is their own, such as `BTreeMap`. For structs and enums of
/// records, write `#[derive(Record)]`. Records of fixed size cost one capacity check and a few stores; the others are
/// pushed in parts, each followed by what is needed to pop it again.
///
/// An implementation by hand names an [`Encoding`], which is where the unsafe code is.
#[diagnostic::on_unimplemented(
    message = "a value of type `{Self}` cannot be recorded on the tape",
    label = "the reverse sweep needs this value, so it must be a `Record`",
    note = "records are numbers, `bool`, `char`, and arrays, tuples, `Option`, `Vec`, `Box` and \
            `String` of records; references and handles are not",
    note = "for a struct or enum of records, derive it: `#[derive(Record)]`"
)]
pub trait Record: Sized {
    /// How the value lies on a tape.
    type Encoding: Encoding<Self>;
}

/// How values of the type `T` lie on a tape; see [`Record`].
///
/// # Safety
///
/// - If [`FIXED`](Self::FIXED) is `Some(n)`, [`encode`](Self::encode) writes all of the `n` bytes
///   at its argument and nothing else. [`decode`](Self::decode) reads nothing
///   but those `n` bytes, and for *any* content of them returns a valid value or panics.
/// - If [`PLAIN`](Self::PLAIN) is true, then `FIXED` is `Some(size_of::<T>())`, the type has no
///   padding, all of its bit patterns are valid, and its encoding is its memory.
/// - If `FIXED` is `None`, [`pop_parts`](Self::pop_parts) pops what
///   [`push_parts`](Self::push_parts) pushed, in the opposite order.
pub unsafe trait Encoding<T> {
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
    unsafe fn encode(value: &T, at: *mut u8);

    /// Reads the encoding of a record of fixed size.
    ///
    /// # Safety
    ///
    /// [`FIXED`](Self::FIXED) must be `Some(n)`, and `n` bytes at `at` must be initialised.
    ///
    /// # Panics
    ///
    /// If the bytes are not the encoding of a value.
    unsafe fn decode(at: *const u8) -> T;

    /// As [`decode`](Self::decode), but bytes that are the encoding of no value may give any value instead of a panic:
    /// for loops over records, which a check would keep from being vectorised.
    ///
    /// # Safety
    ///
    /// That of [`decode`](Self::decode).
    #[inline(always)]
    unsafe fn decode_any(at: *const u8) -> T {
        // SAFETY: the caller's promise.
        unsafe { Self::decode(at) }
    }

    /// An empty vector with room for `len` records.
    #[doc(hidden)]
    #[inline]
    fn room(len: usize) -> Vec<T> {
        Vec::with_capacity(len)
    }

    /// Pushes a record of variable size, part by part. Not called for one of fixed size.
    fn push_parts(value: &T, tape: &mut Tape) {
        let _ = (value, tape);
        fixed_size();
    }

    /// Pops what [`push_parts`](Self::push_parts) pushed.
    fn pop_parts(tape: &mut Tape) -> T {
        let _ = tape;
        fixed_size();
    }
}

/// What a record's [`Encoding`] says, at the record. Nobody can implement it otherwise, so that it can be relied on.
pub(crate) trait Encoded: Record {
    const FIXED: Option<usize>;
    const PLAIN: bool;

    /// # Safety
    ///
    /// That of [`Encoding::encode`].
    unsafe fn encode(&self, at: *mut u8);

    /// # Safety
    ///
    /// That of [`Encoding::decode`].
    unsafe fn decode(at: *const u8) -> Self;

    /// # Safety
    ///
    /// That of [`Encoding::decode_any`].
    unsafe fn decode_any(at: *const u8) -> Self;

    /// An empty vector with room for `len` records.
    fn room(len: usize) -> Vec<Self>;

    fn push_parts(&self, tape: &mut Tape);
    fn pop_parts(tape: &mut Tape) -> Self;
}

impl<T: Record> Encoded for T {
    const FIXED: Option<usize> = T::Encoding::FIXED;
    const PLAIN: bool = T::Encoding::PLAIN;

    #[inline(always)]
    unsafe fn encode(&self, at: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { T::Encoding::encode(self, at) };
    }

    #[inline(always)]
    unsafe fn decode(at: *const u8) -> Self {
        // SAFETY: the caller's promise.
        unsafe { T::Encoding::decode(at) }
    }

    #[inline(always)]
    unsafe fn decode_any(at: *const u8) -> Self {
        // SAFETY: the caller's promise.
        unsafe { T::Encoding::decode_any(at) }
    }

    #[inline(always)]
    fn room(len: usize) -> Vec<Self> {
        T::Encoding::room(len)
    }

    #[inline(always)]
    fn push_parts(&self, tape: &mut Tape) {
        T::Encoding::push_parts(self, tape);
    }

    #[inline(always)]
    fn pop_parts(tape: &mut Tape) -> Self {
        T::Encoding::pop_parts(tape)
    }
}

/// The encodings of the types of the language and of std.
#[derive(Debug)]
pub struct BuiltIn;

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

/// The body of `push_parts` and `pop_parts` of types that have a fixed size.
#[cold]
#[inline(never)]
fn fixed_size() -> ! {
    unreachable!("a record of fixed size is pushed in one piece");
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
            // With a check: in release builds the sum would wrap.
            Some(bytes) => match usize::checked_add(total, bytes) {
                Some(sum) => total = sum,
                None => panic!("a record is larger than memory"),
            },
            None => return None,
        }
        i += 1;
    }
    Some(total)
}

macro_rules! plain {
    ($($ty:ty $(, $room:path)?;)*) => {$(
        impl Record for $ty {
            type Encoding = BuiltIn;
        }

        // SAFETY: numbers have no padding and no invalid bit pattern; their encoding is their
        // memory, written and read unaligned.
        unsafe impl Encoding<$ty> for BuiltIn {
            const FIXED: Option<usize> = Some(size_of::<$ty>());
            const PLAIN: bool = true;

            #[inline(always)]
            unsafe fn encode(value: &$ty, at: *mut u8) {
                // SAFETY: the caller's promise.
                unsafe { at.cast::<$ty>().write_unaligned(*value) };
            }

            #[inline(always)]
            unsafe fn decode(at: *const u8) -> $ty {
                // SAFETY: the caller's promise.
                unsafe { at.cast::<$ty>().read_unaligned() }
            }

            $(fn room(len: usize) -> Vec<$ty> {
                $room(len)
            })?
        }
    )*};
}

plain! {
    f32, spare::room; f64, spare::room;
    u8; u16; u32; u64; u128; usize; i8; i16; i32; i64; i128; isize;
}

impl Record for bool {
    type Encoding = BuiltIn;
}

impl Record for Ordering {
    type Encoding = BuiltIn;
}

// SAFETY: one byte, which is checked.
unsafe impl Encoding<Ordering> for BuiltIn {
    const FIXED: Option<usize> = Some(1);

    #[inline(always)]
    unsafe fn encode(value: &Ordering, at: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { at.cast::<i8>().write(*value as i8) };
    }

    #[inline(always)]
    unsafe fn decode(at: *const u8) -> Ordering {
        // SAFETY: the caller's promise.
        match unsafe { at.cast::<i8>().read() } {
            -1 => Ordering::Less,
            0 => Ordering::Equal,
            1 => Ordering::Greater,
            _ => invalid("`Ordering`"),
        }
    }
}

// SAFETY: one byte, which is checked, or of which every value reads as a `bool`.
unsafe impl Encoding<bool> for BuiltIn {
    const FIXED: Option<usize> = Some(1);

    #[inline(always)]
    unsafe fn encode(value: &bool, at: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { at.write(u8::from(*value)) };
    }

    #[inline(always)]
    unsafe fn decode(at: *const u8) -> bool {
        // SAFETY: the caller's promise.
        match unsafe { at.read() } {
            0 => false,
            1 => true,
            _ => invalid("`bool`"),
        }
    }

    #[inline(always)]
    unsafe fn decode_any(at: *const u8) -> bool {
        // SAFETY: the caller's promise.
        unsafe { at.read() != 0 }
    }
}

impl Record for char {
    type Encoding = BuiltIn;
}

// SAFETY: four bytes, which are checked.
unsafe impl Encoding<char> for BuiltIn {
    const FIXED: Option<usize> = Some(4);

    #[inline(always)]
    unsafe fn encode(value: &char, at: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { u32::from(*value).encode(at) };
    }

    #[inline(always)]
    unsafe fn decode(at: *const u8) -> char {
        // SAFETY: the caller's promise.
        let code = unsafe { u32::decode(at) };
        char::from_u32(code).unwrap_or_else(|| invalid("`char`"))
    }
}

macro_rules! non_zero {
    ($($ty:ident)*) => {$(
        impl Record for NonZero<$ty> {
            type Encoding = BuiltIn;
        }

        // SAFETY: the bytes of the number, which are checked.
        unsafe impl Encoding<NonZero<$ty>> for BuiltIn {
            const FIXED: Option<usize> = Some(size_of::<$ty>());

            #[inline(always)]
            unsafe fn encode(value: &NonZero<$ty>, at: *mut u8) {
                // SAFETY: the caller's promise.
                unsafe { value.get().encode(at) };
            }

            #[inline(always)]
            unsafe fn decode(at: *const u8) -> NonZero<$ty> {
                // SAFETY: the caller's promise.
                let number = unsafe { <$ty as Encoded>::decode(at) };
                NonZero::new(number).unwrap_or_else(|| invalid("number other than zero"))
            }
        }
    )*};
}

non_zero! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }

impl Record for Duration {
    type Encoding = BuiltIn;
}

// SAFETY: twelve bytes, of which those of the nanoseconds are checked.
unsafe impl Encoding<Duration> for BuiltIn {
    const FIXED: Option<usize> = Some(12);

    #[inline(always)]
    unsafe fn encode(value: &Duration, at: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe {
            value.as_secs().encode(at);
            value.subsec_nanos().encode(at.add(8));
        }
    }

    #[inline(always)]
    unsafe fn decode(at: *const u8) -> Duration {
        // SAFETY: the caller's promise.
        let (seconds, nanos) = unsafe {
            (
                <u64 as Encoded>::decode(at),
                <u32 as Encoded>::decode(at.add(8)),
            )
        };
        if nanos >= 1_000_000_000 {
            invalid("`Duration`");
        }
        Duration::new(seconds, nanos)
    }
}

impl<T: ?Sized> Record for PhantomData<T> {
    type Encoding = BuiltIn;
}

// SAFETY: no bytes at all.
unsafe impl<T: ?Sized> Encoding<PhantomData<T>> for BuiltIn {
    const FIXED: Option<usize> = Some(0);

    #[inline(always)]
    unsafe fn encode(_: &PhantomData<T>, _: *mut u8) {}

    #[inline(always)]
    unsafe fn decode(_: *const u8) -> PhantomData<T> {
        PhantomData
    }
}

impl Record for () {
    type Encoding = BuiltIn;
}

// SAFETY: no bytes at all.
unsafe impl Encoding<()> for BuiltIn {
    const FIXED: Option<usize> = Some(0);

    #[inline(always)]
    unsafe fn encode(_: &(), _: *mut u8) {}

    #[inline(always)]
    unsafe fn decode(_: *const u8) {}
}
