//! Records made of records: arrays, options, branches, and what owns memory.

#![allow(unsafe_code)]

use super::fields::{ByFields, Fields, Sink, Source};
use super::{BuiltIn, Either, Encoded, Encoding, Record, fixed, invalid, not_fixed, sum};
use crate::tape::{Site, Tape};

impl<T: Record, const N: usize> Record for [T; N] {
    type Encoding = BuiltIn;
}

// SAFETY: `N` encodings side by side; arrays have no padding between elements, so an array of plain
// records is plain.
unsafe impl<T: Record, const N: usize> Encoding<[T; N]> for BuiltIn {
    const FIXED: Option<usize> = match T::FIXED {
        Some(bytes) => match bytes.checked_mul(N) {
            Some(all) => Some(all),
            None => panic!("a record is larger than memory"),
        },
        None if N == 0 => Some(0),
        None => None,
    };
    const PLAIN: bool = T::PLAIN;

    #[inline(always)]
    unsafe fn encode(value: &[T; N], at: *mut u8) {
        if T::PLAIN {
            // SAFETY: plain elements are their own encoding.
            unsafe {
                std::ptr::copy_nonoverlapping(value.as_ptr().cast(), at, size_of::<[T; N]>())
            };
            return;
        }
        for (i, item) in value.iter().enumerate() {
            // SAFETY: element `i` has `fixed::<T>()` bytes of its own.
            unsafe { item.encode(at.add(i * fixed::<T>())) };
        }
    }

    #[inline(always)]
    unsafe fn decode(at: *const u8) -> [T; N] {
        if T::PLAIN {
            // SAFETY: plain elements are their own encoding, with no invalid bit pattern.
            return unsafe { at.cast::<[T; N]>().read_unaligned() };
        }
        // SAFETY: element `i` has `fixed::<T>()` bytes of its own.
        std::array::from_fn(|i| unsafe { T::decode(at.add(i * fixed::<T>())) })
    }

    fn push_parts(value: &[T; N], tape: &mut Tape) {
        value.iter().for_each(|item| tape.push_ref(item));
    }

    fn pop_parts(tape: &mut Tape) -> [T; N] {
        let mut items: [T; N] = std::array::from_fn(|_| tape.pop_value());
        items.reverse();
        items
    }
}

impl<T: Record> Record for Option<T> {
    type Encoding = BuiltIn;
}

// SAFETY: one byte, which is checked, and the encoding of the value or zeros.
unsafe impl<T: Record> Encoding<Option<T>> for BuiltIn {
    const FIXED: Option<usize> = sum(&[Some(1), T::FIXED]);

    #[inline(always)]
    unsafe fn encode(value: &Option<T>, at: *mut u8) {
        // SAFETY: the first byte tells which it is, the others are those of a `T`.
        unsafe {
            value.is_some().encode(at);
            match value {
                Some(value) => value.encode(at.add(1)),
                None => at.add(1).write_bytes(0, fixed::<T>()),
            }
        }
    }

    #[inline(always)]
    unsafe fn decode(at: *const u8) -> Option<T> {
        // SAFETY: as written by `encode`.
        unsafe { bool::decode(at).then(|| T::decode(at.add(1))) }
    }

    fn push_parts(value: &Option<T>, tape: &mut Tape) {
        if let Some(value) = value {
            tape.push_ref(value);
        }
        tape.push_ref(&value.is_some());
    }

    fn pop_parts(tape: &mut Tape) -> Option<T> {
        let is_some: bool = tape.pop_value();
        is_some.then(|| tape.pop_value())
    }
}

impl<T: Record, E: Record> Record for Result<T, E> {
    type Encoding = BuiltIn;
}

// SAFETY: one byte, which is checked, the encoding of the value or of the error, and zeros up to the longer one.
unsafe impl<T: Record, E: Record> Encoding<Result<T, E>> for BuiltIn {
    const FIXED: Option<usize> = match (T::FIXED, E::FIXED) {
        (Some(value), Some(error)) => Some(1 + if value > error { value } else { error }),
        _ => None,
    };

    #[inline(always)]
    unsafe fn encode(value: &Result<T, E>, at: *mut u8) {
        // SAFETY: the first byte tells which it is; what it holds and the gap after it fill the rest.
        unsafe {
            value.is_ok().encode(at);
            let used = match value {
                Ok(value) => {
                    value.encode(at.add(1));
                    1 + fixed::<T>()
                }
                Err(error) => {
                    error.encode(at.add(1));
                    1 + fixed::<E>()
                }
            };
            at.add(used).write_bytes(0, fixed::<Result<T, E>>() - used);
        }
    }

    #[inline(always)]
    unsafe fn decode(at: *const u8) -> Result<T, E> {
        // SAFETY: as written by `encode`.
        unsafe {
            if bool::decode(at) {
                Ok(T::decode(at.add(1)))
            } else {
                Err(E::decode(at.add(1)))
            }
        }
    }

