//! The functions to look at.

use retrograde::{Tape, gradient};

/// A function that can be chosen.
#[derive(Clone, Copy)]
pub(crate) enum Function {
    Diffusion,
    Network,
    Bodies,
}

impl Function {
    pub(crate) const ALL: [Self; 3] = [Self::Diffusion, Self::Network, Self::Bodies];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Diffusion => "diffusion",
            Self::Network => "network",
            Self::Bodies => "bodies",
        }
    }

    pub(crate) fn usual_size(self) -> usize {
        match self {
            Self::Diffusion => 2000,
            Self::Network => 200,
            Self::Bodies => 30,
        }
    }

    /// Runs both sweeps on the tape and returns the value.
    pub(crate) fn gradient(self, tape: &mut Tape, size: usize) -> f64 {
        let start = |count: usize| {
            (0..count)
                .map(|i| (i as f64 * 0.37).sin())
                .collect::<Vec<_>>()
        };
        match self {
            Self::Diffusion => {
                let (u0, mut du0, mut dkappa) = (start(size), vec![0.0; size], 0.0);
                diffusion_grad_into(tape, &u0, &mut du0, 0.02, &mut dkappa, 50)
            }
            Self::Network => {
                let (w, x) = (start(4 * size * size), start(size));
                let (mut dw, mut dx) = (vec![0.0; w.len()], vec![0.0; size]);
                network_grad_into(tape, &w, &mut dw, &x, &mut dx, 4)
            }
            Self::Bodies => {
                let x: Vec<f64> = start(3 * size).iter().map(|x| 5.0 * x).collect();
                let mut dx = vec![0.0; x.len()];
                bodies_grad_into(tape, &x, &mut dx, 20, 1e-3, &mut 0.0)
            }
        }
    }
}

/// `steps` steps of a diffusion whose coefficient grows with the temperature; the sum of squares at the end.
#[gradient]
pub(crate) fn diffusion(u0: &[f64], kappa: f64, steps: usize) -> f64 {
    let n = u0.len();
    let mut u = u0.to_vec();
    let mut next = u0.to_vec();
    for _ in 0..steps {
        for i in 1..n - 1 {
            let conductivity = kappa * (0.5 * u[i]).exp();
            next[i] = u[i] + conductivity * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
        }
        std::mem::swap(&mut u, &mut next);
    }
    let mut energy = 0.0;
    for v in &u {
        energy += v * v;
    }
    energy
}

/// Layers of `tanh`, all as wide as the input; the mean of the last layer.
#[gradient]
pub(crate) fn network(weights: &[f64], input: &[f64], layers: usize) -> f64 {
    let n = input.len();
    let mut from = input.to_vec();
    for layer in 0..layers {
        let mut to = vec![0.0; n];
        for i in 0..n {
            let mut sum = 0.0;
            for j in 0..n {
                sum += weights[(layer * n + i) * n + j] * from[j];
            }
            to[i] = sum.tanh();
        }
        from.copy_from_slice(&to);
    }
    let mut mean = 0.0;
    for v in &from {
        mean += v / n as f64;
    }
    mean
}

/// The kinetic energy of bodies of equal mass that start at rest and attract each other for `steps` steps.
#[gradient]
pub(crate) fn bodies(start: &[f64], steps: usize, dt: f64) -> f64 {
    let n = start.len() / 3;
    let mut x = start.to_vec();
    let mut v = vec![0.0; 3 * n];
    for _ in 0..steps {
        for i in 0..n {
            for j in 0..i {
                let (dx, dy, dz) = (
                    x[3 * i] - x[3 * j],
                    x[3 * i + 1] - x[3 * j + 1],
                    x[3 * i + 2] - x[3 * j + 2],
                );
                let squared = dx * dx + dy * dy + dz * dz + 0.1;
                let pull = dt / (squared * squared.sqrt());
                v[3 * i] -= pull * dx;
                v[3 * i + 1] -= pull * dy;
                v[3 * i + 2] -= pull * dz;
                v[3 * j] += pull * dx;
                v[3 * j + 1] += pull * dy;
                v[3 * j + 2] += pull * dz;
            }
        }
        for k in 0..x.len() {
            x[k] += dt * v[k];
        }
    }
    let mut energy = 0.0;
    for speed in &v {
        energy += 0.5 * speed * speed;
    }
    energy
}
