//! One cycle by phases: forces on the nodes, their motion, what becomes of the elements, how long the next one may
//! be.

use super::Mesh;
use super::element::{bends, divergence, length, normals, resistance, volume};
use super::material::{limiter, state};
use retrograde::gradient;

/// Velocities below this are none.
const CUT_VELOCITY: f64 = 1e-7;
/// Volumes as close to that at the start are that.
const CUT_VOLUME: f64 = 1e-10;
const TINY: f64 = 1e-36;

/// What the nodes around an element have.
#[gradient]
fn corners(of: &[f64], nodes: &[usize; 8]) -> [f64; 8] {
    let mut corners = [0.0; 8];
    for corner in 0..8 {
        corners[corner] = of[nodes[corner]];
    }
    corners
}

/// Adds the forces of stresses, by element, to the nodes.
#[gradient]
fn stresses(
    x: &[f64],
    y: &[f64],
    z: &[f64],
    p: &[f64],
    q: &[f64],
    #[constant] mesh: &Mesh,
    fx: &mut [f64],
    fy: &mut [f64],
    fz: &mut [f64],
) {
    for k in 0..p.len() {
        let nodes = mesh.nodes[k];
        let (ex, ey, ez) = (corners(x, &nodes), corners(y, &nodes), corners(z, &nodes));
        let (mut nx, mut ny, mut nz) = ([0.0; 8], [0.0; 8], [0.0; 8]);
        normals(&ex, &ey, &ez, &mut nx, &mut ny, &mut nz);
        let stress = -p[k] - q[k];
        for corner in 0..8 {
            fx[nodes[corner]] -= stress * nx[corner];
            fy[nodes[corner]] -= stress * ny[corner];
            fz[nodes[corner]] -= stress * nz[corner];
        }
    }
}

/// Adds the forces against bending, by element, to the nodes.
#[gradient]
fn hourglass(
    x: &[f64],
    y: &[f64],
    z: &[f64],
    xd: &[f64],
    yd: &[f64],
    zd: &[f64],
    v: &[f64],
    ss: &[f64],
    #[constant] mesh: &Mesh,
    fx: &mut [f64],
    fy: &mut [f64],
    fz: &mut [f64],
) {
    for k in 0..v.len() {
        let nodes = mesh.nodes[k];
        let now = mesh.volumes[k] * v[k];
        let shares = bends(
            &corners(x, &nodes),
            &corners(y, &nodes),
            &corners(z, &nodes),
            now,
        );
        let coefficient = -3.0 * 0.01 * ss[k] * mesh.masses[k] / now.cbrt();
        let hx = resistance(&corners(xd, &nodes), &shares, coefficient);
        let hy = resistance(&corners(yd, &nodes), &shares, coefficient);
        let hz = resistance(&corners(zd, &nodes), &shares, coefficient);
        for corner in 0..8 {
            fx[nodes[corner]] += hx[corner];
            fy[nodes[corner]] += hy[corner];
            fz[nodes[corner]] += hz[corner];
        }
    }
}

/// Moves the nodes in one direction, in which those in `fixed` stay.
#[gradient]
fn motion(
    x: &mut [f64],
    xd: &mut [f64],
    f: &[f64],
    #[constant] masses: &[f64],
    #[constant] fixed: &[usize],
    #[constant] dt: f64,
) {
    let mut acceleration = vec![0.0; f.len()];
    for i in 0..f.len() {
        acceleration[i] = f[i] / masses[i];
    }
    for &i in fixed {
        acceleration[i] = 0.0;
    }
    for i in 0..f.len() {
        let mut velocity = xd[i] + acceleration[i] * dt;
        if velocity.abs() < CUT_VELOCITY {
            velocity = 0.0;
        }
        xd[i] = velocity;
    }
    for i in 0..f.len() {
        x[i] += xd[i] * dt;
    }
}

