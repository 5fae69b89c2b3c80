//! Nothing is recorded: `tanh` is undone from the layers themselves. Rows of a layer are arrays, so that the
//! accumulators of the convolutions stay in registers; weights gather lane by lane over all rows, and the adjoint of
//! the pooled layer is gathered from rows with zeros on both sides. Every entry of the gradient is assigned.

use super::{CLASSES, CONV1, CONV2, DENSE3, DENSE4, K, Offsets, features, sides};
use crate::lanes::{fma, load, matvec, matvec_adjoint, outer, store, sum};
use crate::nn::cross_entropy;

#[derive(Default)]
pub(super) struct Best {
    layers: [Vec<f64>; 7],
    adjoints: [Vec<f64>; 7],
    /// Rows of the second convolution's adjoint with `K - 1` zeros on each side.
    padded: Vec<f64>,
}

impl Best {
    pub(super) fn run(
        &mut self,
        img: &[f64],
        w: &[f64],
        side: usize,
        label: usize,
        dw: &mut [f64],
    ) -> f64 {
        match side {
            16 => self.sized::<12, 6, 2, 10>(img, w, side, label, dw),
            20 => self.sized::<16, 8, 4, 12>(img, w, side, label, dw),
            32 => self.sized::<28, 14, 10, 18>(img, w, side, label, dw),
            _ => panic!("compiled for images of side 16, 20 and 32, not {side}"),
        }
    }

    /// For layers of sides `S1`, `Q1` and `S2`; `PAD` is `S2` and the zeros on both sides.
    fn sized<const S1: usize, const Q1: usize, const S2: usize, const PAD: usize>(
        &mut self,
        img: &[f64],
        w: &[f64],
        side: usize,
        label: usize,
        dw: &mut [f64],
    ) -> f64 {
        debug_assert_eq!(sides(side)[..3], [S1, Q1, S2]);
        let at = Offsets::new(features(side));
        let lengths = [
            CONV1 * S1 * S1,
            CONV1 * Q1 * Q1,
            CONV2 * S2 * S2,
            features(side),
            DENSE3,
            DENSE4,
            CLASSES,
        ];
        for (i, length) in lengths.into_iter().enumerate() {
            self.layers[i].resize(length, 0.0);
            self.adjoints[i].resize(length, 0.0);
        }
        self.padded.resize(CONV2 * S2 * PAD, 0.0);
        let [c1, p1, c2, p2, h3, h4, o] = self.layers.each_mut().map(Vec::as_mut_slice);
        let [w1, b1] = [&w[at.w1..at.b1], &w[at.b1..at.w2]];
        let [w2, b2] = [&w[at.w2..at.b2], &w[at.b2..at.w3]];
        convolve::<S1>(w1, b1, img, side, c1);
        pool(c1, S1, p1);
        convolve::<S2>(w2, b2, p1, Q1, c2);
        pool(c2, S2, p2);
        dense(&w[at.w3..at.b3], p2, &w[at.b3..at.w4], h3);
        dense(&w[at.w4..at.b4], h3, &w[at.b4..at.w5], h4);
        matvec(&w[at.w5..at.b5], h4, &w[at.b5..], o);

        let [dc1, dp1, dc2, dp2, dh3, dh4, d_o] = self.adjoints.each_mut().map(Vec::as_mut_slice);
        // The other layers are assigned.
        for d in [&mut *dp2, &mut *dh3, &mut *dh4] {
            d.fill(0.0);
        }
        let value = cross_entropy(o, label, d_o);
        let mut back = |from: usize, to: usize, d: &[f64], x: &[f64], dx: &mut [f64]| {
            outer(d, x, &mut dw[from..to]);
            dw[to..to + d.len()].copy_from_slice(d);
            matvec_adjoint(&w[from..to], d, dx);
        };
        back(at.w5, at.b5, d_o, h4, dh4);
        through_tanh(dh4, h4);
        back(at.w4, at.b4, dh4, h3, dh3);
        through_tanh(dh3, h3);
        back(at.w3, at.b3, dh3, p2, dp2);
        unpool(dp2, c2, S2, dc2);
        weights::<S2>(dc2, p1, Q1, &mut dw[at.w2..at.b2]);
        biases(dc2, S2, &mut dw[at.b2..at.w3]);
        gather::<S2, Q1, PAD>(w2, dc2, &mut self.padded, dp1);
        unpool(dp1, c1, S1, dc1);
        weights::<S1>(dc1, img, side, &mut dw[at.w1..at.b1]);
        biases(dc1, S1, &mut dw[at.b1..at.w2]);
        value
    }
}

