//! Whether a method that has one of std's names is std's.
//!
//! `v.first()` of a `Vec` finds a trait's method for `Vec` before that of slices, and `o.map(f)` behind a reference
//! one that takes the reference. Generated code calls the name once more, in code that never runs, beside a trait that
//! has it for the last place where Rust looks before it comes to std's. Where a trait in scope has the name at that
//! place, too, the call is ambiguous; where it has it earlier, its result is not [`OfStd`]. Either is an error of
//! rustc.

use std::collections::VecDeque;
use std::marker::PhantomData;

/// What the methods here yield: no trait in scope hides those of std.
#[derive(Debug)]
pub struct OfStd;

/// Of what is [`OfStd`] alone.
#[diagnostic::on_unimplemented(
    message = "a trait in scope has a method of this name, which Rust finds before that of std",
    label = "the gradient would be that of std's",
    note = "rename the method of the trait, or write the function where the trait is not in scope"
)]
pub trait IsOfStd {}

impl IsOfStd for OfStd {}

/// The name led to std's.
pub fn is_of_std<F: IsOfStd>(_: F) {}

/// Stands for a receiver that is none of the types which a name is looked up on.
#[derive(Clone, Copy, Debug)]
pub struct Nothing;

macro_rules! names {
    ($(#[$doc:meta])* trait $name:ident $this:ty $(, $bound:path)?; $($method:ident)*) => {
        $(#[$doc])*
        pub trait $name $(: $bound)? {
            $(
                /// Std's.
                fn $method(self: $this) -> OfStd {
                    OfStd
                }
            )*
        }
    };
    ($(#[$doc:meta])* impl $name:ident; $($method:ident)*) => {
        $(#[$doc])*
        impl $name {
            $(
                /// Std's.
                pub fn $method(self) -> OfStd {
                    OfStd
                }
            )*
        }
    };
    ($($kind:tt)*) => {
        names! {
            $($kind)*;
            abs abs_diff and and_then append as_deref as_deref_mut as_mut as_mut_slice as_ref as_slice back back_mut
            cast_signed
            cast_unsigned checked_abs checked_add checked_add_signed checked_add_unsigned checked_div
            checked_div_euclid checked_ilog checked_ilog10 checked_ilog2 checked_isqrt checked_mul checked_neg
            checked_next_multiple_of checked_next_power_of_two checked_pow checked_rem checked_rem_euclid checked_shl
            checked_shr checked_signed_diff checked_sub checked_sub_signed checked_sub_unsigned chunks chunks_exact
            chunks_exact_mut chunks_mut clear clone clone_from clone_from_slice cloned concat copied copy_from_slice
            copy_within count_ones count_zeros dedup dedup_by dedup_by_key div_ceil div_euclid drain expect extend
            extend_from_slice fill fill_with filter first first_mut flatten front front_mut get get_mut get_or_insert
            get_or_insert_with ilog ilog10 ilog2 insert is_empty is_multiple_of is_negative is_none is_none_or
            is_positive is_power_of_two is_some is_some_and isqrt iter iter_mut last last_mut leading_ones
            leading_zeros len map map_or map_or_else midpoint next_multiple_of next_power_of_two ok_or ok_or_else or
            or_else overflowing_abs overflowing_add overflowing_div overflowing_mul overflowing_neg overflowing_pow
            overflowing_rem overflowing_shl overflowing_shr overflowing_sub pop pop_back
            pop_front pow push push_back push_front rchunks rchunks_exact
            rchunks_exact_mut rchunks_mut rem_euclid remove replace reserve reserve_exact resize resize_with retain
            reverse reverse_bits
            rotate_left rotate_right saturating_add saturating_add_signed saturating_add_unsigned saturating_div
            saturating_mul saturating_neg saturating_pow saturating_sub saturating_sub_signed saturating_sub_unsigned
            select_nth_unstable select_nth_unstable_by select_nth_unstable_by_key shrink_to_fit signum
            sort sort_by
            sort_by_cached_key sort_by_key sort_unstable sort_unstable_by sort_unstable_by_key split_at split_at_mut
            split_first split_first_mut split_last split_last_mut split_off swap swap_bytes swap_remove
            swap_with_slice take then then_some to_be to_le to_owned to_vec trailing_ones trailing_zeros truncate
            unsigned_abs unwrap unwrap_or unwrap_or_default unwrap_or_else windows wrapping_abs wrapping_add
            wrapping_add_signed wrapping_add_unsigned wrapping_div wrapping_div_euclid wrapping_mul wrapping_neg
            wrapping_next_power_of_two wrapping_pow wrapping_rem wrapping_rem_euclid wrapping_shl wrapping_shr
            wrapping_sub wrapping_sub_signed wrapping_sub_unsigned xor zip
        }
    };
}

names! {
    /// On a container by value.
    trait ByValue Self, Sized
}

names! {
    /// On a container by reference.
    trait Shared &Self
}

names! {
    /// On a container by exclusive reference.
    trait Exclusive &mut Self
}

names! {
    /// On a reference to a container, by exclusive reference.
    trait Behind &mut Self
}

names! {
    /// On a slice by reference.
    trait OfSlices &Self
}

names! {
    /// Before those of any trait.
    impl Nothing
}

names! {
    /// On a chain of iterators, by reference: std's methods of these names take it by exclusive reference.
    trait OfChains &Self;
    all any by_ref find find_map next next_back nth nth_back peek position rfind rposition try_fold try_for_each
    try_rfold
}

macro_rules! containers {
    ($($name:ident)*) => {$(
        impl<T> $name for Vec<T> {}
        impl<T> $name for VecDeque<T> {}
        impl<T, const N: usize> $name for [T; N] {}
        impl<T> $name for Option<T> {}
    )*};
}

containers! { ByValue Shared Exclusive }

/// A sequence, as a `Box` may hold it.
pub trait Held {}

impl<T> Held for [T] {}
impl<T> Held for Vec<T> {}
impl<T, const N: usize> Held for [T; N] {}

impl<C: Held + ?Sized> ByValue for Box<C> {}
impl<C: Held + ?Sized> Shared for Box<C> {}
impl<C: Held + ?Sized> Exclusive for Box<C> {}

impl<C: ?Sized> Behind for &C {}
impl<C: ?Sized> Behind for &mut C {}

impl<T> OfSlices for [T] {}

/// A receiver whose type the macro does not see: what it is, rustc finds out.
#[derive(Debug)]
pub struct Receiver<T: ?Sized>(PhantomData<T>);

impl<T: ?Sized> Receiver<T> {
    /// That of this place.
    pub fn of(_: &T) -> Self {
        Receiver(PhantomData)
    }
}

impl<B: ?Sized> Receiver<Box<B>> {
    /// What the `Box` holds.
    pub fn held(&self) -> Receiver<B> {
        Receiver(PhantomData)
    }
}

/// What a receiver is not.
pub trait Otherwise {
    /// No `Box`.
    fn held(&self) -> Receiver<Nothing> {
        Receiver(PhantomData)
    }
}

impl<T: ?Sized> Otherwise for Receiver<T> {}

macro_rules! receivers {
    ($($(#[$doc:meta])* $trait:ident $value:ident $shared:ident $exclusive:ident [$($generic:tt)*] $ty:ty;)*) => {$(
        impl<$($generic)*> Receiver<$ty> {
            $(#[$doc])*
            pub fn $value(&self) -> $ty {
                unreachable!()
            }

            /// The same behind a reference.
            pub fn $shared(&self) -> &$ty {
                unreachable!()
            }

            /// The same behind an exclusive reference.
            pub fn $exclusive(&self) -> &mut $ty {
                unreachable!()
            }
        }

        /// What a receiver is not.
        pub trait $trait {
            /// Not that type.
            fn $value(&self) -> Nothing {
                Nothing
            }

            /// Not that type.
            fn $shared(&self) -> Nothing {
                Nothing
            }

            /// Not that type.
            fn $exclusive(&self) -> Nothing {
                Nothing
            }
        }

        impl<T: ?Sized> $trait for Receiver<T> {}
    )*};
}

receivers! {
    /// A vector.
    NoVector vector vector_shared vector_exclusive [T] Vec<T>;
    /// An array.
    NoArray array array_shared array_exclusive [T, const N: usize] [T; N];
    /// A `Box` of a sequence.
    NoBox boxed boxed_shared boxed_exclusive [T: Held + ?Sized] Box<T>;
}

impl<T> Receiver<[T]> {
    /// A slice.
    pub fn slice_exclusive(&self) -> &mut [T] {
        unreachable!()
    }
}

/// What a receiver is not.
pub trait NoSlice {
    /// No slice.
    fn slice_exclusive(&self) -> &'static mut Nothing {
        unreachable!()
    }
}

impl<T: ?Sized> NoSlice for Receiver<T> {}

impl<I: Iterator> OfChains for I {}

/// Stands for a chain whose type has no name.
#[derive(Clone, Debug)]
pub struct Chain<T>(PhantomData<T>);

impl<T> Iterator for Chain<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        None
    }
}

impl<T> DoubleEndedIterator for Chain<T> {
    fn next_back(&mut self) -> Option<T> {
        None
    }
}

impl<T> ExactSizeIterator for Chain<T> {}
