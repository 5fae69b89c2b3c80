//! Contributions to adjoints of a block of iterations whose length the compiler knows.
//!
//! Where an iteration runs forward and in reverse at once, the sum of the value takes its terms one by one and waits
//! for each addition. Meanwhile a processor runs the vectors of the next blocks, if it sees that far ahead: so blocks
//! are short, and loops over them have no length to find out. The iterations that are left after the last whole block
//! run as they are written.

use super::contributions::{MAX_SHIFT, Shifted};

/// `K` rows of contributions, of one block of `N - MAX_SHIFT` iterations.
#[derive(Debug)]
pub struct ContributionRows<T, const K: usize, const N: usize> {
    /// Entry `MAX_SHIFT + i` is that of iteration `i`. Those in front are of the block before.
    rows: [[T; N]; K],
}

impl<T: Copy + Default, const K: usize, const N: usize> ContributionRows<T, K, N> {
    /// How many iterations a block has.
    const ITERATIONS: usize = N - MAX_SHIFT;

    /// Rows of zeros.
    #[inline(always)]
    #[must_use]
    pub fn new() -> Self {
        Self {
            rows: [[T::default(); N]; K],
        }
    }

    /// Puts what `f` returns for the iterations into the rows, in place of what is there.
    #[inline(always)]
    pub fn compute(&mut self, mut f: impl FnMut(usize) -> [T; K]) {
        for iteration in 0..Self::ITERATIONS {
            let values = f(iteration);
            for (k, row) in self.rows.iter_mut().enumerate() {
                row[MAX_SHIFT + iteration] = values[k];
            }
        }
    }

    /// A row.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[inline(always)]
    #[must_use]
    pub fn row(&self, k: usize) -> &[T] {
        &self.rows[k][MAX_SHIFT..]
    }

    /// Puts the last `F` entries of these rows in front of them, for the next block.
    #[inline(always)]
    pub fn carry<const F: usize, const G: usize>(&mut self, rows: [usize; G]) {
        const { assert!(F <= MAX_SHIFT && F <= Self::ITERATIONS) };
        for k in rows {
            self.rows[k].copy_within(N - F.., MAX_SHIFT - F);
        }
    }
}

impl<T: Copy + Default, const K: usize, const N: usize> Default for ContributionRows<T, K, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Copy, const K: usize, const N: usize> Shifted<T> for ContributionRows<T, K, N> {
    #[inline(always)]
    fn iterations(&self) -> usize {
        N - MAX_SHIFT
    }

    #[inline(always)]
    fn entries(&self, k: usize, by: usize, n: usize) -> &[T] {
        assert!(by <= MAX_SHIFT, "entries that a row has");
        &self.rows[k][MAX_SHIFT - by..][..n]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::contributions::{gather, gather_rest};

    const BLOCK: usize = 16;
    const N: usize = MAX_SHIFT + BLOCK;

    #[test]
    fn rows_hold_what_was_computed() {
        let mut rows = ContributionRows::<f64, 2, N>::new();
        assert_eq!(rows.row(1), [0.0; BLOCK]);
        rows.compute(|l| [l as f64, -(l as f64)]);
        let want: Vec<f64> = (0..BLOCK).map(|l| l as f64).collect();
        assert_eq!(rows.row(0), want);
        assert_eq!(rows.row(1)[5], -5.0);
    }

    /// Some blocks, against sums one by one.
    #[test]
    fn gathering_adds_what_rows_would() {
        for blocks in 0..4 {
            let n = blocks * BLOCK;
            let value = |k: usize, i: usize| (7 * i + 100 * k) as f64;
            let terms = [(0, 0, false), (2, 1, true), (1, 3, false), (3, 8, false)];
            let mut want = vec![1.0; n + 8];
            for (k, shift, minus) in terms {
                for i in 0..n {
                    want[i + shift] += if minus { -value(k, i) } else { value(k, i) };
                }
            }
            let mut to = vec![1.0; n + 8];
            let mut rows = ContributionRows::<f64, 4, N>::new();
            for done in (0..n).step_by(BLOCK) {
                rows.compute(|l| [0, 1, 2, 3].map(|k| value(k, done + l)));
                gather(&mut to[done..][..BLOCK], &rows, terms);
                rows.carry::<8, _>([1, 2, 3]);
            }
            gather_rest(&mut to[n..], &rows, terms);
            assert_eq!(to, want, "{n}");
        }
    }

    #[test]
    #[should_panic(expected = "entries that a row has")]
    fn nothing_is_read_in_front_of_the_front() {
        let rows = ContributionRows::<f64, 1, N>::new();
        gather(&mut [0.0; 5], &rows, [(0, MAX_SHIFT + 1, false)]);
    }
}
