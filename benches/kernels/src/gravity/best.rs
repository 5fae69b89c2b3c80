//! Only the positions of each step are kept. Lanes run over the bodies on which the forces act, forward and in
//! reverse; the reverse sweep gathers what a body gets from each pair it is in, from both ends at once.

use super::{DT, Inputs, SOFTENING};
use crate::kernel::{copy, refill};
use crate::lanes::fma;

const L: usize = 8;

#[derive(Default)]
pub(super) struct Best {
    positions: Vec<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
}

impl Best {
    pub(super) fn run(&mut self, inputs: &Inputs, [dq, dv]: [&mut [f64]; 2]) -> f64 {
        let (mass, target, n) = (&inputs.mass[..], &inputs.target[..], inputs.mass.len());
        copy(&mut self.q, &inputs.q);
        copy(&mut self.v, &inputs.v);
        refill(&mut self.positions, 0, 0.0);
        let (q, v) = (&mut self.q[..3 * n], &mut self.v[..3 * n]);
        let (dq, dv) = (&mut dq[..3 * n], &mut dv[..3 * n]);
        for _ in 0..inputs.steps {
            self.positions.extend_from_slice(q);
            accelerate(q, v, mass);
            for (q, v) in q.iter_mut().zip(v.iter()) {
                *q += DT * v;
            }
        }
        let mut f = 0.0;
        for i in 0..n {
            let dx = q[i] - target[i];
            let dy = q[n + i] - target[n + i];
            let dz = q[2 * n + i] - target[2 * n + i];
            f += dx * dx + dy * dy + dz * dz;
        }
        for i in 0..3 * n {
            dq[i] = 2.0 * (q[i] - target[i]);
        }
        dv.fill(0.0);
        for step in (0..inputs.steps).rev() {
            for (dv, dq) in dv.iter_mut().zip(dq.iter()) {
                *dv += DT * dq;
            }
            gather(&self.positions[step * 3 * n..][..3 * n], dv, mass, dq);
        }
        f
    }
}

/// The three components of a vector.
fn components(of: &[f64], n: usize) -> [&[f64]; 3] {
    [&of[..n], &of[n..2 * n], &of[2 * n..3 * n]]
}

/// `L` neighbours, or as many as are left and zeros.
#[inline(always)]
fn lanes(from: &[f64], at: usize) -> [f64; L] {
    let mut lanes = [0.0; L];
    let there = &from[at..from.len().min(at + L)];
    lanes[..there.len()].copy_from_slice(there);
    lanes
}

/// Adds to the velocities. Each body's sum keeps its order, so the bits are those of the plain loop.
fn accelerate(q: &[f64], v: &mut [f64], mass: &[f64]) {
    let n = mass.len();
    let [qx, qy, qz] = components(q, n);
    for i in (0..n).step_by(L) {
        let [px, py, pz] = [qx, qy, qz].map(|q| lanes(q, i));
        let (mut ax, mut ay, mut az) = ([0.0; L], [0.0; L], [0.0; L]);
        for j in 0..n {
            let (x, y, z, m) = (qx[j], qy[j], qz[j], mass[j]);
            for l in 0..L {
                let (dx, dy, dz) = (x - px[l], y - py[l], z - pz[l]);
                let r2 = dx * dx + dy * dy + dz * dz + SOFTENING;
                let w = m / (r2 * r2.sqrt());
                ax[l] += w * dx;
                ay[l] += w * dy;
                az[l] += w * dz;
            }
        }
        for l in 0..L.min(n - i) {
            v[i + l] += DT * ax[l];
            v[n + i + l] += DT * ay[l];
            v[2 * n + i + l] += DT * az[l];
        }
    }
}

/// Adds to `dq` what the accelerations at positions `q` hand on from `dv`.
fn gather(q: &[f64], dv: &[f64], mass: &[f64], dq: &mut [f64]) {
    let n = mass.len();
    let [qx, qy, qz] = components(q, n);
    let [gx, gy, gz] = components(dv, n);
    for i in (0..n).step_by(L) {
        let [px, py, pz] = [qx, qy, qz].map(|q| lanes(q, i));
        let [hx, hy, hz] = [gx, gy, gz].map(|g| lanes(g, i));
        let own = lanes(mass, i);
        let (mut sx, mut sy, mut sz) = ([0.0; L], [0.0; L], [0.0; L]);
        for j in 0..n {
            let (x, y, z, m) = (qx[j], qy[j], qz[j], mass[j]);
            let (fx, fy, fz) = (gx[j], gy[j], gz[j]);
            for l in 0..L {
                let (dx, dy, dz) = (x - px[l], y - py[l], z - pz[l]);
                let r2 = fma(dx, dx, fma(dy, dy, fma(dz, dz, SOFTENING)));
                let root = r2.sqrt();
                let k = 1.0 / (r2 * root);
                // As the body that pulls, less as the body that is pulled.
                let ux = fma(own[l], fx, -(m * hx[l]));
                let uy = fma(own[l], fy, -(m * hy[l]));
                let uz = fma(own[l], fz, -(m * hz[l]));
                let c = -3.0 * k * root * fma(ux, dx, fma(uy, dy, uz * dz));
                sx[l] = fma(k, fma(c, dx, ux), sx[l]);
                sy[l] = fma(k, fma(c, dy, uy), sy[l]);
                sz[l] = fma(k, fma(c, dz, uz), sz[l]);
            }
        }
        for l in 0..L.min(n - i) {
            dq[i + l] += DT * sx[l];
            dq[n + i + l] += DT * sy[l];
            dq[2 * n + i + l] += DT * sz[l];
        }
    }
}
