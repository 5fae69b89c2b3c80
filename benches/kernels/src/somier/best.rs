//! Only the positions of each step are kept. Four nodes of a row at a time, forward and in reverse; the reverse
//! sweep gathers what a node gets from the springs at both of their ends, and the boundary comes after it.

use super::{DT, STIFFNESS};
use crate::kernel::refill;
use crate::lanes::{fma, load, store};

#[derive(Default)]
pub(super) struct Best {
    positions: Vec<f64>,
    v: Vec<f64>,
    f: Vec<f64>,
    dv: Vec<f64>,
    df: Vec<f64>,
}

/// A row of nodes without its ends.
#[derive(Clone, Copy)]
struct Row {
    /// The first node.
    p: usize,
    /// How many.
    m: usize,
    /// Nodes per edge of the cube, and in all.
    n: usize,
    nodes: usize,
}

impl Row {
    /// All rows that are not on the boundary.
    fn all(n: usize) -> impl Iterator<Item = Self> {
        let inner = 1..n.saturating_sub(1);
        let rows = inner
            .clone()
            .flat_map(move |i| inner.clone().map(move |j| (i, j)));
        rows.map(move |(i, j)| Self {
            p: (i * n + j) * n + 1,
            m: n - 2,
            n,
            nodes: n * n * n,
        })
    }

    /// Where the neighbours of the first node are, in the order of the sum.
    #[inline(always)]
    fn neighbours(self) -> [usize; 6] {
        let Self { p, n, .. } = self;
        [p - n * n, p + n * n, p - n, p + n, p - 1, p + 1]
    }
}

impl Best {
    pub(super) fn run(&mut self, x0: &[f64], n: usize, steps: usize, dx: &mut [f64]) -> f64 {
        let all = 3 * n * n * n;
        self.positions.resize(steps * all, 0.0);
        refill(&mut self.v, all, 0.0);
        refill(&mut self.f, all, 0.0);
        if steps > 0 {
            self.positions[..all].copy_from_slice(x0);
        }
        let (v, f) = (&mut self.v[..all], &mut self.f[..all]);
        for step in 0..steps {
            let (x, next) = self.positions.split_at_mut((step + 1) * all);
            let x = &x[step * all..];
            if n >= 6 {
                Row::all(n).for_each(|row| forces::<4>(x, row, f));
            } else {
                Row::all(n).for_each(|row| forces::<1>(x, row, f));
            }
            match next.get_mut(..all) {
                Some(next) => {
                    for i in 0..all {
                        let velocity = v[i] + DT * f[i];
                        v[i] = velocity;
                        next[i] = x[i] + DT * velocity;
                    }
                }
                // Where the last step leads is never asked.
                None => {
                    for i in 0..all {
                        v[i] += DT * f[i];
                    }
                }
            }
        }
        let mut energy = 0.0;
        for &v in v.iter() {
            energy += 0.5 * v * v;
        }
        dx.fill(0.0);
        self.dv.clear();
        self.dv.extend_from_slice(v);
        self.df.resize(all, 0.0);
        self.df.fill(0.0);
        for step in (0..steps).rev() {
            let (dv, df) = (&mut self.dv[..all], &mut self.df[..all]);
            reverse_step(&self.positions[step * all..][..all], n, dv, df, dx);
        }
        energy
    }
}

/// The forces on a row, `L` nodes at a time; the last block goes back over nodes that are done.
#[inline(always)]
fn forces<const L: usize>(x: &[f64], row: Row, f: &mut [f64]) {
    let Row { p, m, nodes, .. } = row;
    let (x, y, z) = (&x[..nodes], &x[nodes..2 * nodes], &x[2 * nodes..3 * nodes]);
    let here = [&x[p..][..m], &y[p..][..m], &z[p..][..m]];
    let there = row
        .neighbours()
        .map(|q| [&x[q..][..m], &y[q..][..m], &z[q..][..m]]);
    let (fx, f) = f.split_at_mut(nodes);
    let (fy, fz) = f.split_at_mut(nodes);
    let [fx, fy, fz] = [fx, fy, fz].map(|f| &mut f[p..][..m]);
    let mut k = 0;
    while k < m {
        let at = k.min(m - L);
        let [px, py, pz] = here.map(|x| load::<L>(x, at));
        let (mut sx, mut sy, mut sz) = ([0.0; L], [0.0; L], [0.0; L]);
        for q in there {
            let [qx, qy, qz] = q.map(|x| load::<L>(x, at));
            for l in 0..L {
                let (dx, dy, dz) = (qx[l] - px[l], qy[l] - py[l], qz[l] - pz[l]);
                let length = (dx * dx + dy * dy + dz * dz).sqrt();
                let w = STIFFNESS * (length - 1.0) / length;
                sx[l] += w * dx;
                sy[l] += w * dy;
                sz[l] += w * dz;
            }
        }
        store(fx, at, &sx);
        store(fy, at, &sy);
        store(fz, at, &sz);
        k += L;
    }
}

