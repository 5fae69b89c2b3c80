//! Types of the language and of std.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use super::Duplicate;

macro_rules! floats {
    ($($float:ident)*) => {$(
        impl Duplicate for $float {
    const CLONE_COPIES: bool = true;

            #[inline(always)]
            fn duplicate(&self) -> Self {
                *self
            }

            #[inline(always)]
            fn is_duplicate(&self, of: &Self) -> bool {
                self.to_bits() == of.to_bits() || self.is_nan() && of.is_nan()
            }
        }
    )*};
}

floats! { f32 f64 }

macro_rules! exact {
    ($($ty:ty)*) => {$(
        impl Duplicate for $ty {
    const CLONE_COPIES: bool = true;

            #[inline(always)]
            fn duplicate(&self) -> Self {
                self.clone()
            }

            #[inline(always)]
            fn is_duplicate(&self, of: &Self) -> bool {
                self == of
            }
        }
    )*};
}

exact! {
    () bool char String u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize Ordering Duration
}

impl Duplicate for str {
    const CLONE_COPIES: bool = true;

    #[inline]
    fn is_duplicate(&self, of: &Self) -> bool {
        self == of
    }
}

impl<T: ?Sized> Duplicate for PhantomData<T> {
    const CLONE_COPIES: bool = true;

    #[inline(always)]
    fn duplicate(&self) -> Self {
        PhantomData
    }

    #[inline(always)]
    fn is_duplicate(&self, _: &Self) -> bool {
        true
    }
}

/// Pointers to functions: the same one, as far as addresses tell.
macro_rules! functions {
    ($([$($argument:ident)*])*) => {$(
        impl<$($argument,)* R> Duplicate for fn($($argument),*) -> R {
            const CLONE_COPIES: bool = true;

            #[inline(always)]
            fn duplicate(&self) -> Self {
                *self
            }

            #[inline(always)]
            fn is_duplicate(&self, of: &Self) -> bool {
                std::ptr::fn_addr_eq(*self, *of)
            }
        }
    )*};
}

functions! { [] [A] [A B] [A B C] [A B C D] [A B C D E] [A B C D E F] }

/// Handles: what they lead to is the same, not alike.
macro_rules! handles {
    ($($ty:ty, $pointer:path;)*) => {$(
        impl<T: ?Sized> Duplicate for $ty {
    const CLONE_COPIES: bool = true;

            #[inline(always)]
            fn duplicate(&self) -> Self {
                Self::clone(self)
            }

            #[inline(always)]
            fn is_duplicate(&self, of: &Self) -> bool {
                std::ptr::addr_eq($pointer(self), $pointer(of))
            }
        }
    )*};
}

handles! {
    Rc<T>, Rc::as_ptr;
    Arc<T>, Arc::as_ptr;
}

impl<T: ?Sized> Duplicate for &T {
    const CLONE_COPIES: bool = true;

    #[inline(always)]
    fn duplicate(&self) -> Self {
        self
    }

    #[inline(always)]
    fn is_duplicate(&self, of: &Self) -> bool {
        std::ptr::addr_eq(std::ptr::from_ref(*self), std::ptr::from_ref(*of))
            && size_of_val(*self) == size_of_val(*of)
    }
}

impl<T: Duplicate> Duplicate for [T] {
    const CLONE_COPIES: bool = T::CLONE_COPIES;

    #[inline]
    fn is_duplicate(&self, of: &Self) -> bool {
        self.len() == of.len() && self.iter().zip(of).all(|(a, b)| a.is_duplicate(b))
    }
}

impl<T: Duplicate, const N: usize> Duplicate for [T; N] {
    const CLONE_COPIES: bool = T::CLONE_COPIES;

    #[inline]
    fn duplicate(&self) -> Self {
        std::array::from_fn(|k| self[k].duplicate())
    }

    #[inline]
    fn is_duplicate(&self, of: &Self) -> bool {
        self.as_slice().is_duplicate(of)
    }
}

impl<T: Duplicate> Duplicate for Vec<T> {
    const CLONE_COPIES: bool = T::CLONE_COPIES;

    #[inline]
    fn duplicate(&self) -> Self {
        self.iter().map(T::duplicate).collect()
    }

    #[inline]
    fn is_duplicate(&self, of: &Self) -> bool {
        self.as_slice().is_duplicate(of)
    }
}

impl<T: Duplicate> Duplicate for VecDeque<T> {
    fn duplicate(&self) -> Self {
        self.iter().map(T::duplicate).collect()
    }

    fn is_duplicate(&self, of: &Self) -> bool {
        self.len() == of.len() && self.iter().zip(of).all(|(a, b)| a.is_duplicate(b))
    }
}

impl<T: Duplicate> Duplicate for Option<T> {
    const CLONE_COPIES: bool = T::CLONE_COPIES;

