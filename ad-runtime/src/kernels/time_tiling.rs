//! Time loops whose steps go from one of two arrays to the other, with their rows, or few of them, on the tape.
//!
//! A step computes each cell of one array from cells near it in the other, and the arrays change places. What a step
//! overwrites the reverse sweep needs again. Where all of that fits the caches, each step computes its row on the tape,
//! from the row before it there, and the reverse of a step reads it there: nothing is copied, and no adjoint is
//! cleared.
//!
//! Where it is larger than the caches, writing it to the tape and reading it back takes longer than
//! computing it. So the tape holds every [`EVERY`]th row only. Between two of them the reverse sweep goes over tiles
//! that fit the cache: it runs the steps of a tile again and reverses them while they are there. A tile begins wide
//! enough that what it lacks at its ends never reaches the cells that it answers for: with each step run again and each
//! step reversed, what is right shrinks by the reach of a step.
//!
//! The elements around the cells never change. Both arrays have their own, so which of them a step reads depends on
//! whether its number is even.

mod rows;

use std::ops::{AddAssign, Range};

use super::index::Ix;
use super::windows::within;
use crate::record::Record;
use crate::tape::{Site, Tape};

/// Steps between two rows on the tape.
const EVERY: usize = 20;

/// Cells that a tile answers for, at least, and not twice as many.
const TILE: usize = 3000;

/// Rows of fewer bytes in all stay in the cache, where writing them is cheaper than computing them again.
const LARGE: usize = 1 << 21;

/// Rows that lie side by side on the tape have so many bytes at most: less than a slab, and the first of them is a
/// copy.
const TOGETHER: usize = 1 << 17;

/// Which elements of two arrays a time loop computes, and from what around them.
#[derive(Clone, Debug)]
pub struct Stencil {
    first: usize,
    n: usize,
    /// How many elements in front of a cell and behind it a step reads.
    left: usize,
    right: usize,
    every: usize,
    tile: usize,
    /// If all rows are kept: how many of them lie side by side on the tape.
    together: Option<usize>,
}

impl Stencil {
    /// The `n` elements from `first` to `last` of arrays of these lengths, if both have them and what is around them,
    /// and it is worth while to keep all rows where they are computed, or to compute most of them again instead of
    /// keeping them for each of the steps.
    #[inline]
    #[must_use]
    pub fn of<T>(
        lens: [usize; 2],
        (first, last, n): (Ix, Ix, usize),
        (left, right): (usize, usize),
        steps: usize,
    ) -> Option<Self> {
        let bytes = size_of::<T>().saturating_mul(n).saturating_mul(steps);
        let (before, behind) = (first - Ix::of(left), last + Ix::of(right));
        let all = n.checked_add(left)?.checked_add(right)?;
        let together = (bytes < LARGE).then(|| TOGETHER / size_of::<T>().max(1) / all.max(1));
        let worth_while = match together {
            None => steps > EVERY,
            Some(rows) => rows > 0 && n >= left + right,
        };
        if !worth_while {
            return None;
        }
        for len in lens {
            within(len, before, behind, all)?;
        }
        Some(Self {
            first: first.get()?,
            n,
            left,
            right,
            every: EVERY,
            tile: TILE,
            together,
        })
    }

    fn elements(&self) -> Range<usize> {
        self.first..self.first + self.n
    }

    fn around(&self) -> Range<usize> {
        self.first - self.left..self.first + self.n + self.right
    }

    fn reach(&self) -> usize {
        self.left.max(self.right)
    }

    /// Cells with so many more on each side, as far as there are any.
    fn wider(&self, range: &Range<usize>, by: usize) -> Range<usize> {
        range.start.saturating_sub(by)..(range.end + by).min(self.n)
    }

    fn tiles(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let (n, count) = (self.n, (self.n / self.tile).max(1));
        let (each, more) = (n / count, n % count);
        let start = move |k: usize| k * each + k.min(more);
        (0..count).map(move |k| start(k)..start(k + 1))
    }
}

