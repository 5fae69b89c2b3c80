//! Traits with names of std's methods, where std's come first, and where they are for other types.

use retrograde::{Differentiable, Record, gradient};

use crate::support::check;

trait Row {
    fn first(&self) -> Option<&f64>;
    fn push(&mut self, x: f64);
    fn swap(&mut self, i: usize, j: usize);
}

/// What slices have, comes first behind a slice.
impl Row for [f64] {
    fn first(&self) -> Option<&f64> {
        self.get(1)
    }

    fn push(&mut self, x: f64) {
        self[0] = x;
    }

    fn swap(&mut self, i: usize, _: usize) {
        self[i] = 0.0;
    }
}

/// For other elements.
impl Row for Vec<i8> {
    fn first(&self) -> Option<&f64> {
        None
    }

    fn push(&mut self, _: f64) {}

    fn swap(&mut self, _: usize, _: usize) {}
}

trait Choice {
    fn unwrap_or(self, other: f64) -> f64;
    fn is_some(&self) -> bool;
}

impl Choice for Option<f64> {
    fn unwrap_or(self, _: f64) -> f64 {
        0.0
    }

    fn is_some(&self) -> bool {
        false
    }
}

#[derive(Clone, Differentiable, Record)]
struct Cell {
    x: f64,
}

#[gradient]
fn sum(v: &Vec<f64>, a: &[f64; 2], o: Option<f64>, n: &usize, mut w: Vec<f64>) -> f64 {
    let cells = vec![Cell { x: v[0] }, Cell { x: a[1] }];
    w.push(v.iter().sum());
    w.swap(0, 1);
    let mut sum = v.first().unwrap() * w[0] + o.unwrap_or(2.0) * n.pow(2) as f64;
    if o.is_some() && !a.is_empty() {
        sum += cells.iter().map(|c| c.x * c.x).sum::<f64>() * cells.len() as f64;
    }
    sum
}

#[test]
fn those_of_std_come_first() {
    check(
        |p| {
            sum(
                &p[..2].to_vec(),
                &[p[2], p[3]],
                Some(p[4]),
                &3,
                vec![p[5], p[0]],
            )
        },
        |p| {
            let (value, (mut gradient, a, o, w)) = sum_grad(
                &p[..2].to_vec(),
                &[p[2], p[3]],
                Some(p[4]),
                &3,
                vec![p[5], p[0]],
            );
            gradient.extend([a[0], a[1], o.unwrap(), w[0]]);
            gradient[0] += w[1];
            (value, gradient)
        },
        &[
            &[0.5, 1.5, -2.0, 0.75, 1.25, 3.0],
            &[2.0, 1.5, 0.25, -1.0, 0.5, 0.1],
        ],
    );
}

mod beside_traits_of_numbers {
    use num_traits::{Pow, Signed};
    use retrograde::gradient;

    /// What `Signed` and `Pow` have for references is what std has.
    #[gradient]
    pub(super) fn weighted(x: f64, ks: &[i32], n: &usize) -> f64 {
        let sum = ks.iter().map(|k| k.abs() as f64).sum::<f64>();
        x * x * sum + n.pow(2u32) as f64 * x
    }
}

#[test]
fn traits_of_numbers_may_be_in_scope() {
    use beside_traits_of_numbers::{weighted, weighted_grad};
    check(
        |p| weighted(p[0], &[3, -2], &3),
        |p| {
            let (value, x) = weighted_grad(p[0], &[3, -2], &3);
            (value, [x])
        },
        &[&[0.7], &[-1.3]],
    );
}
