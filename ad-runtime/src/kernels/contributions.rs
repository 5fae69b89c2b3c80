//! Contributions to adjoints, collected for a block of iterations before any is added.
//!
//! A reverse loop adds to several elements in each iteration, and to some of them again in the next: `x_bar[i]`,
//! `x_bar[i + 1]`. The compiler cannot vectorise that, as it must keep the order of the additions. The order of sums in
//! adjoints is free, so generated code computes the contributions of up to [`MAX_BLOCK`] iterations first, each kind of
//! element in a row of its own, and then adds row after row: only loops over slices that cannot overlap, which
//! vectorise.
//!
//! Where rows go to elements a fixed distance apart, as `x_bar[i - 1]`, `x_bar[i]` and `x_bar[i + 1]` are, one pass
//! adds all of them: an element gets entry `i` of the first row, entry `i - 1` of the second and entry `i - 2` of the
//! third ([`gather`]). What a block has left for elements behind its own stands in front of the rows of the next
//! ([`Contributions::carry`]). Contributions that cost no more than an entry of a row are computed in that pass, for
//! each element, and need no rows ([`gather_ends`] does so at both ends).

#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::ops::{AddAssign, Range, SubAssign};

/// How many iterations one block holds at most.
pub const MAX_BLOCK: usize = 64;

/// By how many elements a row can be shifted at most.
pub const MAX_SHIFT: usize = 8;

/// `K` rows of contributions.
#[derive(Debug)]
pub struct Contributions<T, const K: usize> {
    /// Entry `MAX_SHIFT + i` is that of iteration `i`.
    rows: [[MaybeUninit<T>; MAX_SHIFT + MAX_BLOCK]; K],
    /// The entries of so many iterations of each row are initialised.
    len: usize,
    /// And so many in front of them.
    front: usize,
}

impl<T: Copy, const K: usize> Contributions<T, K> {
    /// Empty rows.
    #[inline(always)]
    #[must_use]
    pub fn new() -> Self {
        Self {
            rows: [const { [const { MaybeUninit::uninit() }; MAX_SHIFT + MAX_BLOCK] }; K],
            len: 0,
            front: 0,
        }
    }

    /// Puts `F` zeros in front of the rows. In place, as rows are large.
    #[inline(always)]
    pub fn begin<const F: usize>(&mut self)
    where
        T: Default,
    {
        const { assert!(F <= MAX_SHIFT) };
        for row in &mut self.rows {
            for entry in &mut row[MAX_SHIFT - F..MAX_SHIFT] {
                entry.write(T::default());
            }
        }
        self.front = F;
    }

