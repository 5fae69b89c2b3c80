//! A cube of masses on springs: a stencil with square roots in three dimensions, and state that every step overwrites.

mod best;

use crate::kernel::{ByHand, Kernel, Reference, add, cleared, copy, parts, refill};
use crate::numbers::Numbers;
use best::Best;
use retrograde::gradient;
use std::hint::black_box;
use std::rc::Rc;

pub(crate) const DT: f64 = 0.01;
pub(crate) const STIFFNESS: f64 = 10.0;

/// The kinetic energy of `n³` nodes after so many steps. Vectors hold all x, then all y, then all z; nodes on the
/// boundary feel no force.
#[gradient]
pub fn somier(x0: &[f64], n: usize, steps: usize) -> f64 {
    let nodes = n * n * n;
    let mut x = x0.to_vec();
    let mut v = vec![0.0; 3 * nodes];
    let mut f = vec![0.0; 3 * nodes];
    for _ in 0..steps {
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                for k in 1..n - 1 {
                    let p = (i * n + j) * n + k;
                    let (mut fx, mut fy, mut fz) = (0.0, 0.0, 0.0);
                    for q in [p - n * n, p + n * n, p - n, p + n, p - 1, p + 1] {
                        let dx = x[q] - x[p];
                        let dy = x[nodes + q] - x[nodes + p];
                        let dz = x[2 * nodes + q] - x[2 * nodes + p];
                        let l = (dx * dx + dy * dy + dz * dz).sqrt();
                        let w = STIFFNESS * (l - 1.0) / l;
                        fx += w * dx;
                        fy += w * dy;
                        fz += w * dz;
                    }
                    f[p] = fx;
                    f[nodes + p] = fy;
                    f[2 * nodes + p] = fz;
                }
            }
        }
        for i in 0..3 * nodes {
            v[i] += DT * f[i];
        }
        for i in 0..3 * nodes {
            x[i] += DT * v[i];
        }
    }
    let mut energy = 0.0;
    for i in 0..3 * nodes {
        energy += 0.5 * v[i] * v[i];
    }
    energy
}

/// What the mechanical adjoint keeps of each spring.
#[derive(Clone, Copy, Default)]
struct Spring {
    d: [f64; 3],
    l: f64,
    w: f64,
}

#[derive(Default)]
struct Simple {
    springs: Vec<Spring>,
    x: Vec<f64>,
    v: Vec<f64>,
    f: Vec<f64>,
    dx: Vec<f64>,
    dv: Vec<f64>,
    df: Vec<f64>,
}

/// How many nodes are not on the boundary.
fn interior(n: usize) -> usize {
    n.saturating_sub(2).pow(3)
}

impl Simple {
    fn run(&mut self, x0: &[f64], n: usize, steps: usize, dx0: &mut [f64]) -> f64 {
        let nodes = n * n * n;
        copy(&mut self.x, x0);
        for buffer in [
            &mut self.v,
            &mut self.f,
            &mut self.dx,
            &mut self.dv,
            &mut self.df,
        ] {
            refill(buffer, 3 * nodes, 0.0);
        }
        let springs = steps * 6 * interior(n);
        self.springs.resize(springs, Spring::default());
        let mut top = 0;
        for _ in 0..steps {
            top = self.step(n, top);
        }
        let mut energy = 0.0;
        for i in 0..3 * nodes {
            energy += 0.5 * self.v[i] * self.v[i];
        }
        for i in (0..3 * nodes).rev() {
            self.dv[i] += self.v[i];
        }
        for _ in 0..steps {
            top = self.reverse_step(n, top);
        }
        add(dx0, &self.dx);
        energy
    }

