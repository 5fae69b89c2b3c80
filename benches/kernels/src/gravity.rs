//! Bodies that attract each other, in a few staggered leapfrog steps: all pairs, and state that every step overwrites.

mod best;

use crate::kernel::{ByHand, Kernel, Reference, add, cleared, copy, parts, refill};
use crate::numbers::Numbers;
use best::Best;
use retrograde::gradient;
use std::hint::black_box;
use std::rc::Rc;

pub(crate) const DT: f64 = 0.01;
pub(crate) const SOFTENING: f64 = 0.01;

/// The squared distance of all bodies from their targets after so many steps. Vectors hold all x, then all y,
/// then all z.
#[gradient]
pub fn gravity(
    q0: &[f64],
    v0: &[f64],
    #[constant] mass: &[f64],
    #[constant] target: &[f64],
    steps: usize,
) -> f64 {
    let n = mass.len();
    let mut q = q0.to_vec();
    let mut v = v0.to_vec();
    for _ in 0..steps {
        for i in 0..n {
            let (mut ax, mut ay, mut az) = (0.0, 0.0, 0.0);
            for j in 0..n {
                let dx = q[j] - q[i];
                let dy = q[n + j] - q[n + i];
                let dz = q[2 * n + j] - q[2 * n + i];
                let r2 = dx * dx + dy * dy + dz * dz + SOFTENING;
                let w = mass[j] / (r2 * r2.sqrt());
                ax += w * dx;
                ay += w * dy;
                az += w * dz;
            }
            v[i] += DT * ax;
            v[n + i] += DT * ay;
            v[2 * n + i] += DT * az;
        }
        for i in 0..3 * n {
            q[i] += DT * v[i];
        }
    }
    let mut f = 0.0;
    for i in 0..n {
        let dx = q[i] - target[i];
        let dy = q[n + i] - target[n + i];
        let dz = q[2 * n + i] - target[2 * n + i];
        f += dx * dx + dy * dy + dz * dz;
    }
    f
}

struct Inputs {
    q: Vec<f64>,
    v: Vec<f64>,
    mass: Vec<f64>,
    target: Vec<f64>,
    steps: usize,
}

/// What the mechanical adjoint keeps of each pair.
#[derive(Clone, Copy, Default)]
struct Pair {
    d: [f64; 3],
    r2: f64,
    root: f64,
    below: f64,
    w: f64,
}

#[derive(Default)]
struct Simple {
    pairs: Vec<Pair>,
    q: Vec<f64>,
    v: Vec<f64>,
    dq: Vec<f64>,
    dv: Vec<f64>,
}

impl Simple {
    fn run(&mut self, inputs: &Inputs, [dq0, dv0]: [&mut [f64]; 2]) -> f64 {
        let (mass, target, n) = (&inputs.mass, &inputs.target, inputs.mass.len());
        copy(&mut self.q, &inputs.q);
        copy(&mut self.v, &inputs.v);
        refill(&mut self.dq, 3 * n, 0.0);
        refill(&mut self.dv, 3 * n, 0.0);
        self.pairs.resize(inputs.steps * n * n, Pair::default());
        let mut top = 0;
        for _ in 0..inputs.steps {
            top = self.step(mass, top);
        }
        let (q, dq, dv) = (&self.q, &mut self.dq, &mut self.dv);
        let mut f = 0.0;
        for i in 0..n {
            let dx = q[i] - target[i];
            let dy = q[n + i] - target[n + i];
            let dz = q[2 * n + i] - target[2 * n + i];
            f += dx * dx + dy * dy + dz * dz;
        }
        for i in (0..n).rev() {
            for at in [i, n + i, 2 * n + i] {
                dq[at] += 2.0 * (q[at] - target[at]);
            }
        }
        for _ in 0..inputs.steps {
            for i in (0..3 * n).rev() {
                dv[i] += DT * dq[i];
            }
            for i in (0..n).rev() {
                let [dax, day, daz] = [dv[i], dv[n + i], dv[2 * n + i]].map(|d| DT * d);
                for j in (0..n).rev() {
                    top -= 1;
                    let Pair {
                        d: [dx, dy, dz],
                        r2,
                        root,
                        below,
                        w,
                    } = self.pairs[top];
                    let dw = dax * dx + day * dy + daz * dz;
                    let dbelow = -dw * w / below;
                    let dr2 = dbelow * root + dbelow * r2 * 0.5 / root;
                    let ddx = dax * w + 2.0 * dx * dr2;
                    let ddy = day * w + 2.0 * dy * dr2;
                    let ddz = daz * w + 2.0 * dz * dr2;
                    dq[j] += ddx;
                    dq[i] -= ddx;
                    dq[n + j] += ddy;
                    dq[n + i] -= ddy;
                    dq[2 * n + j] += ddz;
                    dq[2 * n + i] -= ddz;
                }
            }
        }
        add(dq0, &self.dq);
        add(dv0, &self.dv);
        f
    }

