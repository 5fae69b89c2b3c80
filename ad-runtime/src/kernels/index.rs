//! Indices of windows: computed with or without a look at each operation for overflow.
//!
//! A loop whose index is its counter plus something fixed touches the elements from the first iteration's to the last's.
//! The generated code computes both with [`Ix`], which notices an overflow, and asks for that [window](super::windows). If there is none, the
//! loop runs as it was written, so that it panics in the iteration where the function would.
//!
//! A loop that asks for many windows looks first at the numbers that its indices are made of: if all are far from the largest that
//! there is ([`room`]), nothing overflows, and the indices are computed without a look at each sum ([`At`]).

use std::ops::{Add, Mul, Sub};

/// A number of the type `usize` computed without overflow, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ix(Option<usize>);

impl Ix {
    /// The number as it is.
    #[inline(always)]
    #[must_use]
    pub fn of(value: usize) -> Self {
        Self(Some(value))
    }

    /// The number, if nothing has overflowed.
    #[inline(always)]
    #[must_use]
    pub fn get(self) -> Option<usize> {
        self.0
    }
}

/// A number of the type `usize` of which is known that nothing overflowed: whoever computes with it has made sure. If something did, it
/// is another number, and the slice that it leads to is still one that there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At(usize);

impl At {
    /// The number as it is.
    #[inline(always)]
    #[must_use]
    pub fn of(value: usize) -> Self {
        Self(value)
    }

    /// The number.
    #[inline(always)]
    #[must_use]
    pub fn number(self) -> usize {
        self.0
    }
}

/// A number that is an index, if nothing has overflowed.
pub trait Index: Copy {
    /// The number, if nothing has overflowed.
    fn get(self) -> Option<usize>;
}

impl Index for Ix {
    #[inline(always)]
    fn get(self) -> Option<usize> {
        self.0
    }
}

impl Index for At {
    #[inline(always)]
    fn get(self) -> Option<usize> {
        Some(self.0)
    }
}

/// A power of two. If all factors lie below `room(degree, bits)` and all other summands below `room(1, bits)`, then sums of up to `2^bits`
/// products of `degree` factors or fewer and up to `2^bits` other summands do not overflow: both kinds have a quarter of all numbers.
#[inline(always)]
#[must_use]
pub const fn room(degree: u32, bits: u32) -> usize {
    1 << ((usize::BITS - 2 - bits) / degree)
}

/// What is seldom asked, and out of the way of what is asked always.
#[cold]
#[inline(never)]
pub fn seldom(ask: impl FnOnce() -> bool) -> bool {
    ask()
}

macro_rules! wrapping {
    ($($operator:ident $method:ident $wrapping:ident)*) => { $(
        impl $operator for At {
            type Output = At;

            #[inline(always)]
            fn $method(self, other: At) -> At {
                At(self.0.$wrapping(other.0))
            }
        }
    )* };
}
wrapping!(Add add wrapping_add  Sub sub wrapping_sub  Mul mul wrapping_mul);

macro_rules! checked {
    ($($operator:ident $method:ident $checked:ident)*) => { $(
        impl $operator for Ix {
            type Output = Ix;

            #[inline(always)]
            fn $method(self, other: Ix) -> Ix {
                match (self.0, other.0) {
                    (Some(a), Some(b)) => Ix(a.$checked(b)),
                    _ => Ix(None),
                }
            }
        }
    )* };
}
checked!(Add add checked_add  Sub sub checked_sub  Mul mul checked_mul);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::windows::{element, exists, view};

    #[test]
    fn overflow_has_no_slice() {
        let x = [1.0, 2.0, 3.0];
        let (zero, one, huge) = (Ix::of(0), Ix::of(1), Ix::of(usize::MAX));
        assert_eq!(view(&x, zero + one, Ix::of(2), 2), Some(&x[1..]));
        for bad in [zero - one, huge + one, huge * Ix::of(2), huge] {
            assert_eq!(view(&x, bad, one, 2), None);
            assert_eq!(view(&x, zero, bad, 2), None);
            assert_eq!(element(&x, bad), None);
        }
    }

    #[test]
    fn numbers_that_are_known_compute_the_same() {
        let number = |f: fn(At, At) -> At| f(At::of(7), At::of(3)).number();
        assert_eq!(
            [
                number(|a, b| a + b),
                number(|a, b| a - b),
                number(|a, b| a * b)
            ],
            [10, 4, 21]
        );
        let x = [1.0, 2.0, 3.0];
        assert_eq!(element(&x, At::of(2)), Some(&3.0));
        assert_eq!(element(&x, At::of(0) - At::of(1)), None);
        assert_eq!(view(&x, At::of(1), At::of(2), 2), Some(&x[1..]));
        let wrapped = At::of(0) - At::of(1);
        assert_eq!(view(&x, wrapped, wrapped + At::of(1), 2), None);
        assert!(exists(3, At::of(1), At::of(3)) && !exists(3, At::of(1), At::of(4)));
    }

    #[test]
    fn there_is_room_for_so_many() {
        let half = usize::MAX / 2 + 1;
        for (degree, bits) in (1..8).flat_map(|degree| (0..11).map(move |bits| (degree, bits))) {
            let product = room(degree, bits).pow(degree);
            let products = product.checked_mul(1 << bits).expect("so many products");
            let summands = room(1, bits)
                .checked_mul(1 << bits)
                .expect("so many summands");
            assert!(
                products
                    .checked_add(summands)
                    .is_some_and(|sum| sum <= half)
            );
        }
    }
}
