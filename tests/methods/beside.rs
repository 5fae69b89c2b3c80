//! Methods with the attribute of their own, in a block of others: those that are called on `self` are the type's own,
//! also by the names of std's.

use std::cell::Cell;

use retrograde::{Differentiable, Record, gradient};

use crate::support::{check, check_exact};

#[derive(Clone, Differentiable, Record)]
struct Samples {
    data: Vec<f64>,
    cached: Option<f64>,
}

impl Samples {
    /// { a brace in a comment, and "in a string": fn sum(
    fn new(data: &[f64]) -> Self {
        let _ = "} fn sum(&self) -> usize {";
        Samples {
            data: data.to_vec(),
            cached: None,
        }
    }

    #[gradient]
    fn sum(&mut self) -> f64 {
        if let Some(sum) = self.cached {
            return sum;
        }
        let sum = self.data.iter().map(|x| x * x).sum();
        self.cached = Some(sum);
        sum
    }

    #[gradient]
    fn mean(&mut self) -> f64 {
        self.sum() * self.sum() / self.data.len() as f64
    }

    fn len(&self) -> usize {
        self.data.len()
    }

    /// Not a number's: it is one without derivative.
    #[gradient]
    fn per_length(&self) -> f64 {
        self.data[0] / self.len() as f64
    }

    #[gradient]
    fn max(&self, other: f64) -> f64 {
        // Not the larger one.
        self.data[0] * other
    }

    #[gradient]
    fn bounded(&self) -> f64 {
        self.max(3.0) + self.data[1].max(0.5)
    }

    /// As `Vec::swap_remove`.
    #[gradient]
    fn remove(&mut self, at: usize) {
        let last = self.data.len() - 1;
        self.data.swap(at, last);
        self.data.pop();
    }

    #[gradient]
    fn without(&mut self, at: usize) -> f64 {
        self.remove(at);
        self.data[0] * self.data[1]
    }

    #[gradient]
    fn abs(self) -> Samples {
        Samples {
            data: self.data.iter().map(|x| 2.0 * x.abs()).collect(),
            cached: None,
        }
    }

    #[gradient]
    fn first(self) -> f64 {
        let all = self.abs();
        all.data[0] * all.data[1]
    }
}

/// A generic block.
#[derive(Clone, Differentiable, Record)]
struct Scaled<T> {
    by: T,
}

impl<T: num_traits::Float> Scaled<T> {
    #[gradient]
    fn product(&self, x: T) -> T {
        self.by * x
    }

    #[gradient]
    fn twice(&self, x: T) -> T {
        self.product(self.product(x))
    }
}

/// What a trait has by the name does not count: the type's own is called.
trait Bounds {
    fn max(&self, other: f64) -> f64;
}

impl Bounds for Samples {
    fn max(&self, _: f64) -> f64 {
        -1.0
    }
}

fn gradient_of(p: &[f64], of: impl Fn(Samples) -> (f64, SamplesTangent)) -> (f64, Vec<f64>) {
    let (value, samples) = of(Samples::new(p));
    (value, samples.data)
}

#[test]
fn read_only() {
    let points: &[&[f64]] = &[&[0.5, 1.5, -0.75], &[2.0, -0.5, 1.0]];
    let per_length = |p: &[f64]| gradient_of(p, |s| s.per_length_grad());
    check(|p| Samples::new(p).per_length(), per_length, points);
    let bounded = |p: &[f64]| gradient_of(p, |s| s.bounded_grad());
    check(|p| Samples::new(p).bounded(), bounded, points);
    let first = |p: &[f64]| gradient_of(p, |s| s.first_grad());
    check(|p| Samples::new(p).first(), first, points);
}

#[test]
fn written() {
    let mean = |p: &[f64]| {
        let mut samples = Samples::new(p);
        let mut after = samples.clone();
        after.mean();
        let mut bar = after.zero_tangent();
        let value = samples.mean_adjoint(&mut retrograde::Tape::new(), &mut bar, 1.0);
        (value, bar.data)
    };
    let want = |p: &[f64]| {
        let sum: f64 = p.iter().map(|x| x * x).sum();
        let n = p.len() as f64;
        p.iter().map(|x| 2.0 * sum / n * 2.0 * x).collect()
    };
    check_exact(
        |p| Samples::new(p).mean(),
        mean,
        want,
        &[&[0.5, 1.5, -0.75]],
    );
    let without = |p: &[f64]| {
        let mut samples = Samples::new(p);
        let mut bar = Samples::new(&p[1..]).zero_tangent();
        let value = samples.without_adjoint(&mut retrograde::Tape::new(), &mut bar, 0, 1.0);
        (value, bar.data)
    };
    let want = |p: &[f64]| vec![0.0, p[2], p[1]];
    check_exact(
        |p| Samples::new(p).without(0),
        without,
        want,
        &[&[0.5, 1.5, -0.75]],
    );
}

#[test]
fn of_a_generic_block() {
    check(
        |p| Scaled { by: p[0] }.twice(p[1]),
        |p| {
            let (value, (scaled, dx)) = Scaled { by: p[0] }.twice_grad(p[1]);
            (value, [scaled.by, dx])
        },
        &[&[1.5, -0.75]],
    );
}
