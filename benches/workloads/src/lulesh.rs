//! A cycle of a blast wave in a box of hexahedra: explicit Lagrangian hydrodynamics after the published description of
//! LULESH (LLNL-TR-490254), on slices, one material.

mod cycle;
mod element;
mod material;

pub use cycle::advance;

use crate::workload::Workload;
use element::volume;
use retrograde::{Tape, gradient};
use retrograde_kernels::{Gradient, Kernel, parts};

/// What a cycle does not change.
pub struct Mesh {
    /// The nodes around each element.
    pub(crate) nodes: Vec<[usize; 8]>,
    /// The element before and after each, along the three axes.
    pub(crate) before: Vec<[Option<usize>; 3]>,
    pub(crate) after: Vec<[Option<usize>; 3]>,
    /// The nodes on the planes of symmetry.
    pub(crate) fixed: [Vec<usize>; 3],
    /// Volumes at the start, and masses.
    pub(crate) volumes: Vec<f64>,
    pub(crate) masses: Vec<f64>,
    pub(crate) node_masses: Vec<f64>,
}

impl Mesh {
    /// A cube of so many elements along each side, with its nodes' coordinates.
    fn cube(side: usize) -> (Self, [Vec<f64>; 3]) {
        let across = side + 1;
        let place = |i: usize| 1.125 * i as f64 / side as f64;
        let x = std::array::from_fn(|axis| {
            let stride = across.pow(axis as u32);
            (0..across * across * across)
                .map(|i| place(i / stride % across))
                .collect()
        });
        let mut mesh = Self {
            nodes: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            fixed: std::array::from_fn(|axis| {
                let stride = across.pow(axis as u32);
                let all = 0..across * across * across;
                all.filter(|i| (i / stride).is_multiple_of(across))
                    .collect()
            }),
            volumes: Vec::new(),
            masses: Vec::new(),
            node_masses: vec![0.0; across * across * across],
        };
        for k in 0..side * side * side {
            let at = [k % side, k / side % side, k / side / side];
            let first = at[0] + across * (at[1] + across * at[2]);
            let below = [first, first + 1, first + across + 1, first + across];
            let plane = across * across;
            let nodes = std::array::from_fn(|c| below[c % 4] + c / 4 * plane);
            let stride = [1, side, side * side];
            let [bx, by, bz]: [Option<usize>; 3] =
                std::array::from_fn(|axis| (at[axis] > 0).then(|| k - stride[axis]));
            mesh.before.push([bx, by, bz]);
            mesh.after.push(std::array::from_fn(|axis| {
                (at[axis] + 1 < side).then(|| k + stride[axis])
            }));
            let [ex, ey, ez] = x.each_ref().map(|x: &Vec<f64>| nodes.map(|n| x[n]));
            let volume = volume(&ex, &ey, &ez);
            for node in nodes {
                mesh.node_masses[node] += volume / 8.0;
            }
            mesh.nodes.push(nodes);
            mesh.volumes.push(volume);
            mesh.masses.push(volume);
        }
        (mesh, x)
    }
}

/// The eleven fields of the state: positions and velocities of the nodes; energy, pressure, viscosity, relative volume
/// and speed of sound of the elements.
pub type State = [Vec<f64>; 11];

/// The simulation.
pub struct Simulation {
    /// What does not change.
    pub mesh: Mesh,
    /// What does.
    pub state: State,
    time: f64,
    dt: f64,
    allowed: f64,
    /// The cycles that were run.
    pub cycles: usize,
}

const END: f64 = 1e-2;

impl Simulation {
    /// A cube of so many elements along each side, with all energy in the element at the origin.
    #[must_use]
    pub fn new(side: usize) -> Self {
        let (mesh, [x, y, z]) = Mesh::cube(side);
        let (nodes, elements) = (x.len(), mesh.nodes.len());
        let [at_nodes, zero] = [nodes, elements].map(|n| vec![0.0; n]);
        let mut energy = zero.clone();
        energy[0] = 3.948746e7 * (side as f64 / 45.0).powi(3);
        let dt = 0.5 * mesh.volumes[0].cbrt() / (2.0 * energy[0]).sqrt();
        let velocities = [(); 3].map(|()| at_nodes.clone());
        let [xd, yd, zd] = velocities;
        let state = [
            x,
            y,
            z,
            xd,
            yd,
            zd,
            energy,
            zero.clone(),
            zero.clone(),
            vec![1.0; elements],
            zero,
        ];
        Self {
            mesh,
            state,
            time: 0.0,
            dt,
            allowed: 1e20,
            cycles: 0,
        }
    }

    /// Whether the end has come.
    #[must_use]
    pub fn finished(&self) -> bool {
        self.time >= END
    }

