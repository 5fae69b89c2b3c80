//! Operands and targets that lie in variables made by a literal, and in payloads of enums and options.

use std::ops::{Add, AddAssign, Mul};

use retrograde::{Differentiable, Flat, Record, gradient};

use crate::support::check;

/// Its operators do other things to references than to values.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Two {
    a: f64,
    b: f64,
}

#[gradient]
impl AddAssign<&Two> for Two {
    fn add_assign(&mut self, o: &Two) {
        self.a += o.a;
        self.b += o.b;
    }
}

#[gradient]
impl AddAssign for Two {
    fn add_assign(&mut self, o: Two) {
        self.a += 2.0 * o.a * self.b;
        self.b += o.b;
    }
}

#[gradient]
impl<'a> Mul<&'a Two> for &Two {
    type Output = Two;
    fn mul(self, o: &'a Two) -> Two {
        Two {
            a: self.a * o.a,
            b: self.b + o.b,
        }
    }
}

#[gradient]
impl Mul for Two {
    type Output = Two;
    fn mul(self, o: Two) -> Two {
        Two {
            a: self.a + o.b,
            b: self.b * o.a,
        }
    }
}

#[gradient]
impl Add for Two {
    type Output = Two;
    fn add(self, o: Two) -> Two {
        Two {
            a: self.a + o.a,
            b: self.b + o.b,
        }
    }
}

#[gradient]
fn assigned_by_reference(x: &[f64]) -> f64 {
    let p = Two { a: x[0], b: x[1] };
    let mut sum = Two { a: 1.0, b: x[1] };
    for _ in 0..2 {
        sum += &p;
    }
    sum += p;
    sum.a * sum.a + sum.b * x[0]
}

#[gradient]
fn multiplied_by_reference(x: &[f64]) -> f64 {
    let (p, q) = (Two { a: x[0], b: x[1] }, Two { a: x[1], b: 0.5 });
    let (by_reference, by_value) = (&p * &q, p * q);
    by_reference.a * by_value.b + by_reference.b * by_value.a
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Long {
    cells: Vec<f64>,
}

#[gradient]
impl AddAssign<&Long> for Long {
    fn add_assign(&mut self, o: &Long) {
        for i in 0..o.cells.len() {
            self.cells[i] += o.cells[i] * o.cells[i];
        }
    }
}

#[gradient]
fn vectors_by_reference(x: &[f64]) -> f64 {
    let p = Long {
        cells: vec![x[0], x[1]],
    };
    let mut sum = Long {
        cells: vec![1.0, x[0]],
    };
    sum += &p;
    let other = p.clone();
    sum += &other;
    sum.cells[0] * sum.cells[1]
}

#[test]
fn references_to_variables_made_by_a_literal() {
    let at: [&[f64]; 3] = [&[0.7, -1.3], &[2.0, 0.25], &[0.0, -0.0]];
    check(assigned_by_reference, assigned_by_reference_grad, &at);
    check(multiplied_by_reference, multiplied_by_reference_grad, &at);
    check(vectors_by_reference, vectors_by_reference_grad, &at);
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
enum Held {
    Pair(Two, Two),
    Scaled { of: Two, by: f64 },
}

#[gradient]
fn in_payloads(held: &Held, x: f64) -> f64 {
    let mut held = held.clone();
    let mut option = Some(Two { a: x, b: 0.5 });
    for _ in 0..2 {
        match &mut held {
            Held::Pair(a, b) => {
                *a += *b;
                *b += *b;
                *a += *a * *b;
            }
            Held::Scaled { of, by } => {
                *of += *of + Two { a: x, b: x };
                *by *= of.a;
            }
        }
        if let Some(two) = &mut option {
            *two += *two;
        }
    }
    let two = option.unwrap();
    match held {
        Held::Pair(a, b) => a.a * b.b + a.b * b.a * two.a,
        Held::Scaled { of, by } => of.a * by + of.b * two.b,
    }
}

#[test]
fn operators_that_assign_to_payloads() {
    let pair = |p: &[f64]| Held::Pair(Two { a: p[0], b: p[1] }, Two { a: p[2], b: p[3] });
    let scaled = |p: &[f64]| Held::Scaled {
        of: Two { a: p[0], b: p[1] },
        by: p[2],
    };
    let gradient = |held: &Held, x: f64| {
        let (value, (held, x)) = in_payloads_grad(held, x);
        (value, [held.to_flat(), vec![x]].concat())
    };
    check(
        |p| in_payloads(&pair(p), p[4]),
        |p| gradient(&pair(p), p[4]),
        &[&[0.3, 0.2, 0.4, 0.1, 0.7], &[-0.3, 0.5, 0.0, 0.2, 1.1]],
    );
    check(
        |p| in_payloads(&scaled(p), p[3]),
        |p| gradient(&scaled(p), p[3]),
        &[&[0.3, 0.2, 0.4, 0.7], &[-0.3, 0.5, 1.5, 0.2]],
    );
}