    /// One step that records every pair; from where to where on the tape.
    fn step(&mut self, mass: &[f64], mut top: usize) -> usize {
        let (q, v, n) = (&mut self.q, &mut self.v, mass.len());
        for i in 0..n {
            let (mut ax, mut ay, mut az) = (0.0, 0.0, 0.0);
            for j in 0..n {
                let dx = q[j] - q[i];
                let dy = q[n + j] - q[n + i];
                let dz = q[2 * n + j] - q[2 * n + i];
                let r2 = dx * dx + dy * dy + dz * dz + SOFTENING;
                let root = r2.sqrt();
                let below = r2 * root;
                let w = mass[j] / below;
                ax += w * dx;
                ay += w * dy;
                az += w * dz;
                self.pairs[top] = Pair {
                    d: [dx, dy, dz],
                    r2,
                    root,
                    below,
                    w,
                };
                top += 1;
            }
            v[i] += DT * ax;
            v[n + i] += DT * ay;
            v[2 * n + i] += DT * az;
        }
        for i in 0..3 * n {
            q[i] += DT * v[i];
        }
        top
    }
}

/// `n` bodies, so many steps.
pub fn kernel(n: usize, steps: usize) -> Kernel {
    let mut numbers = Numbers::new();
    let inputs = Rc::new(black_box(Inputs {
        q: numbers.vec(3 * n, -1.0, 1.0),
        v: numbers.vec(3 * n, -0.1, 0.1),
        mass: numbers.vec(n, 0.5 / 64.0, 1.5 / 64.0),
        target: numbers.vec(3 * n, -1.0, 1.0),
        steps,
    }));
    let [in1, in2, in3] = [inputs.clone(), inputs.clone(), inputs.clone()];
    let (mut simple, mut best) = (Simple::default(), Best::default());
    Kernel::new(
        "gravity",
        &[3 * n, 3 * n],
        move || {
            let Inputs {
                q, v, mass, target, ..
            } = &*inputs;
            gravity(q, v, mass, target, steps)
        },
        move |tape, gradient| {
            let Inputs {
                q, v, mass, target, ..
            } = &*in1;
            let [dq, dv] = parts(gradient);
            gravity_grad_into(tape, q, dq, v, dv, mass, target, steps)
        },
        ByHand::new(56 * steps * n * n, move |gradient| {
            simple.run(&in2, cleared(gradient))
        }),
        ByHand::new(24 * steps * n, move |gradient| {
            best.run(&in3, parts(gradient))
        }),
    )
}

/// The size that is timed.
pub fn full() -> Kernel {
    kernel(64, 8).with_reference(Reference {
        loss: 121.566276731983,
        entries: &[
            (0, 0, -0.819131825956854),
            (0, 100, -0.999520555068868),
            (1, 0, -0.0660304016066841),
            (1, 191, 0.088418130963156),
        ],
        directional: 1.07699647932,
        magnitudes: &[252.095161616, 20.1545907757],
    })
}
