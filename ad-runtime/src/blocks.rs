//! Blocks of columns: rows of a matrix, a few columns at a time.

use crate::slices::Ix;

/// How many columns of a row go through registers at once.
pub const COLUMNS: usize = if cfg!(target_feature = "avx") { 16 } else { 8 };

/// The elements from `at` on.
///
/// # Panics
///
/// If there are fewer than `L`.
#[inline(always)]
#[must_use]
pub fn block<T: Copy, const L: usize>(of: &[T], at: usize) -> [T; L] {
    let part: &[T; L] = of[at..][..L].try_into().expect("a slice of this length");
    *part
}

/// Writes the elements from `at` on.
///
/// # Panics
///
/// If there are fewer than `L`.
#[inline(always)]
pub fn set_block<T: Copy, const L: usize>(of: &mut [T], at: usize, block: &[T; L]) {
    of[at..][..L].copy_from_slice(block);
}

/// Writes the elements from `at` on, all but the first `skip` of them.
///
/// # Panics
///
/// If there are fewer than `L`.
#[inline(always)]
pub fn set_end<T: Copy, const L: usize>(of: &mut [T], at: usize, skip: usize, block: &[T; L]) {
    let old: [T; L] = self::block(of, at);
    let mixed = std::array::from_fn(|k| if k < skip { old[k] } else { block[k] });
    set_block::<T, L>(of, at, &mixed);
}

/// Indices of elements of a matrix.
#[derive(Clone, Copy, Debug)]
pub struct Corners {
    /// The first elements of the first, the second and the last row.
    pub starts: [Ix; 3],
    /// The last elements of the first and the last row.
    pub ends: [Ix; 2],
}

/// Where the rows of a matrix are: the first one, and how far one is from the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    first: usize,
    stride: isize,
}

impl Layout {
    /// `n` rows of `columns` elements each in an array of `len`, of which three rows are known. What an index is computed from may
    /// overflow in no corner, and so nowhere.
    #[inline]
    fn of(len: usize, corners: Corners, n: usize, columns: usize) -> Option<Self> {
        let Corners {
            starts: [first, second, last],
            ends,
        } = corners;
        let (first, second, last) = (first.get()?, second.get()?, last.get()?);
        ends[0].get()?;
        ends[1].get()?;
        let signed = |at: usize| isize::try_from(at).ok();
        let stride = signed(second)?.checked_sub(signed(first)?)?;
        let whole = stride.checked_mul(signed(n.checked_sub(1)?)?)?;
        let fits = first.max(last).checked_add(columns)? <= len
            && signed(first)?.checked_add(whole)? == signed(last)?;
        fits.then_some(Self { first, stride })
    }

    #[inline(always)]
    fn at(self, row: usize, column: usize) -> usize {
        let row = row.wrapping_mul(self.stride.cast_unsigned());
        self.first.wrapping_add(row).wrapping_add(column)
    }
}

/// Rows of a matrix, to be read.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a, T> {
    of: &'a [T],
    layout: Layout,
}

impl<'a, T: Copy> Rows<'a, T> {
    /// `n` rows of `columns` elements each, if there are so many.
    #[inline]
    #[must_use]
    pub fn of(of: &'a [T], corners: Corners, n: usize, columns: usize) -> Option<Self> {
        let layout = Layout::of(of.len(), corners, n, columns)?;
        Some(Self { of, layout })
    }

    /// Elements of a row from `column` on.
    #[inline(always)]
    #[must_use]
    pub fn block<const L: usize>(&self, row: usize, column: usize) -> [T; L] {
        block(self.of, self.layout.at(row, column))
    }
}

/// Rows of a matrix that do not meet, to be changed.
#[derive(Debug)]
pub struct RowsMut<'a, T> {
    of: &'a mut [T],
    layout: Layout,
}

impl<'a, T: Copy> RowsMut<'a, T> {
    /// As [`Rows::of`], if no two of the rows meet.
    #[inline]
    #[must_use]
    pub fn of(of: &'a mut [T], corners: Corners, n: usize, columns: usize) -> Option<Self> {
        let layout = Layout::of(of.len(), corners, n, columns)?;
        (n == 1 || layout.stride.unsigned_abs() >= columns).then_some(Self { of, layout })
    }

    /// Elements of a row from `column` on.
    #[inline(always)]
    #[must_use]
    pub fn block<const L: usize>(&self, row: usize, column: usize) -> [T; L] {
        block(self.of, self.layout.at(row, column))
    }

    /// Writes elements of a row from `column` on.
    #[inline(always)]
    pub fn set_block<const L: usize>(&mut self, row: usize, column: usize, block: &[T; L]) {
        set_block(self.of, self.layout.at(row, column), block);
    }

    /// Writes elements of a row from `column` on, all but the first `skip` of them.
    #[inline(always)]
    pub fn set_end<const L: usize>(
        &mut self,
        row: usize,
        column: usize,
        skip: usize,
        block: &[T; L],
    ) {
        set_end(self.of, self.layout.at(row, column), skip, block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(starts: [usize; 3]) -> Corners {
        let [first, _, last] = starts;
        Corners {
            starts: starts.map(Ix::of),
            ends: [first, last].map(Ix::of),
        }
    }

    #[test]
    fn rows_are_where_their_starts_say() {
        let mut x: Vec<usize> = (0..12).collect();
        let rows = Rows::of(&x, from([1, 5, 9]), 3, 3).expect("three rows");
        assert_eq!(rows.block::<2>(2, 1), [10, 11]);
        let upwards = Rows::of(&x, from([9, 5, 1]), 3, 3).expect("three rows");
        assert_eq!(upwards.block::<2>(2, 1), [2, 3]);
        let mut rows = RowsMut::of(&mut x, from([1, 5, 9]), 3, 3).expect("three rows");
        rows.set_block(1, 0, &[0, 0]);
        rows.set_end(2, 0, 2, &[0, 0, 0]);
        assert_eq!(rows.block::<3>(1, 0), [0, 0, 7]);
        assert_eq!(rows.block::<3>(2, 0), [9, 10, 0]);
    }

    #[test]
    fn rows_that_are_not_there_are_none() {
        let x = [0.0; 12];
        assert!(Rows::of(&x, from([0, 4, 8]), 3, 4).is_some());
        assert!(Rows::of(&x, from([0, 4, 8]), 3, 5).is_none());
        assert!(Rows::of(&x, from([0, 4, 8]), 4, 4).is_none());
        assert!(Rows::of(&x, from([0, 4, 4]), 3, 4).is_none());
        assert!(Rows::of(&x, from([8, 4, 0]), 3, 5).is_none());
        let none = Ix::of(4) - Ix::of(5);
        let mut corners = from([0, 4, 8]);
        corners.starts[1] = none;
        assert!(Rows::of(&x, corners, 3, 4).is_none());
        for end in 0..2 {
            let mut corners = from([0, 4, 8]);
            corners.ends[end] = none;
            assert!(Rows::of(&x, corners, 3, 4).is_none());
        }
        let far = usize::MAX - 3;
        assert!(Rows::of(&x, from([far, far + 1, far + 2]), 3, 4).is_none());
    }

    #[test]
    fn rows_that_meet_are_not_changed() {
        let mut x = [0.0; 12];
        assert!(Rows::of(&x, from([0, 3, 6]), 3, 4).is_some());
        assert!(RowsMut::of(&mut x, from([0, 3, 6]), 3, 4).is_none());
        assert!(RowsMut::of(&mut x, from([0, 0, 0]), 3, 4).is_none());
        assert!(RowsMut::of(&mut x, from([0, 4, 8]), 3, 4).is_some());
    }
}
