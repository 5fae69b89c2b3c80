//! One hexahedral element, by what its corners have in each direction: its volume, what its faces push on its corners,
//! how it bends and how its shape changes.

use retrograde::gradient;

/// The corners of each face, around its outward normal.
const FACES: [[usize; 4]; 6] = [
    [0, 1, 2, 3],
    [0, 4, 5, 1],
    [1, 5, 6, 2],
    [2, 6, 7, 3],
    [3, 7, 4, 0],
    [4, 7, 6, 5],
];

/// The corners that the volume's derivative at each corner hangs on.
const AROUND: [[usize; 6]; 8] = [
    [1, 2, 3, 4, 5, 7],
    [2, 3, 0, 5, 6, 4],
    [3, 0, 1, 6, 7, 5],
    [0, 1, 2, 7, 4, 6],
    [7, 6, 5, 0, 3, 1],
    [4, 7, 6, 1, 0, 2],
    [5, 4, 7, 2, 1, 3],
    [6, 5, 4, 3, 2, 0],
];

/// The four ways in which an element can bend without a change of its volume.
const BENDS: [[f64; 8]; 4] = [
    [1.0, 1.0, -1.0, -1.0, -1.0, -1.0, 1.0, 1.0],
    [1.0, -1.0, -1.0, 1.0, -1.0, 1.0, 1.0, -1.0],
    [1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0],
    [-1.0, 1.0, -1.0, 1.0, 1.0, -1.0, 1.0, -1.0],
];

#[gradient]
fn triple(a: &[f64; 3], b: &[f64; 3], c: &[f64; 3]) -> f64 {
    a[0] * (b[1] * c[2] - b[2] * c[1])
        + b[0] * (a[2] * c[1] - a[1] * c[2])
        + c[0] * (a[1] * b[2] - a[2] * b[1])
}

/// From one corner to another.
#[gradient]
fn edge(x: &[f64; 8], y: &[f64; 8], z: &[f64; 8], from: usize, to: usize) -> [f64; 3] {
    [x[to] - x[from], y[to] - y[from], z[to] - z[from]]
}

/// The sum of two such.
#[gradient]
fn edges(x: &[f64; 8], y: &[f64; 8], z: &[f64; 8], [a, b, c, d]: [usize; 4]) -> [f64; 3] {
    [
        x[b] - x[a] + (x[d] - x[c]),
        y[b] - y[a] + (y[d] - y[c]),
        z[b] - z[a] + (z[d] - z[c]),
    ]
}

/// The volume of an element.
#[gradient]
pub(super) fn volume(x: &[f64; 8], y: &[f64; 8], z: &[f64; 8]) -> f64 {
    let first = triple(
        &edges(x, y, z, [1, 3, 2, 7]),
        &edge(x, y, z, 3, 6),
        &edge(x, y, z, 0, 2),
    );
    let second = triple(
        &edges(x, y, z, [3, 4, 7, 5]),
        &edge(x, y, z, 4, 6),
        &edge(x, y, z, 0, 7),
    );
    let third = triple(
        &edges(x, y, z, [4, 1, 5, 2]),
        &edge(x, y, z, 1, 6),
        &edge(x, y, z, 0, 5),
    );
    (first + second + third) / 12.0
}

/// Adds a quarter of each face's area, as a vector, to each of its corners.
#[gradient]
pub(super) fn normals(
    x: &[f64; 8],
    y: &[f64; 8],
    z: &[f64; 8],
    nx: &mut [f64; 8],
    ny: &mut [f64; 8],
    nz: &mut [f64; 8],
) {
    for face in 0..6 {
        let [a, b, c, d] = FACES[face];
        let ux = 0.5 * (x[d] + x[c] - x[b] - x[a]);
        let uy = 0.5 * (y[d] + y[c] - y[b] - y[a]);
        let uz = 0.5 * (z[d] + z[c] - z[b] - z[a]);
        let vx = 0.5 * (x[c] + x[b] - x[d] - x[a]);
        let vy = 0.5 * (y[c] + y[b] - y[d] - y[a]);
        let vz = 0.5 * (z[c] + z[b] - z[d] - z[a]);
        let areax = 0.25 * (uy * vz - uz * vy);
        let areay = 0.25 * (uz * vx - ux * vz);
        let areaz = 0.25 * (ux * vy - uy * vx);
        for k in 0..4 {
            nx[FACES[face][k]] += areax;
            ny[FACES[face][k]] += areay;
            nz[FACES[face][k]] += areaz;
        }
    }
}

/// What the volume gains by a move of each corner, from the coordinates in the other two directions.
#[gradient]
fn slopes(u: &[f64; 8], v: &[f64; 8]) -> [f64; 8] {
    let mut slopes = [0.0; 8];
    for corner in 0..8 {
        let [a, b, c, d, e, f] = AROUND[corner];
        slopes[corner] = ((u[b] + u[c]) * (v[a] + v[b]) - (u[a] + u[b]) * (v[b] + v[c])
            + (u[a] + u[e]) * (v[d] + v[e])
            - (u[d] + u[e]) * (v[a] + v[e])
            - (u[c] + u[f]) * (v[d] + v[f])
            + (u[d] + u[f]) * (v[c] + v[f]))
            / 12.0;
    }
    slopes
}

