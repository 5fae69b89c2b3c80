//! Blocks with parameters.

use std::marker::PhantomData;

use retrograde::{Differentiable, Duplicate, Record, Tangent, gradient};

use crate::support::{check, flat};
use crate::types::own_tangent;

/// A polynomial with `N` coefficients.
#[derive(Clone, Debug, PartialEq, Record)]
struct Poly<const N: usize> {
    c: [f64; N],
}

own_tangent! { [const N: usize] Poly<N> { c } }

#[gradient]
impl<const N: usize> Poly<N>
where
    [f64; N]: Clone,
{
    const LAST: usize = N - 1;

    fn at(&self, x: f64) -> f64 {
        let mut y = 0.0;
        for k in (0..N).rev() {
            y = y * x + self.c[k];
        }
        y
    }

    fn with<const M: usize>(&self, xs: [f64; M], #[constant] k: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..M {
            s += self.at(xs[i]) * (M + k) as f64;
        }
        s + self.c[Self::LAST]
    }

    fn degree(&self) -> usize {
        N - 1
    }

    fn leading(&self) -> f64 {
        self.c[self.degree()] * self.degree() as f64
    }
}

#[gradient]
fn of_poly(p: &Poly<3>, x: f64) -> f64 {
    p.at(x) * Poly::<3>::at(p, 2.0)
        + p.with([x, x * x], 1)
        + Poly::with::<2>(p, [1.0, x], 0)
        + p.leading()
}

#[test]
fn const_parameters() {
    let poly = |p: &[f64]| Poly {
        c: [p[0], p[1], p[2]],
    };
    check(
        |p| of_poly(&poly(p), p[3]),
        |p| of_poly_grad(&poly(p), p[3]),
        &[&[0.7, 0.3, 1.2, -0.4], &[-0.2, 1.1, 0.4, 0.8]],
    );
    let (_, (dp, dxs)) = poly(&[1.0, 2.0, 3.0]).with_grad([0.5, 0.25], 1);
    assert_eq!(dp.c[0], 6.0);
    assert_eq!(dxs[0], 3.0 * (2.0 + 6.0 * 0.5));
}

/// A number with a unit, which is no more than a name.
#[derive(Clone, Debug, Duplicate, PartialEq, Record)]
struct Amount<T> {
    value: f64,
    unit: PhantomData<T>,
}

impl<T: Clone> Tangent for Amount<T> {
    fn accumulate(&mut self, other: &Self) {
        self.value += other.value;
    }

    fn scale(&mut self, factor: f64) {
        self.value *= factor;
    }

    fn set_zero(&mut self) {
        self.value = 0.0;
    }

    fn dot(&self, other: &Self) -> f64 {
        self.value * other.value
    }
}

impl<T: Clone> Differentiable for Amount<T> {
    type Tangent = Self;

    fn zero_tangent(&self) -> Self {
        Amount {
            value: 0.0,
            unit: PhantomData,
        }
    }

    fn step(&mut self, scale: f64, tangent: &Self) {
        self.value += scale * tangent.value;
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Metre;

#[gradient]
impl<T> Amount<T>
where
    T: Clone,
{
    fn square(&self) -> f64 {
        self.value * self.value
    }

    fn plus(&mut self, other: &Amount<T>) {
        self.value += other.value * self.square();
    }

    fn both(mut self, other: Amount<T>) -> f64 {
        self.plus(&other);
        self.square()
    }
}

#[test]
fn type_parameters() {
    let amount = |value: f64| Amount {
        value,
        unit: PhantomData::<Metre>,
    };
    check(
        |p| amount(p[0]).both(amount(p[1])),
        |p| {
            let (value, (a, b)) = amount(p[0]).both_grad(amount(p[1]));
            (value, (a.value, b.value))
        },
        &[&[0.7, 0.4], &[-1.2, 0.3]],
    );
}

/// A type with a lifetime, behind which nothing carries a derivative.
#[derive(Clone, Debug, Duplicate)]
struct Named<'a> {
    name: &'a str,
    value: f64,
}

impl Differentiable for Named<'_> {
    type Tangent = f64;

    fn zero_tangent(&self) -> f64 {
        0.0
    }

    fn step(&mut self, scale: f64, tangent: &f64) {
        self.value += scale * tangent;
    }
}

/// Its tangent has no fields, so only the constant can be read.
#[gradient]
impl<'a> Named<'a> {
    fn scaled<'b>(#[constant] &'b self, x: &'b [f64]) -> f64 {
        let mut s = 0.0;
        for v in x {
            s += v * v * self.value * self.name.len() as f64;
        }
        s
    }

    fn text(&self) -> &'a str {
        self.name
    }
}

#[gradient]
fn of_named(#[constant] n: &Named<'_>, x: &[f64]) -> f64 {
    n.scaled(x) * n.text().len() as f64 * x[0]
}

#[test]
fn lifetimes_and_a_constant_receiver() {
    let named = Named {
        name: "four",
        value: 0.5,
    };
    let (value, dx) = named.scaled_grad(&[1.0, 3.0]);
    assert_eq!((value, dx), (20.0, vec![4.0, 12.0]));
    check(
        |p| of_named(&named, p),
        |p| of_named_grad(&named, p),
        &[&[0.4, 1.3]],
    );
}