/// The forward sweep. `step` computes the cells of a row, the first of which has the number that it gets, from those of
/// the row before and what is around them. Step `t` goes from array `t % 2` to the other one.
#[inline(always)]
pub fn forward_tiles<T: Record + Copy + Default>(
    tape: &mut Tape,
    site: Site<T>,
    [mut from, mut to]: [&mut [T]; 2],
    cells: &Stencil,
    steps: usize,
    step: impl Fn(&[T], usize, &mut [T]),
) {
    if let Some(together) = cells.together {
        return rows::keep(tape, site, [from, to], cells, (steps, together), step);
    }
    let (elements, around) = (cells.elements(), cells.around());
    tape.push_slice(site, &to[elements.clone()]);
    for t in 0..steps {
        if t % cells.every == 0 {
            tape.push_slice(site, &from[elements.clone()]);
        }
        step(&from[around.clone()], 0, &mut to[elements.clone()]);
        std::mem::swap(&mut from, &mut to);
    }
}

/// The reverse sweep: from the arrays and their adjoints after the steps to those before. `adjoint` gets what `step`
/// gets, and the adjoints of the cells that it computes; it writes what they contribute to those of all that it reads.
#[inline(always)]
pub fn reverse_tiles<T: Record + Copy + Default + AddAssign>(
    tape: &mut Tape,
    site: Site<T>,
    [states, adjoints]: [[&mut [T]; 2]; 2],
    cells: &Stencil,
    steps: usize,
    step: impl Fn(&[T], usize, &mut [T]),
    adjoint: impl Fn(&[T], usize, &[T], &mut [T]),
) {
    assert!(steps > 0, "a time loop with steps");
    if let Some(together) = cells.together {
        let arrays = [states, adjoints];
        return rows::reverse(tape, site, arrays, cells, (steps, together), adjoint);
    }
    let elements = cells.elements();
    let mut row = vec![T::default(); cells.n];
    let mut now = adjoints[steps % 2][elements.clone()].to_vec();
    let mut before = vec![T::default(); cells.n];
    let mut tile = Tile::new(cells);
    for span in (0..steps.div_ceil(cells.every)).rev() {
        let first = span * cells.every;
        let span = first..steps.min(first + cells.every);
        tape.pop_slice(site, &mut row);
        for range in cells.tiles() {
            tile.place(&range, &span);
            tile.run_again(&row, [&*states[0], &*states[1]], &step);
            tile.begin(&now);
            for t in span.clone().rev() {
                let right = tile.step_back(t, &adjoint);
                if t + 1 == steps {
                    // What the last step leaves in the array that it reads is not overwritten any more.
                    let still = &adjoints[t % 2][elements.clone()][right.clone()];
                    add(tile.adjoints_mut(&right), still);
                }
                tile.add_to_ends(&mut *adjoints[t % 2]);
            }
            before[range.clone()].copy_from_slice(tile.adjoints_mut(&range));
        }
        std::mem::swap(&mut now, &mut before);
    }
    adjoints[0][elements.clone()].copy_from_slice(&now);
    adjoints[1][elements.clone()].fill(T::default());
    states[0][elements.clone()].copy_from_slice(&row);
    tape.pop_slice(site, &mut states[1][elements]);
}

fn add<T: Copy + AddAssign>(to: &mut [T], from: &[T]) {
    for (to, value) in to.iter_mut().zip(from) {
        *to += *value;
    }
}

/// The rows of a tile, each with what is around its cells.
struct Tile<'a, T> {
    cells: &'a Stencil,
    /// What it answers for, and the steps.
    range: Range<usize>,
    span: Range<usize>,
    /// The first cell in the rows.
    low: usize,
    width: usize,
    rows: Vec<T>,
    /// The adjoints of the cells after a step, and of all that it reads.
    after: Vec<T>,
    before: Vec<T>,
}

