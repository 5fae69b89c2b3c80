//! Collections as records: their elements in order, and how many they are.
//!
//! `HashMap` and `HashSet` are none: the reverse sweep may walk through one again, and one that is built anew has
//! another order. Nor is `BinaryHeap`, of which equal elements may leave in another order.

#![allow(unsafe_code)]

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{BuiltIn, Encoding, Record, not_fixed};
use crate::tape::Tape;

/// Collections by how an element is pushed, and popped again: the last one first.
macro_rules! record {
    ($(
        <$($t:ident: $($bound:path),+);+> $collection:ty:
            |$to:ident, $element:pat_param| $push:expr, |$from:ident| $pop:expr;
    )*) => {$(
        impl<$($t: Record $(+ $bound)+),+> Record for $collection {
            type Encoding = BuiltIn;
        }

        // SAFETY: of variable size: each element, and their number.
        unsafe impl<$($t: Record $(+ $bound)+),+> Encoding<$collection> for BuiltIn {
            const FIXED: Option<usize> = None;

            unsafe fn encode(_: &$collection, _: *mut u8) {
                not_fixed();
            }

            unsafe fn decode(_: *const u8) -> $collection {
                not_fixed();
            }

            fn push_parts(value: &$collection, $to: &mut Tape) {
                for $element in value {
                    $push;
                }
                $to.push_ref(&value.len());
            }

            fn pop_parts($from: &mut Tape) -> $collection {
                let count: usize = $from.pop_value();
                let mut elements: Vec<_> = (0..count).map(|_| $pop).collect();
                elements.reverse();
                elements.into_iter().collect()
            }
        }
    )*};
}

record! {
    <T: Sized> VecDeque<T>: |tape, item| tape.push_ref(item), |tape| tape.pop_value();
    <T: Ord> BTreeSet<T>: |tape, item| tape.push_ref(item), |tape| tape.pop_value();
    <K: Ord; V: Sized> BTreeMap<K, V>:
        |tape, (key, value)| {
            tape.push_ref(key);
            tape.push_ref(value);
        },
        |tape| {
            let value = tape.pop_value();
            (tape.pop_value(), value)
        };
}
