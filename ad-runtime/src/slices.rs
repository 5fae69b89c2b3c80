//! Slices of exactly the elements that a loop touches: the checks of its indices, done once in front of it.
//!
//! A loop whose index is its counter plus something fixed touches the elements from the first iteration's to the last's.
//! The generated code computes both with [`Ix`], which notices an overflow, and asks for that slice. If there is none, the
//! loop runs as it was written, so that it panics in the iteration where the function would.

use std::ops::{Add, Mul, Sub};

use crate::windows::views_mut;

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

/// Whether a slice of `len` elements has a part from `lo` to in front of `hi`.
#[inline(always)]
#[must_use]
pub fn exists(len: usize, lo: Ix, hi: Ix) -> bool {
    matches!((lo.0, hi.0), (Some(lo), Some(hi)) if lo <= hi && hi <= len)
}

/// `L` slices, if there is each of them.
#[inline(always)]
#[must_use]
pub fn rows<'a, T, const L: usize>(
    mut row: impl FnMut(usize) -> Option<&'a [T]>,
) -> Option<[&'a [T]; L]> {
    let mut rows: [&[T]; L] = [&[]; L];
    for (lane, to) in rows.iter_mut().enumerate() {
        *to = row(lane)?;
    }
    Some(rows)
}

/// `L` slices of `n` elements each, if there is each of them and no two of them meet.
#[inline(always)]
#[must_use]
pub fn rows_mut<T, const L: usize>(
    of: &mut [T],
    n: usize,
    bounds: impl FnMut(usize) -> (Ix, Ix),
) -> Option<[&mut [T]; L]> {
    views_mut(of, std::array::from_fn(bounds), n)
}

/// The element at `at`.
#[inline(always)]
#[must_use]
pub fn element<T>(of: &[T], at: Ix) -> Option<&T> {
    of.get(at.0?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::windows::view;

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
}
