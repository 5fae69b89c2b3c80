//! A 784-80-10 network (sigmoid, then softmax cross-entropy) on one image: matrix-vector products.

use super::contest::Kernel;
use super::numbers::Numbers;
use retrograde::{Tape, gradient};
use std::ops::Range;

pub(crate) const INPUTS: usize = 784;
pub(crate) const HIDDEN: usize = 80;
pub(crate) const OUTPUTS: usize = 10;
pub(crate) const LABEL: usize = 3;

/// The loss of the network with weights `w1` (`HIDDEN` × `INPUTS`) and `w2` (`OUTPUTS` × `HIDDEN`), row by row.
#[gradient]
fn nn(#[constant] img: &[f64], w1: &[f64], b1: &[f64], w2: &[f64], b2: &[f64]) -> f64 {
    let mut hidden = [0.0; HIDDEN];
    for k in 0..HIDDEN {
        let mut s = b1[k];
        for i in 0..INPUTS {
            s += w1[k * INPUTS + i] * img[i];
        }
        hidden[k] = 1.0 / (1.0 + (-s).exp());
    }
    let mut output = [0.0; OUTPUTS];
    for c in 0..OUTPUTS {
        let mut s = b2[c];
        for k in 0..HIDDEN {
            s += w2[c * HIDDEN + k] * hidden[k];
        }
        output[c] = s;
    }
    let mut largest = output[0];
    for &o in output.iter() {
        if o > largest {
            largest = o;
        }
    }
    let mut sum = 0.0;
    for &o in output.iter() {
        sum += (o - largest).exp();
    }
    largest + sum.ln() - output[LABEL]
}

/// `out = bias + w · v`.
fn layer(w: &[f64], v: &[f64], bias: &[f64], out: &mut [f64]) {
    for ((row, b), o) in w.chunks_exact(v.len()).zip(bias).zip(out) {
        *o = row.iter().zip(v).fold(*b, |s, (w, v)| s + w * v);
    }
}

/// The gradient of a layer: `dw = dout · vᵀ`, and `dv = wᵀ · dout` where it is asked for.
fn layer_adjoint(w: &[f64], v: &[f64], dout: &[f64], dw: &mut [f64], mut dv: Option<&mut [f64]>) {
    for ((row, drow), d) in w
        .chunks_exact(v.len())
        .zip(dw.chunks_exact_mut(v.len()))
        .zip(dout)
    {
        for (dw, v) in drow.iter_mut().zip(v) {
            *dw = d * v;
        }
        if let Some(dv) = &mut dv {
            for (dv, w) in dv.iter_mut().zip(row) {
                *dv += d * w;
            }
        }
    }
}

/// Back-propagation as in a textbook: the gradient of the outputs is softmax minus one-hot, the sigmoid's
/// derivative is `h (1 - h)`, and every entry of a gradient is written once.
fn by_hand(img: &[f64], weights: &[f64], gradient: &mut [f64]) -> f64 {
    let [w1, b1, w2, b2] = PARTS.map(|part| &weights[part]);
    let [dw1, db1, dw2, db2] = parts_mut(gradient);
    let mut hidden = [0.0; HIDDEN];
    layer(w1, img, b1, &mut hidden);
    for h in &mut hidden {
        *h = 1.0 / (1.0 + (-*h).exp());
    }
    let mut output = [0.0; OUTPUTS];
    layer(w2, &hidden, b2, &mut output);

    let largest = output.iter().fold(
        output[0],
        |largest, &o| if o > largest { o } else { largest },
    );
    let mut sum = 0.0;
    for (d, o) in db2.iter_mut().zip(&output) {
        *d = (o - largest).exp();
        sum += *d;
    }
    for d in db2.iter_mut() {
        *d /= sum;
    }
    db2[LABEL] -= 1.0;

    let mut dhidden = [0.0; HIDDEN];
    layer_adjoint(w2, &hidden, db2, dw2, Some(&mut dhidden));
    for ((db, dh), h) in db1.iter_mut().zip(&dhidden).zip(&hidden) {
        *db = dh * h * (1.0 - h);
    }
    layer_adjoint(w1, img, db1, dw1, None);
    largest + sum.ln() - output[LABEL]
}

/// Where `w1`, `b1`, `w2`, `b2` and their gradients lie if they lie one after another.
pub(crate) const PARTS: [Range<usize>; 4] = {
    const B1: usize = HIDDEN * INPUTS;
    const W2: usize = B1 + HIDDEN;
    const B2: usize = W2 + OUTPUTS * HIDDEN;
    [0..B1, B1..W2, W2..B2, B2..B2 + OUTPUTS]
};

fn parts_mut(gradient: &mut [f64]) -> [&mut [f64]; 4] {
    let parts = gradient.get_disjoint_mut(PARTS);
    parts.expect("as many entries as there are weights")
}

/// The image that the network sees and the weights that it has, in the order in which they are drawn.
pub(crate) fn image_and_weights() -> (Vec<f64>, Vec<f64>) {
    let mut numbers = Numbers::new();
    let image = numbers.vec(INPUTS, 0.0, 1.0);
    let scales = [0.05, 0.05, 0.2, 0.2];
    let parts = PARTS.into_iter().zip(scales);
    let weights = parts.flat_map(|(part, scale)| numbers.vec(part.len(), -scale, scale));
    (image, weights.collect())
}

pub(crate) fn kernel() -> Kernel {
    let mut tape = Tape::new();
    let (image, weights) = image_and_weights();
    let [img1, img2, img3] = [image.clone(), image.clone(), image];
    Kernel::new("network/784-80-10", weights, move |weights| {
        let [w1, b1, w2, b2] = PARTS.map(|part| &weights[part]);
        nn(&img1, w1, b1, w2, b2)
    })
    .with("by hand", move |weights, gradient| {
        by_hand(&img2, weights, gradient)
    })
    .with("retrograde", move |weights, gradient| {
        let [w1, b1, w2, b2] = PARTS.map(|part| &weights[part]);
        let [dw1, db1, dw2, db2] = parts_mut(gradient);
        nn_grad_into(&mut tape, &img3, w1, dw1, b1, db1, w2, dw2, b2, db2)
    })
}
