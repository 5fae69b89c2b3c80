//! A sum over an array that fits no cache: every entry is read once, and a tape is as long as the array.

use crate::kernel::{ByHand, Kernel, Reference, cleared};
use crate::lanes::fma;
use crate::numbers::Numbers;
use retrograde::gradient;
use std::hint::black_box;
use std::rc::Rc;

/// The function.
#[gradient]
pub fn sumexp(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i].sin().exp() * x[i];
    }
    sum
}

/// One record per entry: the result of `exp`.
#[derive(Default)]
struct Simple {
    exps: Vec<f64>,
}

impl Simple {
    fn run(&mut self, x: &[f64], dx: &mut [f64]) -> f64 {
        let n = x.len();
        self.exps.resize(n, 0.0);
        let mut sum = 0.0;
        for i in 0..n {
            let exp = x[i].sin().exp();
            self.exps[i] = exp;
            sum += exp * x[i];
        }
        for i in (0..n).rev() {
            let exp = self.exps[i];
            dx[i] += exp;
            dx[i] += x[i] * exp * x[i].cos();
        }
        sum
    }
}

/// Forward and reverse in one loop, since the adjoint of each term is known beforehand: no tape, and sine and
/// cosine in one call.
fn best(x: &[f64], dx: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for (x, dx) in x.iter().zip(dx) {
        let (sin, cos) = x.sin_cos();
        let exp = sin.exp();
        sum += exp * x;
        *dx = exp * fma(*x, cos, 1.0);
    }
    sum
}

/// `n` entries.
pub fn kernel(n: usize) -> Kernel {
    let x = Rc::new(black_box(Numbers::new().vec(n, -1.0, 1.0)));
    let [x1, x2, x3] = [x.clone(), x.clone(), x.clone()];
    let mut simple = Simple::default();
    Kernel::new(
        "sumexp_big",
        &[n],
        move || sumexp(&x),
        move |tape, gradient| sumexp_grad_into(tape, &x1, &mut gradient[0]),
        ByHand::new(8 * n, move |gradient| {
            let [dx] = cleared(gradient);
            simple.run(&x2, dx)
        }),
        ByHand::new(0, move |gradient| best(&x3, &mut gradient[0])),
    )
}

/// The size that is timed.
pub fn full() -> Kernel {
    kernel(20_000_000).with_reference(Reference {
        loss: 6495909.13783962,
        entries: &[
            (0, 0, 2.27211498054288),
            (0, 10_000_000, 2.31660507045915),
            (0, 19_999_999, 1.90160087934975),
        ],
        directional: -4122.76746889,
        magnitudes: &[27502514.742],
    })
}
