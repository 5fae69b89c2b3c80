//! A soft body of springs whose lengths a small network controls: matrix-vector products, scattered reads and
//! writes, and weights that every time step uses again.

mod best;
mod simple;

use crate::kernel::{ByHand, Kernel, Reference, cleared, parts};
use crate::numbers::Numbers;
use best::Best;
use retrograde::gradient;
use simple::Simple;
use std::f64::consts::PI;
use std::hint::black_box;
use std::rc::Rc;

const DT: f64 = 0.004;
const STIFFNESS: f64 = 300.0;
const ACTUATION: f64 = 0.1;
const GRAVITY: f64 = -1.8;
const DAMPING: f64 = 15.0;
const GOAL: (f64, f64) = (2.0, 0.2);
/// Inputs of the network that are waves in time.
const WAVES: usize = 10;

/// How far the first object has moved to the left after so many steps. Objects lie at `p0` (x and y in turn); the
/// ends of each spring are `from` and `to`, its length at rest `rest`; the network has weights `w1` (hidden × inputs)
/// and `w2` (springs × hidden).
#[gradient]
pub fn mass_spring(
    #[constant] p0: &[f64],
    #[constant] rest: &[f64],
    from: &[usize],
    to: &[usize],
    w1: &[f64],
    b1: &[f64],
    w2: &[f64],
    b2: &[f64],
    steps: usize,
) -> f64 {
    let (n, springs, hidden) = (p0.len() / 2, rest.len(), b1.len());
    let inputs = WAVES + 4 * n + 2;
    let decay = (-DT * DAMPING).exp();
    let mut x = p0.to_vec();
    let mut v = vec![0.0; 2 * n];
    let mut f = vec![0.0; 2 * n];
    let mut input = vec![0.0; inputs];
    let mut h = vec![0.0; hidden];
    let mut act = vec![0.0; springs];
    for t in 0..steps {
        let (mut cx, mut cy) = (0.0, 0.0);
        for i in 0..n {
            cx += x[2 * i];
            cy += x[2 * i + 1];
        }
        cx /= n as f64;
        cy /= n as f64;
        for j in 0..WAVES {
            input[j] = (10.0 * t as f64 * DT + 2.0 * PI / WAVES as f64 * j as f64).sin();
        }
        for i in 0..n {
            input[WAVES + 4 * i] = 0.05 * (x[2 * i] - cx);
            input[WAVES + 4 * i + 1] = 0.05 * (x[2 * i + 1] - cy);
            input[WAVES + 4 * i + 2] = 0.05 * v[2 * i];
            input[WAVES + 4 * i + 3] = 0.05 * v[2 * i + 1];
        }
        input[WAVES + 4 * n] = GOAL.0 - cx;
        input[WAVES + 4 * n + 1] = GOAL.1 - cy;
        for k in 0..hidden {
            let mut s = b1[k];
            for i in 0..inputs {
                s += w1[k * inputs + i] * input[i];
            }
            h[k] = s.tanh();
        }
        for c in 0..springs {
            let mut s = b2[c];
            for k in 0..hidden {
                s += w2[c * hidden + k] * h[k];
            }
            act[c] = s.tanh();
        }
        for i in 0..2 * n {
            f[i] = 0.0;
        }
        for c in 0..springs {
            let (a, b) = (from[c], to[c]);
            let dx = x[2 * a] - x[2 * b];
            let dy = x[2 * a + 1] - x[2 * b + 1];
            let length = (dx * dx + dy * dy + 1e-8).sqrt();
            let w = STIFFNESS * (length - rest[c] * (1.0 + ACTUATION * act[c])) / length;
            f[2 * a] -= w * dx;
            f[2 * a + 1] -= w * dy;
            f[2 * b] += w * dx;
            f[2 * b + 1] += w * dy;
        }
        for i in 0..n {
            v[2 * i] = decay * (v[2 * i] + DT * f[2 * i]);
            v[2 * i + 1] = decay * (v[2 * i + 1] + DT * (f[2 * i + 1] + GRAVITY));
        }
        for i in 0..2 * n {
            x[i] += DT * v[i];
        }
    }
    -x[0]
}

