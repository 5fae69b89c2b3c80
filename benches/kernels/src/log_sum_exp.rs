//! The logarithm of a sum of exponentials, shifted by the largest entry: library calls and a data-dependent branch.

use crate::kernel::{ByHand, Kernel, Reference, cleared, refill};
use crate::lanes::{load, sum};
use crate::numbers::Numbers;
use retrograde::gradient;
use std::hint::black_box;
use std::rc::Rc;

/// The function.
#[gradient]
pub fn log_sum_exp(x: &[f64]) -> f64 {
    let mut largest = x[0];
    for i in 1..x.len() {
        if x[i] > largest {
            largest = x[i];
        }
    }
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += (x[i] - largest).exp();
    }
    largest + sum.ln()
}

/// A flag per comparison and the result of each `exp`.
#[derive(Default)]
struct Simple {
    larger: Vec<bool>,
    exps: Vec<f64>,
}

impl Simple {
    fn run(&mut self, x: &[f64], dx: &mut [f64]) -> f64 {
        let n = x.len();
        refill(&mut self.larger, n, false);
        refill(&mut self.exps, n, 0.0);
        let mut largest = x[0];
        for i in 1..n {
            let larger = x[i] > largest;
            self.larger[i] = larger;
            if larger {
                largest = x[i];
            }
        }
        let mut sum = 0.0;
        for i in 0..n {
            let exp = (x[i] - largest).exp();
            self.exps[i] = exp;
            sum += exp;
        }
        let value = largest + sum.ln();

        let dsum = 1.0 / sum;
        let mut dlargest = 1.0;
        for i in (0..n).rev() {
            let d = dsum * self.exps[i];
            dx[i] += d;
            dlargest -= d;
        }
        for i in (1..n).rev() {
            if self.larger[i] {
                dx[i] += dlargest;
                dlargest = 0.0;
            }
        }
        dx[0] += dlargest;
        value
    }
}

/// The largest entry in lanes, and the index at which the plain loop would have found it: the first that is equal.
pub(crate) fn first_largest(x: &[f64]) -> (f64, usize) {
    const L: usize = 16;
    const BLOCK: usize = 256;
    let mut lanes = [x[0]; L];
    let mut chunks = x.chunks_exact(L);
    for chunk in &mut chunks {
        for l in 0..L {
            if chunk[l] > lanes[l] {
                lanes[l] = chunk[l];
            }
        }
    }
    let mut largest = x[0];
    for &v in lanes.iter().chain(chunks.remainder()) {
        if v > largest {
            largest = v;
        }
    }
    // A whole block is asked at once, which vectorises; only the block that answers is searched.
    for (b, block) in x.chunks(BLOCK).enumerate() {
        let hits = block.iter().map(|&v| u64::from(v == largest));
        if hits.fold(0, |any, hit| any | hit) != 0 {
            let at = block.iter().position(|&v| v == largest);
            let at = b * BLOCK + at.unwrap_or(0);
            return (x[at], at);
        }
    }
    (x[0], 0)
}

/// The comparisons become one index; the subtraction of the largest entry is summed in lanes.
#[derive(Default)]
struct Best {
    exps: Vec<f64>,
}

impl Best {
    fn run(&mut self, x: &[f64], dx: &mut [f64]) -> f64 {
        const L: usize = 16;
        let n = x.len();
        self.exps.resize(n, 0.0);
        let (exps, dx) = (&mut self.exps[..n], &mut dx[..n]);
        let (largest, at) = first_largest(x);
        let mut total = 0.0;
        for i in 0..n {
            let exp = (x[i] - largest).exp();
            exps[i] = exp;
            total += exp;
        }
        let dsum = 1.0 / total;
        let blocked = n / L * L;
        let mut lanes = [0.0; L];
        let blocks = dx[..blocked].chunks_exact_mut(L);
        for (dx, exps) in blocks.zip(exps.chunks_exact(L)) {
            let exps: [f64; L] = load(exps, 0);
            for l in 0..L {
                let d = dsum * exps[l];
                dx[l] = d;
                lanes[l] += d;
            }
        }
        let mut dlargest = 1.0 - sum(&lanes);
        for i in blocked..n {
            let d = dsum * exps[i];
            dx[i] = d;
            dlargest -= d;
        }
        dx[at] += dlargest;
        largest + total.ln()
    }
}

/// `n` entries.
pub fn kernel(n: usize) -> Kernel {
    let x = Rc::new(black_box(Numbers::new().vec(n, -5.0, 5.0)));
    let [x1, x2, x3] = [x.clone(), x.clone(), x.clone()];
    let (mut simple, mut best) = (Simple::default(), Best::default());
    Kernel::new(
        "logsumexp",
        &[n],
        move || log_sum_exp(&x),
        move |tape, gradient| log_sum_exp_grad_into(tape, &x1, &mut gradient[0]),
        ByHand::new(9 * n, move |gradient| {
            let [dx] = cleared(gradient);
            simple.run(&x2, dx)
        }),
        ByHand::new(8 * n, move |gradient| best.run(&x3, &mut gradient[0])),
    )
}

/// The size that is timed.
pub fn full() -> Kernel {
    kernel(10_000).with_reference(Reference {
        loss: 11.907184824882,
        entries: &[
            (0, 0, 7.54880617171481e-05),
            (0, 5000, 2.40368305817784e-05),
            (0, 9999, 2.16555675510899e-06),
        ],
        directional: -0.0445813347881,
        magnitudes: &[1.0],
    })
}
