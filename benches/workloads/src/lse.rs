//! The logarithm of a sum of exponentials, with the largest entry found in the ways in which people write that.
//! GradBench's `lse`.

use crate::workload::Workload;
use retrograde::{Tape, gradient};
use retrograde_kernels::log_sum_exp::{log_sum_exp, log_sum_exp_grad_into};
use retrograde_kernels::numbers::Numbers;
use retrograde_kernels::{Gradient, Kernel};

/// The largest entry by `max`.
#[gradient]
pub fn lse_max(x: &[f64]) -> f64 {
    let mut largest = f64::NEG_INFINITY;
    for &v in x {
        largest = largest.max(v);
    }
    let mut sum = 0.0;
    for &v in x {
        sum += (v - largest).exp();
    }
    largest + sum.ln()
}

/// The largest entry, and the sum, by iterators.
#[gradient]
pub fn lse_fold(x: &[f64]) -> f64 {
    let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = x.iter().map(|v| (v - largest).exp()).sum();
    largest + sum.ln()
}

/// The derivatives are the shares of the sum: that of the largest entry itself cancels, so it is not searched again.
fn best(x: &[f64], exps: &mut Vec<f64>, dx: &mut [f64]) -> f64 {
    let mut largest = x[0];
    for &v in x {
        if v > largest {
            largest = v;
        }
    }
    exps.clear();
    exps.extend(x.iter().map(|v| (v - largest).exp()));
    let mut sum = 0.0;
    for exp in &*exps {
        sum += exp;
    }
    let share = 1.0 / sum;
    for (dx, exp) in dx.iter_mut().zip(exps) {
        *dx = share * *exp;
    }
    largest + sum.ln()
}

type Function = fn(&[f64]) -> f64;
type WithGradient = fn(&mut Tape, &[f64], &mut [f64]) -> f64;

fn workload(name: &str, n: usize, function: Function, gradient: WithGradient) -> Kernel {
    let mut exps = Vec::new();
    let inputs = Numbers::new().vec(n, -50.0, 50.0);
    Workload::new(
        name,
        &[n],
        inputs,
        move |x| function(x),
        move |x, tape, buffers: &mut Gradient| gradient(tape, x, &mut buffers[0]),
    )
    .by_hand(8 * n, move |x, buffers| best(x, &mut exps, &mut buffers[0]))
    .twin("lse", |x, c| c(&[x], &[], &[x.len()]))
    .kernel()
}

/// `n` entries, the largest one by a comparison: the kernel of the other table.
pub fn compared(n: usize) -> Kernel {
    workload("lse", n, log_sum_exp, log_sum_exp_grad_into)
}

/// `n` entries, `max`.
pub fn by_max(n: usize) -> Kernel {
    workload("lse_max", n, lse_max, lse_max_grad_into)
}

/// `n` entries, folded.
pub fn folded(n: usize) -> Kernel {
    workload("lse_fold", n, lse_fold, lse_fold_grad_into)
}