struct Inputs {
    p0: Vec<f64>,
    rest: Vec<f64>,
    from: Vec<usize>,
    to: Vec<usize>,
    weights: [Vec<f64>; 4],
    steps: usize,
}

impl Inputs {
    /// A grid of `n` objects, a chain of springs through all of them and `n` more between any two.
    fn new(n: usize, hidden: usize, steps: usize) -> Self {
        let mut numbers = Numbers::new();
        let mut p0 = Vec::with_capacity(2 * n);
        for i in 0..n {
            p0.push(0.1 * (i % 16) as f64 + numbers.draw(-0.02, 0.02));
            p0.push(0.1 * (i / 16) as f64 + numbers.draw(-0.02, 0.02));
        }
        let (mut from, mut to) = (Vec::new(), Vec::new());
        for s in 0..2 * n - 1 {
            let (mut a, mut b) = (s, s + 1);
            if s >= n - 1 {
                a = (numbers.unit() * n as f64) as usize;
                let offset = (numbers.unit() * (n - 1) as f64) as usize;
                b = (a + 1 + offset) % n;
            }
            from.push(a);
            to.push(b);
        }
        let length = |(a, b): (&usize, &usize)| {
            let dx: f64 = p0[2 * a] - p0[2 * b];
            let dy: f64 = p0[2 * a + 1] - p0[2 * b + 1];
            (dx * dx + dy * dy).sqrt()
        };
        let rest = from.iter().zip(&to).map(length).collect();
        let inputs = WAVES + 4 * n + 2;
        let lengths = [hidden * inputs, hidden, from.len() * hidden, from.len()];
        let weights = lengths.map(|n| numbers.vec(n, -0.3, 0.3));
        Self {
            p0,
            rest,
            from,
            to,
            weights,
            steps,
        }
    }
}

/// So many objects (at least one), hidden units and steps.
pub fn kernel(n: usize, hidden: usize, steps: usize) -> Kernel {
    let inputs = Rc::new(black_box(Inputs::new(n, hidden, steps)));
    let lengths = inputs.weights.each_ref().map(Vec::len);
    let springs = inputs.rest.len();
    let layers = WAVES + 4 * n + 2 + hidden + springs;
    let [in1, in2, in3] = [inputs.clone(), inputs.clone(), inputs.clone()];
    let (mut simple, mut best) = (Simple::default(), Best::default());
    Kernel::new(
        "mass_spring",
        &lengths,
        move || {
            let Inputs {
                p0, rest, from, to, ..
            } = &*inputs;
            let [w1, b1, w2, b2] = &inputs.weights;
            mass_spring(p0, rest, from, to, w1, b1, w2, b2, inputs.steps)
        },
        move |tape, gradient| {
            let Inputs {
                p0, rest, from, to, ..
            } = &*in1;
            let [w1, b1, w2, b2] = &in1.weights;
            let [dw1, db1, dw2, db2] = parts(gradient);
            mass_spring_grad_into(
                tape, p0, rest, from, to, w1, dw1, b1, db1, w2, dw2, b2, db2, in1.steps,
            )
        },
        ByHand::new(8 * steps * (layers + 4 * springs), move |gradient| {
            simple.run(&in2, cleared(gradient))
        }),
        ByHand::new(
            8 * steps * (layers + 2 * n + hidden + springs),
            move |gradient| best.run(&in3, cleared(gradient)),
        ),
    )
}

/// The size that is timed.
pub fn full() -> Kernel {
    kernel(128, 32, 20).with_reference(Reference {
        loss: -0.0435880084106688,
        entries: &[
            (0, 0, -0.000222214059095788),
            (0, 523, 8.64347113828274e-05),
            (1, 5, -0.00154758785442617),
            (2, 0, 0.000996308092881118),
            (3, 0, 0.0035414114604653),
        ],
        directional: -0.108609314526,
        magnitudes: &[
            2.49237741733,
            0.194781830529,
            0.669419592345,
            0.0767557688231,
        ],
    })
}
