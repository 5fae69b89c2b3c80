//! A signal through a cascade of recursive filters of second order, in place.

use crate::workload::Workload;
use retrograde::gradient;
use retrograde_kernels::numbers::Numbers;
use retrograde_kernels::{Kernel, parts};

/// The squared distance of what comes out from a target. A section has five coefficients; its state is that of the
/// transposed second form.
#[gradient]
pub fn filter(signal: &[f64], sections: &[f64], #[constant] target: &[f64]) -> f64 {
    let mut x = signal.to_vec();
    for section in sections.chunks_exact(5) {
        let (mut s1, mut s2) = (0.0, 0.0);
        for t in 0..x.len() {
            let y = section[0] * x[t] + s1;
            s1 = section[1] * x[t] - section[3] * y + s2;
            s2 = section[2] * x[t] - section[4] * y;
            x[t] = y;
        }
    }
    let mut distance = 0.0;
    for t in 0..x.len() {
        distance += (x[t] - target[t]) * (x[t] - target[t]);
    }
    distance
}

/// The signal before each section and at the end is kept; the adjoint runs the sections backwards in time.
fn best(
    [signal, sections, target]: &[Vec<f64>; 3],
    kept: &mut Vec<f64>,
    [x_bar, sections_bar]: [&mut [f64]; 2],
) -> f64 {
    let n = signal.len();
    let count = sections.len() / 5;
    kept.resize((count + 1) * n, 0.0);
    kept[..n].copy_from_slice(signal);
    for (s, section) in sections.chunks_exact(5).enumerate() {
        let (x, y) = kept[s * n..][..2 * n].split_at_mut(n);
        let (mut s1, mut s2) = (0.0, 0.0);
        for (x, y) in x.iter().zip(y) {
            *y = section[0] * x + s1;
            s1 = section[1] * x - section[3] * *y + s2;
            s2 = section[2] * x - section[4] * *y;
        }
    }
    let mut distance = 0.0;
    for ((y, target), bar) in kept[count * n..].iter().zip(target).zip(&mut *x_bar) {
        distance += (y - target) * (y - target);
        *bar = 2.0 * (y - target);
    }
    for (s, section) in sections.chunks_exact(5).enumerate().rev() {
        let (x, y) = kept[s * n..][..2 * n].split_at(n);
        let (mut s1, mut s2) = (0.0, 0.0);
        let mut bars = [0.0; 5];
        for ((x, y), bar) in x.iter().zip(y).zip(&mut *x_bar).rev() {
            let y_bar = *bar - section[3] * s1 - section[4] * s2;
            bars[0] += y_bar * x;
            bars[1] += s1 * x;
            bars[2] += s2 * x;
            bars[3] -= s1 * y;
            bars[4] -= s2 * y;
            *bar = section[0] * y_bar + section[1] * s1 + section[2] * s2;
            (s1, s2) = (y_bar, s1);
        }
        sections_bar[s * 5..][..5].copy_from_slice(&bars);
    }
    distance
}

/// So many samples and sections.
pub fn kernel(n: usize, sections: usize) -> Kernel {
    let mut numbers = Numbers::new();
    let mut coefficients = Vec::new();
    for _ in 0..sections {
        coefficients.extend(numbers.vec(3, 0.1, 0.6));
        coefficients.extend([numbers.draw(-0.9, 0.2), numbers.draw(0.1, 0.5)]);
    }
    let inputs = [
        numbers.vec(n, -1.0, 1.0),
        coefficients,
        numbers.vec(n, -1.0, 1.0),
    ];
    let mut kept = Vec::new();
    Workload::new(
        "filter",
        &[n, 5 * sections],
        inputs,
        |[signal, sections, target]| filter(signal, sections, target),
        |[signal, sections, target], tape, buffers| {
            let [signal_bar, sections_bar] = parts(buffers);
            filter_grad_into(tape, signal, signal_bar, sections, sections_bar, target)
        },
    )
    .by_hand(8 * (sections + 1) * n, move |inputs, buffers| {
        best(inputs, &mut kept, parts(buffers))
    })
    .twin("filter", move |[signal, coefficients, target], c| {
        c(&[signal, coefficients, target], &[], &[n, sections])
    })
    .kernel()
}