    #[inline]
    fn duplicate(&self) -> Self {
        self.as_ref().map(T::duplicate)
    }

    #[inline]
    fn is_duplicate(&self, of: &Self) -> bool {
        match (self, of) {
            (Some(a), Some(b)) => a.is_duplicate(b),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }
}

impl<T: Duplicate, E: Duplicate> Duplicate for Result<T, E> {
    fn duplicate(&self) -> Self {
        match self {
            Ok(value) => Ok(value.duplicate()),
            Err(error) => Err(error.duplicate()),
        }
    }

    fn is_duplicate(&self, of: &Self) -> bool {
        match (self, of) {
            (Ok(a), Ok(b)) => a.is_duplicate(b),
            (Err(a), Err(b)) => a.is_duplicate(b),
            (Ok(_), Err(_)) | (Err(_), Ok(_)) => false,
        }
    }
}

impl<T: Duplicate> Duplicate for Box<T> {
    const CLONE_COPIES: bool = T::CLONE_COPIES;

    #[inline]
    fn duplicate(&self) -> Self {
        Box::new((**self).duplicate())
    }

    #[inline]
    fn is_duplicate(&self, of: &Self) -> bool {
        (**self).is_duplicate(of)
    }
}

impl<T: Duplicate> Duplicate for Box<[T]> {
    const CLONE_COPIES: bool = T::CLONE_COPIES;

    #[inline]
    fn duplicate(&self) -> Self {
        self.iter().map(T::duplicate).collect()
    }

    #[inline]
    fn is_duplicate(&self, of: &Self) -> bool {
        (**self).is_duplicate(of)
    }
}

impl Duplicate for Box<str> {
    const CLONE_COPIES: bool = true;

    fn duplicate(&self) -> Self {
        self.clone()
    }

    fn is_duplicate(&self, of: &Self) -> bool {
        self == of
    }
}

impl<T: Duplicate> Duplicate for Range<T> {
    fn duplicate(&self) -> Self {
        self.start.duplicate()..self.end.duplicate()
    }

    fn is_duplicate(&self, of: &Self) -> bool {
        self.start.is_duplicate(&of.start) && self.end.is_duplicate(&of.end)
    }
}

impl<K: Duplicate + Eq + Hash, V: Duplicate, S: BuildHasher + Clone> Duplicate
    for HashMap<K, V, S>
{
    fn duplicate(&self) -> Self {
        let mut copy = Self::with_capacity_and_hasher(self.len(), self.hasher().clone());
        copy.extend(
            self.iter()
                .map(|(key, value)| (key.duplicate(), value.duplicate())),
        );
        copy
    }

    fn is_duplicate(&self, of: &Self) -> bool {
        let same = |(key, value): (&K, &V)| {
            let other = of.get_key_value(key);
            other.is_some_and(|(k, v)| key.is_duplicate(k) && value.is_duplicate(v))
        };
        self.len() == of.len() && self.iter().all(same)
    }
}

impl<K: Duplicate + Eq + Hash, S: BuildHasher + Clone> Duplicate for HashSet<K, S> {
    fn duplicate(&self) -> Self {
        let mut copy = Self::with_capacity_and_hasher(self.len(), self.hasher().clone());
        copy.extend(self.iter().map(K::duplicate));
        copy
    }

    fn is_duplicate(&self, of: &Self) -> bool {
        let same = |key: &K| of.get(key).is_some_and(|other| key.is_duplicate(other));
        self.len() == of.len() && self.iter().all(same)
    }
}

impl<K: Duplicate + Ord, V: Duplicate> Duplicate for BTreeMap<K, V> {
    fn duplicate(&self) -> Self {
        self.iter()
            .map(|(key, value)| (key.duplicate(), value.duplicate()))
            .collect()
    }

    fn is_duplicate(&self, of: &Self) -> bool {
        let mut pairs = self.iter().zip(of);
        self.len() == of.len()
            && pairs.all(|((k, v), (l, w))| k.is_duplicate(l) && v.is_duplicate(w))
    }
}

impl<K: Duplicate + Ord> Duplicate for BTreeSet<K> {
    fn duplicate(&self) -> Self {
        self.iter().map(K::duplicate).collect()
    }

    fn is_duplicate(&self, of: &Self) -> bool {
        self.len() == of.len() && self.iter().zip(of).all(|(a, b)| a.is_duplicate(b))
    }
}

macro_rules! tuples {
    ($(($($name:ident $at:tt)+))*) => {$(
        impl<$($name: Duplicate),+> Duplicate for ($($name,)+) {
            const CLONE_COPIES: bool = $($name::CLONE_COPIES)&&+;

            #[inline(always)]
            fn duplicate(&self) -> Self {
                ($(self.$at.duplicate(),)+)
            }

            #[inline(always)]
            fn is_duplicate(&self, of: &Self) -> bool {
                $(self.$at.is_duplicate(&of.$at))&&+
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
}
