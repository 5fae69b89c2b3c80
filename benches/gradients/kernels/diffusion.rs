//! Nonlinear diffusion on a line, explicit steps between two buffers that change places: an array that is
//! overwritten again and again, and whose old values the reverse sweep needs.

use super::contest::Kernel;
use super::numbers::Numbers;
use retrograde::{Tape, gradient};

/// The number of time steps that is timed.
pub(crate) const STEPS: usize = 100;

#[gradient]
fn diffusion(u: &[f64], steps: usize) -> f64 {
    let n = u.len();
    let (mut a, mut b) = (u.to_vec(), u.to_vec());
    for _ in 0..steps {
        for i in 1..n - 1 {
            let (hr, hl) = (0.5 * (a[i] + a[i + 1]), 0.5 * (a[i - 1] + a[i]));
            b[i] = a[i] + 0.1 * (hr * hr * (a[i + 1] - a[i]) - hl * hl * (a[i] - a[i - 1]));
        }
        std::mem::swap(&mut a, &mut b);
    }
    let mut s = 0.0;
    for &v in a.iter() {
        s += v * v;
    }
    s
}

/// What the hand-written adjoint keeps between calls: every row of the forward sweep, and two rows of adjoints.
struct ByHand {
    rows: Vec<f64>,
    da: Vec<f64>,
    db: Vec<f64>,
}

impl ByHand {
    fn new(n: usize, steps: usize) -> Self {
        Self {
            rows: vec![0.0; n * (steps + 1)],
            da: vec![0.0; n],
            db: vec![0.0; n],
        }
    }

    /// Keeps whole rows, which makes the step a plain loop from one row to the next, and gathers: the new
    /// adjoint of a cell is made from the old adjoints of the cell and its neighbours.
    fn run(&mut self, u: &[f64], du: &mut [f64]) -> f64 {
        let n = u.len();
        let Self { rows, da, db } = self;
        rows[..n].copy_from_slice(u);
        let steps = rows.len() / n - 1;
        for t in 0..steps {
            let (a, b) = rows[t * n..(t + 2) * n].split_at_mut(n);
            step(a, b);
        }
        let last = &rows[steps * n..];
        let mut sum = 0.0;
        for (d, v) in da.iter_mut().zip(last) {
            sum += v * v;
            *d = 2.0 * v;
        }
        // The ends never change: what they receive goes straight to the first row, and in `da` they stay zero.
        let mut ends = [std::mem::take(&mut da[0]), std::mem::take(&mut da[n - 1])];
        db[0] = 0.0;
        db[n - 1] = 0.0;
        for a in rows[..steps * n].chunks_exact(n).rev() {
            ends[0] -= 0.1 * da[1] * by_left(a[0], a[1]);
            ends[1] += 0.1 * da[n - 2] * by_right(a[n - 2], a[n - 1]);
            step_adjoint(a, da, db);
            std::mem::swap(da, db);
        }
        du.copy_from_slice(da);
        du[0] = ends[0];
        du[n - 1] = ends[1];
        sum
    }
}

/// One step from row `a` to row `b`.
fn step(a: &[f64], b: &mut [f64]) {
    let n = a.len();
    b[0] = a[0];
    b[n - 1] = a[n - 1];
    let inner = n - 2;
    let (left, here, right, out) = (
        &a[..inner],
        &a[1..][..inner],
        &a[2..][..inner],
        &mut b[1..][..inner],
    );
    for i in 0..inner {
        let (hr, hl) = (0.5 * (here[i] + right[i]), 0.5 * (left[i] + here[i]));
        out[i] = here[i] + 0.1 * (hr * hr * (right[i] - here[i]) - hl * hl * (here[i] - left[i]));
    }
}

/// The derivatives of the flux `((l + r) / 2)² (r - l)` by `l` and by `r`.
fn by_left(l: f64, r: f64) -> f64 {
    let h = 0.5 * (l + r);
    h * (r - l) - h * h
}

fn by_right(l: f64, r: f64) -> f64 {
    let h = 0.5 * (l + r);
    h * (r - l) + h * h
}

/// The adjoint of a step at row `a`: from the adjoints `after` of its result to those `before` of `a`, the ends apart.
fn step_adjoint(a: &[f64], after: &[f64], before: &mut [f64]) {
    let inner = a.len() - 2;
    let (left, here, right) = (&a[..inner], &a[1..][..inner], &a[2..][..inner]);
    let (dleft, dhere, dright) = (&after[..inner], &after[1..][..inner], &after[2..][..inner]);
    let out = &mut before[1..][..inner];
    for i in 0..inner {
        let from_left = by_right(left[i], here[i]) * (dleft[i] - dhere[i]);
        let from_right = by_left(here[i], right[i]) * (dhere[i] - dright[i]);
        out[i] = dhere[i] + 0.1 * (from_left + from_right);
    }
}

pub(crate) fn kernel(n: usize, steps: usize) -> Kernel {
    let mut tape = Tape::new();
    let mut hand = ByHand::new(n, steps);
    let u = Numbers::new().vec(n, 0.5, 1.5);
    Kernel::new(format!("diffusion/{n}x{steps}"), u, move |u| {
        diffusion(u, steps)
    })
    .with("by hand", move |u, du| hand.run(u, du))
    .with("retrograde", move |u, du| {
        diffusion_grad_into(&mut tape, u, du, steps)
    })
}