    fn push_parts(value: &Result<T, E>, tape: &mut Tape) {
        match value {
            Ok(value) => tape.push_ref(value),
            Err(error) => tape.push_ref(error),
        }
        tape.push_ref(&value.is_ok());
    }

    fn pop_parts(tape: &mut Tape) -> Result<T, E> {
        if tape.pop_value() {
            Ok(tape.pop_value())
        } else {
            Err(tape.pop_value())
        }
    }
}

impl<A: Record, B: Record> Record for Either<A, B> {
    type Encoding = BuiltIn;
}

// SAFETY: one byte, which is checked, the encoding of either value, and zeros up to the longer one.
unsafe impl<A: Record, B: Record> Encoding<Either<A, B>> for BuiltIn {
    const FIXED: Option<usize> = match (A::FIXED, B::FIXED) {
        (Some(a), Some(b)) => Some(1 + if a > b { a } else { b }),
        _ => None,
    };

    #[inline(always)]
    unsafe fn encode(value: &Either<A, B>, at: *mut u8) {
        // SAFETY: the first byte tells which it is; the value and the gap after it fill the rest.
        unsafe {
            let used = match value {
                Either::A(a) => {
                    at.write(0);
                    a.encode(at.add(1));
                    1 + fixed::<A>()
                }
                Either::B(b) => {
                    at.write(1);
                    b.encode(at.add(1));
                    1 + fixed::<B>()
                }
            };
            at.add(used).write_bytes(0, fixed::<Either<A, B>>() - used);
        }
    }

    #[inline(always)]
    unsafe fn decode(at: *const u8) -> Either<A, B> {
        // SAFETY: as written by `encode`.
        unsafe {
            match at.read() {
                0 => Either::A(A::decode(at.add(1))),
                1 => Either::B(B::decode(at.add(1))),
                _ => invalid("record of a branch"),
            }
        }
    }

    fn push_parts(value: &Either<A, B>, tape: &mut Tape) {
        match value {
            Either::A(a) => {
                tape.push_ref(a);
                tape.push_ref(&0_u8);
            }
            Either::B(b) => {
                tape.push_ref(b);
                tape.push_ref(&1_u8);
            }
        }
    }

    fn pop_parts(tape: &mut Tape) -> Either<A, B> {
        match tape.pop_value::<u8>() {
            0 => Either::A(tape.pop_value()),
            1 => Either::B(tape.pop_value()),
            _ => invalid("record of a branch"),
        }
    }
}

impl<T: Record> Record for Box<T> {
    type Encoding = ByFields;
}

impl<T: Record> Fields for Box<T> {
    const FIXED: Option<usize> = T::FIXED;

    #[inline(always)]
    fn write<S: Sink>(&self, sink: &mut S) {
        sink.put(&**self, |_| ());
    }

    #[inline(always)]
    fn read<S: Source>(source: &mut S) -> Self {
        Self::new(source.take())
    }
}

impl<T: Record> Record for Vec<T> {
    type Encoding = BuiltIn;
}

// SAFETY: of variable size: a slice of its elements.
unsafe impl<T: Record> Encoding<Vec<T>> for BuiltIn {
    const FIXED: Option<usize> = None;

    unsafe fn encode(_: &Vec<T>, _: *mut u8) {
        not_fixed();
    }

    unsafe fn decode(_: *const u8) -> Vec<T> {
        not_fixed();
    }

    fn push_parts(value: &Vec<T>, tape: &mut Tape) {
        tape.push_elements(value);
    }

    fn pop_parts(tape: &mut Tape) -> Vec<T> {
        tape.pop_vec(Site::new())
    }
}

impl<T: Record> Record for Box<[T]> {
    type Encoding = BuiltIn;
}

// SAFETY: of variable size: a slice of its elements.
unsafe impl<T: Record> Encoding<Box<[T]>> for BuiltIn {
    const FIXED: Option<usize> = None;

    unsafe fn encode(_: &Box<[T]>, _: *mut u8) {
        not_fixed();
    }

    unsafe fn decode(_: *const u8) -> Box<[T]> {
        not_fixed();
    }

    fn push_parts(value: &Box<[T]>, tape: &mut Tape) {
        tape.push_elements(value);
    }

    fn pop_parts(tape: &mut Tape) -> Box<[T]> {
        tape.pop_vec(Site::new()).into_boxed_slice()
    }
}

impl Record for String {
    type Encoding = BuiltIn;
}

// SAFETY: of variable size: a slice of bytes, which are checked.
unsafe impl Encoding<String> for BuiltIn {
    const FIXED: Option<usize> = None;

    unsafe fn encode(_: &String, _: *mut u8) {
        not_fixed();
    }

    unsafe fn decode(_: *const u8) -> String {
        not_fixed();
    }

    fn push_parts(value: &String, tape: &mut Tape) {
        tape.push_elements(value.as_bytes());
    }

    fn pop_parts(tape: &mut Tape) -> String {
        String::from_utf8(tape.pop_vec(Site::new())).unwrap_or_else(|_| invalid("`String`"))
    }
}
