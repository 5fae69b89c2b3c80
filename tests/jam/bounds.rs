//! Ranges of the inner loop: what they depend on, when they are evaluated, and where they end.

use crate::twins::{agree, numbers, twins};
use crate::{INNER, OUTER, both};

twins! {
    /// The bound is a variable from outside that each iteration sets: seen in front of the loop, it has its first
    /// value.
    ///
    /// not applied `jam`
    pub(super) fn set_by_the_iteration(a: &[f64], x: &[f64], sizes: &[usize], first: usize) -> f64 {
        let mut total = 0.0;
        let mut m = first;
        for i in 0..sizes.len() {
            let mut s = a[i];
            m = sizes[i];
            for j in 0..m {
                s += a[j] * x[j];
            }
            total += s * s;
        }
        total
    }

    /// Set behind the inner loop, for the next iteration.
    ///
    /// not applied `jam`
    pub(super) fn set_for_the_next(a: &[f64], x: &[f64], sizes: &[usize], first: usize) -> f64 {
        let mut total = 0.0;
        let mut m = first;
        for i in 0..sizes.len() {
            let mut s = a[i];
            for j in 0..m {
                s += a[j] * x[j];
            }
            total += s * s;
            m = sizes[i];
        }
        total
    }

    /// The bound is an element of an array that the loop writes.
    ///
    /// not applied `jam`
    pub(super) fn element_that_is_written(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut sizes = vec![m; n + 1];
        let mut total = 0.0;
        for i in 0..n {
            let mut s = a[i];
            sizes[i] = m / 2;
            for j in 0..sizes[0] {
                s += a[j] * x[j];
            }
            total += s * s;
        }
        total
    }

    /// A bound that cannot be evaluated, in a loop that does not run: only an iteration may look at it.
    ///
    /// not applied `jam`
    pub(super) fn bound_of_no_iteration(a: &[f64], x: &[f64], sizes: &[usize], n: usize) -> f64 {
        let mut total = 1.0;
        for i in 0..n {
            let mut s = a[i];
            for j in 0..sizes[3] - 1 {
                s += a[j] * x[j];
            }
            total += s * s;
        }
        total
    }

    /// The same with a division.
    ///
    /// not applied `jam`
    pub(super) fn quotient_of_no_iteration(a: &[f64], x: &[f64], k: usize, n: usize) -> f64 {
        let mut total = 1.0;
        for i in 0..n {
            let mut s = a[i];
            for j in 0..100 / k {
                s += a[j] * x[j];
            }
            total += s * s;
        }
        total
    }

    /// Depends on the counter of the outer loop.
    ///
    /// not applied `jam`
    pub(super) fn triangle(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut total = 0.0;
        for i in 0..n {
            let mut s = a[i];
            for j in i..i + m {
                s += a[j] * x[j];
            }
            total += s * s * (i as f64 + 1.0);
        }
        total
    }

    /// How many trips an inclusive range has is not the difference of its bounds.
    ///
    /// applied `jam`, `terms`
    pub(super) fn inclusive(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut total = 0.0;
        for i in 1..=n {
            let mut s = 0.25;
            for j in 1..=m {
                s += a[(i - 1) * m + (j - 1)] * x[j - 1];
            }
            total += s * s * s;
        }
        total
    }

    /// Both ranges end at the largest number; the second numbers of the sums would overflow.
    ///
    /// applied `jam`
    pub(super) fn at_the_end(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let top = usize::MAX - n;
        let left = usize::MAX - m;
        let end = usize::MAX;
        let mut total = 0.0;
        for i in top..=end {
            let mut s = 0.25;
            for j in left..=end {
                s += a[i - top] * x[j - left];
            }
            total += s * s;
        }
        total
    }

    /// Counters that do not begin at zero, so that the number of an iteration is not its counter; and ranges that end
    /// before they begin.
    ///
    /// applied `jam`, `terms`
    pub(super) fn rows_that_begin_late(a: &[f64], x: &[f64], from: usize, n: usize, m: usize) -> f64 {
        let mut total = 0.0;
        for i in from..n {
            let mut s = 0.25;
            for j in from..m {
                s += a[(i - from) * m + (j - from)] * x[j];
            }
            total += (s * 0.01).exp();
        }
        total
    }

    /// Part of the index overflows in the last columns alone: above them with a large `shift`, below zero with a small
    /// one.
    ///
    /// applied `jam`
    pub(super) fn overflows_at_the_end(a: &[f64], x: &[f64], n: usize, m: usize, shift: usize) -> f64 {
        let mut y = vec![0.5; m];
        for i in 0..n {
            for j in 0..m {
                y[j] += a[i * m + ((shift + j) - shift)] * x[j];
                y[j] += a[i * m + (shift - (shift - j))] * x[j];
            }
        }
        let mut total = 0.0;
        for j in 0..m {
            total += y[j] * y[j];
        }
        total
    }
}

#[test]
fn what_the_inner_range_depends_on() {
    for n in OUTER {
        let (a, x) = (numbers(300, 1), numbers(300, 2));
        for first in [0, 60, 100] {
            let sizes: Vec<usize> = (0..n).map(|i| (i * 37) % 130).collect();
            both!(
                set_by_the_iteration,
                set_by_the_iteration_grad,
                &a,
                &x,
                &sizes,
                first
            );
            both!(
                set_for_the_next,
                set_for_the_next_grad,
                &a,
                &x,
                &sizes,
                first
            );
        }
        for m in INNER {
            both!(
                element_that_is_written,
                element_that_is_written_grad,
                &a,
                &x,
                n,
                m
            );
            both!(triangle, triangle_grad, &a, &x, n, m);
        }
    }
}

#[test]
fn what_no_iteration_looks_at() {
    let (a, x) = (numbers(200, 1), numbers(200, 2));
    for n in OUTER {
        for sizes in [&[][..], &[0; 4], &[101; 4]] {
            both!(
                bound_of_no_iteration,
                bound_of_no_iteration_grad,
                &a,
                &x,
                sizes,
                n
            );
        }
        for k in [0, 1, 3] {
            both!(
                quotient_of_no_iteration,
                quotient_of_no_iteration_grad,
                &a,
                &x,
                k,
                n
            );
        }
    }
}

#[test]
fn where_ranges_begin_and_end() {
    for n in OUTER {
        for m in INNER {
            let (a, x) = (numbers(n * m, 1), numbers(m, 2));
            both!(inclusive, inclusive_grad, &a, &x, n, m);
            let (b, y) = (numbers(n + 1, 1), numbers(m + 1, 2));
            both!(at_the_end, at_the_end_grad, &b, &y, n, m);
            for from in [0, 1, 3, 40] {
                both!(
                    rows_that_begin_late,
                    rows_that_begin_late_grad,
                    &a,
                    &x,
                    from,
                    n,
                    m
                );
            }
        }
    }
}

#[test]
fn overflow_in_the_last_columns() {
    for n in OUTER {
        for m in INNER {
            let (a, x) = (numbers(n * m, 1), numbers(m, 2));
            for shift in [0, m / 2, m, usize::MAX - m, usize::MAX - m / 2, usize::MAX] {
                both!(
                    overflows_at_the_end,
                    overflows_at_the_end_grad,
                    &a,
                    &x,
                    n,
                    m,
                    shift
                );
            }
        }
    }
}