/// One step in reverse at positions `x`. Off the rows `df` is zero.
fn reverse_step(x: &[f64], n: usize, dv: &mut [f64], df: &mut [f64], dx: &mut [f64]) {
    let nodes = n * n * n;
    for (dv, dx) in dv.iter_mut().zip(dx.iter()) {
        *dv = fma(DT, *dx, *dv);
    }
    for row in Row::all(n) {
        for at in [row.p, nodes + row.p, 2 * nodes + row.p] {
            for (df, dv) in df[at..][..row.m].iter_mut().zip(&dv[at..][..row.m]) {
                *df = DT * dv;
            }
        }
    }
    if n >= 6 {
        Row::all(n).for_each(|row| gather::<4>(x, df, row, dx));
    } else {
        Row::all(n).for_each(|row| gather::<1>(x, df, row, dx));
    }
    // A node on the boundary has one spring that acts, to the node inside.
    let mut outside = |p: usize, q: usize| {
        let at = |v: &[f64], i: usize| [v[i], v[nodes + i], v[2 * nodes + i]];
        let [[px, py, pz], [qx, qy, qz]] = [at(x, p), at(x, q)];
        let d = spring([qx - px, qy - py, qz - pz], at(df, q));
        for c in 0..3 {
            dx[c * nodes + p] += d[c];
        }
    };
    let node = |i: usize, j: usize, k: usize| (i * n + j) * n + k;
    for a in 1..n.saturating_sub(1) {
        for b in 1..n - 1 {
            let (last, inner) = (n - 1, n - 2);
            outside(node(0, a, b), node(1, a, b));
            outside(node(last, a, b), node(inner, a, b));
            outside(node(a, 0, b), node(a, 1, b));
            outside(node(a, last, b), node(a, inner, b));
            outside(node(a, b, 0), node(a, b, 1));
            outside(node(a, b, last), node(a, b, inner));
        }
    }
}

/// The derivative of a spring's force along `d`, applied to `g`.
#[inline(always)]
fn spring([dx, dy, dz]: [f64; 3], [gx, gy, gz]: [f64; 3]) -> [f64; 3] {
    let inverse = 1.0 / fma(dx, dx, fma(dy, dy, dz * dz)).sqrt();
    let w = fma(-STIFFNESS, inverse, STIFFNESS);
    let along = fma(dx, gx, fma(dy, gy, dz * gz));
    let c = STIFFNESS * inverse * (inverse * inverse) * along;
    [fma(c, dx, w * gx), fma(c, dy, w * gy), fma(c, dz, w * gz)]
}

/// Adds to a row of `dx` what its springs hand on from both of their ends.
#[inline(always)]
fn gather<const L: usize>(x: &[f64], df: &[f64], row: Row, dx: &mut [f64]) {
    let Row { p, m, nodes, .. } = row;
    let mut k = 0;
    while k < m {
        let at = k.min(m - L);
        let lanes = |v: &[f64], q: usize| -> [[f64; L]; 3] {
            [0, nodes, 2 * nodes].map(|component| load(v, component + q + at))
        };
        let [px, py, pz] = lanes(x, p);
        let [hx, hy, hz] = lanes(df, p);
        let mut sums = [[0.0; L]; 3];
        for q in row.neighbours() {
            let [qx, qy, qz] = lanes(x, q);
            let [gx, gy, gz] = lanes(df, q);
            for l in 0..L {
                let d = [qx[l] - px[l], qy[l] - py[l], qz[l] - pz[l]];
                let e = spring(d, [gx[l] - hx[l], gy[l] - hy[l], gz[l] - hz[l]]);
                sums[0][l] += e[0];
                sums[1][l] += e[1];
                sums[2][l] += e[2];
            }
        }
        for (c, sums) in sums.iter().enumerate() {
            let out = &mut dx[c * nodes + p + at..][..L];
            // A block that goes back adds only to the nodes that are not done.
            if at == k {
                for l in 0..L {
                    out[l] += sums[l];
                }
            } else {
                for l in k - at..L {
                    out[l] += sums[l];
                }
            }
        }
        k += L;
    }
}
