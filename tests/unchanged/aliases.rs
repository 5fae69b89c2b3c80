//! Aliases of numbers that other files declare, in signatures, bodies and fields.

use retrograde::{Differentiable, Record, gradient};

use crate::configured::{Measure, Ticks};
use crate::support::check;
use crate::units::{Period, Real, Row, Span};

#[gradient]
fn smoothed(x: &[Real], length: Period) -> Real {
    let alpha: Real = 2.0 / ((length + 1) as Real);
    let mut mean = x[0];
    for value in &x[1..] {
        mean = mean.mul_add(1.0 - alpha, alpha * value.powi(2));
    }
    Real::sqrt(mean.abs()) + Real::powi(mean, 3) * Real::from(length)
}

#[gradient]
fn inside(row: &Row, span: Span) -> Row {
    let mut inner: Row = [0.0; 3];
    for k in 0..3 {
        inner[k] = row[k].clamp(span.0, span.1) * span.0;
    }
    inner
}

#[gradient]
fn weighted(row: &Row, span: Span) -> Real {
    let inner = inside(row, span);
    inner.iter().map(|v| v * v).sum::<Real>().sqrt()
}

#[derive(Clone, Copy, Differentiable, Record)]
struct Average {
    alpha: Real,
    value: Real,
    length: Period,
}

#[gradient]
impl Average {
    fn new(length: Period, value: Real) -> Self {
        let alpha = 2.0 / (length + 1) as Real;
        Average {
            alpha,
            value,
            length,
        }
    }
    fn next(&mut self, x: &Real) -> Real {
        self.value = (x - self.value).mul_add(self.alpha, self.value.sin());
        self.value * self.length as Real
    }
}

#[gradient]
fn averaged(x: &[f64], length: u16) -> f64 {
    let mut average = Average::new(length, x[0]);
    let mut sum = 0.0;
    for v in x {
        sum += average.next(v);
    }
    sum
}

/// The value of an alias that a feature chooses.
#[gradient]
fn measured(x: Measure, n: usize, length: Ticks) -> Measure {
    let mut sum: Measure = match length {
        0 => return x,
        length => x.sin() / (length + 1) as Measure,
    };
    for k in 0..n {
        sum += x.powi(2) / (k + 1) as Measure;
    }
    sum
}

#[test]
fn aliases_of_other_files_are_what_they_stand_for() {
    for length in [1, 5] {
        check(
            |p| smoothed(p, length),
            |p| smoothed_grad(p, length),
            &[&[0.4, 1.2, -0.6], &[2.0]],
        );
        check(
            |p| averaged(p, length),
            |p| averaged_grad(p, length),
            &[&[0.4, 1.2, -0.6], &[2.0]],
        );
    }
    let at = |p: &[f64]| ([p[0], p[1], p[2]], (p[3], p[4]));
    check(
        |p| weighted(&at(p).0, at(p).1),
        |p| {
            let (row, span) = at(p);
            let (value, (drow, dspan)) = weighted_grad(&row, span);
            (value, vec![drow[0], drow[1], drow[2], dspan.0, dspan.1])
        },
        &[&[0.4, 1.2, -0.6, -0.5, 0.9], &[0.1, 0.2, 0.3, 0.05, 2.0]],
    );
    check(
        |p| measured(p[0], 3, 4),
        |p| measured_grad(p[0], 3, 4),
        &[&[0.7], &[-2.0]],
    );
}