/// New relative volumes, characteristic lengths and divergences.
#[gradient]
fn kinematics(
    x: &[f64],
    y: &[f64],
    z: &[f64],
    xd: &[f64],
    yd: &[f64],
    zd: &[f64],
    #[constant] mesh: &Mesh,
    #[constant] dt: f64,
    new: &mut [f64],
    lengths: &mut [f64],
    vdov: &mut [f64],
) {
    for k in 0..new.len() {
        let nodes = mesh.nodes[k];
        let (mut ex, mut ey, mut ez) = (corners(x, &nodes), corners(y, &nodes), corners(z, &nodes));
        let (ux, uy, uz) = (
            corners(xd, &nodes),
            corners(yd, &nodes),
            corners(zd, &nodes),
        );
        let now = volume(&ex, &ey, &ez);
        new[k] = now / mesh.volumes[k];
        lengths[k] = length(&ex, &ey, &ez, now);
        // At half of the step.
        for corner in 0..8 {
            ex[corner] -= 0.5 * dt * ux[corner];
            ey[corner] -= 0.5 * dt * uy[corner];
            ez[corner] -= 0.5 * dt * uz[corner];
        }
        vdov[k] = divergence(&ex, &ey, &ez, &ux, &uy, &uz);
    }
}

/// A quarter of the sum of four corners less that of the four others.
#[gradient]
fn between(x: &[f64; 8], [a, b, c, d]: [usize; 4], [e, f, g, h]: [usize; 4]) -> f64 {
    0.25 * ((x[a] + x[b] + x[c] + x[d]) - (x[e] + x[f] + x[g] + x[h]))
}

const FORTH: [[usize; 4]; 3] = [[1, 2, 6, 5], [3, 2, 6, 7], [4, 5, 6, 7]];
const BACK: [[usize; 4]; 3] = [[0, 3, 7, 4], [0, 1, 5, 4], [0, 1, 2, 3]];

/// The velocity's gradients along the three axes of each element, and the lengths along them.
#[gradient]
fn gradients(
    x: &[f64],
    y: &[f64],
    z: &[f64],
    xd: &[f64],
    yd: &[f64],
    zd: &[f64],
    new: &[f64],
    #[constant] mesh: &Mesh,
    delv: &mut [[f64; 3]],
    delx: &mut [[f64; 3]],
) {
    for k in 0..new.len() {
        let nodes = mesh.nodes[k];
        let (ex, ey, ez) = (corners(x, &nodes), corners(y, &nodes), corners(z, &nodes));
        let (ux, uy, uz) = (
            corners(xd, &nodes),
            corners(yd, &nodes),
            corners(zd, &nodes),
        );
        let now = mesh.volumes[k] * new[k];
        let norm = 1.0 / (now + TINY);
        for axis in 0..3 {
            let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
            let ix = between(&ex, FORTH[i], BACK[i]);
            let iy = between(&ey, FORTH[i], BACK[i]);
            let iz = between(&ez, FORTH[i], BACK[i]);
            let jx = between(&ex, FORTH[j], BACK[j]);
            let jy = between(&ey, FORTH[j], BACK[j]);
            let jz = between(&ez, FORTH[j], BACK[j]);
            let ax = iy * jz - iz * jy;
            let ay = iz * jx - ix * jz;
            let az = ix * jy - iy * jx;
            delx[k][axis] = now / (ax * ax + ay * ay + az * az + TINY).sqrt();
            let dx = between(&ux, FORTH[axis], BACK[axis]);
            let dy = between(&uy, FORTH[axis], BACK[axis]);
            let dz = between(&uz, FORTH[axis], BACK[axis]);
            delv[k][axis] = ax * norm * dx + ay * norm * dy + az * norm * dz;
        }
    }
}

/// The linear and the quadratic term of the artificial viscosity.
#[gradient]
fn viscosities(
    delv: &[[f64; 3]],
    delx: &[[f64; 3]],
    vdov: &[f64],
    new: &[f64],
    #[constant] mesh: &Mesh,
    linear: &mut [f64],
    quadratic: &mut [f64],
) {
    for k in 0..vdov.len() {
        if vdov[k] > 0.0 {
            linear[k] = 0.0;
            quadratic[k] = 0.0;
        } else {
            let rho = mesh.masses[k] / (mesh.volumes[k] * new[k]);
            let (mut first, mut second) = (0.0, 0.0);
            for axis in 0..3 {
                let own = delv[k][axis];
                // A plane of symmetry below, a free surface above.
                let mut before = own;
                if let Some(neighbour) = mesh.before[k][axis] {
                    before = delv[neighbour][axis];
                }
                let mut after = 0.0;
                if let Some(neighbour) = mesh.after[k][axis] {
                    after = delv[neighbour][axis];
                }
                let phi = limiter(own, before, after);
                let mut jump = own * delx[k][axis];
                if jump > 0.0 {
                    jump = 0.0;
                }
                first += jump * (1.0 - phi);
                second += jump * jump * (1.0 - phi * phi);
            }
            linear[k] = -0.5 * rho * first;
            quadratic[k] = 2.0 / 3.0 * rho * second;
        }
    }
}