/// How much each corner takes part in each bend, what a change of the volume explains taken out.
#[gradient]
pub(super) fn bends(x: &[f64; 8], y: &[f64; 8], z: &[f64; 8], volume: f64) -> [[f64; 8]; 4] {
    let (sx, sy, sz) = (slopes(y, z), slopes(z, x), slopes(x, y));
    let inverse = 1.0 / volume;
    let mut shares = BENDS;
    for bend in 0..4 {
        let (mut mx, mut my, mut mz) = (0.0, 0.0, 0.0);
        for corner in 0..8 {
            mx += x[corner] * BENDS[bend][corner];
            my += y[corner] * BENDS[bend][corner];
            mz += z[corner] * BENDS[bend][corner];
        }
        for corner in 0..8 {
            let explained = sx[corner] * mx + sy[corner] * my + sz[corner] * mz;
            shares[bend][corner] -= inverse * explained;
        }
    }
    shares
}

/// The viscous force against bending in one direction (Flanagan and Belytschko).
#[gradient]
pub(super) fn resistance(velocity: &[f64; 8], bends: &[[f64; 8]; 4], coefficient: f64) -> [f64; 8] {
    let mut rates = [0.0; 4];
    for bend in 0..4 {
        for corner in 0..8 {
            rates[bend] += bends[bend][corner] * velocity[corner];
        }
    }
    let mut force = [0.0; 8];
    for corner in 0..8 {
        let mut sum = 0.0;
        for bend in 0..4 {
            sum += bends[bend][corner] * rates[bend];
        }
        force[corner] = coefficient * sum;
    }
    force
}

/// The coordinates' derivatives along the element's own three axes.
#[gradient]
fn axes(x: &[f64; 8]) -> [f64; 3] {
    let (a, b, c, d) = (x[6] - x[0], x[5] - x[3], x[7] - x[1], x[4] - x[2]);
    [
        0.125 * (a + b - c - d),
        0.125 * (a - b + c - d),
        0.125 * (a + b + c + d),
    ]
}

/// The shape functions' derivatives at the first four corners; the opposite ones have them negated.
#[gradient]
fn shape(c: &[f64; 3]) -> [f64; 4] {
    [
        -c[0] - c[1] - c[2],
        c[0] - c[1] - c[2],
        c[0] + c[1] - c[2],
        -c[0] + c[1] - c[2],
    ]
}

/// The derivative of one component of the velocity in its own direction, but for the determinant.
#[gradient]
fn stretch(shape: &[f64; 4], velocity: &[f64; 8]) -> f64 {
    shape[0] * (velocity[0] - velocity[6])
        + shape[1] * (velocity[1] - velocity[7])
        + shape[2] * (velocity[2] - velocity[4])
        + shape[3] * (velocity[3] - velocity[5])
}

#[gradient]
fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// The divergence of the velocity at the centre.
#[gradient]
pub(super) fn divergence(
    x: &[f64; 8],
    y: &[f64; 8],
    z: &[f64; 8],
    xd: &[f64; 8],
    yd: &[f64; 8],
    zd: &[f64; 8],
) -> f64 {
    let (jx, jy, jz) = (axes(x), axes(y), axes(z));
    let (cx, cy, cz) = (cross(&jy, &jz), cross(&jz, &jx), cross(&jx, &jy));
    let determinant = 8.0 * (jx[1] * cx[1] + jy[1] * cy[1] + jz[1] * cz[1]);
    let inverse = 1.0 / determinant;
    inverse * stretch(&shape(&cx), xd)
        + inverse * stretch(&shape(&cy), yd)
        + inverse * stretch(&shape(&cz), zd)
}

/// Sixteen times the squared area of a face.
#[gradient]
fn area(x: &[f64; 8], y: &[f64; 8], z: &[f64; 8], [a, b, c, d]: [usize; 4]) -> f64 {
    let fx = (x[c] - x[a]) - (x[d] - x[b]);
    let fy = (y[c] - y[a]) - (y[d] - y[b]);
    let fz = (z[c] - z[a]) - (z[d] - z[b]);
    let gx = (x[c] - x[a]) + (x[d] - x[b]);
    let gy = (y[c] - y[a]) + (y[d] - y[b]);
    let gz = (z[c] - z[a]) + (z[d] - z[b]);
    let along = fx * gx + fy * gy + fz * gz;
    (fx * fx + fy * fy + fz * fz) * (gx * gx + gy * gy + gz * gz) - along * along
}

/// The volume over the largest face.
#[gradient]
pub(super) fn length(x: &[f64; 8], y: &[f64; 8], z: &[f64; 8], volume: f64) -> f64 {
    let mut largest = 0.0;
    for face in [
        [0, 1, 2, 3],
        [4, 5, 6, 7],
        [0, 1, 5, 4],
        [1, 2, 6, 5],
        [2, 3, 7, 6],
        [3, 0, 4, 7],
    ] {
        largest = area(x, y, z, face).max(largest);
    }
    4.0 * volume / largest.sqrt()
}