/// A convolution and `tanh`; each row of the result is summed in an array.
#[inline(always)]
fn convolve<const S: usize>(w: &[f64], bias: &[f64], img: &[f64], side: usize, out: &mut [f64]) {
    let channels = img.len() / (side * side);
    let kernels = w.chunks_exact(channels * K * K);
    let planes = out.chunks_exact_mut(S * S);
    for ((w, bias), out) in kernels.zip(bias).zip(planes) {
        for (y, out) in out.chunks_exact_mut(S).enumerate() {
            let mut row = [*bias; S];
            for (c, w) in w.chunks_exact(K * K).enumerate() {
                for (a, w) in w.chunks_exact(K).enumerate() {
                    let first = (c * side + y + a) * side;
                    for (b, w) in w.iter().enumerate() {
                        let pixels: [f64; S] = load(img, first + b);
                        for x in 0..S {
                            row[x] += w * pixels[x];
                        }
                    }
                }
            }
            store(out, 0, &row);
        }
    }
    out.iter_mut().for_each(|c| *c = c.tanh());
}

/// Means of squares of four, of layers of side `s`.
#[inline(always)]
fn pool(c: &[f64], s: usize, p: &mut [f64]) {
    let rows = c.chunks_exact(2 * s).zip(p.chunks_exact_mut(s / 2));
    for (two, p) in rows {
        let (upper, lower) = two.split_at(s);
        for x in 0..s / 2 {
            p[x] = 0.25 * (upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1]);
        }
    }
}

/// The adjoint of a pooled layer, before the pooling and the `tanh` of layer `c`.
#[inline(always)]
fn unpool(dp: &[f64], c: &[f64], s: usize, dc: &mut [f64]) {
    let rows = dp.chunks_exact(s / 2);
    let rows = rows.zip(c.chunks_exact(2 * s).zip(dc.chunks_exact_mut(2 * s)));
    for (dp, (c, dc)) in rows {
        for (c, dc) in c.chunks_exact(s).zip(dc.chunks_exact_mut(s)) {
            for x in 0..s {
                dc[x] = 0.25 * dp[x / 2] * (1.0 - c[x] * c[x]);
            }
        }
    }
}

#[inline(always)]
fn dense(w: &[f64], x: &[f64], bias: &[f64], out: &mut [f64]) {
    matvec(w, x, bias, out);
    out.iter_mut().for_each(|h| *h = h.tanh());
}

fn through_tanh(d: &mut [f64], h: &[f64]) {
    for (d, h) in d.iter_mut().zip(h) {
        *d *= 1.0 - h * h;
    }
}

/// The gradient of a convolution's weights: a row of weights at a time, a lane per column of the layer.
#[inline(always)]
fn weights<const S: usize>(d: &[f64], img: &[f64], side: usize, dw: &mut [f64]) {
    let planes = img.chunks_exact(side * side);
    let channels = planes.len();
    let kernels = dw.chunks_exact_mut(channels * K * K);
    for (d, dw) in d.chunks_exact(S * S).zip(kernels) {
        for (plane, dw) in planes.clone().zip(dw.chunks_exact_mut(K * K)) {
            for (a, dw) in dw.chunks_exact_mut(K).enumerate() {
                let mut sums = [[0.0; S]; K];
                for (y, d) in d.chunks_exact(S).enumerate() {
                    let d: [f64; S] = load(d, 0);
                    let row = &plane[(y + a) * side..][..S + K - 1];
                    for b in 0..K {
                        let pixels: [f64; S] = load(row, b);
                        for x in 0..S {
                            sums[b][x] = fma(d[x], pixels[x], sums[b][x]);
                        }
                    }
                }
                for b in 0..K {
                    dw[b] = sum(&sums[b]);
                }
            }
        }
    }
}

fn biases(d: &[f64], s: usize, db: &mut [f64]) {
    for (d, db) in d.chunks_exact(s * s).zip(db) {
        let mut lanes = [0.0; 4];
        for d in d.chunks_exact(4) {
            for l in 0..4 {
                lanes[l] += d[l];
            }
        }
        *db = sum(&lanes);
    }
}

/// The adjoint of a convolution's input: each of its rows is summed in an array, over all rows and kernels
/// that it went into.
#[inline(always)]
fn gather<const S: usize, const Q: usize, const PAD: usize>(
    w: &[f64],
    d: &[f64],
    padded: &mut [f64],
    dimg: &mut [f64],
) {
    for (padded, d) in padded.chunks_exact_mut(PAD).zip(d.chunks_exact(S)) {
        padded[K - 1..K - 1 + S].copy_from_slice(d);
    }
    let channels = dimg.len() / (Q * Q);
    for (at, out) in dimg.chunks_exact_mut(Q).enumerate() {
        let (c, row) = (at / Q, at % Q);
        let mut sums = [0.0; Q];
        for (o, plane) in padded.chunks_exact(S * PAD).enumerate() {
            for a in 0..K {
                if row < a || row - a >= S {
                    continue;
                }
                let d: [f64; PAD] = load(plane, (row - a) * PAD);
                let w: [f64; K] = load(w, ((o * channels + c) * K + a) * K);
                for b in 0..K {
                    for x in 0..Q {
                        sums[x] = fma(w[b], d[x + K - 1 - b], sums[x]);
                    }
                }
            }
        }
        store(out, 0, &sums);
    }
}
