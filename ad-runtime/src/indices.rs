//! What the number is that indexes a type of the user's, where nothing says of which type it is.

use std::ops::Index;

/// Integers, and tuples and arrays of them. There are many, so that this says nothing of a number whose type is open:
/// what the type that it indexes has says it, and if that leaves several, it is an `i32`.
pub trait IndexType {
    /// The type itself.
    type Type;
}

macro_rules! integers {
    ($($ty:ty)*) => {$(
        impl IndexType for $ty {
            type Type = $ty;
        }
    )*};
}

integers! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }

impl<T: IndexType, const N: usize> IndexType for [T; N] {
    type Type = [T::Type; N];
}

macro_rules! tuples {
    ($([$($ty:ident)*];)*) => {$(
        impl<$($ty: IndexType),*> IndexType for ($($ty,)*) {
            type Type = ($($ty::Type,)*);
        }
    )*};
}

tuples! {
    [A];
    [A B];
    [A B C];
    [A B C D];
}

/// Compiles only if a number of a type that is open is a `K` where it indexes a `T`.
#[cold]
pub fn index_by<K, T: Index<I> + ?Sized, I: IndexType<Type = K>>(_: &T, _: I) {}
