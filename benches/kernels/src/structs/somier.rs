//! somier over a struct of vectors, one method for each part of a step.

use crate::somier::{DT, STIFFNESS};
use retrograde::{Differentiable, Record, gradient};

/// A cube of masses that springs hold together: all first coordinates, then all second ones, then all third ones.
#[derive(Clone, Debug, Differentiable, Record)]
pub struct Cube {
    n: usize,
    x: Vec<f64>,
    v: Vec<f64>,
    f: Vec<f64>,
}

#[gradient]
impl Cube {
    fn forces(&mut self) {
        let n = self.n;
        let nodes = n * n * n;
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                for k in 1..n - 1 {
                    let p = (i * n + j) * n + k;
                    let (mut fx, mut fy, mut fz) = (0.0, 0.0, 0.0);
                    for q in [p - n * n, p + n * n, p - n, p + n, p - 1, p + 1] {
                        let dx = self.x[q] - self.x[p];
                        let dy = self.x[nodes + q] - self.x[nodes + p];
                        let dz = self.x[2 * nodes + q] - self.x[2 * nodes + p];
                        let l = (dx * dx + dy * dy + dz * dz).sqrt();
                        let w = STIFFNESS * (l - 1.0) / l;
                        fx += w * dx;
                        fy += w * dy;
                        fz += w * dz;
                    }
                    self.f[p] = fx;
                    self.f[nodes + p] = fy;
                    self.f[2 * nodes + p] = fz;
                }
            }
        }
    }

    fn advance(&mut self) {
        for i in 0..self.x.len() {
            self.v[i] += DT * self.f[i];
        }
        for i in 0..self.x.len() {
            self.x[i] += DT * self.v[i];
        }
    }

    fn energy(&self) -> f64 {
        let mut energy = 0.0;
        for i in 0..self.v.len() {
            energy += 0.5 * self.v[i] * self.v[i];
        }
        energy
    }
}

/// The kinetic energy of a cube after some steps.
#[gradient]
pub fn somier(x0: &[f64], n: usize, steps: usize) -> f64 {
    let mut cube = Cube {
        n,
        x: x0.to_vec(),
        v: vec![0.0; x0.len()],
        f: vec![0.0; x0.len()],
    };
    for _ in 0..steps {
        cube.forces();
        cube.advance();
    }
    cube.energy()
}
