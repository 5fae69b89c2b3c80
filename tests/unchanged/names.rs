//! Methods under names of std's on what the text does not show: fields, results of functions, kinds of chains, integers
//! behind references. Traits of the same names for other types are in scope.

use std::iter;

use num_traits::Signed as _;
use retrograde::{gradient, no_gradient};

use crate::support::{assert_same_value, check};

/// For the program's own type alone, under names of std's.
trait Sequence {
    fn first(&self) -> f64;
    fn last(self) -> f64;
    fn len(self) -> usize;
    fn iter(&mut self) -> f64;
    fn next(&self) -> f64;
    fn find(self, by: f64) -> f64;
    fn swap(&self, i: usize, j: usize);
}

#[derive(Clone, Copy)]
struct Pair(f64, f64);

impl Sequence for Pair {
    fn first(&self) -> f64 {
        self.0
    }

    fn last(self) -> f64 {
        self.1
    }

    fn len(self) -> usize {
        2
    }

    fn iter(&mut self) -> f64 {
        self.0
    }

    fn next(&self) -> f64 {
        self.1
    }

    fn find(self, by: f64) -> f64 {
        by * self.0
    }

    fn swap(&self, _: usize, _: usize) {}
}

mod parts {
    use retrograde::{Differentiable, Record, gradient};

    #[derive(Clone, Debug, PartialEq, Differentiable, Record)]
    pub(super) struct Parts {
        pub(super) list: Vec<f64>,
        pub(super) array: [f64; 3],
        pub(super) rows: Vec<Vec<f64>>,
        pub(super) at: Vec<usize>,
    }
}

// Aliases, so that no definition is found.
type Given = parts::Parts;

#[gradient]
fn of_fields(p: &Given) -> f64 {
    let mut q = p.clone();
    q.list.swap(0, 1);
    q.array.swap(1, 2);
    let array = &p.array;
    let sum: f64 = p
        .rows
        .iter()
        .map(|row| row.last().unwrap() * row.iter().sum::<f64>())
        .sum();
    sum * p.list.first().unwrap() * array.last().unwrap()
        + q.list[0] * q.array[1]
        + p.list[*p.at.last().unwrap()] * p.array.len() as f64
}

fn parts_of(x: &[f64]) -> Given {
    Given {
        list: x[..2].to_vec(),
        array: [x[2], x[3], x[4]],
        rows: vec![x[..3].to_vec(), x[3..].to_vec()],
        at: vec![0, 1],
    }
}

fn by_hand(x: &[f64]) -> f64 {
    let sum = x[2] * (x[0] + x[1] + x[2]) + x[4] * (x[3] + x[4]);
    sum * x[0] * x[4] + x[1] * x[4] + x[1] * 3.0
}

#[test]
fn fields_of_types_that_are_not_seen() {
    let x = [0.5, -1.25, 2.0, 0.75, 1.5];
    let p = parts_of(&x);
    let (value, gradient) = of_fields_grad(&p);
    assert_same_value(value, of_fields(&p));
    let h = 1e-6;
    for k in 0..5 {
        let at = |by: f64| {
            let mut x = x;
            x[k] += by;
            by_hand(&x)
        };
        let expected = (at(h) - at(-h)) / (2.0 * h);
        let list = gradient.list.get(k).copied().unwrap_or(0.0);
        let array = if k < 2 { 0.0 } else { gradient.array[k - 2] };
        let row = if k < 3 {
            gradient.rows[0][k]
        } else {
            gradient.rows[1][k - 3]
        };
        assert!((list + array + row - expected).abs() < 1e-7, "{k}");
    }
}