    /// The next cycle.
    pub fn step(&mut self) {
        if self.cycles > 0 {
            let ratio = self.allowed / self.dt;
            let mut dt = self.allowed;
            if ratio >= 1.0 {
                if ratio < 1.1 {
                    dt = self.dt;
                } else if ratio > 1.2 {
                    dt = self.dt * 1.2;
                }
            }
            self.dt = dt.min(1e-2);
        }
        let mut left = END - self.time;
        if left > self.dt && left < 4.0 * self.dt / 3.0 {
            left = 2.0 * self.dt / 3.0;
        }
        self.dt = self.dt.min(left);
        self.time += self.dt;
        self.cycles += 1;
        let [x, y, z, xd, yd, zd, e, p, q, v, ss] = &mut self.state;
        self.allowed = advance(x, y, z, xd, yd, zd, e, p, q, v, ss, &self.mesh, self.dt);
    }
}

/// A sum over the state after one more cycle, and how long the next one may be.
#[gradient]
pub fn lulesh(
    x: &[f64],
    y: &[f64],
    z: &[f64],
    xd: &[f64],
    yd: &[f64],
    zd: &[f64],
    e: &[f64],
    p: &[f64],
    q: &[f64],
    v: &[f64],
    ss: &[f64],
    #[constant] mesh: &Mesh,
    #[constant] dt: f64,
) -> f64 {
    let (mut x, mut y, mut z) = (x.to_vec(), y.to_vec(), z.to_vec());
    let (mut xd, mut yd, mut zd) = (xd.to_vec(), yd.to_vec(), zd.to_vec());
    let (mut e, mut p, mut q) = (e.to_vec(), p.to_vec(), q.to_vec());
    let (mut v, mut ss) = (v.to_vec(), ss.to_vec());
    let allowed = advance(
        &mut x, &mut y, &mut z, &mut xd, &mut yd, &mut zd, &mut e, &mut p, &mut q, &mut v, &mut ss,
        mesh, dt,
    );
    let mut total = 1e6 * allowed;
    for i in 0..x.len() {
        let speed = xd[i] * xd[i] + yd[i] * yd[i] + zd[i] * zd[i];
        total += 0.5 * mesh.node_masses[i] * speed + x[i] + y[i] + z[i];
    }
    for k in 0..e.len() {
        total += mesh.masses[k] * e[k] + 0.01 * (p[k] + q[k]) + v[k] + 0.1 * ss[k];
    }
    total
}

/// The sum after the cycle that follows a state.
#[must_use]
pub fn run(simulation: &Simulation, state: &State) -> f64 {
    let [x, y, z, xd, yd, zd, e, p, q, v, ss] = state;
    lulesh(
        x,
        y,
        z,
        xd,
        yd,
        zd,
        e,
        p,
        q,
        v,
        ss,
        &simulation.mesh,
        simulation.dt,
    )
}

/// The same with its gradient, eleven vectors.
///
/// # Panics
///
/// If there are not eleven, of the lengths of the fields.
pub fn with_gradient(simulation: &Simulation, tape: &mut Tape, buffers: &mut Gradient) -> f64 {
    let [x, y, z, xd, yd, zd, e, p, q, v, ss] = &simulation.state;
    let [dx, dy, dz, dxd, dyd, dzd, de, dp, dq, dv, dss] = parts(buffers);
    lulesh_grad_into(
        tape,
        x,
        dx,
        y,
        dy,
        z,
        dz,
        xd,
        dxd,
        yd,
        dyd,
        zd,
        dzd,
        e,
        de,
        p,
        dp,
        q,
        dq,
        v,
        dv,
        ss,
        dss,
        &simulation.mesh,
        simulation.dt,
    )
}

/// The neighbours as C has them: `usize::MAX` for none.
fn plain(neighbours: &[[Option<usize>; 3]]) -> Vec<usize> {
    let all = neighbours.as_flattened().iter();
    all.map(|neighbour| neighbour.unwrap_or(usize::MAX))
        .collect()
}

/// A cube of so many elements along each side, in the cycle after so many.
#[must_use]
pub fn kernel(side: usize, cycles: usize) -> Kernel {
    let mut simulation = Simulation::new(side);
    for _ in 0..cycles {
        simulation.step();
    }
    let lengths = simulation.state.each_ref().map(Vec::len);
    let [before, after] = [&simulation.mesh.before, &simulation.mesh.after].map(|all| plain(all));
    let function = |s: &Simulation| run(s, &s.state);
    Workload::new("lulesh", &lengths, simulation, function, with_gradient)
        .twin("lulesh", move |s, c| {
            let mesh = &s.mesh;
            let constants = [&mesh.volumes, &mesh.masses, &mesh.node_masses];
            let mut floats: Vec<&[f64]> =
                s.state.iter().chain(constants).map(Vec::as_slice).collect();
            let dt = [s.dt];
            floats.push(&dt);
            let mut indices = vec![mesh.nodes.as_flattened(), &before, &after];
            indices.extend(mesh.fixed.iter().map(Vec::as_slice));
            let mut sizes = vec![lengths[0], lengths[6]];
            sizes.extend(mesh.fixed.iter().map(Vec::len));
            c(&floats, &indices, &sizes)
        })
        .kernel()
}
