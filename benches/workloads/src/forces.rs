//! Lennard-Jones forces from a neighbour list that holds more pairs than are within the cut-off.

use crate::workload::Workload;
use retrograde::gradient;
use retrograde_kernels::numbers::Numbers;
use retrograde_kernels::{Kernel, refill};

/// The energy, and a fraction of the sum of the squared forces. Particle `i` has the neighbours
/// `list[starts[i]..starts[i + 1]]`, each pair once.
#[gradient]
pub fn forces(
    x: &[f64],
    #[constant] starts: &[usize],
    #[constant] list: &[usize],
    #[constant] cutoff: f64,
) -> f64 {
    let n = starts.len() - 1;
    let mut force = vec![0.0; 3 * n];
    let mut energy = 0.0;
    for i in 0..n {
        for e in starts[i]..starts[i + 1] {
            let j = list[e];
            let dx = x[3 * i] - x[3 * j];
            let dy = x[3 * i + 1] - x[3 * j + 1];
            let dz = x[3 * i + 2] - x[3 * j + 2];
            let square = dx * dx + dy * dy + dz * dz;
            if square < cutoff * cutoff {
                let inverse = 1.0 / square;
                let sixth = inverse * inverse * inverse;
                energy += 4.0 * sixth * (sixth - 1.0);
                let strength = 24.0 * inverse * sixth * (2.0 * sixth - 1.0);
                force[3 * i] += strength * dx;
                force[3 * i + 1] += strength * dy;
                force[3 * i + 2] += strength * dz;
                force[3 * j] -= strength * dx;
                force[3 * j + 1] -= strength * dy;
                force[3 * j + 2] -= strength * dz;
            }
        }
    }
    let mut squares = 0.0;
    for k in 0..3 * n {
        squares += force[k] * force[k];
    }
    energy + 0.01 * squares
}

struct Inputs {
    x: Vec<f64>,
    starts: Vec<usize>,
    list: Vec<usize>,
}

const CUTOFF: f64 = 1.6;

/// The pairs within the cut-off, which are a few of those in the list, are kept as a list; what else a pair has is
/// computed again.
#[derive(Default)]
struct Best {
    force: Vec<f64>,
    pairs: Vec<[u32; 2]>,
}

impl Best {
    fn run(&mut self, i: &Inputs, x_bar: &mut [f64]) -> f64 {
        let n = i.starts.len() - 1;
        let x = i.x.as_chunks::<3>().0;
        refill(&mut self.force, 3 * n, 0.0);
        self.pairs.clear();
        let force = self.force.as_chunks_mut::<3>().0;
        let mut energy = 0.0;
        for a in 0..n {
            let mut own = force[a];
            for &b in &i.list[i.starts[a]..i.starts[a + 1]] {
                let [dx, dy, dz] = std::array::from_fn(|k| x[a][k] - x[b][k]);
                let square = dx * dx + dy * dy + dz * dz;
                if square < CUTOFF * CUTOFF {
                    self.pairs.push([a as u32, b as u32]);
                    let inverse = 1.0 / square;
                    let sixth = inverse * inverse * inverse;
                    energy += 4.0 * sixth * (sixth - 1.0);
                    let strength = 24.0 * inverse * sixth * (2.0 * sixth - 1.0);
                    for (k, d) in [dx, dy, dz].into_iter().enumerate() {
                        own[k] += strength * d;
                        force[b][k] -= strength * d;
                    }
                }
            }
            force[a] = own;
        }
        let mut squares = 0.0;
        for force in force.as_flattened() {
            squares += force * force;
        }
        x_bar.fill(0.0);
        let x_bar = x_bar.as_chunks_mut::<3>().0;
        for &[a, b] in &self.pairs {
            let (a, b) = (a as usize, b as usize);
            let d: [f64; 3] = std::array::from_fn(|k| x[a][k] - x[b][k]);
            let bar: [f64; 3] = std::array::from_fn(|k| 0.02 * (force[a][k] - force[b][k]));
            let inverse = 1.0 / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            let sixth = inverse * inverse * inverse;
            let strength = 24.0 * inverse * sixth * (2.0 * sixth - 1.0);
            let slope = 24.0 * inverse * inverse * sixth * (4.0 - 14.0 * sixth);
            let along = d[0] * bar[0] + d[1] * bar[1] + d[2] * bar[2];
            // The slope of the energy is minus half the strength.
            let factor = 2.0 * slope * along - strength;
            for k in 0..3 {
                let bar = strength * bar[k] + factor * d[k];
                x_bar[a][k] += bar;
                x_bar[b][k] -= bar;
            }
        }
        energy + 0.01 * squares
    }
}

/// A crooked lattice of so many particles along each side.
pub fn kernel(side: usize) -> Kernel {
    let mut numbers = Numbers::new();
    let n = side * side * side;
    let mut x = Vec::with_capacity(3 * n);
    for i in 0..n {
        for cell in [i % side, i / side % side, i / side / side] {
            x.push(1.1 * cell as f64 + numbers.draw(-0.06, 0.06));
        }
    }
    // A third further than the cut-off, as lists are that serve several steps.
    let reach = (1.33 * CUTOFF) * (1.33 * CUTOFF);
    let (mut starts, mut list) = (vec![0], Vec::new());
    for i in 0..n {
        for j in i + 1..n {
            let square: f64 = (0..3).map(|k| (x[3 * i + k] - x[3 * j + k]).powi(2)).sum();
            if square < reach {
                list.push(j);
            }
        }
        starts.push(list.len());
    }
    let mut best = Best::default();
    let within = list.len();
    Workload::new(
        "forces",
        &[3 * n],
        Inputs { x, starts, list },
        |i| forces(&i.x, &i.starts, &i.list, CUTOFF),
        |i, tape, buffers| {
            forces_grad_into(tape, &i.x, &mut buffers[0], &i.starts, &i.list, CUTOFF)
        },
    )
    .by_hand(8 * within, move |i, buffers| best.run(i, &mut buffers[0]))
    .twin("forces", move |i, c| {
        c(&[&i.x, &[CUTOFF]], &[&i.starts, &i.list], &[n])
    })
    .kernel()
}
