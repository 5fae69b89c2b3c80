//! Indices of windows: computed with or without a look at each operation for overflow.
//!
//! A loop whose index is its counter plus something fixed touches the elements from the first iteration's to the
//! last's. The generated code computes both with [`Ix`], which notices an overflow, and asks for that
//! [window](super::windows). If there is none, the loop runs as it was written, so that it panics in the iteration
//! where the function would.
//!
//! A loop that asks for many windows looks first at the numbers that its indices are made of: if all are far from the
//! largest that there is ([`room`]), nothing overflows, and the indices are computed without a look at each sum
//! ([`At`]).

use std::ops::{Add, Mul, Range, Sub};

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

/// A number of the type `usize` of which is known that nothing overflowed: whoever computes with it has made sure. If
/// something did, it is another number, and the slice that it leads to is still one that there is.
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

/// A power of two. If all factors lie below `room(degree, bits)` and all other summands below `room(1, bits)`, then
/// sums of up to `2^bits` products of `degree` factors or fewer and up to `2^bits` other summands do not overflow: both
/// kinds have a quarter of all numbers.
#[inline(always)]
#[must_use]
pub const fn room(degree: u32, bits: u32) -> usize {
    1 << ((usize::BITS - 2 - bits) / degree)
}

/// Whether one index is less than another, or the same if `equal`; not if either has overflowed.
#[inline(always)]
#[must_use]
pub fn less<I: Index>(a: I, b: I, equal: bool) -> bool {
    match (a.get(), b.get()) {
        (Some(a), Some(b)) => a < b || equal && a == b,
        (_, _) => false,
    }
}

/// Whether an index lies in front of some others or behind them; not if one of them has overflowed.
#[inline(always)]
#[must_use]
pub fn outside<I: Index>(at: I, first: I, last: I) -> bool {
    less(at, first, false) || less(last, at, false)
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

/// The number of iterations of `lo..=hi`; one less for all numbers that there are.
#[inline(always)]
pub fn trips(lo: usize, hi: usize) -> usize {
    if lo <= hi {
        (hi - lo).saturating_add(1)
    } else {
        0
    }
}

/// The indices that a loop over `lo..hi` (`lo..=hi` if `inclusive`) writes when its index is the counter plus
/// `offset().0` minus `offset().1`, cut to `len`; all, if it wraps around on the way.
#[inline]
pub fn written(
    len: usize,
    lo: usize,
    hi: usize,
    inclusive: bool,
    offset: impl FnOnce() -> (usize, usize),
) -> Range<usize> {
    if lo > hi || lo == hi && !inclusive {
        return 0..0;
    }
    let (plus, minus) = offset();
    let first = lo.wrapping_add(plus).wrapping_sub(minus);
    // The last index may be the largest word, and what comes behind it none.
    let trips = (hi - lo).checked_add(usize::from(inclusive));
    match trips.and_then(|trips| first.checked_add(trips)) {
        Some(end) => first.min(len)..end.min(len),
        None => 0..len,
    }
}

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
    fn an_index_is_outside_of_others_or_among_them() {
        let among = |at: usize| !outside(Ix::of(at), Ix::of(3), Ix::of(5));
        assert_eq!(
            (0..8).filter(|at| among(*at)).collect::<Vec<_>>(),
            [3, 4, 5]
        );
        let overflow = Ix::of(0) - Ix::of(1);
        assert!(!outside(overflow, Ix::of(3), Ix::of(5)));
        assert!(!outside(Ix::of(1), overflow, overflow));
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

    #[test]
    fn trips_are_those_of_the_range() {
        for (lo, hi) in (0..6).flat_map(|lo| (0..6).map(move |hi| (lo, hi))) {
            assert_eq!(trips(lo, hi), (lo..=hi).count());
        }
        assert_eq!(trips(0, usize::MAX), usize::MAX);
    }

    /// Small ranges beside the indices that their iterations have, wherever those wrap around.
    #[test]
    fn what_is_written_is_what_iterations_write() {
        const LEN: usize = 5;
        let ends = [0, 1, 2, 4, 7, usize::MAX - 1, usize::MAX];
        let offsets = [(0, 0), (2, 0), (0, 1), (0, 3), (usize::MAX, 0)];
        for (lo, hi) in ends.iter().flat_map(|lo| ends.map(move |hi| (*lo, hi))) {
            for (inclusive, (plus, minus)) in
                [false, true].map(|i| offsets.map(|o| (i, o))).concat()
            {
                let found = written(LEN, lo, hi, inclusive, || (plus, minus));
                let first = lo.wrapping_add(plus).wrapping_sub(minus) as u128;
                let trips = (hi as u128 + u128::from(inclusive)).saturating_sub(lo as u128);
                if trips > 0 && first + trips > usize::MAX as u128 {
                    assert_eq!(found, 0..LEN);
                    continue;
                }
                for k in 0..LEN {
                    let counter = k.wrapping_sub(plus).wrapping_add(minus);
                    let runs = lo <= counter && (counter < hi || inclusive && counter == hi);
                    assert_eq!(found.contains(&k), runs, "{lo} {hi} {plus} {minus} {k}");
                }
            }
        }
    }
}