    /// Puts what `f` returns for the iterations `0..n`, of which there are at most [`MAX_BLOCK`], into the rows, in
    /// place of what is there.
    #[inline(always)]
    pub fn compute(&mut self, n: usize, mut f: impl FnMut(usize) -> [T; K]) {
        let n = n.min(MAX_BLOCK);
        self.len = 0; // `f` may panic
        for iteration in 0..n {
            let values = f(iteration);
            for (k, row) in self.rows.iter_mut().enumerate() {
                row[MAX_SHIFT + iteration].write(values[k]);
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
        self.entries(k, 0, self.len)
    }

    /// Puts the last `F` entries of these rows in front of them, for the next block.
    #[inline(always)]
    pub fn carry<const F: usize, const G: usize>(&mut self, rows: [usize; G]) {
        assert!(F <= self.front, "entries that a row has");
        for k in rows {
            let row = &mut self.rows[k];
            let mut last = [MaybeUninit::uninit(); F];
            last.copy_from_slice(&row[MAX_SHIFT + self.len - F..][..F]);
            row[MAX_SHIFT - F..MAX_SHIFT].copy_from_slice(&last);
        }
    }
}

impl<T: Copy, const K: usize> Default for Contributions<T, K> {
    fn default() -> Self {
        Self::new()
    }
}

/// Rows of which one pass adds entries that lie fixed distances apart.
pub trait Shifted<T> {
    /// How many iterations have entries.
    fn iterations(&self) -> usize;

    /// `n` entries of row `k`, from `by` in front of the first iteration's on.
    ///
    /// # Panics
    ///
    /// If the row has not all of them.
    fn entries(&self, k: usize, by: usize, n: usize) -> &[T];
}

impl<T, const K: usize> Shifted<T> for Contributions<T, K> {
    #[inline(always)]
    fn iterations(&self) -> usize {
        self.len
    }

    #[inline(always)]
    fn entries(&self, k: usize, by: usize, n: usize) -> &[T] {
        assert!(
            by <= self.front && n <= by + self.len,
            "entries that a row has"
        );
        let row = &self.rows[k][MAX_SHIFT - by..][..n];
        // SAFETY: `begin` has written the `front` entries in front of the first iteration, `carry` copies initialised
        // ones there, and `compute` has written those of the first `len` iterations, of every row; `MaybeUninit<T>` has
        // the layout of `T`.
        unsafe { &*(std::ptr::from_ref(row) as *const [T]) }
    }
}

/// A row, by how much it is shifted, and whether it is subtracted.
type Term = (usize, usize, bool);

/// `to[i] += row[i - shift]` for all of the rows, where what is in front of a row comes from the block before.
#[inline(always)]
pub fn gather<T, R: Shifted<T>, const G: usize>(to: &mut [T], from: &R, terms: [Term; G])
where
    T: Copy + AddAssign + SubAssign,
{
    gather_onto(to, from, terms, |to| to);
}

/// The same as if `to` were zero before, whatever it holds.
#[inline(always)]
pub fn gather_anew<T, R: Shifted<T>, const G: usize>(to: &mut [T], from: &R, terms: [Term; G])
where
    T: Copy + Default + AddAssign + SubAssign,
{
    gather_onto(to, from, terms, |_| T::default());
}

#[inline(always)]
fn gather_onto<T, R: Shifted<T>, const G: usize>(
    to: &mut [T],
    from: &R,
    terms: [Term; G],
    before: impl Fn(T) -> T,
) where
    T: Copy + AddAssign + SubAssign,
{
    let n = to.len().min(from.iterations());
    let mut rows: [&[T]; G] = [&[]; G];
    for (term, row) in rows.iter_mut().enumerate() {
        *row = from.entries(terms[term].0, terms[term].1, n);
    }
    for (i, to) in to[..n].iter_mut().enumerate() {
        let mut sum = before(*to);
        for (term, row) in rows.iter().enumerate() {
            if terms[term].2 {
                sum -= row[i];
            } else {
                sum += row[i];
            }
        }
        *to = sum;
    }
}

/// What is left in front of the rows after the last block, for the elements behind.
#[inline(always)]
pub fn gather_rest<T, R: Shifted<T>, const G: usize>(to: &mut [T], from: &R, terms: [Term; G])
where
    T: Copy + AddAssign + SubAssign,
{
    for (k, shift, minus) in terms {
        let front = from.entries(k, shift, shift);
        for (to, value) in to.iter_mut().zip(front) {
            if minus {
                *to -= *value;
            } else {
                *to += *value;
            }
        }
    }
}

/// `to[i] += f(i - shift)[row]` for the elements given, without rows: where there is such an iteration, of `n`. For the
/// first and the last elements, which some of the iterations do not reach.
#[inline]
pub fn gather_ends<T, const K: usize, const G: usize>(
    to: &mut [T],
    elements: Range<usize>,
    n: usize,
    terms: [Term; G],
    mut f: impl FnMut(usize) -> [T; K],
) where
    T: Copy + AddAssign + SubAssign,
{
    for i in elements {
        for (row, shift, minus) in terms {
            let Some(iteration) = i.checked_sub(shift).filter(|iteration| *iteration < n) else {
                continue;
            };
            let value = f(iteration)[row];
            if minus {
                to[i] -= value;
            } else {
                to[i] += value;
            }
        }
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

/// In fours, as many rows are short: the compiler would vectorise for long ones and leave short ones to its remainder
/// loop.
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

/// Elements that compute what they get are done for a block of so many before the iterations do what else they do,
/// which should find the same elements in the first-level cache.
pub const AHEAD: usize = 1024;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_hold_what_was_computed() {
        let mut rows = Contributions::<f64, 2>::new();
        assert!(rows.row(0).is_empty());
        rows.compute(3, |l| [l as f64, -(l as f64)]);
        assert_eq!(rows.row(0), [0.0, 1.0, 2.0]);
        let mut to = [1.0; 3];
        add_row(&mut to, rows.row(0));
        sub_row(&mut to, rows.row(1));
        assert_eq!(to, [1.0, 3.0, 5.0]);
        rows.compute(1000, |_| [1.0, 2.0]);
        assert_eq!(rows.row(1), [2.0; MAX_BLOCK]);
    }

    /// Blocks of all lengths, against sums one by one.
    #[test]
    fn gathering_adds_what_rows_would() {
        for n in (0..10).chain([63, 64, 65, 127, 128, 129, 200]) {
            for block in [1, 2, 5, MAX_BLOCK] {
                let value = |k: usize, i: usize| (7 * i + 100 * k) as f64;
                let terms = [(0, 0, false), (2, 1, true), (1, 3, false), (3, 8, false)];
                let mut want = vec![1.0; n + 8];
                for (k, shift, minus) in terms {
                    for i in 0..n {
                        want[i + shift] += if minus { -value(k, i) } else { value(k, i) };
                    }
                }
                let mut to = vec![1.0; n + 8];
                let mut rows = Contributions::<f64, 4>::new();
                rows.begin::<8>();
                let mut done = 0;
                while done < n {
                    let m = block.min(n - done);
                    rows.compute(m, |l| [0, 1, 2, 3].map(|k| value(k, done + l)));
                    gather(&mut to[done..][..m], &rows, terms);
                    rows.carry::<8, _>([1, 2, 3]);
                    done += m;
                }
                gather_rest(&mut to[n..], &rows, terms);
                assert_eq!(to, want, "{n} {block}");
            }
        }
    }

    /// The ends alone, if they meet, are all of it.
    #[test]
    fn ends_get_what_there_is() {
        for n in 0..20 {
            let f = |iteration: usize| {
                assert!(iteration < n);
                [10.0 + iteration as f64, 100.0 * iteration as f64]
            };
            let mut want = vec![1.0; n + 3];
            let mut to = want.clone();
            for iteration in 0..n {
                want[iteration] += f(iteration)[1];
                want[iteration + 3] -= f(iteration)[0];
            }
            let terms = [(1, 0, false), (0, 3, true)];
            gather_ends(&mut to, 0..n / 2, n, terms, f);
            gather_ends(&mut to, n / 2..n + 3, n, terms, f);
            assert_eq!(to, want, "{n}");
        }
    }

    #[test]
    #[should_panic(expected = "entries that a row has")]
    fn nothing_is_read_in_front_of_the_front() {
        let mut rows = Contributions::<f64, 1>::new();
        rows.begin::<2>();
        rows.compute(5, |_| [1.0]);
        gather(&mut [0.0; 5], &rows, [(0, 3, false)]);
    }

    #[test]
    fn a_panic_leaves_empty_rows() {
        let mut rows = Contributions::<f64, 1>::new();
        rows.compute(5, |_| [1.0]);
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            rows.compute(5, |l| {
                if l < 3 {
                    [2.0]
                } else {
                    panic!("in the middle")
                }
            });
        }));
        assert!(panicked.is_err());
        assert!(rows.row(0).is_empty());
    }
}
