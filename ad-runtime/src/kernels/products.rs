//! Outer products that a loop adds to a matrix, for several of its iterations at once.
//!
//! The adjoint of a matrix that each step of a time loop multiplies with a vector gets an outer product in each step of
//! the reverse sweep. Adding it reads and writes the whole matrix for one product per element. So the factors of some
//! steps are kept, and all their products are added in one pass over the matrix, in which some of its elements stay in
//! registers while the steps go by. Each element gets its products one by one in the order of the steps, as it would
//! without.

pub(crate) mod spare;

use super::column_panels::{MatrixMut, PANEL, PanelMut, Spot, load_panel};
use crate::float::{Float, mul_add};

/// How many steps are kept at most, so that what they need of a panel of columns lies in the first cache.
const KEPT: usize = 32;

/// So many products are added as they come, as few are not worth the passes over the factors.
const FIRST: usize = 2;

/// How many rows stay in registers beside a panel of columns. Half of the registers hold sums then.
const TILE: usize = if cfg!(target_feature = "avx512vl") {
    4
} else {
    2
};

/// From so many elements on a matrix is worth it, by measurement. Small ones stay in the cache, and to put factors
/// aside costs as much as to add their products; without wide vectors the arithmetic takes longer than the loads and
/// stores of all but large ones.
const WORTH: usize = if cfg!(debug_assertions) {
    SMALL
} else if cfg!(target_feature = "fma") {
    2048
} else {
    32768
};

/// From so many on, where a loop would do nothing else with its rows.
const WORTH_ALONE: usize = if cfg!(debug_assertions) { SMALL } else { 2048 };

/// Nothing is timed with debug assertions, and what is computed is the same.
const SMALL: usize = 256;

/// What is kept has at most so many times the elements of the matrix: products of few rows or columns gain nothing.
const ROOM: usize = if cfg!(debug_assertions) { 16 } else { 2 };

/// Elements of a matrix that registers hold.
type Tile<F> = [[F; PANEL]; TILE];

/// The factors of outer products that are still to be added to a matrix. `FUSED` if `mul_add` may add them.
#[derive(Debug)]
pub struct Products<F: Float, const FUSED: bool> {
    /// Where the last product went or is to go.
    last: Option<Spot>,
    /// How many went there right before it.
    seen: usize,
    /// Where those that are kept are to go.
    to: Option<Spot>,
    kept: usize,
    /// One factor for each row, product by product.
    of_rows: Vec<F>,
    /// One factor for each column, product by product.
    of_columns: Vec<F>,
    /// The factors of columns once more, block by block.
    blocks: Vec<F>,
}

impl<F: Float, const FUSED: bool> Products<F, FUSED> {
    /// None.
    #[inline]
    #[must_use]
    #[expect(clippy::new_without_default, reason = "for generated code alone")]
    pub const fn new() -> Self {
        Self {
            last: None,
            seen: 0,
            to: None,
            kept: 0,
            of_rows: Vec::new(),
            of_columns: Vec::new(),
            blocks: Vec::new(),
        }
    }

    /// Whether the next product, which goes to these rows, is worth keeping: a large one that is not among the first.
    /// `alone` if nothing else is done with the rows. Then [`begin`](Self::begin) follows, and [`rows`](Self::rows)
    /// until there is a factor for each row.
    #[inline]
    #[must_use]
    pub fn wants(&mut self, to: Option<MatrixMut<'_, F>>, alone: bool) -> bool {
        let spot = to.map(|to| to.spot());
        self.seen = if self.last == spot { self.seen + 1 } else { 0 };
        self.last = spot;
        let worth = if alone { WORTH_ALONE } else { WORTH };
        self.seen >= FIRST
            && spot.is_some_and(|spot| {
                let (n, columns) = spot.shape();
                let elements = n.saturating_mul(columns);
                let kept = n.saturating_add(columns).saturating_mul(KEPT);
                columns >= PANEL && elements >= worth && kept <= elements.saturating_mul(ROOM)
            })
    }

    /// The factors of the columns of a product.
    ///
    /// # Panics
    ///
    /// If the product was not wanted.
    #[inline]
    pub fn begin(&mut self, to: &mut [F], factor: impl Fn(usize) -> F) {
        if self.to != self.last || self.kept == KEPT {
            self.turn_to_last(to);
        }
        let (_, columns) = self.last.expect("where the product goes").shape();
        self.kept += 1;
        self.of_columns.extend((0..columns).map(factor));
    }

    #[inline(never)]
    fn turn_to_last(&mut self, to: &mut [F]) {
        self.add(to);
        self.to = self.last;
        let (n, columns) = self.to.map_or((0, 0), Spot::shape);
        if self.of_rows.capacity() == 0 {
            [self.of_rows, self.of_columns, self.blocks] = spare::take();
        }
        self.of_rows.reserve(KEPT * n);
        self.of_columns.reserve(KEPT * columns);
    }

    /// The factors of the next rows.
    #[inline]
    pub fn rows(&mut self, factors: &[F]) {
        self.of_rows.extend_from_slice(factors);
    }

