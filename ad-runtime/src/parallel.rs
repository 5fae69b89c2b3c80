//! What generated code calls for parallel loops: dividing the iterations and the arrays, and running the workers.

use std::ops::{Index, IndexMut, Range};

use rayon::prelude::*;

use crate::tape::{Tape, TapeError, catch_tape_error, fail};

/// How many workers the iterations `lo..hi` are divided among: the threads of the current pool of rayon, but not more
/// than there are iterations.
#[must_use]
pub fn workers(lo: usize, hi: usize) -> usize {
    rayon::current_num_threads().min(hi.saturating_sub(lo))
}

/// The iterations of each worker, in order. Their numbers differ by one at most.
pub fn ranges(range: Range<usize>, workers: usize) -> impl Iterator<Item = Range<usize>> {
    let trips = range.end.saturating_sub(range.start);
    // Written so that nothing overflows.
    let (each, more) = (trips / workers.max(1), trips % workers.max(1));
    let start = move |k: usize| range.start + k * each + k.min(more);
    (0..workers).map(move |k| start(k)..start(k + 1))
}

/// The elements of `items` that belong to each worker, if `size` of them belong to each iteration. Where `items` is too
/// short, some workers have fewer or none, and touching what they do not have panics.
pub fn split<T>(
    items: &mut [T],
    size: usize,
    range: Range<usize>,
    workers: usize,
) -> impl Iterator<Item = Part<'_, T>> {
    let mut rest = items;
    let mut passed = 0;
    ranges(range, workers).map(move |own| {
        let bound = |i: usize| i.saturating_mul(size);
        let all = std::mem::take(&mut rest);
        let skip = bound(own.start).saturating_sub(passed).min(all.len());
        let (_, all) = all.split_at_mut(skip);
        let start = bound(own.start);
        let take = bound(own.end).saturating_sub(start).min(all.len());
        let (items, later) = all.split_at_mut(take);
        rest = later;
        passed = start + take;
        Part { items, start }
    })
}

/// Runs each worker on its child tape; the results in order.
///
/// # Panics
///
/// If a worker does.
pub fn run<W: Send, R: Send>(
    tapes: &mut [Tape],
    work: impl Iterator<Item = W>,
    worker: impl Fn(&mut Tape, W) -> R + Sync,
) -> Vec<R> {
    let work: Vec<W> = work.collect();
    let done: Result<Vec<R>, TapeError> = tapes
        .par_iter_mut()
        .zip(work)
        .with_max_len(1)
        .map(|(tape, work)| catch_tape_error(|| worker(tape, work)))
        .collect();
    // The caller's thread knows whether an error is asked for, or a panic.
    done.unwrap_or_else(|error| fail(error))
}

/// A part of an array, addressed by the indices of the whole.
#[derive(Debug)]
pub struct Part<'a, T> {
    items: &'a mut [T],
    start: usize,
}

impl<T> Index<usize> for Part<'_, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, i: usize) -> &T {
        match self.items.get(i.wrapping_sub(self.start)) {
            Some(item) => item,
            None => self.missing(i),
        }
    }
}

impl<T> IndexMut<usize> for Part<'_, T> {
    #[inline(always)]
    fn index_mut(&mut self, i: usize) -> &mut T {
        let k = i.wrapping_sub(self.start);
        if k >= self.items.len() {
            self.missing(i);
        }
        &mut self.items[k]
    }
}

impl<T> Index<Range<usize>> for Part<'_, T> {
    type Output = [T];

    #[inline(always)]
    fn index(&self, range: Range<usize>) -> &[T] {
        let own = self.own(&range);
        &self.items[own]
    }
}

impl<T> IndexMut<Range<usize>> for Part<'_, T> {
    #[inline(always)]
    fn index_mut(&mut self, range: Range<usize>) -> &mut [T] {
        let own = self.own(&range);
        &mut self.items[own]
    }
}

impl<T> Part<'_, T> {
    /// As `slice::swap`.
    ///
    /// # Panics
    ///
    /// If one of the elements is not of this part.
    #[inline(always)]
    pub fn swap(&mut self, i: usize, j: usize) {
        let [i, j] = [i, j].map(|i| {
            let own = self.own(&(i..i.wrapping_add(1)));
            own.start
        });
        self.items.swap(i, j);
    }

    #[inline(always)]
    fn own(&self, range: &Range<usize>) -> Range<usize> {
        let own = range.start.wrapping_sub(self.start)..range.end.wrapping_sub(self.start);
        if own.start > own.end || own.end > self.items.len() {
            self.missing(range.end);
        }
        own
    }

    #[cold]
    #[inline(never)]
    fn missing(&self, i: usize) -> ! {
        panic!(
            "index out of bounds: the index is {i}, but this worker has {}..{}",
            self.start,
            self.start + self.items.len()
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cover_the_loop_in_order() {
        for (lo, hi) in [
            (0, 0),
            (0, 1),
            (3, 20),
            (5, 2),
            (usize::MAX - 7, usize::MAX),
        ] {
            for count in 0..5 {
                let parts: Vec<_> = ranges(lo..hi, count).collect();
                assert_eq!(parts.len(), count);
                let all: Vec<usize> = parts.into_iter().flatten().collect();
                let want: Vec<usize> = if count == 0 {
                    vec![]
                } else {
                    (lo..hi).collect()
                };
                assert_eq!(all, want);
            }
        }
    }

    #[test]
    fn parts_are_those_of_the_iterations() {
        let mut items: Vec<usize> = (0..30).collect();
        for (lo, hi) in [(0, 10), (2, 9), (4, 4), (5, 2), (8, 14), (40, 50)] {
            for workers in 0..4 {
                let each: Vec<_> = ranges(lo..hi, workers).collect();
                for (mut part, own) in split(&mut items, 3, lo..hi, workers).zip(each) {
                    for i in own.filter(|i| 3 * i + 3 <= 30) {
                        assert_eq!(part[3 * i + 1], 3 * i + 1);
                        assert_eq!(part[3 * i..3 * (i + 1)], [3 * i, 3 * i + 1, 3 * i + 2]);
                        part[3 * i] += 0;
                    }
                }
            }
        }
        let outside = std::panic::catch_unwind(move || {
            let part = split(&mut items, 3, 0..10, 2).nth(1);
            part.map(|part| part[0])
        });
        assert!(outside.is_err());
    }
}
