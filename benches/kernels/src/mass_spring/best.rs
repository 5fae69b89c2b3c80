//! Layers and positions of every step are kept as they are, springs are computed again. The gradient of the weights
//! is only ever added to, so both factors of each step's outer product are kept and the sum over the steps is one
//! product of matrices, in register tiles.

use super::{ACTUATION, DAMPING, DT, GOAL, GRAVITY, Inputs, STIFFNESS, WAVES};
use crate::kernel::{copy, refill};
use crate::lanes::{fma, load, matvec, matvec_adjoint, store};
use std::f64::consts::PI;

#[derive(Default)]
pub(super) struct Best {
    /// One row per step: the layers of the network, the positions, and the adjoints before the activations.
    input: Vec<f64>,
    h: Vec<f64>,
    act: Vec<f64>,
    positions: Vec<f64>,
    dh: Vec<f64>,
    dact: Vec<f64>,
    /// State, and adjoints of the state.
    x: Vec<f64>,
    v: Vec<f64>,
    f: Vec<f64>,
    dx: Vec<f64>,
    dv: Vec<f64>,
    dinput: Vec<f64>,
    springs: [Vec<f64>; 4],
}

impl Best {
    pub(super) fn run(&mut self, inputs: &Inputs, gradient: [&mut [f64]; 4]) -> f64 {
        let steps = inputs.steps;
        let (n, springs) = (inputs.p0.len() / 2, inputs.rest.len());
        let (wide, hidden) = (WAVES + 4 * n + 2, inputs.weights[1].len());
        self.input.resize(steps * wide, 0.0);
        self.positions.resize(steps * 2 * n, 0.0);
        for (rows, length) in [
            (&mut self.h, hidden),
            (&mut self.act, springs),
            (&mut self.dh, hidden),
            (&mut self.dact, springs),
        ] {
            rows.resize(steps * length, 0.0);
        }
        for buffer in &mut self.springs {
            buffer.resize(springs, 0.0);
        }
        copy(&mut self.x, &inputs.p0);
        for buffer in [&mut self.v, &mut self.dx, &mut self.dv] {
            refill(buffer, 2 * n, 0.0);
        }
        self.dinput.resize(wide, 0.0);
        for t in 0..steps {
            self.forward(inputs, t);
        }
        self.dx[0] = -1.0;
        for t in (0..steps).rev() {
            self.reverse(inputs, t);
        }
        let [dw1, db1, dw2, db2] = gradient;
        products(dw1, &self.dh, &self.input, hidden, wide);
        products(dw2, &self.dact, &self.h, springs, hidden);
        add_rows(db1, &self.dh);
        add_rows(db2, &self.dact);
        -self.x[0]
    }

    fn forward(&mut self, inputs: &Inputs, t: usize) {
        let [w1, b1, w2, b2] = &inputs.weights;
        let n = inputs.p0.len() / 2;
        let (x, v) = (&mut self.x[..2 * n], &mut self.v[..2 * n]);
        row(&mut self.positions, t, 2 * n).copy_from_slice(x);
        let input = row(&mut self.input, t, WAVES + 4 * n + 2);
        let (mut cx, mut cy) = (0.0, 0.0);
        for i in 0..n {
            cx += x[2 * i];
            cy += x[2 * i + 1];
        }
        cx /= n as f64;
        cy /= n as f64;
        for j in 0..WAVES {
            input[j] = (10.0 * t as f64 * DT + 2.0 * PI / WAVES as f64 * j as f64).sin();
        }
        for i in 0..n {
            let own: &mut [f64] = &mut input[WAVES + 4 * i..][..4];
            own[0] = 0.05 * (x[2 * i] - cx);
            own[1] = 0.05 * (x[2 * i + 1] - cy);
            own[2] = 0.05 * v[2 * i];
            own[3] = 0.05 * v[2 * i + 1];
        }
        input[WAVES + 4 * n] = GOAL.0 - cx;
        input[WAVES + 4 * n + 1] = GOAL.1 - cy;
        let h = row(&mut self.h, t, b1.len());
        matvec(w1, input, b1, h);
        h.iter_mut().for_each(|h| *h = h.tanh());
        let act = row(&mut self.act, t, b2.len());
        matvec(w2, h, b2, act);
        act.iter_mut().for_each(|act| *act = act.tanh());

        refill(&mut self.f, 2 * n, 0.0);
        pull(inputs, x, act, &mut self.f);
        let decay = (-DT * DAMPING).exp();
        let objects = pairs(x).iter_mut().zip(pairs(v));
        for ((x, v), f) in objects.zip(pairs(&mut self.f)) {
            v[0] = decay * (v[0] + DT * f[0]);
            v[1] = decay * (v[1] + DT * (f[1] + GRAVITY));
            x[0] += DT * v[0];
            x[1] += DT * v[1];
        }
    }

