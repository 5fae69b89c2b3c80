//! Fields behind references, `Rc` and `Arc`, whose methods are called, and boxed slices.

use std::rc::Rc;
use std::sync::Arc;

use retrograde::{Differentiable, Flat, Record, gradient};

use crate::support::check;

#[derive(Debug, Clone, Differentiable, Record)]
struct Curve {
    knots: Vec<f64>,
    slope: f64,
}

#[gradient]
impl Curve {
    fn zero(&self, t: f64) -> f64 {
        self.slope * t * t + self.knots[0] * t
    }

    fn taken(self, t: f64) -> f64 {
        self.slope / t
    }
}

#[derive(Debug, Clone, Differentiable)]
struct Swap<'a> {
    curve: &'a Curve,
    fixed: f64,
}

#[gradient]
impl Swap<'_> {
    fn npv(&self, t: f64) -> f64 {
        self.fixed * self.curve.zero(t) + self.curve.slope
    }

    fn bump(&mut self, t: f64) -> f64 {
        self.fixed *= self.curve.zero(t);
        self.fixed += self.curve.knots[0];
        self.fixed * self.npv(t)
    }
}

#[derive(Debug, Clone, Differentiable)]
struct Book {
    first: Rc<Curve>,
    second: Arc<Curve>,
    data: Arc<[f64]>,
    rows: Rc<Vec<f64>>,
    scale: f64,
}

#[gradient]
impl Book {
    fn value(&self, t: f64) -> f64 {
        let mut sum = self.scale * self.first.zero(t) + self.second.slope;
        for i in 0..self.data.len() {
            sum += self.data[i] * self.rows[i];
        }
        sum += self.data.iter().map(|x| x * x).sum::<f64>();
        for v in self.rows.iter() {
            sum *= v;
        }
        let copy = self.second.clone();
        sum + copy.zero(2.0 * t)
    }

    fn advance(&mut self, t: f64) -> f64 {
        for k in 0..3 {
            self.scale = self.first.zero(self.scale) + k as f64 * self.second.zero(t);
        }
        self.scale + self.value(t)
    }
}

#[gradient]
fn of_book(book: &Book, t: f64) -> f64 {
    book.value(t) * book.first.knots[0] + book.second.zero(book.scale)
}

#[derive(Debug, Clone, Differentiable, Record)]
struct Average {
    index: usize,
    sum: f64,
    last: Box<[f64]>,
}

#[gradient]
impl Average {
    fn next(&mut self, x: f64) -> f64 {
        let old = self.last[self.index];
        self.last[self.index] = x * x;
        self.index = (self.index + 1) % self.last.len();
        self.sum += x - old;
        self.sum / self.last.len() as f64
    }
}

#[gradient]
fn averages(start: &Average, xs: &[f64]) -> f64 {
    let mut average = start.clone();
    let mut product = 1.0;
    for &x in xs {
        let old = average.clone();
        product *= average.next(x) + old.sum;
    }
    product
}

fn book(x: &[f64]) -> Book {
    Book {
        first: Rc::new(Curve {
            knots: vec![x[0]],
            slope: x[1],
        }),
        second: Arc::new(Curve {
            knots: vec![x[2]],
            slope: x[0],
        }),
        data: Arc::new([x[1], x[2]]),
        rows: Rc::new(vec![x[2], x[0]]),
        scale: x[1],
    }
}

/// The gradient by what the book is made of.
fn by_book(d: &BookTangent) -> Vec<f64> {
    let (first, second) = (&d.first, &d.second);
    vec![
        first.knots[0] + second.slope + d.rows[1],
        first.slope + d.data[0] + d.scale,
        second.knots[0] + d.data[1] + d.rows[0],
    ]
}

const INPUTS: &[&[f64]] = &[&[0.7, 0.4, 1.2], &[-0.3, 1.1, 0.6], &[1.3, -0.5, 0.8]];

fn of_two(x: &[f64], function: impl Fn(&mut Swap<'_>) -> f64) -> f64 {
    let curve = Curve {
        knots: vec![x[0]],
        slope: x[1],
    };
    function(&mut Swap {
        curve: &curve,
        fixed: x[2],
    })
}

#[test]
fn methods_behind_references() {
    check(
        |x| of_two(x, |s| s.npv(1.5)),
        |x| {
            let curve = Curve {
                knots: vec![x[0]],
                slope: x[1],
            };
            let (value, (d, _)) = Swap {
                curve: &curve,
                fixed: x[2],
            }
            .npv_grad(1.5);
            (value, vec![d.curve.knots[0], d.curve.slope, d.fixed])
        },
        INPUTS,
    );
    check(
        |x| of_two(x, |s| s.bump(1.5)),
        |x| {
            let curve = Curve {
                knots: vec![x[0]],
                slope: x[1],
            };
            let mut swap = Swap {
                curve: &curve,
                fixed: x[2],
            };
            let (mut d, mut dt) = (swap.zero_tangent(), 0.0);
            let value = swap.bump_adjoint(&mut retrograde::Tape::new(), &mut d, 1.5, &mut dt, 1.0);
            (value, vec![d.curve.knots[0], d.curve.slope, d.fixed])
        },
        INPUTS,
    );
}

#[test]
fn what_is_shared() {
    check(
        |x| of_book(&book(x), x[0]),
        |x| {
            let (value, (d, dt)) = of_book_grad(&book(x), x[0]);
            let mut d = by_book(&d);
            d[0] += dt;
            (value, d)
        },
        INPUTS,
    );
    check(
        |x| book(x).advance(x[1]),
        |x| {
            let mut book = book(x);
            let (mut d, mut dt) = (book.zero_tangent(), 0.0);
            let value =
                book.advance_adjoint(&mut retrograde::Tape::new(), &mut d, x[1], &mut dt, 1.0);
            let mut d = by_book(&d);
            d[1] += dt;
            (value, d)
        },
        INPUTS,
    );
}

#[test]
fn it_cannot_be_moved() {
    let mut all = book(INPUTS[0]);
    assert_eq!(all.to_flat(), [0.7, 0.4, 1.2, 0.7, 0.4, 1.2, 1.2, 0.7, 0.4]);
    let mut d = all.zero_tangent();
    d.scale = 1.0;
    all.step(0.5, &d);
    assert_eq!(all.scale, 0.9);
    d.first.slope = 1.0;
    let message = crate::support::panic_message(move || all.step(0.5, &d));
    assert!(message.contains("shared reference"), "{message}");
}

#[test]
fn boxed_slices_are_recorded() {
    let start = |x: &[f64]| Average {
        index: 0,
        sum: x[2],
        last: vec![x[0], x[1]].into_boxed_slice(),
    };
    check(
        |x| averages(&start(x), x),
        |x| {
            let (value, (d, mut dx)) = averages_grad(&start(x), x);
            dx[0] += d.last[0];
            dx[1] += d.last[1];
            dx[2] += d.sum;
            (value, dx)
        },
        INPUTS,
    );
}
