//! Filters: loops over a window around the loop over a row, which change places in the reverse sweep; sums in partial
//! sums.

use crate::twins::{agree, both, numbers, twins};

const K: usize = 5;
const LOW: usize = 3;

twins! {
    /// applied `reslice`, `lanes`
    pub(super) fn filter(w: &[f64], x: &[f64], y: &[f64], rows: usize, n: usize) -> f64 {
        let mut s = 0.0;
        for row in 0..rows {
            for a in 0..K {
                for b in 0..LOW {
                    let weight = w[a * LOW + b];
                    for i in 0..n {
                        s += weight * y[row * n + i] * x[(row + a) * (n + LOW) + b + i];
                    }
                }
            }
        }
        s
    }

    /// The window turned round, and an element that all runs add to.
    ///
    /// applied `reslice`, `lanes`
    pub(super) fn turned(w: &[f64], x: &[f64], y: &[f64], rows: usize, n: usize) -> f64 {
        let mut s = 0.0;
        for row in 0..rows {
            for a in 1..K {
                for b in 1..=LOW {
                    for i in 0..n {
                        let t = x[(row + a) * (n + LOW) + LOW - b + i] - y[row * n + i];
                        s += w[0] * t * t * w[a * LOW - b];
                    }
                }
            }
        }
        s
    }

    /// What iterations of the outer loop write, later ones read.
    ///
    /// applied `reslice`, `lanes`
    pub(super) fn carried(w: &[f64], x: &[f64], y: &[f64], rows: usize, n: usize) -> f64 {
        let mut t = vec![0.1; n + LOW];
        for row in 0..rows {
            for a in 0..K {
                for b in 0..LOW {
                    for i in 0..n {
                        t[i + b] += (t[i + b] * w[a]).sin() * x[a * n + b + i] + y[row * n + i];
                    }
                }
            }
        }
        let mut s = 0.0;
        for v in &t {
            s += v * v;
        }
        s
    }

    /// Several sums in one loop, one of them subtracted, one under a condition.
    ///
    /// applied `reslice`, `lanes`
    pub(super) fn totals(w: &[f64], x: &[f64], y: &[f64], rows: usize, n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..rows * n {
            s += w[0] * y[i] - w[1] * x[i];
            if x[i] > 0.0 {
                s += w[2] * x[i] * y[i];
            }
        }
        s
    }
}

macro_rules! compare {
    ($($test:ident $f:ident $g:ident;)*) => { $(
        #[test]
        fn $test() {
            for n in [0, 1, 2, 3, 7, 8, 9, 10, 15, 16, 17, 28, 31, 33, 63, 64, 65, 97] {
                for rows in [0, 1, 3] {
                    let (w, y) = (numbers(K * LOW, 1), numbers(rows * n, 2));
                    let x = numbers((rows + K) * (n + LOW), 3);
                    both!($f, $g, (&w, &x, &y, rows, n));
                }
            }
        }
    )* };
}

compare! {
    filters filter filter_grad;
    turned_filters turned turned_grad;
    what_goes_from_row_to_row carried carried_grad;
    sums_of_numbers totals totals_grad;
}

#[test]
fn a_short_array_panics_in_all() {
    let (w, y) = (numbers(K * LOW, 1), numbers(20, 2));
    for short in 0..26 {
        let x = numbers(26 + 4 * 13 - short, 3);
        both!(filter, filter_grad, (&w, &x, &y, 2, 10));
        both!(turned, turned_grad, (&w, &x, &y, 2, 10));
    }
}
