//! Panels of columns: rows of a matrix, a few columns at a time.
//!
//! A loop over the rows of a block computes little for each, so that looking whether a row is there would take as long
//! as the rest. So where rows lie is looked at once for all of them, and once for each block.

#![allow(unsafe_code)]

use super::index::Ix;

/// How many columns of a row go through registers at once.
pub const PANEL: usize = if cfg!(target_feature = "avx") { 16 } else { 8 };

/// Longer rows are not all in the cache when the next panel of columns begins.
const SHORT: usize = 64;

/// How many rows of so many columns, of at most `ROWS`, go over a panel of columns before the next panel: of long rows
/// only so many that the ends of their blocks, where the next ones begin, are still in the cache.
#[inline(always)]
#[must_use]
pub fn panel_height<const ROWS: usize>(columns: usize) -> usize {
    let height = if columns <= SHORT { ROWS } else { 16 };
    height.min(ROWS)
}

/// The elements from `at` on.
///
/// # Panics
///
/// If there are fewer than `L`.
#[inline(always)]
#[must_use]
pub fn load_panel<T: Copy, const L: usize>(of: &[T], at: usize) -> [T; L] {
    let part: &[T; L] = of[at..][..L].try_into().expect("a slice of this length");
    *part
}

/// Writes the elements from `at` on.
///
/// # Panics
///
/// If there are fewer than `L`.
#[inline(always)]
pub fn store_panel<T: Copy, const L: usize>(of: &mut [T], at: usize, block: &[T; L]) {
    of[at..][..L].copy_from_slice(block);
}

/// Writes the elements from `at` on, all but the first `skip` of them.
///
/// # Panics
///
/// If there are fewer than `L`.
#[inline(always)]
pub fn store_panel_end<T: Copy, const L: usize>(
    of: &mut [T],
    at: usize,
    skip: usize,
    block: &[T; L],
) {
    let mixed = mixed(load_panel(of, at), skip, block);
    store_panel::<T, L>(of, at, &mixed);
}

/// The first `skip` elements of one array and the others of another. A plain loop, as that becomes one selection of
/// vectors.
#[inline(always)]
fn mixed<T: Copy, const L: usize>(mut of: [T; L], skip: usize, others: &[T; L]) -> [T; L] {
    for k in 0..L {
        of[k] = if k < skip { of[k] } else { others[k] };
    }
    of
}

/// Indices of elements of a matrix.
#[derive(Clone, Copy, Debug)]
pub struct Corners {
    /// The first elements of the first, the second and the last row.
    pub starts: [Ix; 3],
    /// The last elements of the first and the last row.
    pub ends: [Ix; 2],
}

/// Numbers at equal distances: where rows begin in an array, or which rows of a list they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Steps {
    first: usize,
    stride: isize,
    n: usize,
}

impl Steps {
    /// `n` numbers, of which the first, the second and the last are known, if they lie so. What they are computed from
    /// may overflow in none of these, and so nowhere.
    #[inline]
    pub(super) fn of(known: [Ix; 3], n: usize) -> Option<Self> {
        let [first, second, last] = known;
        let (first, second, last) = (first.get()?, second.get()?, last.get()?);
        let signed = |at: usize| isize::try_from(at).ok();
        let stride = signed(second)?.checked_sub(signed(first)?)?;
        let whole = stride.checked_mul(signed(n.checked_sub(1)?)?)?;
        let lie_so = signed(first)?.checked_add(whole)? == signed(last)?;
        lie_so.then_some(Self { first, stride, n })
    }

    /// Whether no number is nearer to another one than this.
    pub(super) fn are_apart(self, distance: usize) -> bool {
        self.n == 1 || self.stride.unsigned_abs() >= distance
    }

    pub(super) fn count(self) -> usize {
        self.n
    }

    /// One of the numbers: between the first one and the last, if there is such a one.
    #[inline(always)]
    pub(super) fn at(self, k: usize) -> usize {
        let k = k.wrapping_mul(self.stride.cast_unsigned());
        self.first.wrapping_add(k)
    }

    /// `n` of them from `k` on, if there are so many.
    #[inline(always)]
    pub(super) fn part(self, k: usize, n: usize) -> Option<Self> {
        let first = self.at(k);
        there(k, n, self.n).then_some(Self { first, n, ..self })
    }
}

/// Whether `all` are as many as `n` from `at` on.
#[inline(always)]
pub(super) fn there(at: usize, n: usize, all: usize) -> bool {
    at <= all && n <= all - at
}

/// What a panel is asked for that a matrix has not.
pub(super) const NOT_THERE: &str = "rows and columns that a matrix has";

/// Where the rows of a matrix begin, and of how many elements they are.
///
/// The elements of all rows lie in the array that it was made for, and keep doing so as long as the array has its
/// length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    rows: Steps,
    columns: usize,
}

impl Layout {
    /// `n` rows of `columns` elements each in an array of `len`, of which three rows are known.
    #[inline]
    fn of(len: usize, corners: Corners, n: usize, columns: usize) -> Option<Self> {
        let Corners { starts, ends } = corners;
        let rows = Steps::of(starts, n)?;
        ends[0].get()?;
        ends[1].get()?;
        let fits = rows.first.max(rows.at(n - 1)).checked_add(columns)? <= len;
        fits.then_some(Self { rows, columns })
    }

