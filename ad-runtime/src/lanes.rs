//! Contributions to adjoints, collected for a block of iterations before any is added.
//!
//! A reverse loop adds to several elements in each iteration, and to some of them again in the next: `x_bar[i]`,
//! `x_bar[i + 1]`. The compiler cannot vectorise that, as it must keep the order of the additions. The order of sums in
//! adjoints is free, so generated code computes the contributions of up to [`LANES`] iterations first, each kind of element in a row of its own,
//! and then adds row after row: only loops over slices that cannot overlap, which vectorise.

#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::ops::{Add, AddAssign, SubAssign};

/// How many iterations one block holds at most.
pub const LANES: usize = 64;

/// `K` rows of contributions.
#[derive(Debug)]
pub struct Lanes<T, const K: usize> {
    rows: [[MaybeUninit<T>; LANES]; K],
    /// So many entries of each row are initialised.
    len: usize,
}

impl<T: Copy, const K: usize> Lanes<T, K> {
    /// Empty rows.
    #[inline(always)]
    #[must_use]
    pub fn new() -> Self {
        Self {
            rows: [const { [const { MaybeUninit::uninit() }; LANES] }; K],
            len: 0,
        }
    }

    /// Puts what `f` returns for the lanes `0..n`, of which there are at most [`LANES`], into the rows, in place of what is there.
    #[inline(always)]
    pub fn compute(&mut self, n: usize, mut f: impl FnMut(usize) -> [T; K]) {
        let n = n.min(LANES);
        self.len = 0; // `f` may panic
        for lane in 0..n {
            let values = f(lane);
            for (row, value) in self.rows.iter_mut().zip(values) {
                row[lane].write(value);
            }
        }
        self.len = n;
    }

    /// A row.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[inline(always)]
    #[must_use]
    pub fn row(&self, k: usize) -> &[T] {
        let row = &self.rows[k][..self.len];
        // SAFETY: `compute` has written the first `len` entries of every row, and `MaybeUninit<T>` has the layout of `T`.
        unsafe { &*(std::ptr::from_ref(row) as *const [T]) }
    }
}

impl<T: Copy, const K: usize> Default for Lanes<T, K> {
    fn default() -> Self {
        Self::new()
    }
}

/// `to[i] += row[i]`.
#[inline(always)]
pub fn add_row<T: Copy + AddAssign>(to: &mut [T], row: &[T]) {
    each_pair(to, row, |to, value| *to += value);
}

/// `to[i] -= row[i]`.
#[inline(always)]
pub fn sub_row<T: Copy + SubAssign>(to: &mut [T], row: &[T]) {
    each_pair(to, row, |to, value| *to -= value);
}

/// In fours, as many rows are short: the compiler would vectorise for long ones and leave short ones to its remainder loop.
#[inline(always)]
fn each_pair<T: Copy>(to: &mut [T], row: &[T], f: impl Fn(&mut T, T)) {
    let n = to.len().min(row.len());
    let (fours, rest) = to[..n].as_chunks_mut::<4>();
    let (row_fours, row_rest) = row[..n].as_chunks::<4>();
    for (to, row) in fours.iter_mut().zip(row_fours) {
        for (to, value) in to.iter_mut().zip(row) {
            f(to, *value);
        }
    }
    for (to, value) in rest.iter_mut().zip(row_rest) {
        f(to, *value);
    }
}

/// The sum of a row, in eight partial sums: for adjoints, where the order is free.
#[inline(always)]
#[must_use]
pub fn sum_row<T: Copy + Default + Add<Output = T> + AddAssign>(row: &[T]) -> T {
    let mut partial = [T::default(); PARTIAL];
    let (blocks, rest) = row.as_chunks::<PARTIAL>();
    for block in blocks {
        for (sum, value) in partial.iter_mut().zip(block) {
            *sum += *value;
        }
    }
    for (sum, value) in partial.iter_mut().zip(rest) {
        *sum += *value;
    }
    total(partial)
}

/// How many partial sums a sum in an adjoint has, where the order is free.
pub const PARTIAL: usize = 8;

/// The sum of partial sums. Written out, so that they stay in registers.
#[inline(always)]
#[must_use]
pub fn total<T: Copy + Add<Output = T>>([a, b, c, d, e, f, g, h]: [T; PARTIAL]) -> T {
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_hold_what_was_computed() {
        let mut lanes = Lanes::<f64, 2>::new();
        assert!(lanes.row(0).is_empty());
        lanes.compute(3, |l| [l as f64, -(l as f64)]);
        assert_eq!(lanes.row(0), [0.0, 1.0, 2.0]);
        let mut to = [1.0; 3];
        add_row(&mut to, lanes.row(0));
        sub_row(&mut to, lanes.row(1));
        assert_eq!(to, [1.0, 3.0, 5.0]);
        lanes.compute(1000, |_| [1.0, 2.0]);
        assert_eq!(lanes.row(1), [2.0; LANES]);
    }

    #[test]
    fn a_total_has_all_partial_sums() {
        let partial = std::array::from_fn(|k| f64::from(1 << k));
        assert_eq!(total(partial), 255.0);
    }

    #[test]
    fn a_panic_leaves_empty_rows() {
        let mut lanes = Lanes::<f64, 1>::new();
        lanes.compute(5, |_| [1.0]);
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            lanes.compute(5, |l| {
                if l < 3 {
                    [2.0]
                } else {
                    panic!("in the middle")
                }
            });
        }));
        assert!(panicked.is_err());
        assert!(lanes.row(0).is_empty());
    }

    #[test]
    fn sums_have_all_entries() {
        for n in 0..=LANES {
            let row: Vec<f64> = (0..n).map(|k| (1 << (k % 20)) as f64).collect();
            assert_eq!(sum_row(&row), row.iter().sum::<f64>(), "{n}");
        }
    }
}