    /// One step that records every spring; from where to where on the tape.
    fn step(&mut self, n: usize, mut top: usize) -> usize {
        let nodes = n * n * n;
        let (x, v, f) = (&mut self.x, &mut self.v, &mut self.f);
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                for k in 1..n - 1 {
                    let p = (i * n + j) * n + k;
                    let (mut fx, mut fy, mut fz) = (0.0, 0.0, 0.0);
                    for q in [p - n * n, p + n * n, p - n, p + n, p - 1, p + 1] {
                        let dx = x[q] - x[p];
                        let dy = x[nodes + q] - x[nodes + p];
                        let dz = x[2 * nodes + q] - x[2 * nodes + p];
                        let l = (dx * dx + dy * dy + dz * dz).sqrt();
                        let w = STIFFNESS * (l - 1.0) / l;
                        fx += w * dx;
                        fy += w * dy;
                        fz += w * dz;
                        let d = [dx, dy, dz];
                        self.springs[top] = Spring { d, l, w };
                        top += 1;
                    }
                    f[p] = fx;
                    f[nodes + p] = fy;
                    f[2 * nodes + p] = fz;
                }
            }
        }
        for i in 0..3 * nodes {
            v[i] += DT * f[i];
        }
        for i in 0..3 * nodes {
            x[i] += DT * v[i];
        }
        top
    }

    fn reverse_step(&mut self, n: usize, mut top: usize) -> usize {
        let nodes = n * n * n;
        let (dx, dv, df) = (&mut self.dx, &mut self.dv, &mut self.df);
        for i in (0..3 * nodes).rev() {
            dv[i] += DT * dx[i];
        }
        for i in (0..3 * nodes).rev() {
            df[i] += DT * dv[i];
        }
        for i in (1..n - 1).rev() {
            for j in (1..n - 1).rev() {
                for k in (1..n - 1).rev() {
                    let p = (i * n + j) * n + k;
                    let [gx, gy, gz] = [df[p], df[nodes + p], df[2 * nodes + p]];
                    df[p] = 0.0;
                    df[nodes + p] = 0.0;
                    df[2 * nodes + p] = 0.0;
                    for q in [p + 1, p - 1, p + n, p - n, p + n * n, p - n * n] {
                        top -= 1;
                        let Spring { d, l, w } = self.springs[top];
                        let dw = gx * d[0] + gy * d[1] + gz * d[2];
                        let dl = dw * STIFFNESS / l - dw * w / l;
                        let dsquare = dl * 0.5 / l;
                        let ex = gx * w + 2.0 * dsquare * d[0];
                        let ey = gy * w + 2.0 * dsquare * d[1];
                        let ez = gz * w + 2.0 * dsquare * d[2];
                        dx[q] += ex;
                        dx[p] -= ex;
                        dx[nodes + q] += ey;
                        dx[nodes + p] -= ey;
                        dx[2 * nodes + q] += ez;
                        dx[2 * nodes + p] -= ez;
                    }
                }
            }
        }
        // On the boundary the force is a constant zero.
        df.fill(0.0);
        top
    }
}

/// `n³` nodes (`n` is at least 1), so many steps.
pub fn kernel(n: usize, steps: usize) -> Kernel {
    let (n, steps) = black_box((n, steps));
    let nodes = n * n * n;
    let mut numbers = Numbers::new();
    let mut x0 = vec![0.0; 3 * nodes];
    for p in 0..nodes {
        for (d, at) in [p / (n * n), p / n % n, p % n].into_iter().enumerate() {
            x0[d * nodes + p] = at as f64 + numbers.draw(-0.1, 0.1);
        }
    }
    let x = Rc::new(black_box(x0));
    let [x1, x2, x3] = [x.clone(), x.clone(), x.clone()];
    let (mut simple, mut best) = (Simple::default(), Best::default());
    Kernel::new(
        format!("somier{n}"),
        &[3 * nodes],
        move || somier(&x, n, steps),
        move |tape, gradient| somier_grad_into(tape, &x1, &mut gradient[0], n, steps),
        ByHand::new(40 * 6 * steps * interior(n), move |gradient| {
            let [dx] = cleared(gradient);
            simple.run(&x2, n, steps, dx)
        }),
        ByHand::new(24 * steps * nodes, move |gradient| {
            let [dx] = parts(gradient);
            best.run(&x3, n, steps, dx)
        }),
    )
}

/// The small size that is timed: everything stays in the cache.
pub fn small() -> Kernel {
    kernel(8, 10).with_reference(Reference {
        loss: 6.0343007238416,
        entries: &[
            (0, 73, -0.191465186553249),
            (0, 741, 0.646585560313451),
            (0, 1463, -0.0871846470307541),
        ],
        directional: 10.4392087888,
        magnitudes: &[247.947786352],
    })
}

/// The large size that is timed.
pub fn large() -> Kernel {
    kernel(32, 10).with_reference(Reference {
        loss: 710.745104912975,
        entries: &[
            (0, 1057, 0.0174325354181063),
            (0, 35973, -0.0349345851565416),
            (0, 71879, -0.122122082696474),
        ],
        directional: -111.497526836,
        magnitudes: &[28357.3885006],
    })
}
