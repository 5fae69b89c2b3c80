//! Slices of exactly the elements that a loop touches: the checks of its indices, done once in front of it.
//!
//! A loop whose index is its counter plus something fixed touches the elements from the first iteration's to the last's.
//! The generated code computes both with [`Ix`], which notices an overflow, and asks for that slice. If there is none, the
//! loop runs as it was written, so that it panics in the iteration where the function would.

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

/// The indices from `first` to `last`, if there are `n` of them and all lie below `len`.
#[inline(always)]
#[must_use]
pub fn within(len: usize, first: Ix, last: Ix, n: usize) -> Option<Range<usize>> {
    let (first, end) = (first.0?, last.0?.checked_add(1)?);
    (end <= len && end.checked_sub(first)? == n).then_some(first..end)
}

/// Whether a slice of `len` elements has a part from `lo` to in front of `hi`.
#[inline(always)]
#[must_use]
pub fn exists(len: usize, lo: Ix, hi: Ix) -> bool {
    matches!((lo.0, hi.0), (Some(lo), Some(hi)) if lo <= hi && hi <= len)
}

/// The `n` elements from `first` to `last`.
#[inline(always)]
#[must_use]
pub fn view<T>(of: &[T], first: Ix, last: Ix, n: usize) -> Option<&[T]> {
    let Range { start, .. } = within(of.len(), first, last, n)?;
    of.get(start..)?.get(..n)
}

/// The `n` elements from `first` to `last`, to be changed.
#[inline(always)]
#[must_use]
pub fn view_mut<T>(of: &mut [T], first: Ix, last: Ix, n: usize) -> Option<&mut [T]> {
    let Range { start, .. } = within(of.len(), first, last, n)?;
    of.get_mut(start..)?.get_mut(..n)
}

/// Several ranges of `n` elements each, if no two of them meet.
#[inline(always)]
#[must_use]
pub fn views_mut<T, const K: usize>(
    of: &mut [T],
    bounds: [(Ix, Ix); K],
    n: usize,
) -> Option<[&mut [T]; K]> {
    let mut ranges = [const { 0..0 }; K];
    for (range, (first, last)) in ranges.iter_mut().zip(bounds) {
        *range = within(of.len(), first, last, n)?;
    }
    of.get_disjoint_mut(ranges).ok()
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
    fn the_number_of_elements_is_checked() {
        let mut x = [1.0, 2.0, 3.0];
        assert_eq!(view(&x, Ix::of(0), Ix::of(2), 2), None);
        assert_eq!(view(&x, Ix::of(2), Ix::of(1), 2), None);
        assert!(view_mut(&mut x, Ix::of(0), Ix::of(2), 3).is_some());
        assert!(view_mut(&mut x, Ix::of(1), Ix::of(3), 3).is_none());
    }

    #[test]
    fn ranges_that_meet_are_not_changed_apart() {
        let mut x = [0.0; 6];
        let at = |a: usize, b: usize| (Ix::of(a), Ix::of(b));
        assert!(views_mut(&mut x, [at(0, 1), at(2, 3), at(4, 5)], 2).is_some());
        assert!(views_mut(&mut x, [at(0, 1), at(1, 2)], 2).is_none());
        assert!(views_mut(&mut x, [at(2, 3), at(2, 3)], 2).is_none());
        assert!(views_mut(&mut x, [at(0, 1), at(5, 6)], 2).is_none());
    }
}
