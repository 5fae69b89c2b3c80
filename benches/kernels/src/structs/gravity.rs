//! gravity over a struct of vectors, a step as two methods.

use crate::gravity::{DT, SOFTENING};
use retrograde::{Differentiable, Record, gradient};

/// Bodies: all first coordinates, then all second ones, then all third ones.
#[derive(Clone, Debug, Differentiable, Record)]
pub struct Cluster {
    q: Vec<f64>,
    v: Vec<f64>,
    #[constant]
    mass: Vec<f64>,
}

#[gradient]
impl Cluster {
    fn kick(&mut self) {
        let n = self.mass.len();
        for i in 0..n {
            let (mut ax, mut ay, mut az) = (0.0, 0.0, 0.0);
            for j in 0..n {
                let dx = self.q[j] - self.q[i];
                let dy = self.q[n + j] - self.q[n + i];
                let dz = self.q[2 * n + j] - self.q[2 * n + i];
                let r2 = dx * dx + dy * dy + dz * dz + SOFTENING;
                let w = retrograde::no_gradient(self.mass[j]) / (r2 * r2.sqrt());
                ax += w * dx;
                ay += w * dy;
                az += w * dz;
            }
            self.v[i] += DT * ax;
            self.v[n + i] += DT * ay;
            self.v[2 * n + i] += DT * az;
        }
    }

    fn drift(&mut self) {
        for i in 0..self.q.len() {
            self.q[i] += DT * self.v[i];
        }
    }

    fn miss(&self, #[constant] target: &[f64]) -> f64 {
        let n = self.mass.len();
        let mut f = 0.0;
        for i in 0..n {
            let dx = self.q[i] - target[i];
            let dy = self.q[n + i] - target[n + i];
            let dz = self.q[2 * n + i] - target[2 * n + i];
            f += dx * dx + dy * dy + dz * dz;
        }
        f
    }
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
    let mut cluster = Cluster {
        q: q0.to_vec(),
        v: v0.to_vec(),
        mass: mass.to_vec(),
    };
    for _ in 0..steps {
        cluster.kick();
        cluster.drift();
    }
    cluster.miss(target)
}
