//! The types, and the check that all modules use.

use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};

use retrograde::{Differentiable, Duplicate, Record, Tangent};

use crate::support::{assert_close, assert_same_value, differences};

/// A clone forgets `acc`.
#[derive(Debug, PartialEq, Differentiable, Record)]
pub(crate) struct Resets {
    pub(crate) x: f64,
    pub(crate) acc: f64,
}

impl Clone for Resets {
    fn clone(&self) -> Self {
        Resets {
            x: self.x,
            acc: 0.0,
        }
    }
}

/// A clone swaps the fields; so does one of a gradient.
#[derive(Debug, PartialEq, Differentiable, Record)]
#[differentiable(tangent = Self)]
pub(crate) struct Swaps {
    pub(crate) a: f64,
    pub(crate) b: f64,
}

impl Clone for Swaps {
    fn clone(&self) -> Self {
        Swaps {
            a: self.b,
            b: self.a,
        }
    }
}

/// Cannot be cloned.
#[derive(Debug, PartialEq, Differentiable, Record)]
pub(crate) struct Panics {
    pub(crate) values: Vec<f64>,
    pub(crate) scale: f64,
}

impl Clone for Panics {
    fn clone(&self) -> Self {
        panic!("not to be cloned");
    }
}

pub(crate) static CLONES: AtomicUsize = AtomicUsize::new(0);

/// A clone says so, and copies.
#[derive(Debug, PartialEq, Differentiable, Record)]
pub(crate) struct Counts {
    pub(crate) x: f64,
    pub(crate) n: usize,
}

impl Clone for Counts {
    fn clone(&self) -> Self {
        CLONES.fetch_add(1, Ordering::Relaxed);
        Counts { ..*self }
    }
}

/// A clone has another number, which is no float.
#[derive(Debug, PartialEq, Differentiable, Record)]
pub(crate) struct Numbered {
    pub(crate) x: f64,
    pub(crate) n: usize,
}

impl Clone for Numbered {
    fn clone(&self) -> Self {
        Numbered {
            x: self.x,
            n: self.n + 1,
        }
    }
}

/// `Copy`, and a clone is another value.
#[derive(Debug, Copy, PartialEq, Differentiable, Record)]
pub(crate) struct Odd {
    pub(crate) a: f64,
    pub(crate) b: f64,
}

impl Clone for Odd {
    fn clone(&self) -> Self {
        Odd { a: -self.a, b: 0.5 }
    }
}

/// No `Clone` at all, and parts that have one of the above.
#[derive(Debug, PartialEq, Differentiable, Record)]
pub(crate) struct Nested {
    pub(crate) one: Resets,
    pub(crate) many: Vec<Swaps>,
    pub(crate) boxed: Option<Box<Swaps>>,
    pub(crate) pair: (Resets, [Swaps; 2]),
}

/// Differentiable by hand, copied by a derive.
#[derive(Debug, Duplicate, PartialEq, Record)]
pub(crate) struct ByHand {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Clone for ByHand {
    fn clone(&self) -> Self {
        ByHand { x: 1.0, y: self.y }
    }
}

impl Differentiable for ByHand {
    type Tangent = (f64, f64);

    fn zero_tangent(&self) -> (f64, f64) {
        (0.0, 0.0)
    }

    fn step(&mut self, scale: f64, tangent: &(f64, f64)) {
        self.x += scale * tangent.0;
        self.y += scale * tangent.1;
    }
}

/// No derivative at all: a record, copied over the tape.
#[derive(Debug, PartialEq, Record)]
pub(crate) struct Setup {
    pub(crate) offset: usize,
    pub(crate) factors: Vec<f64>,
}

impl Clone for Setup {
    fn clone(&self) -> Self {
        Setup {
            offset: 0,
            factors: Vec::new(),
        }
    }
}

pub(crate) fn nested(x: f64, y: f64) -> Nested {
    Nested {
        one: Resets { x, acc: y },
        many: vec![Swaps { a: x, b: y }, Swaps { a: y * y, b: x }],
        boxed: Some(Box::new(Swaps { a: x, b: 2.0 * y })),
        pair: (
            Resets { x: y, acc: x },
            [Swaps { a: x, b: y }, Swaps { a: 1.0, b: x * y }],
        ),
    }
}

/// The derivative of a function of two numbers, from the tangent of a struct that is made of them.
pub(crate) const POINTS: [[f64; 2]; 3] = [[0.3, 0.7], [0.9, -0.2], [-0.4, 0.6]];

/// Compares the value of `gradient` with that of `f`, bit for bit, and its gradient with differences, at each point.
#[track_caller]
pub(crate) fn check(f: impl Fn(f64, f64) -> f64, gradient: impl Fn(f64, f64) -> (f64, (f64, f64))) {
    for x in &POINTS {
        let (value, (dx, dy)) = gradient(black_box(x[0]), black_box(x[1]));
        assert_same_value(value, f(black_box(x[0]), black_box(x[1])));
        let f = |x: &[f64]| f(x[0], x[1]);
        assert_close(&[dx, dy], &differences(&f, x), 1e-7, x);
    }
}
