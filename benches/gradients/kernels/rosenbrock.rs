//! The extended Rosenbrock function: cheap arithmetic, a sum whose order is fixed, neighbours read twice.

use super::contest::Kernel;
use super::numbers::Numbers;
use retrograde::{Tape, gradient};

#[gradient]
fn rosenbrock(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() - 1 {
        let a = 1.0 - x[i];
        let b = x[i + 1] - x[i] * x[i];
        sum += a * a + 100.0 * b * b;
    }
    sum
}

/// Nothing that the terms share is overwritten, so value and gradient take one loop and no storage.
fn by_hand(x: &[f64], dx: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    let mut from_the_left = 0.0;
    let neighbours = x.windows(2);
    let (last, others) = dx.split_last_mut().expect("at least one entry");
    for (pair, d) in neighbours.zip(others) {
        let a = 1.0 - pair[0];
        let b = pair[1] - pair[0] * pair[0];
        sum += a * a + 100.0 * b * b;
        *d = from_the_left - 2.0 * a - 400.0 * b * pair[0];
        from_the_left = 200.0 * b;
    }
    *last = from_the_left;
    sum
}

pub(crate) fn kernel(n: usize) -> Kernel {
    let mut tape = Tape::new();
    let x = Numbers::new().vec(n, -2.0, 2.0);
    Kernel::new(format!("rosenbrock/{n}"), x, rosenbrock)
        .with("by hand", by_hand)
        .with("retrograde", move |x, dx| {
            rosenbrock_grad_into(&mut tape, x, dx)
        })
}