    fn reverse(&mut self, inputs: &Inputs, t: usize) {
        let [w1, _, w2, _] = &inputs.weights;
        let n = inputs.p0.len() / 2;
        let (dx, dv) = (&mut self.dx[..2 * n], &mut self.dv[..2 * n]);
        let (springs, hidden) = (inputs.rest.len(), inputs.weights[1].len());
        let df = &mut self.f[..2 * n];
        let decay = (-DT * DAMPING).exp();
        for i in 0..2 * n {
            let d = decay * fma(DT, dx[i], dv[i]);
            dv[i] = d;
            df[i] = DT * d;
        }
        let x = row(&mut self.positions, t, 2 * n);
        let act = row(&mut self.act, t, springs);
        let dact = row(&mut self.dact, t, springs);
        pull_adjoint(inputs, x, act, df, &mut self.springs, dact, dx);
        let h = row(&mut self.h, t, hidden);
        let dh = row(&mut self.dh, t, hidden);
        dh.fill(0.0);
        matvec_adjoint(w2, dact, dh);
        for (dh, h) in dh.iter_mut().zip(h) {
            *dh *= 1.0 - *h * *h;
        }
        let dinput = &mut self.dinput;
        dinput.fill(0.0);
        matvec_adjoint(w1, dh, dinput);
        let mut dcx = -dinput[WAVES + 4 * n];
        let mut dcy = -dinput[WAVES + 4 * n + 1];
        for i in 0..n {
            let d: [f64; 4] = load(dinput, WAVES + 4 * i);
            dx[2 * i] += 0.05 * d[0];
            dx[2 * i + 1] += 0.05 * d[1];
            dcx -= 0.05 * d[0];
            dcy -= 0.05 * d[1];
            dv[2 * i] += 0.05 * d[2];
            dv[2 * i + 1] += 0.05 * d[3];
        }
        dcx /= n as f64;
        dcy /= n as f64;
        for dx in pairs(dx) {
            dx[0] += dcx;
            dx[1] += dcy;
        }
    }
}

/// Row `t` of a table.
fn row(table: &mut [f64], t: usize, length: usize) -> &mut [f64] {
    &mut table[t * length..][..length]
}

fn pairs(of: &mut [f64]) -> &mut [[f64; 2]] {
    of.as_chunks_mut().0
}

/// Adds the forces of all springs, in their order.
fn pull(inputs: &Inputs, x: &[f64], act: &[f64], f: &mut [f64]) {
    for c in 0..inputs.rest.len() {
        let (a, b) = (inputs.from[c], inputs.to[c]);
        let dx = x[2 * a] - x[2 * b];
        let dy = x[2 * a + 1] - x[2 * b + 1];
        let length = (dx * dx + dy * dy + 1e-8).sqrt();
        let w = STIFFNESS * (length - inputs.rest[c] * (1.0 + ACTUATION * act[c])) / length;
        f[2 * a] -= w * dx;
        f[2 * a + 1] -= w * dy;
        f[2 * b] += w * dx;
        f[2 * b + 1] += w * dy;
    }
}

