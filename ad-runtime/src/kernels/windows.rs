//! The elements of an array that a loop on slices touches: where they are is compared with the length of the array
//! once, in front of the loop.
//!
//! A loop over short rows has little to do between two such comparisons, and it may ask for dozens of slices: a stencil
//! in three dimensions has seven neighbours of three components each, read and added to. So there is one comparison for
//! each slice, with a number that all slices of an array share, and none again for the parts that blocks of iterations
//! use.

#![allow(unsafe_code)]

use std::cell::Cell;
use std::ops::Range;

use super::index::{Index, Ix};

/// Some neighbouring elements of an array, which may have fewer than that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    start: usize,
    n: usize,
}

impl Window {
    /// Whether an array of `len` elements has them. The difference is the same for all windows of a loop on an array.
    #[inline(always)]
    fn lies_in(self, len: usize) -> bool {
        self.n <= len && self.start <= len - self.n
    }

    /// The indices of the elements, if an array has them: then the sum is at most its length.
    #[inline(always)]
    fn range(self) -> Range<usize> {
        self.start..self.start.wrapping_add(self.n)
    }

    /// The index of the first element.
    #[inline(always)]
    #[must_use]
    pub fn start(self) -> usize {
        self.start
    }

    /// The elements, as cells.
    ///
    /// # Panics
    ///
    /// If `of` has not all of them.
    #[inline(always)]
    #[must_use]
    pub fn cells<T>(self, of: &[Cell<T>]) -> &[Cell<T>] {
        assert!(self.lies_in(of.len()), "elements that an array has");
        // SAFETY: as just compared.
        unsafe { of.get_unchecked(self.range()) }
    }

    /// The elements from the first one on to the last one of `last`, as cells.
    ///
    /// # Panics
    ///
    /// If `of` has not all of them, or `last` begins in front of them.
    #[inline(always)]
    #[must_use]
    pub fn cells_through<T>(self, last: Self, of: &[Cell<T>]) -> &[Cell<T>] {
        assert!(last.lies_in(of.len()), "elements that an array has");
        &of[self.start..last.range().end]
    }

    /// `m` of the elements, all but the first `done`. Compares again what was compared before, which costs little
    /// beside a block.
    ///
    /// # Panics
    ///
    /// If `of` has not all the elements, or if there are fewer than `done + m`.
    #[inline(always)]
    #[must_use]
    pub fn part<T>(self, of: &mut [T], done: usize, m: usize) -> &mut [T] {
        assert!(
            self.lies_in(of.len()) && done <= self.n && m <= self.n - done,
            "elements that an array has"
        );
        let start = self.start.wrapping_add(done);
        // SAFETY: `done + m <= n` and `start + n <= len`, neither of which overflows, as just compared.
        unsafe { of.get_unchecked_mut(start..start.wrapping_add(m)) }
    }
}

/// The indices from `first` to `last`, if there are `n` of them and all lie below `len`.
#[inline(always)]
#[must_use]
pub fn within<I: Index>(len: usize, first: I, last: I, n: usize) -> Option<Window> {
    let (start, last) = (first.get()?, last.get()?);
    let window = Window { start, n };
    let all = last.wrapping_sub(start) == n.wrapping_sub(1);
    (all && window.lies_in(len)).then_some(window)
}

/// The `n` elements from `first` to `last`.
#[inline(always)]
#[must_use]
pub fn view<T, I: Index>(of: &[T], first: I, last: I, n: usize) -> Option<&[T]> {
    let window = within(of.len(), first, last, n)?;
    // SAFETY: `within` returns windows alone that lie in an array of this length.
    Some(unsafe { of.get_unchecked(window.range()) })
}

/// The `n` elements from `first` to `last`, to be changed.
#[inline(always)]
#[must_use]
pub fn view_mut<T, I: Index>(of: &mut [T], first: I, last: I, n: usize) -> Option<&mut [T]> {
    let window = within(of.len(), first, last, n)?;
    // SAFETY: as in `view`.
    Some(unsafe { of.get_unchecked_mut(window.range()) })
}

/// Several ranges of `n` elements each, if no two of them meet.
#[inline(always)]
#[must_use]
pub fn views_mut<T, I: Index, const K: usize>(
    of: &mut [T],
    bounds: [(I, I); K],
    n: usize,
) -> Option<[&mut [T]; K]> {
    let mut windows = [Window { start: 0, n: 0 }; K];
    for (window, (first, last)) in windows.iter_mut().zip(bounds) {
        *window = within(of.len(), first, last, n)?;
    }
    for (k, window) in windows.iter().enumerate() {
        for other in &windows[..k] {
            if window.start.abs_diff(other.start) < n {
                return None;
            }
        }
    }
    // SAFETY: each window lies in an array of this length, by `within`; any two begin at least `n` elements apart and
    // have `n`.
    Some(unsafe { of.get_disjoint_unchecked_mut(windows.map(Window::range)) })
}

/// Several elements of a list, each an array, if there is each of them and no two are the same.
#[inline(always)]
#[must_use]
pub fn arrays_mut<T, const K: usize>(list: &mut [T], at: [usize; K]) -> Option<[&mut T; K]> {
    list.get_disjoint_mut(at).ok()
}

