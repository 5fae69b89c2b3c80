//! What operators of own types yield where there are several of a name: the other operand says it.

use std::ops::{Add, Mul};

use retrograde::{Differentiable, Flat, Record, gradient};

use crate::support::check;

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Pair {
    x: f64,
    y: f64,
}

#[gradient]
impl Mul<f64> for Pair {
    type Output = Pair;

    fn mul(self, by: f64) -> Pair {
        Pair {
            x: self.x * by,
            y: self.y * by,
        }
    }
}

/// The inner product.
#[gradient]
impl Mul<Pair> for Pair {
    type Output = f64;

    fn mul(self, other: Pair) -> f64 {
        self.x * other.x + self.y * other.y
    }
}

#[gradient]
impl Add for Pair {
    type Output = Pair;

    fn add(self, other: Pair) -> Pair {
        Pair {
            x: self.x + other.x,
            y: self.y + other.y,
        }
    }
}

/// Floats have methods of these names, too.
#[gradient]
impl Pair {
    fn abs(self) -> Pair {
        Pair {
            x: self.x.abs(),
            y: self.y.abs(),
        }
    }

    fn sqrt(&self) -> f64 {
        (self.x * self.x + 2.0 * self.y * self.y).sqrt()
    }
}

#[gradient]
fn products(a: Pair, b: Pair) -> f64 {
    let inner = a * b;
    inner.abs() + (a * b).abs().sqrt() + (inner * inner + 1.0).sqrt()
}

#[gradient]
fn scaled(a: Pair, b: Pair) -> f64 {
    let by: f64 = b.x;
    let sum = a + b;
    sum.abs().sqrt() + (a * by).sqrt() + ((a + b) * -0.5).sqrt()
}

fn pairs(p: &[f64]) -> (Pair, Pair) {
    let pair = |k: usize| Pair {
        x: p[k],
        y: p[k + 1],
    };
    (pair(0), pair(2))
}

#[test]
fn operators_of_one_name_are_told_by_the_other_operand() {
    let inputs: [&[f64]; 3] = [
        &[0.3, -1.2, 2.0, 0.7],
        &[-0.4, 0.9, 1.5, -2.5],
        &[1.0, 1.0, -3.0, 0.25],
    ];
    let at = |f: fn(Pair, Pair) -> f64| move |p: &[f64]| f(pairs(p).0, pairs(p).1);
    let flat = |(value, (a, b)): (f64, (PairTangent, PairTangent))| {
        (value, [a.to_flat(), b.to_flat()].concat())
    };
    check(
        at(products),
        |p| flat(products_grad(pairs(p).0, pairs(p).1)),
        &inputs,
    );
    check(
        at(scaled),
        |p| flat(scaled_grad(pairs(p).0, pairs(p).1)),
        &inputs,
    );
}
