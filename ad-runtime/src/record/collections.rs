//! Collections as records: their elements in order, and how many they are.
//!
//! `HashMap` and `HashSet` are none: the reverse sweep may walk through one again, and one that is built anew has
//! another order. Nor is `BinaryHeap`, of which equal elements may leave in another order.

#![allow(unsafe_code)]

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{BuiltIn, Encoding, Record, not_fixed};
use crate::tape::Tape;

/// Elements that lie on the tape one by one.
trait Elements: Sized {
    type Element: Record;

    fn push_each(&self, tape: &mut Tape);

    fn count(&self) -> usize;

    /// The last element that was pushed.
    fn pop_one(tape: &mut Tape) -> Self::Element {
        tape.pop_value()
    }

    fn of(elements: Vec<Self::Element>) -> Self;
}

impl<T: Record> Elements for VecDeque<T> {
    type Element = T;

    fn push_each(&self, tape: &mut Tape) {
        self.iter().for_each(|item| tape.push_ref(item));
    }

    fn count(&self) -> usize {
        self.len()
    }

    fn of(elements: Vec<T>) -> Self {
        elements.into()
    }
}

impl<T: Record + Ord> Elements for BTreeSet<T> {
    type Element = T;

    fn push_each(&self, tape: &mut Tape) {
        self.iter().for_each(|item| tape.push_ref(item));
    }

    fn count(&self) -> usize {
        self.len()
    }

    fn of(elements: Vec<T>) -> Self {
        elements.into_iter().collect()
    }
}

impl<K: Record + Ord, V: Record> Elements for BTreeMap<K, V> {
    type Element = (K, V);

    fn push_each(&self, tape: &mut Tape) {
        for (key, value) in self {
            tape.push_ref(key);
            tape.push_ref(value);
        }
    }

    fn count(&self) -> usize {
        self.len()
    }

    fn pop_one(tape: &mut Tape) -> (K, V) {
        let value = tape.pop_value();
        (tape.pop_value(), value)
    }

    fn of(elements: Vec<(K, V)>) -> Self {
        elements.into_iter().collect()
    }
}

/// The encoding of the collections.
macro_rules! record {
    ($(<$($t:ident: $($bound:path),+);+> $collection:ty)*) => {$(
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

            fn push_parts(value: &$collection, tape: &mut Tape) {
                value.push_each(tape);
                tape.push_ref(&value.count());
            }

            fn pop_parts(tape: &mut Tape) -> $collection {
                let count: usize = tape.pop_value();
                let mut elements: Vec<_> = (0..count).map(|_| <$collection>::pop_one(tape)).collect();
                elements.reverse();
                <$collection>::of(elements)
            }
        }
    )*};
}

record! {
    <T: Sized> VecDeque<T>
    <T: Ord> BTreeSet<T>
    <K: Ord; V: Sized> BTreeMap<K, V>
}
