//! Functions that call macros of other files.

use retrograde::{Differentiable, gradient};

#[gradient]
pub fn between(x: f64) -> f64 {
    nonnan!(x);
    should!((0.0..=1.0).contains(&x));
    square!(x) * (1.0 - x)
}

#[gradient]
pub fn bracket(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in x {
        positive_or!(*v, return sum);
        sum += square!(*v);
    }
    sum
}

#[derive(Differentiable)]
pub struct Bar {
    pub span: f64,
    pub rise: f64,
}

#[gradient]
pub fn length(bar: &Bar) -> f64 {
    let side = bar.rise;
    square!(bar.span) + square!(side)
}

/// A function of the body with an attribute of a tool.
#[gradient]
pub fn nested(x: f64) -> f64 {
    #[inline(always)]
    #[rustfmt::skip]
    fn poly(c: &[f64], x: f64) -> f64 {
        c[0] + x * (c[1]
                 + x * c[2])
    }
    should!(x < 9.0);
    poly(&[1.0, -2.0, 0.5], x) * x
}
