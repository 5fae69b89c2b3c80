//! Tuples: the fields side by side.

#![allow(unsafe_code)]

use super::{BuiltIn, Encoded, Encoding, Record, fixed, sum};
use crate::tape::Tape;

/// Binds each name to a popped value, the last name first.
macro_rules! pop_in_reverse {
    ($tape:ident;) => {};
    ($tape:ident; $first:ident $($rest:ident)*) => {
        pop_in_reverse!($tape; $($rest)*);
        let $first: $first = $tape.pop_value();
    };
}

/// Whether the fields are two of a byte each. In a loop over records both are loaded as one number: vectors of such
/// numbers need no shuffle to tell the first fields from the second ones.
const fn is_pair(sizes: &[usize]) -> bool {
    matches!(sizes, [1, 1])
}

macro_rules! tuples {
    ($(($($name:ident $at:tt)+))*) => {$(
        impl<$($name: Record),+> Record for ($($name,)+) {
            type Encoding = BuiltIn;
        }

        // SAFETY: the encodings of the fields side by side, in order.
        unsafe impl<$($name: Record),+> Encoding<($($name,)+)> for BuiltIn {
            const FIXED: Option<usize> = sum(&[$($name::FIXED),+]);

            #[inline(always)]
            unsafe fn encode(value: &($($name,)+), at: *mut u8) {
                let mut offset = 0;
                $(
                    // SAFETY: each field has `fixed` bytes after those of the fields before.
                    unsafe { value.$at.encode(at.add(offset)) };
                    offset += const { fixed::<$name>() };
                )+
                debug_assert_eq!(Some(offset), <($($name,)+)>::FIXED);
            }

            #[inline(always)]
            #[allow(non_snake_case)]
            unsafe fn decode(at: *const u8) -> ($($name,)+) {
                let mut offset = 0;
                $(
                    // SAFETY: as written by `encode`.
                    let $name = unsafe { $name::decode(at.add(offset)) };
                    offset += const { fixed::<$name>() };
                )+
                debug_assert_eq!(Some(offset), <($($name,)+)>::FIXED);
                ($($name,)+)
            }

            #[inline(always)]
            #[allow(non_snake_case)]
            unsafe fn decode_any(at: *const u8) -> ($($name,)+) {
                let pair: [u8; 2];
                let at = if const { is_pair(&[$(fixed::<$name>()),+]) } {
                    // SAFETY: there are two bytes.
                    pair = unsafe { at.cast::<u16>().read_unaligned() }.to_ne_bytes();
                    pair.as_ptr()
                } else {
                    at
                };
                let mut offset = 0;
                $(
                    // SAFETY: as written by `encode`.
                    let $name = unsafe { $name::decode_any(at.add(offset)) };
                    offset += const { fixed::<$name>() };
                )+
                debug_assert_eq!(Some(offset), <($($name,)+)>::FIXED);
                ($($name,)+)
            }

            fn push_parts(value: &($($name,)+), tape: &mut Tape) {
                $(tape.push_ref(&value.$at);)+
            }

            #[allow(non_snake_case)]
            fn pop_parts(tape: &mut Tape) -> ($($name,)+) {
                pop_in_reverse!(tape; $($name)+);
                ($($name,)+)
            }
        }
    )*};
}

tuples! {
    (A 0)
    (A 0 B 1)
    (A 0 B 1 C 2)
    (A 0 B 1 C 2 D 3)
    (A 0 B 1 C 2 D 3 E 4)
    (A 0 B 1 C 2 D 3 E 4 F 5)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 M 12)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 M 12 N 13)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 M 12 N 13 O 14)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 M 12 N 13 O 14 P 15)
}
