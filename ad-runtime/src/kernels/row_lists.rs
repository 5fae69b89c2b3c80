//! Matrices whose rows are arrays of a list: panels of columns, as of matrices that lie in one array.
//!
//! That all rows are there, and long enough, is looked at once for all of them. Rows are arrays of their own, so that
//! two of them never meet.

use super::column_panels::{NOT_THERE, Steps, load_panel, store_panel, store_panel_end, there};
use super::index::Ix;
use super::windows::{arrays_mut, view_mut};

/// Which rows of a list, and which elements of each of them.
#[derive(Clone, Copy, Debug)]
pub struct ListCorners {
    /// The first, the second and the last row.
    pub rows: [Ix; 3],
    /// The first and the last element of each.
    pub columns: [Ix; 2],
}

/// Which rows of the list they are; and where in them the elements are, and how many.
#[derive(Clone, Copy, Debug)]
struct Layout {
    rows: Steps,
    column: usize,
    columns: usize,
}

impl Layout {
    /// `len`: how many elements a row of the list has, if there is such a row.
    fn of(
        corners: ListCorners,
        n: usize,
        columns: usize,
        len: impl Fn(usize) -> Option<usize>,
    ) -> Option<Self> {
        let rows = Steps::of(corners.rows, n)?;
        let [column, end] = corners.columns;
        let (column, end) = (column.get()?, end.get()?);
        let lie_so = column.checked_add(columns)? == end.checked_add(1)?;
        let is_there = |row| len(rows.at(row)).is_some_and(|len| end < len);
        (lie_so && (0..n).all(is_there)).then_some(Self {
            rows,
            column,
            columns,
        })
    }

    /// As the layout of a matrix in one array is cut.
    ///
    /// # Panics
    ///
    /// If there are not so many rows and columns.
    #[inline(always)]
    fn part(self, row: usize, n: usize, column: usize, columns: usize) -> Self {
        let rows = self.rows.part(row, n);
        let rows = rows.filter(|_| there(column, columns, self.columns));
        Self {
            rows: rows.expect(NOT_THERE),
            column: self.column + column,
            columns,
        }
    }

    /// Which row of the list a row is.
    #[inline(always)]
    fn row(self, row: usize) -> usize {
        assert!(row < self.rows.count(), "a row that a panel has");
        self.rows.at(row)
    }
}

/// Rows of a list, to be read.
#[derive(Clone, Copy, Debug)]
pub struct ListMatrix<'a, R> {
    of: &'a [R],
    layout: Layout,
}

impl<'a, R> ListMatrix<'a, R> {
    /// `n` rows of `columns` elements each, if there are so many.
    #[inline]
    #[must_use]
    pub fn of<T>(of: &'a [R], corners: ListCorners, n: usize, columns: usize) -> Option<Self>
    where
        R: AsRef<[T]>,
    {
        let len = |row: usize| Some(of.get(row)?.as_ref().len());
        let layout = Layout::of(corners, n, columns, len)?;
        Some(Self { of, layout })
    }

    /// A panel: `L` columns of `n` rows: those from `column` and from `row` on.
    ///
    /// # Panics
    ///
    /// If there are not so many.
    #[inline(always)]
    #[must_use]
    pub fn panel<const L: usize>(
        &self,
        row: usize,
        n: usize,
        column: usize,
    ) -> ListPanel<'a, R, L> {
        let layout = self.layout.part(row, n, column, L);
        ListPanel {
            of: self.of,
            layout,
        }
    }
}

/// A panel: `L` columns of some rows of a list, to be read.
#[derive(Clone, Copy, Debug)]
pub struct ListPanel<'a, R, const L: usize> {
    of: &'a [R],
    layout: Layout,
}

impl<R, const L: usize> ListPanel<'_, R, L> {
    /// A row.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[inline(always)]
    #[must_use]
    pub fn row<T: Copy>(&self, row: usize) -> [T; L]
    where
        R: AsRef<[T]>,
    {
        load_panel(self.of[self.layout.row(row)].as_ref(), self.layout.column)
    }
}