/// Each kind of chain that the words of a body may lead to is asked for the names.
#[gradient]
fn of_chains(x: &[f64]) -> f64 {
    let mut sum = x[0];
    if x.iter().copied().all(|v| v > -9.0)
        && x.iter()
            .cloned()
            .rev()
            .enumerate()
            .any(|(i, v)| v > i as f64)
    {
        sum += x.iter().map(|v| v * v).find(|v| *v > 1.0).unwrap_or(x[1]);
    }
    sum += x.windows(2).map(|v| v[0] * v[1]).nth(1).unwrap_or(0.25);
    sum += x.chunks(2).map(|v| v[0]).next().unwrap_or(0.0);
    let k = (0..x.len())
        .step_by(2)
        .skip(1)
        .position(|i| i > 1)
        .unwrap_or(0);
    // What carries no derivative, in all kinds.
    let past = no_gradient(
        iter::successors(
            (1..=3)
                .filter_map(|i| (i > 1).then_some(i))
                .find(|i| i % 2 == 0),
            |n| (*n < 9).then_some(n * 2),
        )
        .fuse()
        .inspect(|_| ())
        .skip_while(|n| *n < 3)
        .take_while(|n| *n < 99)
        .any(|n| n == 8),
    );
    let first = no_gradient(
        iter::repeat(1)
            .take(2)
            .cycle()
            .map_while(Some)
            .chain(iter::once(2))
            .position(|n| n == 1)
            .unwrap_or(9),
    );
    let scanned = no_gradient(
        (0..)
            .scan(1, |s, n| {
                *s += n;
                Some(*s)
            })
            .filter(|s| s % 2 == 0)
            .peekable()
            .nth(1)
            .unwrap_or(0),
    );
    let flat = no_gradient(
        x.chunks_exact(2)
            .flat_map(|c| c.iter())
            .zip([1.0, 2.0])
            .all(|(v, w)| *v < w),
    );
    let nested = no_gradient(
        vec![vec![1, 2], vec![3]]
            .into_iter()
            .flatten()
            .position(|n| n == 3)
            .unwrap_or(0),
    );
    sum * x[k + first] * if past { x[2] } else { 1.0 }
        + if flat { x[nested] } else { x[scanned % 5] }
}

/// Of integers behind references, a trait of `num_traits` has the method first.
#[gradient]
fn of_integers(x: &[f64], signs: &[i64]) -> f64 {
    let signed: f64 = signs
        .iter()
        .map(|k| x[k.abs() as usize] * k.signum() as f64)
        .sum();
    let powers: f64 = signs
        .iter()
        .filter(|k| k.is_positive())
        .map(|k| x[0] * k.pow(2) as f64)
        .sum();
    signed * signed + powers
}

/// Has what integers have, and is found first behind references.
trait Odd {
    fn pow(&self, n: u32) -> usize;
    fn leading_zeros(&self) -> u32;
    fn is_power_of_two(&self) -> bool;
}

impl Odd for usize {
    fn pow(&self, n: u32) -> usize {
        self % 2 + n as usize
    }

    fn leading_zeros(&self) -> u32 {
        2
    }

    fn is_power_of_two(&self) -> bool {
        *self == 3
    }
}

/// The trait's: this file names `num_traits`, and the receiver stays as it is.
#[gradient]
fn of_a_trait(x: &[f64], at: &[usize], n: &usize) -> f64 {
    let mut sum = x[n.pow(1)] * x[0];
    for k in at {
        sum += match k.is_power_of_two() {
            true => x[*k] * x[*k],
            false => x[k.leading_zeros() as usize] * x[k.pow(2)],
        };
    }
    sum + at.iter().map(|k| x[k.pow(1)] * x[1]).sum::<f64>()
}

const POINTS: [&[f64]; 2] = [
    &[0.5, -1.25, 2.0, 0.75, 1.5],
    &[1.5, 0.25, -2.0, 0.125, 3.0],
];

#[test]
fn kinds_of_chains() {
    check(of_chains, of_chains_grad, &POINTS);
}

#[test]
fn integers_behind_references() {
    let signs = [-2, 0, 3, 1, -4];
    check(
        |x| of_integers(x, &signs),
        |x| of_integers_grad(x, &signs),
        &POINTS,
    );
    let at = [0, 1, 3, 2];
    check(
        |x| of_a_trait(x, &at, &2),
        |x| of_a_trait_grad(x, &at, &2),
        &POINTS,
    );
}
