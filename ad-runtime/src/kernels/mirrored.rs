//! Slices whose elements are counted from their end: where an index goes down while the counter of a loop goes up.

use std::ops::{AddAssign, Index, IndexMut, SubAssign};

/// The elements of a slice, the last one first.
#[derive(Clone, Copy, Debug)]
pub struct Mirrored<'a, T>(&'a [T]);

impl<'a, T> Mirrored<'a, T> {
    /// The elements of a slice, the last one first.
    #[inline(always)]
    #[must_use]
    pub fn of(elements: &'a [T]) -> Self {
        Self(elements)
    }

    /// The slice, in its own order.
    #[inline(always)]
    #[must_use]
    pub fn elements(self) -> &'a [T] {
        self.0
    }

    /// `n` of the elements, all but the first `from`.
    ///
    /// # Panics
    ///
    /// If there are fewer than `from + n`.
    #[inline(always)]
    #[must_use]
    pub fn part(self, from: usize, n: usize) -> Self {
        Self(&self.0[self.0.len() - from - n..][..n])
    }
}

impl<T> Index<usize> for Mirrored<'_, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, at: usize) -> &T {
        &self.0[self.0.len() - 1 - at]
    }
}

/// The same to be changed.
#[derive(Debug)]
pub struct MirroredMut<'a, T>(&'a mut [T]);

impl<'a, T> MirroredMut<'a, T> {
    /// The elements of a slice, the last one first.
    #[inline(always)]
    #[must_use]
    pub fn of(elements: &'a mut [T]) -> Self {
        Self(elements)
    }

    /// The slice, in its own order.
    #[inline(always)]
    #[must_use]
    pub fn elements(&mut self) -> &mut [T] {
        self.0
    }

    /// `n` of the elements, all but the first `from`.
    ///
    /// # Panics
    ///
    /// If there are fewer than `from + n`.
    #[inline(always)]
    #[must_use]
    pub fn part(&mut self, from: usize, n: usize) -> MirroredMut<'_, T> {
        let behind = self.0.len() - from - n;
        MirroredMut(&mut self.0[behind..][..n])
    }
}

impl<T> Index<usize> for MirroredMut<'_, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, at: usize) -> &T {
        &self.0[self.0.len() - 1 - at]
    }
}

impl<T> IndexMut<usize> for MirroredMut<'_, T> {
    #[inline(always)]
    fn index_mut(&mut self, at: usize) -> &mut T {
        let last = self.0.len() - 1;
        &mut self.0[last - at]
    }
}

/// `to[n - 1 - i] += row[i]`, of as many as the shorter has: of `to`, the last ones.
#[inline(always)]
pub fn add_row_mirrored<T: Copy + AddAssign>(to: &mut [T], row: &[T]) {
    for (to, value) in to.iter_mut().rev().zip(row) {
        *to += *value;
    }
}

/// `to[n - 1 - i] -= row[i]`, as [`add_row_mirrored`].
#[inline(always)]
pub fn sub_row_mirrored<T: Copy + SubAssign>(to: &mut [T], row: &[T]) {
    for (to, value) in to.iter_mut().rev().zip(row) {
        *to -= *value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_counted_from_the_end() {
        let mut x = [1.0, 2.0, 3.0, 4.0, 5.0];
        let read = Mirrored::of(&x);
        assert_eq!([0, 1, 4].map(|k| read[k]), [5.0, 4.0, 1.0]);
        assert_eq!(read.part(1, 3).elements(), [2.0, 3.0, 4.0]);
        assert_eq!(read.part(1, 3)[0], 4.0);
        assert_eq!(read.part(5, 0).elements(), [0.0; 0]);
        let mut write = MirroredMut::of(&mut x);
        write[0] = 50.0;
        write.part(3, 2)[1] += 9.0;
        assert_eq!(write[4], 10.0);
        assert_eq!(write.elements(), [10.0, 2.0, 3.0, 4.0, 50.0]);
    }

    #[test]
    fn rows_are_added_to_the_last_element_first() {
        let mut x = [1.0, 2.0, 3.0];
        add_row_mirrored(&mut x, &[10.0, 20.0, 30.0]);
        assert_eq!(x, [31.0, 22.0, 13.0]);
        sub_row_mirrored(&mut x, &[3.0]);
        assert_eq!(x, [31.0, 22.0, 10.0]);
    }

    #[test]
    #[should_panic]
    fn a_part_has_no_more_elements() {
        let _ = Mirrored::of(&[1.0, 2.0]).part(1, 1).part(0, 2).elements();
    }
}