impl<'a, T: Copy + Default + AddAssign> Tile<'a, T> {
    fn new(cells: &'a Stencil) -> Self {
        let (n, reach, every) = (cells.n, cells.reach(), cells.every);
        let width = n.min(2 * cells.tile + 4 * every * reach) + cells.left + cells.right;
        Self {
            cells,
            range: 0..0,
            span: 0..0,
            low: 0,
            width,
            rows: vec![T::default(); width * every],
            after: vec![T::default(); width],
            before: vec![T::default(); width],
        }
    }

    fn place(&mut self, range: &Range<usize>, span: &Range<usize>) {
        (self.range, self.span) = (range.clone(), span.clone());
        self.low = self.right_before(span.start).start;
    }

    /// The cells whose values are right before step `t`.
    fn right_before(&self, t: usize) -> Range<usize> {
        let steps = 2 * self.span.len() - (t - self.span.start);
        self.cells.wider(&self.range, steps * self.cells.reach())
    }

    /// The cells whose adjoints are right before step `t`.
    fn right_adjoints(&self, t: usize) -> Range<usize> {
        let steps = t - self.span.start;
        self.cells.wider(&self.range, steps * self.cells.reach())
    }

    /// Where the cells stand in a row.
    fn at(&self, range: &Range<usize>) -> Range<usize> {
        let by = self.cells.left;
        range.start - self.low + by..range.end - self.low + by
    }

    /// Where they stand with what is around them.
    fn around(&self, range: &Range<usize>) -> Range<usize> {
        range.start - self.low..range.end - self.low + self.cells.left + self.cells.right
    }

    /// The steps of the tile from `row` on, but for the last one, whose result nothing needs.
    fn run_again(&mut self, row: &[T], states: [&[T]; 2], step: &impl Fn(&[T], usize, &mut [T])) {
        let cells = self.cells;
        for t in self.span.clone() {
            let right = self.right_before(t);
            let (at, around) = (self.at(&right), self.around(&right));
            let start = (t - self.span.start) * self.width;
            let (earlier, rows) = self.rows.split_at_mut(start);
            if t == self.span.start {
                rows[at].copy_from_slice(&row[right.clone()]);
            } else {
                let from = &earlier[start - self.width..][around.clone()];
                step(from, right.start, &mut rows[at]);
            }
            let state = states[t % 2];
            if right.start == 0 {
                let ends = &state[cells.first - cells.left..cells.first];
                rows[around.start..][..cells.left].copy_from_slice(ends);
            }
            if right.end == cells.n {
                let ends = &state[cells.first + cells.n..][..cells.right];
                rows[around.end - cells.right..around.end].copy_from_slice(ends);
            }
        }
    }

    /// The adjoints after the last step.
    fn begin(&mut self, now: &[T]) {
        let right = self.right_adjoints(self.span.end);
        let at = self.at(&right);
        self.after[at].copy_from_slice(&now[right]);
    }

    /// The adjoints before step `t`, and the cells whose adjoints are right then.
    fn step_back(
        &mut self,
        t: usize,
        adjoint: &impl Fn(&[T], usize, &[T], &mut [T]),
    ) -> Range<usize> {
        let next = self.right_adjoints(t + 1);
        let (at, around) = (self.at(&next), self.around(&next));
        let row = &self.rows[(t - self.span.start) * self.width..][around.clone()];
        adjoint(row, next.start, &self.after[at], &mut self.before[around]);
        std::mem::swap(&mut self.after, &mut self.before);
        self.right_adjoints(t)
    }

    fn adjoints_mut(&mut self, range: &Range<usize>) -> &mut [T] {
        let at = self.at(range);
        &mut self.after[at]
    }

    /// The adjoints of what is around all cells, if the tile answers for those next to it.
    fn add_to_ends(&self, adjoint: &mut [T]) {
        let cells = self.cells;
        let around = self.around(&self.range);
        if self.range.start == 0 {
            let ends = &mut adjoint[cells.first - cells.left..cells.first];
            add(ends, &self.after[around.start..]);
        }
        if self.range.end == cells.n {
            let ends = &mut adjoint[cells.first + cells.n..][..cells.right];
            add(ends, &self.after[around.end - cells.right..around.end]);
        }
    }
}

#[cfg(test)]
mod tests;
