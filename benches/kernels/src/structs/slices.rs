//! The kernels of this folder over slices, divided into the same functions.

use retrograde::gradient;

/// A step of heat1d as a function.
pub mod heat1d {
    use super::gradient;
    use crate::heat1d::DT;

    #[gradient]
    fn step(now: &mut Vec<f64>, next: &mut Vec<f64>) {
        for i in 1..now.len() - 1 {
            let hr = 0.5 * (now[i] + now[i + 1]);
            let hl = 0.5 * (now[i - 1] + now[i]);
            next[i] =
                now[i] + DT * (hr * hr * (now[i + 1] - now[i]) - hl * hl * (now[i] - now[i - 1]));
        }
        std::mem::swap(now, next);
    }

    #[gradient]
    fn heat(now: &[f64]) -> f64 {
        let mut f = 0.0;
        for i in 0..now.len() {
            f += now[i] * now[i];
        }
        f
    }

    /// The sum of squares after some steps.
    #[gradient]
    pub fn heat1d(u0: &[f64], steps: usize) -> f64 {
        let mut now = u0.to_vec();
        let mut next = u0.to_vec();
        for _ in 0..steps {
            step(&mut now, &mut next);
        }
        heat(&now)
    }
}

/// A step of somier as two functions.
pub mod somier {
    use super::gradient;
    use crate::somier::{DT, STIFFNESS};

    #[gradient]
    fn forces(n: usize, x: &[f64], f: &mut [f64]) {
        let nodes = n * n * n;
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
    }

    #[gradient]
    fn advance(x: &mut [f64], v: &mut [f64], f: &[f64]) {
        for i in 0..x.len() {
            v[i] += DT * f[i];
        }
        for i in 0..x.len() {
            x[i] += DT * v[i];
        }
    }

    #[gradient]
    fn energy(v: &[f64]) -> f64 {
        let mut energy = 0.0;
        for i in 0..v.len() {
            energy += 0.5 * v[i] * v[i];
        }
        energy
    }

    /// The kinetic energy after some steps.
    #[gradient]
    pub fn somier(x0: &[f64], n: usize, steps: usize) -> f64 {
        let mut x = x0.to_vec();
        let mut v = vec![0.0; x0.len()];
        let mut f = vec![0.0; x0.len()];
        for _ in 0..steps {
            forces(n, &x, &mut f);
            advance(&mut x, &mut v, &f);
        }
        energy(&v)
    }
}

/// A step of gravity as two functions.
pub mod gravity {
    use super::gradient;
    use crate::gravity::{DT, SOFTENING};

    #[gradient]
    fn kick(q: &[f64], v: &mut [f64], #[constant] mass: &[f64]) {
        let n = mass.len();
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
    }

    #[gradient]
    fn drift(q: &mut [f64], v: &[f64]) {
        for i in 0..q.len() {
            q[i] += DT * v[i];
        }
    }

    #[gradient]
    fn miss(q: &[f64], #[constant] target: &[f64]) -> f64 {
        let n = q.len() / 3;
        let mut f = 0.0;
        for i in 0..n {
            let dx = q[i] - target[i];
            let dy = q[n + i] - target[n + i];
            let dz = q[2 * n + i] - target[2 * n + i];
            f += dx * dx + dy * dy + dz * dz;
        }
        f
    }

    /// By how much the bodies miss their targets, squared.
    #[gradient]
    pub fn gravity(
        q0: &[f64],
        v0: &[f64],
        #[constant] mass: &[f64],
        #[constant] target: &[f64],
        steps: usize,
    ) -> f64 {
        let mut q = q0.to_vec();
        let mut v = v0.to_vec();
        for _ in 0..steps {
            kick(&q, &mut v, mass);
            drift(&mut q, &v);
        }
        miss(&q, target)
    }
}

/// The layers of the network as functions.
pub mod layers {
    use super::gradient;

    #[gradient]
    fn hidden(weights: &[f64], biases: &[f64], #[constant] input: &[f64], out: &mut [f64]) {
        for k in 0..biases.len() {
            let mut s = biases[k];
            for i in 0..input.len() {
                s += weights[k * input.len() + i] * input[i];
            }
            out[k] = 1.0 / (1.0 + (-s).exp());
        }
    }

    #[gradient]
    fn scores(weights: &[f64], biases: &[f64], input: &[f64], out: &mut [f64]) {
        for k in 0..biases.len() {
            let mut s = biases[k];
            for i in 0..input.len() {
                s += weights[k * input.len() + i] * input[i];
            }
            out[k] = s;
        }
    }

    /// The loss on one image.
    #[gradient]
    pub fn nn(
        #[constant] img: &[f64],
        w1: &[f64],
        b1: &[f64],
        w2: &[f64],
        b2: &[f64],
        label: usize,
    ) -> f64 {
        let mut h = vec![0.0; b1.len()];
        hidden(w1, b1, img, &mut h);
        let mut o = vec![0.0; b2.len()];
        scores(w2, b2, &h, &mut o);
        let mut largest = o[0];
        for c in 1..o.len() {
            if o[c] > largest {
                largest = o[c];
            }
        }
        let mut sum = 0.0;
        for c in 0..o.len() {
            sum += (o[c] - largest).exp();
        }
        largest + sum.ln() - o[label]
    }
}
