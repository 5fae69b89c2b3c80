//! Structs whose definitions reach the loops over their fields.

use ad::{Differentiable, gradient};

/// A part of the other one.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
#[differentiable(crate = ::ad)]
pub struct Factor {
    /// What everything is multiplied by.
    pub value: f64,
}

/// A series, which documentation links to as [`Series`] and [Series].
#[derive(Clone, Debug, Differentiable)]
#[differentiable(crate = ::ad)]
pub struct Series {
    /// The terms.
    pub terms: Vec<f64>,
    /// In front.
    pub factor: Factor,
    #[constant]
    weights: Vec<f64>,
}

/// No other crate sees it.
#[derive(Clone, Debug, Differentiable)]
#[differentiable(crate = ::ad)]
struct Inner {
    terms: Vec<f64>,
}

#[gradient(crate = ::ad)]
impl Series {
    /// The sum.
    #[must_use]
    pub fn sum(&self) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.terms.len() {
            sum += self.terms[i] * self.weights[i];
        }
        sum * self.factor.value
    }

    fn scale(&mut self, by: f64) {
        for i in 0..self.terms.len() {
            self.terms[i] *= by;
        }
    }
}

/// Of a [`Series`] by reference.
#[gradient(crate = ::ad)]
#[must_use]
pub fn squares(series: &Series, by: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..series.terms.len() {
        sum += series.terms[i] * series.terms[i];
    }
    sum * by
}

#[gradient(crate = ::ad)]
fn inner(inner: &Inner) -> f64 {
    let mut sum = 0.0;
    for i in 0..inner.terms.len() {
        sum += inner.terms[i];
    }
    sum
}

/// Those of this module.
pub mod deeper {
    use super::Factor;
    use ad::gradient;

    /// Of factors in a slice.
    #[gradient(crate = ::ad)]
    #[must_use]
    pub fn product(factors: &[Factor]) -> f64 {
        let mut product = 1.0;
        for factor in factors {
            product *= factor.value;
        }
        product
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradients() {
        let mut series = Series {
            terms: vec![1.0, 2.0],
            factor: Factor { value: 3.0 },
            weights: vec![4.0, 5.0],
        };
        let (value, d) = series.sum_grad();
        assert!((value - 42.0).abs() < 1e-12);
        assert_eq!(d.terms, [12.0, 15.0]);
        series.scale(1.0);
        let (_, (d, by)) = squares_grad(&series, 2.0);
        assert_eq!((d.terms, by), (vec![4.0, 8.0], 5.0));
        let (_, d) = inner_grad(&Inner {
            terms: vec![1.0, 2.0],
        });
        assert_eq!(d.terms, [1.0, 1.0]);
        let factors = [Factor { value: 2.0 }, Factor { value: 5.0 }];
        let (_, d) = deeper::product_grad(&factors);
        assert!((d[0].value - 5.0).abs() < 1e-12);
    }
}
