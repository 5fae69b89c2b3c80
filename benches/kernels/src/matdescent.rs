//! The squared length of `A x - b`: a matrix-vector product whose matrix is differentiated.

use crate::kernel::{ByHand, Kernel, Reference, cleared, parts, refill};
use crate::lanes::{add_rows, dots, load, outer};
use crate::numbers::Numbers;
use retrograde::gradient;
use std::hint::black_box;
use std::rc::Rc;

/// The function of `a` (one row per entry of `b`) and `x`.
#[gradient]
pub fn matdescent(a: &[f64], x: &[f64], #[constant] b: &[f64]) -> f64 {
    let n = x.len();
    let mut f = 0.0;
    for i in 0..b.len() {
        let mut s = 0.0;
        for j in 0..n {
            s += a[i * n + j] * x[j];
        }
        let r = s - b[i];
        f += r * r;
    }
    f
}

/// One record per row: the difference.
#[derive(Default)]
struct Simple {
    differences: Vec<f64>,
}

impl Simple {
    fn run(&mut self, a: &[f64], x: &[f64], b: &[f64], da: &mut [f64], dx: &mut [f64]) -> f64 {
        let n = x.len();
        refill(&mut self.differences, b.len(), 0.0);
        let mut f = 0.0;
        for i in 0..b.len() {
            let mut s = 0.0;
            for j in 0..n {
                s += a[i * n + j] * x[j];
            }
            let r = s - b[i];
            self.differences[i] = r;
            f += r * r;
        }
        for i in (0..b.len()).rev() {
            let r = self.differences[i];
            let ds = r + r;
            for j in (0..n).rev() {
                da[i * n + j] += ds * x[j];
                dx[j] += ds * a[i * n + j];
            }
        }
        f
    }
}

/// Forward and reverse of eight rows at a time, while they are in the cache: what the adjoint of a row starts
/// from is known as soon as the row is. `da` is assigned.
fn best(a: &[f64], x: &[f64], b: &[f64], da: &mut [f64], dx: &mut [f64]) -> f64 {
    let mut f = 0.0;
    let mut i = 0;
    while i + 8 <= b.len() {
        f = block::<8>(f, i, a, x, b, da, dx);
        i += 8;
    }
    while i < b.len() {
        f = block::<1>(f, i, a, x, b, da, dx);
        i += 1;
    }
    f
}

#[inline(always)]
fn block<const R: usize>(
    mut f: f64,
    i: usize,
    a: &[f64],
    x: &[f64],
    b: &[f64],
    da: &mut [f64],
    dx: &mut [f64],
) -> f64 {
    let n = x.len();
    let rows = &a[i * n..(i + R) * n];
    let sums = dots::<R>(rows, x, [0.0; R]);
    let b: [f64; R] = load(b, i);
    let mut ds = [0.0; R];
    for r in 0..R {
        let difference = sums[r] - b[r];
        f += difference * difference;
        ds[r] = difference + difference;
    }
    outer(&ds, x, &mut da[i * n..(i + R) * n]);
    add_rows::<R>(dx, rows, ds);
    f
}

/// `m` rows of length `n`.
pub fn kernel(m: usize, n: usize) -> Kernel {
    let mut numbers = Numbers::new();
    let lengths = [m * n, n, m];
    let inputs = Rc::new(black_box(lengths.map(|n| numbers.vec(n, -1.0, 1.0))));
    let [in1, in2, in3] = [inputs.clone(), inputs.clone(), inputs.clone()];
    let mut simple = Simple::default();
    Kernel::new(
        "matdescent",
        &lengths[..2],
        move || {
            let [a, x, b] = &*inputs;
            matdescent(a, x, b)
        },
        move |tape, gradient| {
            let ([a, x, b], [da, dx]) = (&*in1, parts(gradient));
            matdescent_grad_into(tape, a, da, x, dx, b)
        },
        ByHand::new(8 * m, move |gradient| {
            let ([a, x, b], [da, dx]) = (&*in2, cleared(gradient));
            simple.run(a, x, b, da, dx)
        }),
        ByHand::new(0, move |gradient| {
            let ([a, x, b], [da, dx]) = (&*in3, parts(gradient));
            dx.fill(0.0);
            best(a, x, b, da, dx)
        }),
    )
}

/// The size that is timed.
pub fn full() -> Kernel {
    kernel(400, 400).with_reference(Reference {
        loss: 18412.6165791353,
        entries: &[
            (0, 0, -3.58837742637435),
            (0, 80200, 0.495969031894204),
            (1, 0, -174.039736489379),
            (1, 399, -50.4632985092411),
        ],
        directional: 2574.81927263,
        magnitudes: &[869384.968132, 71023.7440557],
    })
}