/// Whether a slice of `len` elements has a part from `lo` to in front of `hi`.
#[inline(always)]
#[must_use]
pub fn exists(len: usize, lo: impl Index, hi: impl Index) -> bool {
    matches!((lo.get(), hi.get()), (Some(lo), Some(hi)) if lo <= hi && hi <= len)
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

/// The whole groups of `L` neighbouring elements.
#[inline(always)]
#[must_use]
pub fn groups<T, const L: usize>(of: &[T]) -> &[[T; L]] {
    of.as_chunks().0
}

/// The same, to be changed.
#[inline(always)]
#[must_use]
pub fn groups_mut<T, const L: usize>(of: &mut [T]) -> &mut [[T; L]] {
    of.as_chunks_mut().0
}

/// The element at `at`.
#[inline(always)]
#[must_use]
pub fn element<T>(of: &[T], at: impl Index) -> Option<&T> {
    of.get(at.get()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_of_a_list_are_different_ones() {
        let mut list = [vec![1.0], vec![2.0, 3.0], vec![]];
        assert!(arrays_mut(&mut list, [2, 0]).is_some_and(|[a, b]| a.is_empty() && b == &[1.0]));
        assert!(arrays_mut(&mut list, [1, 2, 1]).is_none());
        assert!(arrays_mut(&mut list, [0, 3]).is_none());
        assert!(arrays_mut(&mut list, [0, usize::MAX]).is_none());
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

    #[test]
    fn elements_behind_the_last_group_are_in_none() {
        let mut x = [1, 2, 3, 4, 5];
        assert_eq!(groups::<_, 2>(&x), [[1, 2], [3, 4]]);
        assert_eq!(groups::<_, 5>(&x), [x]);
        assert!(groups::<_, 6>(&x).is_empty());
        groups_mut::<_, 3>(&mut x)[0][2] = 9;
        assert_eq!(x, [1, 2, 9, 4, 5]);
    }

    /// All windows in short arrays, beside ranges that the language checks.
    #[test]
    fn windows_are_where_ranges_are() {
        for len in 0..6 {
            let mut x: Vec<usize> = (0..len).collect();
            for (start, n) in (0..8).flat_map(|start| (1..8).map(move |n| (start, n))) {
                let (first, last) = (Ix::of(start), Ix::of(start + n - 1));
                let want = x.get(start..start + n).map(<[usize]>::to_vec);
                assert_eq!(view(&x, first, last, n).map(<[usize]>::to_vec), want);
                let found = view_mut(&mut x, first, last, n).map(|x| x.to_vec());
                assert_eq!(found, want);
                let found = within(len, first, last, n).map(|window| {
                    assert_eq!(window.start(), start);
                    window.part(&mut x, 0, n).to_vec()
                });
                assert_eq!(found, want);
                let found = within(len, first, last, n).map(|window| {
                    let cells = Cell::from_mut(&mut x[..]).as_slice_of_cells();
                    window.cells(cells).iter().map(Cell::get).collect()
                });
                assert_eq!(found, want);
            }
        }
    }

    #[test]
    #[should_panic(expected = "elements that an array has")]
    fn cells_of_another_array_are_checked() {
        let window = within(8, Ix::of(2), Ix::of(6), 5).expect("five elements");
        let _ = window.cells(Cell::from_mut(&mut [0; 6][..]).as_slice_of_cells());
    }

    #[test]
    fn numbers_at_the_end_of_the_range_have_no_window() {
        let mut x = [0.0; 4];
        let far = usize::MAX;
        for (first, last, n) in [
            (far, far, 1),
            (far - 1, far, 2),
            (far, 0, 2),
            (1, 0, 0usize.wrapping_sub(1)),
            (0, far - 1, far),
            (1, far, far),
        ] {
            let (first, last) = (Ix::of(first), Ix::of(last));
            assert_eq!(within(x.len(), first, last, n), None);
            assert!(views_mut(&mut x, [(first, last), (Ix::of(0), Ix::of(0))], n).is_none());
        }
        let (ends, overflow) = (Ix::of(0), Ix::of(0) - Ix::of(1));
        assert_eq!(within(4, ends, overflow, 1), None);
        assert_eq!(within(4, overflow, ends, 1), None);
    }

    /// Pairs of windows, beside the indices that they have in common.
    #[test]
    fn two_windows_meet_or_do_not() {
        let mut x = [0; 8];
        for (a, b, n) in
            (0..8).flat_map(|a| (0..8).flat_map(move |b| (1..5).map(move |n| (a, b, n))))
        {
            let at = |start: usize| (Ix::of(start), Ix::of(start + n - 1));
            let fit = a + n <= 8 && b + n <= 8 && (a..a + n).all(|k| !(b..b + n).contains(&k));
            let found = views_mut(&mut x, [at(a), at(b)], n);
            assert_eq!(found.is_some(), fit, "{a} {b} {n}");
        }
    }

    #[test]
    fn parts_are_parts() {
        let mut x: Vec<usize> = (0..8).collect();
        let window = within(8, Ix::of(2), Ix::of(6), 5).expect("five elements");
        assert_eq!(window.part(&mut x, 0, 5), [2, 3, 4, 5, 6]);
        assert_eq!(window.part(&mut x, 3, 2), [5, 6]);
        assert!(window.part(&mut x, 5, 0).is_empty());
        window.part(&mut x, 1, 1)[0] = 0;
        assert_eq!(x[3], 0);
    }

    #[test]
    #[should_panic(expected = "elements that an array has")]
    fn a_part_ends_with_the_window() {
        let window = within(8, Ix::of(2), Ix::of(6), 5).expect("five elements");
        let _ = window.part(&mut [0; 8], 3, 3);
    }

    #[test]
    #[should_panic(expected = "elements that an array has")]
    fn a_part_of_another_array_is_checked() {
        let window = within(8, Ix::of(2), Ix::of(6), 5).expect("five elements");
        let _ = window.part(&mut [0; 6], 0, 1);
    }
}
