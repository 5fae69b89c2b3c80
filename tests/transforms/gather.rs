//! Sums in neighbouring elements that one pass adds: blocks of all lengths, ends of arrays, strides that only look
//! alike.

use crate::twins::{agree, both, numbers, outcome, twins};

/// Lengths around blocks, and the small ones.
const LENGTHS: [usize; 18] = [
    0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 97, 200,
];

twins! {
    /// Three points, added to and subtracted.
    ///
    /// applied `gather`
    pub(super) fn three(x: &[f64], w: f64) -> f64 {
        let mut y = x.to_vec();
        for i in 1..x.len() - 1 {
            y[i] = w * x[i - 1] * x[i] - x[i + 1] * x[i];
        }
        let mut s = 0.0;
        for v in &y { s += v * v; }
        s
    }

    /// Eight elements apart is near, nine is not; the two at the far end stay alone.
    ///
    /// applied `gather`
    pub(super) fn wide(x: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            s += x[i] * x[i + 3] * x[i + 8] + x[i + 9] * x[i + 20] * x[i];
        }
        s
    }

    /// One row goes to two arrays, and to three elements of each.
    ///
    /// applied `gather`
    pub(super) fn shared(x: &[f64], y: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 2..x.len() {
            let t = x[i] + y[i] + x[i - 1] - y[i - 1] + x[i - 2] + y[i - 2];
            s += t * t * t;
        }
        s
    }

    /// Distances that only the call knows stay with rows of their own.
    ///
    /// applied `gather`
    pub(super) fn planes(x: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                let p = i * n + j;
                let t = x[p - n] + x[p + n] + x[p - 1] * x[p + 1] - 4.0 * x[p];
                s += t * t * x[p];
            }
        }
        s
    }

    /// Contributions under a condition, recorded iteration by iteration.
    ///
    /// applied `gather`
    pub(super) fn least(x: &[f64], rows: usize) -> f64 {
        let n = x.len();
        let (mut above, mut here) = (x.to_vec(), vec![0.0; n]);
        for i in 0..rows {
            for j in 1..n - 1 {
                let mut least = above[j];
                if above[j - 1] < least { least = above[j - 1]; }
                if above[j + 1] < least { least = above[j + 1]; }
                here[j] = x[j] * least;
            }
            std::mem::swap(&mut above, &mut here);
        }
        let mut s = 0.0;
        for v in &above { s += v * v; }
        s
    }

    /// A condition with contributions to one element in both arms, and behind it.
    ///
    /// applied `gather`
    pub(super) fn arms(x: &[f64], limit: f64) -> f64 {
        let mut s = 0.0;
        for i in 1..x.len() - 1 {
            if x[i] > limit {
                s += x[i - 1] * x[i];
            } else {
                s -= x[i - 1] * x[i + 1];
            }
            s += x[i - 1] * x[i] * x[i + 1];
        }
        s
    }

    /// The last iterations find no element.
    ///
    /// applied `gather`
    pub(super) fn beyond(x: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            s += x[i] * x[i + 1] * x[i + 2];
        }
        s
    }

    /// applied `gather`
    pub(super) fn single(x: &[f32]) -> f32 {
        let mut s = 0.0;
        for i in 1..x.len() - 1 {
            s += x[i - 1] * x[i] * x[i + 1];
        }
        s
    }
}

#[test]
fn one_pass_adds_what_several_would() {
    for n in LENGTHS {
        let (x, y) = (numbers(n, 1), numbers(n, 2));
        both!(three, three_grad, (&x, 0.7));
        both!(shared, shared_grad, (&x, &y));
        both!(arms, arms_grad, (&x, 0.1));
        both!(least, least_grad, (&x, 5));
        both!(wide, wide_grad, (&x, n.saturating_sub(20)));
        both!(wide, wide_grad, (&x, n.saturating_sub(19)));
        both!(beyond, beyond_grad, (&x, n.saturating_sub(2)));
        both!(beyond, beyond_grad, (&x, n.saturating_sub(1)));
    }
    for n in [2, 3, 4, 8, 10, 35, 67, 99] {
        let x = numbers(n * n, 3);
        both!(planes, planes_grad, (&x, n));
    }
}

/// The gradient of a sum of products of neighbours, by hand.
#[test]
fn products_of_neighbours() {
    for n in LENGTHS.into_iter().filter(|n| *n > 1) {
        let x: Vec<f32> = (0..n).map(|i| (i % 7) as f32 - 3.0).collect();
        let (value, g) = on::single_grad(&x);
        assert_eq!(value.to_bits(), on::single(&x).to_bits());
        let at = |i: usize| x.get(i).copied().unwrap_or(0.0);
        for i in 0..n {
            let left = if i > 1 { at(i - 1) * at(i - 2) } else { 0.0 };
            let around = if i > 0 { at(i - 1) * at(i + 1) } else { 0.0 };
            assert_eq!(g[i], left + around + at(i + 1) * at(i + 2), "{i} of {n}");
        }
    }
}

/// What is added to holds something before, and all of it is there afterwards.
#[test]
fn sums_begin_with_what_is_there() {
    for n in LENGTHS.into_iter().filter(|n| *n > 2) {
        let x = numbers(n, 4);
        let mut bars = [vec![1.0; n], vec![1.0; n]];
        let mut tape = retrograde::Tape::new();
        on::beyond_adjoint(&mut tape, &x, &mut bars[0], n - 2, 0.5);
        off::beyond_adjoint(&mut tape, &x, &mut bars[1], n - 2, 0.5);
        crate::twins::near(&bars[0], &bars[1]);
        assert!(outcome(|| on::beyond_grad(&x, n - 1)).is_none());
    }
}
