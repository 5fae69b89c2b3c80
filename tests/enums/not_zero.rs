//! Numbers of std that are not zero, and durations, in what the reverse sweep keeps.

use std::num::NonZeroU32;
use std::time::Duration;

use retrograde::{Differentiable, Record, gradient};

use super::support::check;

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
enum Compounding {
    Continuous,
    Periodic(NonZeroU32),
    Delayed { by: Duration, rate: f64 },
}

#[gradient]
fn discount(rate: f64, years: f64, by: Compounding) -> f64 {
    match by {
        Compounding::Continuous => (-rate * years).exp(),
        Compounding::Periodic(n) => {
            let n = n.get() as f64;
            (1.0 + rate / n).powf(-n * years)
        }
        Compounding::Delayed { rate, .. } => rate * (years + 2.5),
    }
}

#[gradient]
fn of_flows(x: &[f64], mut by: Compounding) -> f64 {
    let mut sum = 0.0;
    for k in 0..x.len() {
        sum += discount(x[k], k as f64 + x[0], by);
        if let Compounding::Periodic(n) = by {
            sum *= f64::from(n.get()) * x[1];
            by = Compounding::Delayed {
                by: Duration::from_millis(250),
                rate: x[k] * x[1],
            };
        }
    }
    sum
}

#[test]
fn numbers_that_are_not_zero() {
    let points: [&[f64]; 2] = [&[0.03, 1.2, 0.4], &[0.5, 0.7, -0.1]];
    let twelve = NonZeroU32::new(12).unwrap();
    let delayed = Compounding::Delayed {
        by: Duration::new(2, 500_000_000),
        rate: 0.3,
    };
    for by in [
        Compounding::Continuous,
        Compounding::Periodic(twelve),
        delayed,
    ] {
        check(
            |x| of_flows(x, by),
            |x| {
                let (value, (dx, _)) = of_flows_grad(x, by);
                (value, dx)
            },
            &points,
        );
    }
}