    /// `n` rows from `row` on, and `columns` columns from `column` on.
    ///
    /// # Panics
    ///
    /// If there are not so many.
    #[inline(always)]
    fn part(self, row: usize, n: usize, column: usize, columns: usize) -> Self {
        let rows = self.rows.part(row, n);
        let mut rows = rows
            .filter(|_| there(column, columns, self.columns))
            .expect(NOT_THERE);
        rows.first = rows.first.wrapping_add(column);
        Self { rows, columns }
    }

    /// Where a row of at least `L` elements begins. All of them lie in the array.
    #[inline(always)]
    fn row<const L: usize>(self, row: usize) -> usize {
        assert!(
            row < self.rows.n && L <= self.columns,
            "a row that a panel has"
        );
        self.rows.at(row)
    }
}

/// Rows of a matrix, to be read.
#[derive(Clone, Copy, Debug)]
pub struct Matrix<'a, T> {
    of: &'a [T],
    layout: Layout,
}

impl<'a, T: Copy> Matrix<'a, T> {
    /// `n` rows of `columns` elements each, if there are so many.
    #[inline]
    #[must_use]
    pub fn of(of: &'a [T], corners: Corners, n: usize, columns: usize) -> Option<Self> {
        let layout = Layout::of(of.len(), corners, n, columns)?;
        Some(Self { of, layout })
    }

    /// A panel: `L` columns of `n` rows: those from `column` and from `row` on.
    ///
    /// # Panics
    ///
    /// If there are not so many.
    #[inline(always)]
    #[must_use]
    pub fn panel<const L: usize>(&self, row: usize, n: usize, column: usize) -> Panel<'a, T, L> {
        Panel {
            of: self.of,
            layout: self.layout.part(row, n, column, L),
        }
    }
}

/// A panel: `L` columns of some rows, to be read. All that is checked for a row is its number, so that a loop over as
/// many rows as there are checks nothing.
#[derive(Clone, Copy, Debug)]
pub struct Panel<'a, T, const L: usize> {
    of: &'a [T],
    layout: Layout,
}

impl<T: Copy, const L: usize> Panel<'_, T, L> {
    /// A row.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[inline(always)]
    #[must_use]
    pub fn row(&self, row: usize) -> [T; L] {
        let at = self.layout.row::<L>(row);
        // SAFETY: the layout was made for this slice, so that the `L` elements from `at` on lie in it. An array is
        // aligned as its elements are.
        unsafe { self.of.as_ptr().add(at).cast::<[T; L]>().read() }
    }
}

/// Where rows lie in an array of some length, of which no two meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    layout: Layout,
    len: usize,
}

impl Spot {
    /// How many rows and columns there are.
    pub(crate) fn shape(self) -> (usize, usize) {
        (self.layout.rows.count(), self.layout.columns)
    }
}

/// Rows of a matrix that do not meet, to be changed.
#[derive(Debug)]
pub struct MatrixMut<'a, T> {
    of: &'a mut [T],
    layout: Layout,
}

impl<'a, T: Copy> MatrixMut<'a, T> {
    /// As [`Matrix::of`], if no two of the rows meet.
    #[inline]
    #[must_use]
    pub fn of(of: &'a mut [T], corners: Corners, n: usize, columns: usize) -> Option<Self> {
        let layout = Layout::of(of.len(), corners, n, columns)?;
        layout
            .rows
            .are_apart(columns)
            .then_some(Self { of, layout })
    }

    /// Where they are.
    pub(crate) fn spot(&self) -> Spot {
        Spot {
            layout: self.layout,
            len: self.of.len(),
        }
    }

    /// The rows of another time.
    ///
    /// # Panics
    ///
    /// If the array has another length.
    pub(crate) fn again(of: &'a mut [T], spot: Spot) -> Self {
        assert!(of.len() == spot.len, "an array keeps its length");
        let layout = spot.layout;
        Self { of, layout }
    }

    /// As [`Matrix::panel`].
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
    ) -> PanelMut<'_, T, L> {
        PanelMut {
            of: self.of,
            layout: self.layout.part(row, n, column, L),
        }
    }
}

/// A panel: `L` columns of some rows, to be changed.
#[derive(Debug)]
pub struct PanelMut<'a, T, const L: usize> {
    of: &'a mut [T],
    layout: Layout,
}

impl<T: Copy, const L: usize> PanelMut<'_, T, L> {
    /// A row.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[inline(always)]
    #[must_use]
    pub fn row(&self, row: usize) -> [T; L] {
        let at = self.layout.row::<L>(row);
        // SAFETY: as for `Panel`.
        unsafe { self.of.as_ptr().add(at).cast::<[T; L]>().read() }
    }

    /// Writes a row.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[inline(always)]
    pub fn set_row(&mut self, row: usize, values: &[T; L]) {
        let at = self.layout.row::<L>(row);
        // SAFETY: as for `Panel`; the slice is borrowed to be changed.
        unsafe { self.of.as_mut_ptr().add(at).cast::<[T; L]>().write(*values) };
    }

    /// Writes a row, all but the first `skip` of its elements.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[inline(always)]
    pub fn set_end(&mut self, row: usize, skip: usize, values: &[T; L]) {
        let mixed = mixed(self.row(row), skip, values);
        self.set_row(row, &mixed);
    }
}

#[cfg(test)]
mod tests;