/// Rows of a list, to be changed.
#[derive(Debug)]
pub struct ListMatrixMut<'a, R> {
    of: &'a mut [R],
    layout: Layout,
}

impl<'a, R> ListMatrixMut<'a, R> {
    /// As [`ListMatrix::of`], if no row is there twice.
    #[inline]
    #[must_use]
    pub fn of<T>(of: &'a mut [R], corners: ListCorners, n: usize, columns: usize) -> Option<Self>
    where
        R: AsRef<[T]> + AsMut<[T]>,
    {
        let layout = ListMatrix::of(of, corners, n, columns)?.layout;
        layout.rows.are_apart(1).then_some(Self { of, layout })
    }

    /// As [`ListMatrix::panel`].
    ///
    /// # Panics
    ///
    /// If there are not so many rows and columns.
    #[inline(always)]
    #[must_use]
    pub fn panel<const L: usize>(
        &mut self,
        row: usize,
        n: usize,
        column: usize,
    ) -> ListPanelMut<'_, R, L> {
        let layout = self.layout.part(row, n, column, L);
        ListPanelMut {
            of: self.of,
            layout,
        }
    }
}

/// A panel: `L` columns of some rows of a list, to be changed.
#[derive(Debug)]
pub struct ListPanelMut<'a, R, const L: usize> {
    of: &'a mut [R],
    layout: Layout,
}

impl<R, const L: usize> ListPanelMut<'_, R, L> {
    /// A row.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[inline(always)]
    #[must_use]
    pub fn row<T: Copy>(&self, row: usize) -> [T; L]
    where
        R: AsRef<[T]>,
    {
        load_panel(self.of[self.layout.row(row)].as_ref(), self.layout.column)
    }

    /// Writes a row.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[inline(always)]
    pub fn set_row<T: Copy>(&mut self, row: usize, values: &[T; L])
    where
        R: AsMut<[T]>,
    {
        let Layout { column, .. } = self.layout;
        store_panel(self.of[self.layout.row(row)].as_mut(), column, values);
    }

    /// Writes a row, all but the first `skip` of its elements.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[inline(always)]
    pub fn set_end<T: Copy>(&mut self, row: usize, skip: usize, values: &[T; L])
    where
        R: AsMut<[T]>,
    {
        let Layout { column, .. } = self.layout;
        store_panel_end(self.of[self.layout.row(row)].as_mut(), column, skip, values);
    }
}

