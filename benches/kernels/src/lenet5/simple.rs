//! The mechanical adjoint: the result of every `tanh` on a tape, all loops backwards.

use super::{CLASSES, CONV1, CONV2, DENSE3, DENSE4, K, Offsets, features, sides};
use crate::kernel::refill;

/// The layers, or their adjoints.
#[derive(Default)]
struct Layers {
    c1: Vec<f64>,
    p1: Vec<f64>,
    c2: Vec<f64>,
    p2: Vec<f64>,
    h3: Vec<f64>,
    h4: Vec<f64>,
    o: Vec<f64>,
}

#[derive(Default)]
pub(super) struct Simple {
    tanhs: Vec<f64>,
    now: Layers,
    adjoints: Layers,
}

/// The result of `tanh`, which is kept.
fn tanh(s: f64, tape: &mut Vec<f64>) -> f64 {
    let result = s.tanh();
    tape.push(result);
    result
}

/// The adjoint before the last `tanh` on the tape.
fn tanh_adjoint(d: f64, tape: &mut Vec<f64>) -> f64 {
    let result = tape.pop().unwrap_or(f64::NAN);
    d * (1.0 - result * result)
}

impl Simple {
    pub(super) fn run<const SIDE: usize>(
        &mut self,
        img: &[f64],
        w: &[f64],
        label: usize,
        dw: &mut [f64],
    ) -> f64 {
        let [s1, q1, s2, q2] = sides(SIDE);
        let at = Offsets::new(features(SIDE));
        for layers in [&mut self.now, &mut self.adjoints] {
            refill(&mut layers.c1, CONV1 * s1 * s1, 0.0);
            refill(&mut layers.p1, CONV1 * q1 * q1, 0.0);
            refill(&mut layers.c2, CONV2 * s2 * s2, 0.0);
            refill(&mut layers.p2, CONV2 * q2 * q2, 0.0);
            refill(&mut layers.h3, DENSE3, 0.0);
            refill(&mut layers.h4, DENSE4, 0.0);
            refill(&mut layers.o, CLASSES, 0.0);
        }
        let img = &img[..SIDE * SIDE];
        let w = &w[..at.all];
        let (tape, now, d) = (&mut self.tanhs, &mut self.now, &mut self.adjoints);
        tape.clear();
        let (w1, b1) = (&w[at.w1..at.b1], &w[at.b1..at.w2]);
        let (w2, b2) = (&w[at.w2..at.b2], &w[at.b2..at.w3]);
        convolve([w1, b1], img, 1, SIDE, &mut now.c1[..CONV1 * s1 * s1], tape);
        pool(&now.c1, s1, &mut now.p1);
        convolve(
            [w2, b2],
            &now.p1[..CONV1 * q1 * q1],
            CONV1,
            q1,
            &mut now.c2[..CONV2 * s2 * s2],
            tape,
        );
        pool(&now.c2, s2, &mut now.p2);
        dense(&w[at.w3..at.w4], &now.p2, &mut now.h3, Some(tape));
        dense(&w[at.w4..at.w5], &now.h3, &mut now.h4, Some(tape));
        dense(&w[at.w5..], &now.h4, &mut now.o, None);
        let value = cross_entropy(&now.o, label, &mut d.o);

        let (w3, w4, w5) = (at.w3..at.w4, at.w4..at.w5, at.w5..at.all);
        dense_adjoint(&w[w5.clone()], &now.h4, &d.o, &mut dw[w5], &mut d.h4, None);
        let t = Some(&mut *tape);
        dense_adjoint(&w[w4.clone()], &now.h3, &d.h4, &mut dw[w4], &mut d.h3, t);
        let t = Some(&mut *tape);
        dense_adjoint(&w[w3.clone()], &now.p2, &d.h3, &mut dw[w3], &mut d.p2, t);
        pool_adjoint(&d.p2, s2, &mut d.c2);
        let (dw1, rest) = dw.split_at_mut(at.b1);
        let (db1, rest) = rest.split_at_mut(CONV1);
        let (dw2, rest) = rest.split_at_mut(at.b2 - at.w2);
        let db2 = &mut rest[..CONV2];
        let dp1 = Some(&mut d.p1[..CONV1 * q1 * q1]);
        let dc2 = &mut d.c2[..CONV2 * s2 * s2];
        let p1 = &now.p1[..CONV1 * q1 * q1];
        convolve_adjoint(w2, p1, CONV1, q1, dc2, [dw2, db2], dp1, tape);
        pool_adjoint(&d.p1, s1, &mut d.c1);
        let dc1 = &mut d.c1[..CONV1 * s1 * s1];
        convolve_adjoint(w1, img, 1, SIDE, dc1, [dw1, db1], None, tape);
        value
    }
}

