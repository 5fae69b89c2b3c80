//! What `#[derive(Record)]` writes: a record as the list of its fields.
//!
//! [`Encoding`] is an unsafe trait, and crates that forbid unsafe code want records too. So the derive implements
//! [`Fields`], which is safe: it hands the fields to a [`Sink`] and takes them from a [`Source`], and both compare with
//! the bytes that they have. The one encoding of all such records is [`ByFields`]. Where the fields are those that were
//! announced, as the derive sees to, the optimiser knows that the comparisons hold and drops them.
//!
//! Fields are read in the order in which they are written: side by side in a record of fixed size; pushed last one
//! first in a record of variable size. An enum's first field is the number of its variant.

#![allow(unsafe_code)]

use super::{Encoded, Encoding, Record, not_fixed, sum};
use crate::tape::Tape;

/// A record made of records. Implemented by `#[derive(Record)]`.
///
/// Whatever an implementation does, the outcome is a value or a panic.
pub trait Fields: Sized {
    /// The bytes of all fields, if that is the same number for all values: see [`widest`].
    const FIXED: Option<usize>;

    /// Writes all fields.
    fn write<S: Sink>(&self, sink: &mut S);

    /// Takes all fields, in the same order.
    fn read<S: Source>(source: &mut S) -> Self;
}

/// Where the fields of one record go.
pub trait Sink: Sized {
    /// Writes a field, and those after it by `rest`.
    fn put<T: Record>(&mut self, field: &T, rest: impl FnOnce(&mut Self));
}

/// Where the fields of one record come from.
pub trait Source: Sized {
    /// The next field.
    fn take<T: Record>(&mut self) -> T;
}

/// What [`Record`]s are as fields. The derive uses fields through this trait alone, in forms for which rustc has the
/// same error, so that it shows one error for a field that is no record: in the words of [`Record`].
#[diagnostic::on_unimplemented(
    message = "a value of type `{Self}` cannot be recorded on the tape",
    label = "the reverse sweep needs this value, so it must be a `Record`",
    note = "records are numbers, `bool`, `char`, and arrays, tuples, `Option`, `Vec`, `Box` and \
            `String` of records; references and handles are not",
    note = "for a struct or enum of records, derive it: `#[derive(Record)]`"
)]
pub trait Field: Sized {
    /// As of [`Record`].
    const FIXED: Option<usize>;

    /// Writes the field, and those after it by `rest`.
    fn put<S: Sink>(&self, sink: &mut S, rest: impl FnOnce(&mut S));

    /// The next field of a record.
    fn take<S: Source>(source: &mut S) -> Self;
}

impl<T: Record> Field for T {
    const FIXED: Option<usize> = <T as Encoded>::FIXED;

    #[inline(always)]
    fn put<S: Sink>(&self, sink: &mut S, rest: impl FnOnce(&mut S)) {
        sink.put(self, rest);
    }

    #[inline(always)]
    fn take<S: Source>(source: &mut S) -> Self {
        source.take()
    }
}

/// The bytes of a record that are still to be written.
struct Window {
    /// All bytes from here on, `left` of them, are writable.
    at: *mut u8,
    left: usize,
}

impl Sink for Window {
    #[inline(always)]
    fn put<T: Record>(&mut self, field: &T, rest: impl FnOnce(&mut Self)) {
        let bytes = part::<T>(self.left);
        // SAFETY: `part` compared with what is left.
        unsafe {
            field.encode(self.at);
            self.at = self.at.add(bytes);
        }
        self.left -= bytes;
        rest(self);
    }
}

/// Last in, first out: the fields after this one first.
impl Sink for Tape {
    #[inline(always)]
    fn put<T: Record>(&mut self, field: &T, rest: impl FnOnce(&mut Self)) {
        rest(self);
        self.push_ref(field);
    }
}

/// The bytes of a record that are still to be read.
struct View {
    /// All bytes from here on, `left` of them, are initialised.
    at: *const u8,
    left: usize,
}

impl Source for View {
    #[inline(always)]
    fn take<T: Record>(&mut self) -> T {
        let at = self.at;
        let bytes = part::<T>(self.left);
        // SAFETY: `part` compared with what is left.
        self.at = unsafe { at.add(bytes) };
        self.left -= bytes;
        // SAFETY: these are the bytes of a `T`, in the view and initialised.
        unsafe { T::decode(at) }
    }
}

impl Source for Tape {
    #[inline(always)]
    fn take<T: Record>(&mut self) -> T {
        self.pop_value()
    }
}

/// The bytes of a field, which must be there.
#[inline(always)]
fn part<T: Record>(left: usize) -> usize {
    match <T as Encoded>::FIXED {
        Some(bytes) if bytes <= left => bytes,
        Some(_) => misfit(),
        None => not_fixed(),
    }
}

/// The encoding of [`Fields`].
#[derive(Debug)]
pub struct ByFields;

// SAFETY: the window and the view are the `FIXED` bytes, and whatever `write` and `read` do, they touch nothing beyond:
// neither can be made elsewhere, nor put in the place of another, because in `write` and `read` two of them have no
// common type. What is read are records, which are checked. Not plain. Of variable size: the last field is pushed
// first, so the first is popped first.
unsafe impl<T: Fields> Encoding<T> for ByFields {
    const FIXED: Option<usize> = T::FIXED;

    #[inline(always)]
    unsafe fn encode(value: &T, at: *mut u8) {
        let left = const { bytes::<T>() };
        let mut window = Window { at, left };
        value.write(&mut window);
        // SAFETY: what is left of the window is writable.
        unsafe { window.at.write_bytes(0, window.left) };
    }

    #[inline(always)]
    unsafe fn decode(at: *const u8) -> T {
        let left = const { bytes::<T>() };
        T::read(&mut View { at, left })
    }

    fn push_parts(value: &T, tape: &mut Tape) {
        value.write(tape);
    }

    fn pop_parts(tape: &mut Tape) -> T {
        T::read(tape)
    }
}

const fn bytes<T: Fields>() -> usize {
    match T::FIXED {
        Some(bytes) => bytes,
        None => 0,
    }
}

/// The size of the longest list of fields, if all fields have one.
#[must_use]
pub const fn widest(lists: &[&[Option<usize>]]) -> Option<usize> {
    let mut most = 0;
    let mut i = 0;
    while i < lists.len() {
        match sum(lists[i]) {
            Some(bytes) if bytes > most => most = bytes,
            Some(_) => {}
            None => return None,
        }
        i += 1;
    }
    Some(most)
}

/// The number of a variant that an enum does not have.
///
/// # Panics
///
/// Always.
#[cold]
#[inline(never)]
pub fn no_variant<T>() -> T {
    super::invalid(&format!("`{}`", std::any::type_name::<T>()))
}

#[cold]
#[inline(never)]
fn misfit() -> ! {
    panic!("retrograde: the fields of a record are larger than the record");
}
