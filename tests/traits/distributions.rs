//! Traits with type parameters: those that are `Differentiable`, of which an `impl` writes methods again that have a
//! body in the trait, and those of which nothing is said, as distributions have them.

use retrograde::{Differentiable, Record, gradient};

use crate::support::check;

#[derive(Copy, Clone, PartialEq, Debug, Differentiable, Record)]
struct Gamma {
    shape: f64,
    rate: f64,
}

#[derive(Copy, Clone, PartialEq, Debug, Differentiable, Record)]
struct Fixed {
    at: f64,
}

#[gradient]
trait Moments<T: Differentiable + Record> {
    fn mean(&self) -> Option<T> {
        None
    }
    fn variance(&self) -> Option<T> {
        None
    }
    fn shifted(&self, x: T) -> T {
        x
    }
    fn at(&self, x: T, y: &T) -> T;
}

#[gradient]
impl Moments<f64> for Gamma {
    fn mean(&self) -> Option<f64> {
        Some(self.shape / self.rate)
    }
    fn variance(&self) -> Option<f64> {
        Some(self.shape / (self.rate * self.rate))
    }
    fn shifted(&self, x: f64) -> f64 {
        x * self.rate
    }
    fn at(&self, x: f64, y: &f64) -> f64 {
        x * y * self.shape
    }
}

#[gradient]
impl Moments<f64> for Fixed {
    fn mean(&self) -> Option<f64> {
        Some(self.at)
    }
    fn at(&self, x: f64, y: &f64) -> f64 {
        x * y * self.at
    }
}

#[gradient]
fn ratio<D: Moments<f64>>(d: &D, x: f64) -> f64 {
    d.variance().unwrap_or(2.0).sqrt() / d.mean().unwrap_or(3.0) + d.shifted(x) * d.at(x, &x)
}

#[gradient]
fn through_object(d: &dyn Moments<f64>, x: f64) -> f64 {
    d.variance().unwrap_or(2.0) * d.mean().unwrap_or(3.0) + d.shifted(x) * d.at(x, &x)
}

#[gradient]
fn known(x: &[f64]) -> f64 {
    let gamma = Gamma {
        shape: x[0],
        rate: x[1],
    };
    let fixed = Fixed { at: x[1] };
    gamma.mean().unwrap() * gamma.variance().unwrap_or(x[0])
        + ratio(&gamma, x[2])
        + ratio(&fixed, x[2])
        + through_object(&gamma, x[0])
        + through_object(&fixed, x[2])
}

trait Bounded {}
impl Bounded for f64 {}

#[gradient]
trait Continuous<K, T> {
    fn pdf(&self, x: K) -> T;
    fn ln_pdf(&self, x: K) -> T;
}

#[gradient]
trait Cumulative<K: Bounded, T>: Continuous<K, T> {
    fn cdf(&self, x: K) -> T;
    fn count(&self) -> usize {
        0
    }
}

#[derive(Copy, Clone, PartialEq, Debug, Differentiable, Record)]
struct Logistic {
    mean: f64,
    scale: f64,
}

#[gradient]
impl Continuous<f64, f64> for Logistic {
    fn pdf(&self, x: f64) -> f64 {
        self.ln_pdf(x).exp()
    }
    fn ln_pdf(&self, x: f64) -> f64 {
        let z = (x - self.mean) / self.scale;
        -z - self.scale.ln() - 2.0 * (-z).exp().ln_1p()
    }
}

#[gradient]
impl Cumulative<f64, f64> for Logistic {
    fn cdf(&self, x: f64) -> f64 {
        1.0 / (1.0 + ((self.mean - x) / self.scale).exp())
    }
}

#[gradient]
fn likelihood(x: &[f64]) -> f64 {
    let d = Logistic {
        mean: x[0],
        scale: x[1],
    };
    let sum: f64 = x.iter().map(|&x| d.ln_pdf(x)).sum();
    sum + d.pdf(x[2]) * d.cdf(x[0] * x[2]) + d.count() as f64
}

const INPUTS: &[&[f64]] = &[&[0.7, 1.3, 1.4], &[1.1, 0.6, 0.8], &[2.2, 0.4, 0.6]];

#[test]
fn methods_that_are_written_again() {
    check(known, known_grad, INPUTS);
}

#[test]
fn parameters_that_nothing_is_said_of() {
    check(likelihood, likelihood_grad, INPUTS);
}