/// `L` slices of `n` elements each, of rows of a list, if there is each of them and no row is there twice. `bounds`
/// says of each which row it is in, and which is the first element and the last one.
#[inline(always)]
#[must_use]
pub fn list_rows_mut<R: AsMut<[T]>, T, const L: usize>(
    of: &mut [R],
    n: usize,
    mut bounds: impl FnMut(usize) -> (Ix, Ix, Ix),
) -> Option<[&mut [T]; L]> {
    let mut rows = [0; L];
    let mut ends = [(0, 0); L];
    for (lane, (row, end)) in rows.iter_mut().zip(&mut ends).enumerate() {
        let (which, first, last) = bounds(lane);
        (*row, *end) = (which.get()?, (first.get()?, last.get()?));
    }
    let mut lent = arrays_mut(of, rows)?.map(|row| Some(row.as_mut()));
    let mut slices: [&mut [T]; L] = std::array::from_fn(|_| Default::default());
    for ((slice, row), (first, last)) in slices.iter_mut().zip(&mut lent).zip(ends) {
        *slice = view_mut(row.take()?, Ix::of(first), Ix::of(last), n)?;
    }
    Some(slices)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners(rows: [usize; 3], columns: [usize; 2]) -> ListCorners {
        ListCorners {
            rows: rows.map(Ix::of),
            columns: columns.map(Ix::of),
        }
    }

    fn list() -> Vec<Vec<f64>> {
        let row = |k: u32| (0..6).map(|at| f64::from(10 * k + at)).collect();
        (0..5).map(row).collect()
    }

    #[test]
    fn rows_are_those_of_the_list() {
        let list = list();
        let there = ListMatrix::of(&list, corners([1, 3, 3], [2, 5]), 2, 4).expect("rows");
        let panel = there.panel::<2>(0, 2, 1);
        assert_eq!([panel.row(0), panel.row(1)], [[13.0, 14.0], [33.0, 34.0]]);
        let back = ListMatrix::of(&list, corners([4, 3, 2], [0, 1]), 3, 2).expect("rows");
        let panel = back.panel::<1>(1, 2, 1);
        assert_eq!([panel.row(0), panel.row(1)], [[31.0], [21.0]]);
    }

    #[test]
    fn rows_that_are_not_there_or_too_short_are_no_matrix() {
        let mut list = list();
        let is_there = |list: &[Vec<f64>], rows, n, columns: [usize; 2]| {
            let len = columns[1] + 1 - columns[0];
            ListMatrix::of(list, corners(rows, columns), n, len).is_some()
        };
        assert!(is_there(&list, [0, 1, 4], 5, [0, 5]));
        assert!(!is_there(&list, [0, 1, 5], 6, [0, 5]));
        assert!(!is_there(&list, [0, 1, 4], 5, [1, 6]));
        assert!(!is_there(&list, [0, 1, 3], 5, [0, 5]));
        assert!(!is_there(&list, [0, 1, 0], 0, [0, 5]));
        list[2].pop();
        assert!(!is_there(&list, [0, 1, 4], 5, [0, 5]));
        assert!(is_there(&list, [0, 1, 4], 5, [0, 4]));
        assert!(is_there(&list, [1, 3, 3], 2, [0, 5]));
        let overflow = ListCorners {
            rows: [0, 1, 4].map(Ix::of),
            columns: [Ix::of(0), Ix::of(usize::MAX) + Ix::of(1)],
        };
        assert!(ListMatrix::of(&list, overflow, 5, 1).is_none());
    }

    #[test]
    fn a_row_is_changed_once() {
        let mut list = list();
        assert!(ListMatrixMut::of(&mut list, corners([1, 1, 1], [0, 5]), 2, 6).is_none());
        let mut there =
            ListMatrixMut::of(&mut list, corners([1, 2, 3], [1, 4]), 3, 4).expect("rows");
        let mut panel = there.panel::<2>(1, 2, 2);
        assert_eq!(panel.row(0), [23.0, 24.0]);
        panel.set_row(0, &[-1.0, -2.0]);
        panel.set_end(1, 1, &[-3.0, -4.0]);
        assert_eq!(list[2], [20.0, 21.0, 22.0, -1.0, -2.0, 25.0]);
        assert_eq!(list[3], [30.0, 31.0, 32.0, 33.0, -4.0, 35.0]);
    }

    #[test]
    #[should_panic(expected = "rows and columns that a matrix has")]
    fn a_panel_ends_where_the_rows_do() {
        let list = list();
        let there = ListMatrix::of(&list, corners([0, 1, 4], [1, 4]), 5, 4).expect("rows");
        _ = there.panel::<2>(0, 5, 3);
    }

    #[test]
    fn slices_of_rows_are_changed_side_by_side() {
        let mut list = list();
        let in_rows =
            |rows: [usize; 2]| move |lane: usize| (Ix::of(rows[lane]), Ix::of(1), Ix::of(3));
        assert!(list_rows_mut::<_, f64, 2>(&mut list, 3, in_rows([2, 2])).is_none());
        assert!(list_rows_mut::<_, f64, 2>(&mut list, 3, in_rows([2, 5])).is_none());
        assert!(list_rows_mut::<_, f64, 2>(&mut list, 4, in_rows([2, 0])).is_none());
        let [a, b] = list_rows_mut(&mut list, 3, in_rows([2, 0])).expect("rows");
        a.copy_from_slice(b);
        b[0] = -1.0;
        assert_eq!(list[2], [20.0, 1.0, 2.0, 3.0, 24.0, 25.0]);
        assert_eq!(list[0][1], -1.0);
    }
}