/// How long the next step may be: that sound does not cross an element, and that no volume changes too much.
#[gradient]
fn constraint(ss: &[f64], lengths: &[f64], vdov: &[f64]) -> f64 {
    let mut courant = 1e20;
    let mut hydro = 1e20;
    for k in 0..ss.len() {
        if vdov[k] != 0.0 {
            let mut square = ss[k] * ss[k];
            if vdov[k] < 0.0 {
                square += 64.0 * 2.0 * 2.0 * lengths[k] * lengths[k] * vdov[k] * vdov[k];
            }
            let time = lengths[k] / square.sqrt();
            if time < courant {
                courant = time;
            }
            let time = 0.1 / (vdov[k].abs() + 1e-20);
            if time < hydro {
                hydro = time;
            }
        }
    }
    let mut allowed = 1e20;
    if courant < allowed {
        allowed = courant / 2.0;
    }
    if hydro < allowed {
        allowed = hydro * 2.0 / 3.0;
    }
    allowed
}

/// One cycle of length `dt`. Returns how long the next one may be.
#[gradient]
pub fn advance(
    x: &mut [f64],
    y: &mut [f64],
    z: &mut [f64],
    xd: &mut [f64],
    yd: &mut [f64],
    zd: &mut [f64],
    e: &mut [f64],
    p: &mut [f64],
    q: &mut [f64],
    v: &mut [f64],
    ss: &mut [f64],
    #[constant] mesh: &Mesh,
    #[constant] dt: f64,
) -> f64 {
    let nodes = x.len();
    let elements = e.len();
    let mut fx = vec![0.0; nodes];
    let mut fy = vec![0.0; nodes];
    let mut fz = vec![0.0; nodes];
    stresses(x, y, z, p, q, mesh, &mut fx, &mut fy, &mut fz);
    hourglass(x, y, z, xd, yd, zd, v, ss, mesh, &mut fx, &mut fy, &mut fz);
    motion(x, xd, &fx, &mesh.node_masses, &mesh.fixed[0], dt);
    motion(y, yd, &fy, &mesh.node_masses, &mesh.fixed[1], dt);
    motion(z, zd, &fz, &mesh.node_masses, &mesh.fixed[2], dt);

    let mut new = vec![0.0; elements];
    let mut lengths = vec![0.0; elements];
    let mut vdov = vec![0.0; elements];
    kinematics(
        x,
        y,
        z,
        xd,
        yd,
        zd,
        mesh,
        dt,
        &mut new,
        &mut lengths,
        &mut vdov,
    );
    let mut delv = vec![[0.0; 3]; elements];
    let mut delx = vec![[0.0; 3]; elements];
    gradients(x, y, z, xd, yd, zd, &new, mesh, &mut delv, &mut delx);
    let mut linear = vec![0.0; elements];
    let mut quadratic = vec![0.0; elements];
    viscosities(&delv, &delx, &vdov, &new, mesh, &mut linear, &mut quadratic);
    for k in 0..elements {
        let change = new[k] - v[k];
        let after = state(e[k], p[k], q[k], new[k], change, linear[k], quadratic[k]);
        e[k] = after[0];
        p[k] = after[1];
        q[k] = after[2];
        ss[k] = after[3];
    }
    for k in 0..elements {
        let mut volume = new[k];
        if (volume - 1.0).abs() < CUT_VOLUME {
            volume = 1.0;
        }
        v[k] = volume;
    }
    constraint(ss, &lengths, &vdov)
}