#[inline(always)]
fn convolve(
    [w, bias]: [&[f64]; 2],
    img: &[f64],
    channels: usize,
    side: usize,
    out: &mut [f64],
    tape: &mut Vec<f64>,
) {
    let s = side - K + 1;
    for o in 0..bias.len() {
        for y in 0..s {
            let row = (o * s + y) * s;
            for x in 0..s {
                out[row + x] = bias[o];
            }
            for c in 0..channels {
                for a in 0..K {
                    for b in 0..K {
                        let weight = w[((o * channels + c) * K + a) * K + b];
                        for x in 0..s {
                            out[row + x] += weight * img[(c * side + y + a) * side + x + b];
                        }
                    }
                }
            }
            for x in 0..s {
                out[row + x] = tanh(out[row + x], tape);
            }
        }
    }
}

#[inline(always)]
fn convolve_adjoint(
    w: &[f64],
    img: &[f64],
    channels: usize,
    side: usize,
    d: &mut [f64],
    [dw, dbias]: [&mut [f64]; 2],
    mut dimg: Option<&mut [f64]>,
    tape: &mut Vec<f64>,
) {
    let s = side - K + 1;
    for o in (0..dbias.len()).rev() {
        for y in (0..s).rev() {
            let row = (o * s + y) * s;
            for x in (0..s).rev() {
                d[row + x] = tanh_adjoint(d[row + x], tape);
            }
            for c in (0..channels).rev() {
                for a in (0..K).rev() {
                    for b in (0..K).rev() {
                        let at = ((o * channels + c) * K + a) * K + b;
                        let first = (c * side + y + a) * side + b;
                        let mut dweight = 0.0;
                        match &mut dimg {
                            Some(dimg) => {
                                for x in (0..s).rev() {
                                    dweight += d[row + x] * img[first + x];
                                    dimg[first + x] += d[row + x] * w[at];
                                }
                            }
                            None => {
                                for x in (0..s).rev() {
                                    dweight += d[row + x] * img[first + x];
                                }
                            }
                        }
                        dw[at] += dweight;
                    }
                }
            }
            for x in (0..s).rev() {
                dbias[o] += d[row + x];
            }
        }
    }
}

/// Means of squares of four, of layers of side `s`.
#[inline(always)]
fn pool(c: &[f64], s: usize, p: &mut [f64]) {
    let q = s / 2;
    for channel in 0..p.len() / (q * q) {
        for y in 0..q {
            for x in 0..q {
                let at = (channel * s + 2 * y) * s + 2 * x;
                p[(channel * q + y) * q + x] =
                    0.25 * (c[at] + c[at + 1] + c[at + s] + c[at + s + 1]);
            }
        }
    }
}

#[inline(always)]
fn pool_adjoint(dp: &[f64], s: usize, dc: &mut [f64]) {
    let q = s / 2;
    for channel in (0..dp.len() / (q * q)).rev() {
        for y in (0..q).rev() {
            for x in (0..q).rev() {
                let at = (channel * s + 2 * y) * s + 2 * x;
                let d = 0.25 * dp[(channel * q + y) * q + x];
                dc[at] += d;
                dc[at + 1] += d;
                dc[at + s] += d;
                dc[at + s + 1] += d;
            }
        }
    }
}

/// A matrix with its bias behind it, times `x`; through `tanh` where there is a tape.
#[inline(always)]
fn dense(w: &[f64], x: &[f64], out: &mut [f64], mut tape: Option<&mut Vec<f64>>) {
    let n = x.len();
    let bias = n * out.len();
    for k in 0..out.len() {
        let mut s = w[bias + k];
        for i in 0..n {
            s += w[k * n + i] * x[i];
        }
        out[k] = match &mut tape {
            Some(tape) => tanh(s, tape),
            None => s,
        };
    }
}

#[inline(always)]
fn dense_adjoint(
    w: &[f64],
    x: &[f64],
    d: &[f64],
    dw: &mut [f64],
    dx: &mut [f64],
    mut tape: Option<&mut Vec<f64>>,
) {
    let n = x.len();
    let bias = n * d.len();
    for k in (0..d.len()).rev() {
        let ds = match &mut tape {
            Some(tape) => tanh_adjoint(d[k], tape),
            None => d[k],
        };
        for i in (0..n).rev() {
            dw[k * n + i] += ds * x[i];
            dx[i] += ds * w[k * n + i];
        }
        dw[bias + k] += ds;
    }
}

/// The loss, and the adjoints of the outputs.
fn cross_entropy(o: &[f64], label: usize, d: &mut [f64]) -> f64 {
    let mut records = [(false, 0.0); CLASSES];
    let mut largest = o[0];
    for k in 1..CLASSES {
        records[k].0 = o[k] > largest;
        if records[k].0 {
            largest = o[k];
        }
    }
    let mut sum = 0.0;
    for k in 0..CLASSES {
        records[k].1 = (o[k] - largest).exp();
        sum += records[k].1;
    }
    let dsum = 1.0 / sum;
    let mut dlargest = 1.0;
    d[label] -= 1.0;
    for k in (0..CLASSES).rev() {
        let de = dsum * records[k].1;
        d[k] += de;
        dlargest -= de;
    }
    for k in (1..CLASSES).rev() {
        if records[k].0 {
            d[k] += dlargest;
            dlargest = 0.0;
        }
    }
    d[0] += dlargest;
    largest + sum.ln() - o[label]
}
