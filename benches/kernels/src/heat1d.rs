//! Nonlinear diffusion on a line, explicit steps between two buffers that change places: what one step overwrites
//! is larger than the caches, and the reverse sweep needs all of it.

mod best;

use crate::kernel::{ByHand, Kernel, Reference, cleared, copy, refill};
use crate::numbers::Numbers;
use best::{Best, EVERY};
use retrograde::gradient;
use std::hint::black_box;
use std::rc::Rc;

pub(crate) const DT: f64 = 0.1;

/// The squared length of the state after so many steps; its ends stay as they are.
#[gradient]
pub fn heat1d(u0: &[f64], steps: usize) -> f64 {
    let n = u0.len();
    let mut a = u0.to_vec();
    let mut b = u0.to_vec();
    for _ in 0..steps {
        for i in 1..n - 1 {
            let hr = 0.5 * (a[i] + a[i + 1]);
            let hl = 0.5 * (a[i - 1] + a[i]);
            b[i] = a[i] + DT * (hr * hr * (a[i + 1] - a[i]) - hl * hl * (a[i] - a[i - 1]));
        }
        std::mem::swap(&mut a, &mut b);
    }
    let mut f = 0.0;
    for i in 0..n {
        f += a[i] * a[i];
    }
    f
}

/// One record per cell and step: both means, and what is overwritten.
#[derive(Default)]
struct Simple {
    cells: Vec<(f64, f64, f64)>,
    a: Vec<f64>,
    b: Vec<f64>,
    da: Vec<f64>,
    db: Vec<f64>,
}

impl Simple {
    fn run(&mut self, u0: &[f64], steps: usize, du: &mut [f64]) -> f64 {
        let n = u0.len();
        let Self {
            cells,
            a,
            b,
            da,
            db,
        } = self;
        copy(a, u0);
        copy(b, u0);
        cells.resize(n * steps, (0.0, 0.0, 0.0));
        let mut top = 0;
        for _ in 0..steps {
            for i in 1..n - 1 {
                let hr = 0.5 * (a[i] + a[i + 1]);
                let hl = 0.5 * (a[i - 1] + a[i]);
                cells[top] = (hr, hl, b[i]);
                top += 1;
                b[i] = a[i] + DT * (hr * hr * (a[i + 1] - a[i]) - hl * hl * (a[i] - a[i - 1]));
            }
            std::mem::swap(a, b);
        }
        let mut f = 0.0;
        for i in 0..n {
            f += a[i] * a[i];
        }

        refill(da, n, 0.0);
        refill(db, n, 0.0);
        for i in (0..n).rev() {
            da[i] += 2.0 * a[i];
        }
        for _ in 0..steps {
            std::mem::swap(a, b);
            std::mem::swap(da, db);
            for i in (1..n - 1).rev() {
                top -= 1;
                let (hr, hl, old) = cells[top];
                b[i] = old;
                let d = db[i];
                db[i] = 0.0;
                da[i] += d;
                let d = DT * d;
                let (right, left) = (a[i + 1] - a[i], a[i] - a[i - 1]);
                let (dright, dhr) = (d * hr * hr, d * right * 2.0 * hr);
                let (dleft, dhl) = (-d * hl * hl, -d * left * 2.0 * hl);
                da[i + 1] += dright;
                da[i] -= dright;
                da[i] += dleft;
                da[i - 1] -= dleft;
                da[i] += 0.5 * dhr;
                da[i + 1] += 0.5 * dhr;
                da[i - 1] += 0.5 * dhl;
                da[i] += 0.5 * dhl;
            }
        }
        for i in 0..n {
            du[i] += da[i] + db[i];
        }
        f
    }
}

/// `n` cells, so many steps.
pub fn kernel(n: usize, steps: usize) -> Kernel {
    let steps = black_box(steps);
    let u = Rc::new(black_box(Numbers::new().vec(n, 0.5, 1.5)));
    let [u1, u2, u3] = [u.clone(), u.clone(), u.clone()];
    let (mut simple, mut best) = (Simple::default(), Best::default());
    Kernel::new(
        "heat1d",
        &[n],
        move || heat1d(&u, steps),
        move |tape, gradient| heat1d_grad_into(tape, &u1, &mut gradient[0], steps),
        ByHand::new(24 * n.saturating_sub(2) * steps, move |gradient| {
            let [du] = cleared(gradient);
            simple.run(&u2, steps, du)
        }),
        ByHand::new(8 * n * (steps.div_ceil(EVERY) + 1), move |gradient| {
            best.run(&u3, steps, &mut gradient[0])
        }),
    )
}

/// The size that is timed.
pub fn full() -> Kernel {
    kernel(100_000, 200).with_reference(Reference {
        loss: 100165.036375598,
        entries: &[
            (0, 0, 16.2693286558527),
            (0, 50_000, 1.99167211578755),
            (0, 99_990, 1.63786426674658),
        ],
        directional: -771.134503287,
        magnitudes: &[199406.319177],
    })
}
