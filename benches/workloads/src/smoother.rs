//! Sweeps of a smoother over a graph whose nodes have different numbers of neighbours, in place.

use crate::workload::Workload;
use retrograde::gradient;
use retrograde_kernels::numbers::Numbers;
use retrograde_kernels::{Kernel, parts};

/// The weighted squares after so many sweeps.
#[gradient]
pub fn smoother(
    start: &[f64],
    loads: &[f64],
    #[constant] graph: &[Vec<usize>],
    #[constant] relaxation: f64,
    sweeps: usize,
) -> f64 {
    let n = start.len();
    let mut u = start.to_vec();
    for _ in 0..sweeps {
        for i in 0..n {
            let mut sum = loads[i];
            for &j in &graph[i] {
                sum += u[j];
            }
            let mean = sum / (graph[i].len() as f64 + 1.0);
            u[i] = (1.0 - relaxation) * u[i] + relaxation * mean;
        }
    }
    let mut energy = 0.0;
    for i in 0..n {
        energy += (i % 7) as f64 * u[i] * u[i];
    }
    energy
}

const RELAXATION: f64 = 0.7;

struct Inputs {
    start: Vec<f64>,
    loads: Vec<f64>,
    graph: Vec<Vec<usize>>,
    /// The same in one list, for C.
    starts: Vec<usize>,
    list: Vec<usize>,
}

/// The sweeps are linear: nothing is kept.
fn best(i: &Inputs, sweeps: usize, u: &mut Vec<f64>, [u_bar, loads_bar]: [&mut [f64]; 2]) -> f64 {
    let n = i.start.len();
    retrograde_kernels::copy(u, &i.start);
    for _ in 0..sweeps {
        for (k, neighbours) in i.graph.iter().enumerate() {
            let mut sum = i.loads[k];
            for &j in neighbours {
                sum += u[j];
            }
            let mean = sum / (neighbours.len() as f64 + 1.0);
            u[k] = (1.0 - RELAXATION) * u[k] + RELAXATION * mean;
        }
    }
    let mut energy = 0.0;
    for k in 0..n {
        let weight = (k % 7) as f64;
        energy += weight * u[k] * u[k];
        u_bar[k] = 2.0 * weight * u[k];
    }
    loads_bar.fill(0.0);
    for _ in 0..sweeps {
        for (k, neighbours) in i.graph.iter().enumerate().rev() {
            let share = RELAXATION * u_bar[k] / (neighbours.len() as f64 + 1.0);
            u_bar[k] *= 1.0 - RELAXATION;
            loads_bar[k] += share;
            for &j in neighbours {
                u_bar[j] += share;
            }
        }
    }
    energy
}

/// A graph of `n` nodes, so many sweeps.
pub fn kernel(n: usize, sweeps: usize) -> Kernel {
    let mut numbers = Numbers::new();
    let mut graph = vec![Vec::new(); n];
    for i in 1..n {
        for _ in 0..1 + i % 4 {
            let j = (numbers.unit() * i as f64) as usize;
            graph[i].push(j);
            graph[j].push(i);
        }
    }
    let mut starts = vec![0];
    for neighbours in &graph {
        starts.push(starts[starts.len() - 1] + neighbours.len());
    }
    let inputs = Inputs {
        start: numbers.vec(n, -1.0, 1.0),
        loads: numbers.vec(n, -1.0, 1.0),
        list: graph.concat(),
        graph,
        starts,
    };
    let mut u = Vec::new();
    Workload::new(
        "smoother",
        &[n, n],
        inputs,
        move |i| smoother(&i.start, &i.loads, &i.graph, RELAXATION, sweeps),
        move |i, tape, buffers| {
            let [start, loads] = parts(buffers);
            smoother_grad_into(
                tape, &i.start, start, &i.loads, loads, &i.graph, RELAXATION, sweeps,
            )
        },
    )
    .by_hand(0, move |i, buffers| best(i, sweeps, &mut u, parts(buffers)))
    .twin("smoother", move |i, c| {
        let floats: [&[f64]; 3] = [&i.start, &i.loads, &[RELAXATION]];
        c(&floats, &[&i.starts, &i.list], &[n, sweeps])
    })
    .kernel()
}