    /// Adds all products that are kept.
    ///
    /// # Panics
    ///
    /// If `to` has not the length that it had, or if there are not as many factors as rows.
    #[inline(never)]
    pub fn add(&mut self, to: &mut [F]) {
        let Some(spot) = self.to.take() else {
            return;
        };
        let kept = std::mem::take(&mut self.kept);
        let (n, columns) = spot.shape();
        assert!(self.of_rows.len() == kept * n, "a factor for each row");
        self.cut(columns);
        let mut matrix = MatrixMut::again(to, spot);
        for row in (0..n / TILE).map(|tile| tile * TILE) {
            let mut of_rows = [[F::lit(0.0); TILE]; KEPT];
            for (to, from) in of_rows.iter_mut().zip(self.of_rows.chunks_exact(n)) {
                *to = load_panel(from, row);
            }
            self.add_rows(&mut matrix, row, columns, &of_rows[..kept]);
        }
        for row in n / TILE * TILE..n {
            let mut of_row = [F::lit(0.0); KEPT];
            for (to, from) in of_row.iter_mut().zip(self.of_rows.chunks_exact(n)) {
                *to = from[row];
            }
            self.add_row(&mut matrix, row, columns, &of_row[..kept]);
        }
        self.of_rows.clear();
        self.of_columns.clear();
    }

    /// Puts the factors of each panel of columns side by side.
    fn cut(&mut self, columns: usize) {
        self.blocks.clear();
        for (at, _) in blocks(columns) {
            for of_columns in self.of_columns.chunks_exact(columns) {
                self.blocks.extend_from_slice(&of_columns[at..][..PANEL]);
            }
        }
    }

    /// Adds to the rows of a tile.
    fn add_rows(
        &self,
        matrix: &mut MatrixMut<'_, F>,
        row: usize,
        columns: usize,
        of_rows: &[[F; TILE]],
    ) {
        let parts = self.blocks.chunks_exact(of_rows.len() * PANEL);
        for ((at, skip), of_columns) in blocks(columns).zip(parts) {
            let of_columns = of_columns.as_chunks::<PANEL>().0;
            let mut panel = matrix.panel::<PANEL>(row, TILE, at);
            if skip == 0 {
                add_tile::<F, FUSED>(&mut panel, of_rows, of_columns);
                continue;
            }
            let mut sums = rows(&panel);
            add_end::<F, FUSED>(&mut sums, of_rows, of_columns);
            for (r, sums) in sums.iter().enumerate() {
                panel.set_end(r, skip, sums);
            }
        }
    }

    /// Adds to one row.
    fn add_row(&self, matrix: &mut MatrixMut<'_, F>, row: usize, columns: usize, of_row: &[F]) {
        let parts = self.blocks.chunks_exact(of_row.len() * PANEL);
        for ((at, skip), of_columns) in blocks(columns).zip(parts) {
            let mut panel = matrix.panel::<PANEL>(row, 1, at);
            let mut sums = panel.row(0);
            for (of_row, of_columns) in of_row.iter().zip(of_columns.as_chunks::<PANEL>().0) {
                add_product::<F, FUSED>(&mut sums, *of_row, of_columns);
            }
            panel.set_end(0, skip, &sums);
        }
    }
}

/// Where panels of columns begin, and how many of its first columns a panel leaves alone: the last one reaches back to
/// columns that the one before has.
fn blocks(columns: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..columns).step_by(PANEL).map(move |at| {
        let skip = (at + PANEL).saturating_sub(columns);
        (at - skip, skip)
    })
}

impl<F: Float, const FUSED: bool> Drop for Products<F, FUSED> {
    fn drop(&mut self) {
        if self.of_rows.capacity() == 0 {
            return;
        }
        spare::keep(
            [&mut self.of_rows, &mut self.of_columns, &mut self.blocks].map(std::mem::take),
        );
    }
}

/// The rows of a tile.
#[inline(always)]
fn rows<F: Float>(panel: &PanelMut<'_, F, PANEL>) -> Tile<F> {
    let mut rows = [[F::lit(0.0); PANEL]; TILE];
    for (r, row) in rows.iter_mut().enumerate() {
        *row = panel.row(r);
    }
    rows
}

/// Adds the products of the rows of a tile and a panel of columns.
#[inline(always)]
fn add_tile<F: Float, const FUSED: bool>(
    panel: &mut PanelMut<'_, F, PANEL>,
    of_rows: &[[F; TILE]],
    of_columns: &[[F; PANEL]],
) {
    let sums = add_products::<F, FUSED>(rows(panel), of_rows, of_columns);
    for (r, sums) in sums.iter().enumerate() {
        panel.set_row(r, sums);
    }
}

/// As [`add_tile`], for sums not all of which are stored: to choose those here would take them apart.
#[inline(never)]
fn add_end<F: Float, const FUSED: bool>(
    sums: &mut Tile<F>,
    of_rows: &[[F; TILE]],
    of_columns: &[[F; PANEL]],
) {
    *sums = add_products::<F, FUSED>(*sums, of_rows, of_columns);
}

#[inline(always)]
fn add_products<F: Float, const FUSED: bool>(
    mut sums: Tile<F>,
    of_rows: &[[F; TILE]],
    of_columns: &[[F; PANEL]],
) -> Tile<F> {
    for (of_rows, of_columns) in of_rows.iter().zip(of_columns) {
        for r in 0..TILE {
            add_product::<F, FUSED>(&mut sums[r], of_rows[r], of_columns);
        }
    }
    sums
}

#[inline(always)]
fn add_product<F: Float, const FUSED: bool>(
    sums: &mut [F; PANEL],
    of_row: F,
    of_columns: &[F; PANEL],
) {
    for c in 0..PANEL {
        sums[c] = if FUSED {
            mul_add(of_row, of_columns[c], sums[c])
        } else {
            sums[c] + of_row * of_columns[c]
        };
    }
}

#[cfg(test)]
mod tests;
