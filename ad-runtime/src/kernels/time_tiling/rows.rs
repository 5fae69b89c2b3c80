//! Time loops whose rows all lie on the tape, where they are computed.
//!
//! A row is held with what is around its cells, so that a step goes from one row on the tape to the next. Some rows lie
//! side by side, in one item; the first of them is copied from the array, and the last step goes to the array again.

use std::ops::AddAssign;

use super::{Stencil, add};
use crate::record::Record;
use crate::tape::{Site, Tape};

/// The forward sweep, as [`forward_tiles`](super::forward_tiles); `together`: how many rows lie side by side.
#[inline(always)]
pub(super) fn keep<T: Record + Copy + Default>(
    tape: &mut Tape,
    site: Site<T>,
    [mut from, mut to]: [&mut [T]; 2],
    cells: &Stencil,
    (steps, together): (usize, usize),
    step: impl Fn(&[T], usize, &mut [T]),
) {
    let width = cells.around().len();
    tape.push_slice(site, &to[cells.elements()]);
    let mut left = steps;
    while left > 0 {
        let rows = left.min(together);
        let mut tile = tape.push_tile(site, rows * width);
        let mut run = |kept: &mut [T]| {
            compute(kept, [&mut *from, &mut *to], cells, &step);
            if rows == left && rows > 1 {
                // What the array held that the last step would have read.
                let before = if rows % 2 == 0 { &mut *to } else { &mut *from };
                let last = &kept[(rows - 1) * width + cells.left..][..cells.n];
                before[cells.elements()].copy_from_slice(last);
            }
        };
        if let Some(kept) = tile.as_slice_mut() {
            run(kept);
        } else {
            let mut kept = vec![T::default(); rows * width];
            run(&mut kept);
            for (i, value) in kept.into_iter().enumerate() {
                tile.set(i, value);
            }
        }
        if rows % 2 == 1 {
            std::mem::swap(&mut from, &mut to);
        }
        left -= rows;
    }
}

/// Fills rows, the first from the array `from`; what the last step computes goes to the array in which it would be.
#[inline(always)]
fn compute<T: Copy>(
    kept: &mut [T],
    arrays: [&mut [T]; 2],
    cells: &Stencil,
    step: &impl Fn(&[T], usize, &mut [T]),
) {
    let (elements, around) = (cells.elements(), cells.around());
    let (width, left, right) = (around.len(), cells.left, cells.right);
    let [from, to] = arrays;
    kept[..width].copy_from_slice(&from[around.clone()]);
    let rows = kept.len() / width;
    for k in 1..rows {
        let (earlier, row) = kept.split_at_mut(k * width);
        let row = &mut row[..width];
        step(&earlier[(k - 1) * width..], 0, &mut row[left..][..cells.n]);
        let ends = if k % 2 == 0 { &*from } else { &*to };
        row[..left].copy_from_slice(&ends[around.start..elements.start]);
        row[width - right..].copy_from_slice(&ends[elements.end..around.end]);
    }
    let after = if rows.is_multiple_of(2) { from } else { to };
    step(&kept[(rows - 1) * width..], 0, &mut after[elements]);
}

/// The reverse sweep, as [`reverse_tiles`](super::reverse_tiles).
#[inline(always)]
pub(super) fn reverse<T: Record + Copy + Default + AddAssign>(
    tape: &mut Tape,
    site: Site<T>,
    [states, adjoints]: [[&mut [T]; 2]; 2],
    cells: &Stencil,
    (steps, together): (usize, usize),
    adjoint: impl Fn(&[T], usize, &[T], &mut [T]),
) {
    let (elements, around) = (cells.elements(), cells.around());
    let width = around.len();
    let inner = cells.left..cells.left + cells.n;
    let mut after = vec![T::default(); width];
    let mut before = after.clone();
    after[inner.clone()].copy_from_slice(&adjoints[steps % 2][elements.clone()]);
    let mut done = steps;
    while done > 0 {
        let first = (done - 1) / together * together;
        let rows = done - first;
        let tile = tape.pop_tile(site, rows * width);
        let copy: Vec<T>;
        let kept = match tile.as_slice() {
            Some(kept) => kept,
            None => {
                copy = (0..rows * width).map(|i| tile.get(i)).collect();
                &copy
            }
        };
        for k in (0..rows).rev() {
            let row = &kept[k * width..][..width];
            adjoint(row, 0, &after[inner.clone()], &mut before);
            let still = &mut *adjoints[(first + k) % 2];
            if first + k + 1 == steps {
                // What the last step leaves in the array that it reads is not overwritten any more.
                add(&mut before[inner.clone()], &still[elements.clone()]);
            }
            add(&mut still[around.start..elements.start], &before);
            add(&mut still[elements.end..around.end], &before[inner.end..]);
            std::mem::swap(&mut after, &mut before);
        }
        if first == 0 {
            states[0][elements.clone()].copy_from_slice(&kept[inner.clone()]);
        }
        done = first;
    }
    adjoints[0][elements.clone()].copy_from_slice(&after[inner]);
    adjoints[1][elements.clone()].fill(T::default());
    tape.pop_slice(site, &mut states[1][elements]);
}
