//! The logarithm of a sum of exponentials, shifted by the largest entry: library calls and a data-dependent branch.

use super::contest::Kernel;
use super::numbers::Numbers;
use retrograde::{Tape, gradient};

#[gradient]
fn log_sum_exp(x: &[f64]) -> f64 {
    let mut largest = x[0];
    for &v in x.iter() {
        if v > largest {
            largest = v;
        }
    }
    let mut sum = 0.0;
    for &v in x.iter() {
        sum += (v - largest).exp();
    }
    largest + sum.ln()
}

/// The gradient is the softmax of `x`. That the shift by the largest entry cancels is knowledge about the
/// function that no tool has: a mechanical adjoint also follows `largest`.
fn by_hand(x: &[f64], dx: &mut [f64]) -> f64 {
    let largest = x
        .iter()
        .fold(x[0], |largest, &v| if v > largest { v } else { largest });
    let mut sum = 0.0;
    for (d, v) in dx.iter_mut().zip(x) {
        *d = (v - largest).exp();
        sum += *d;
    }
    let scale = 1.0 / sum;
    for d in dx {
        *d *= scale;
    }
    largest + sum.ln()
}

pub(crate) fn kernel(n: usize) -> Kernel {
    let mut tape = Tape::new();
    let x = Numbers::new().vec(n, -5.0, 5.0);
    Kernel::new(format!("log_sum_exp/{n}"), x, log_sum_exp)
        .with("by hand", by_hand)
        .with("retrograde", move |x, dx| {
            log_sum_exp_grad_into(&mut tape, x, dx)
        })
}