/// From the adjoints of the forces to those of the positions and, before the activation, of the network's outputs:
/// a loop that gathers, one that vectorises, one that scatters.
fn pull_adjoint(
    inputs: &Inputs,
    x: &[f64],
    act: &[f64],
    df: &[f64],
    springs: &mut [Vec<f64>; 4],
    dact: &mut [f64],
    dx: &mut [f64],
) {
    let n = inputs.rest.len();
    let (from, to, rest) = (&inputs.from[..n], &inputs.to[..n], &inputs.rest[..n]);
    let (act, dact) = (&act[..n], &mut dact[..n]);
    let [xs, ys, exs, eys] = springs.each_mut().map(|spring| &mut spring[..n]);
    for c in 0..n {
        let (a, b) = (from[c], to[c]);
        xs[c] = x[2 * a] - x[2 * b];
        ys[c] = x[2 * a + 1] - x[2 * b + 1];
        exs[c] = df[2 * b] - df[2 * a];
        eys[c] = df[2 * b + 1] - df[2 * a + 1];
    }
    for c in 0..n {
        let (x, y, ex, ey) = (xs[c], ys[c], exs[c], eys[c]);
        let length = fma(x, x, fma(y, y, 1e-8)).sqrt();
        let inverse = 1.0 / length;
        let w = STIFFNESS * (length - rest[c] * (1.0 + ACTUATION * act[c])) * inverse;
        let dw = fma(ex, x, ey * y);
        let slope = 1.0 - act[c] * act[c];
        dact[c] = -dw * inverse * (STIFFNESS * ACTUATION) * rest[c] * slope;
        let q = dw * (STIFFNESS - w) * (inverse * inverse);
        exs[c] = fma(w, ex, q * x);
        eys[c] = fma(w, ey, q * y);
    }
    for c in 0..n {
        let (a, b) = (from[c], to[c]);
        dx[2 * a] += exs[c];
        dx[2 * b] -= exs[c];
        dx[2 * a + 1] += eys[c];
        dx[2 * b + 1] -= eys[c];
    }
}

/// `dw[r][i] = sum over the steps of d[step][r] x[step][i]`.
fn products(dw: &mut [f64], d: &[f64], x: &[f64], rows: usize, cols: usize) {
    if rows == 0 || cols == 0 {
        return;
    }
    let mut r = 0;
    while r + 4 <= rows {
        tile_row::<4>(&mut dw[r * cols..], d, x, rows, cols, r);
        r += 4;
    }
    while r < rows {
        tile_row::<1>(&mut dw[r * cols..], d, x, rows, cols, r);
        r += 1;
    }
}

/// `R` rows of that, sixteen columns at a time.
#[inline(always)]
fn tile_row<const R: usize>(
    dw: &mut [f64],
    d: &[f64],
    x: &[f64],
    rows: usize,
    cols: usize,
    r: usize,
) {
    const C: usize = 16;
    let blocked = cols / C * C;
    for i in (0..blocked).step_by(C) {
        let mut sums = [[0.0; C]; R];
        for (d, x) in d.chunks_exact(rows).zip(x.chunks_exact(cols)) {
            let d: [f64; R] = load(d, r);
            let x: [f64; C] = load(x, i);
            for a in 0..R {
                for c in 0..C {
                    sums[a][c] = fma(d[a], x[c], sums[a][c]);
                }
            }
        }
        for (a, sums) in sums.iter().enumerate() {
            store(dw, a * cols + i, sums);
        }
    }
    for a in 0..R {
        for (d, x) in d.chunks_exact(rows).zip(x.chunks_exact(cols)) {
            let dw = &mut dw[a * cols..][blocked..cols];
            for (dw, x) in dw.iter_mut().zip(&x[blocked..]) {
                *dw = fma(d[r + a], *x, *dw);
            }
        }
    }
}

/// Adds all rows of a table.
fn add_rows(to: &mut [f64], table: &[f64]) {
    if to.is_empty() {
        return;
    }
    for row in table.chunks_exact(to.len()) {
        for (to, row) in to.iter_mut().zip(row) {
            *to += row;
        }
    }
}
