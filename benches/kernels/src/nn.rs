//! A network with one hidden layer (sigmoid, then softmax cross-entropy) on one image: matrix-vector products.

use crate::kernel::{ByHand, Kernel, Reference, cleared, parts, refill};
use crate::lanes::{matvec, matvec_adjoint, outer};
use crate::numbers::Numbers;
use retrograde::gradient;
use std::hint::black_box;
use std::rc::Rc;

/// The loss with weights `w1` (hidden × inputs) and `w2` (outputs × hidden), row by row.
#[gradient]
pub fn nn(
    #[constant] img: &[f64],
    w1: &[f64],
    b1: &[f64],
    w2: &[f64],
    b2: &[f64],
    label: usize,
) -> f64 {
    let (inputs, hidden, outputs) = (img.len(), b1.len(), b2.len());
    let mut h = vec![0.0; hidden];
    for k in 0..hidden {
        let mut s = b1[k];
        for i in 0..inputs {
            s += w1[k * inputs + i] * img[i];
        }
        h[k] = 1.0 / (1.0 + (-s).exp());
    }
    let mut o = vec![0.0; outputs];
    for c in 0..outputs {
        let mut s = b2[c];
        for k in 0..hidden {
            s += w2[c * hidden + k] * h[k];
        }
        o[c] = s;
    }
    let mut largest = o[0];
    for c in 1..outputs {
        if o[c] > largest {
            largest = o[c];
        }
    }
    let mut sum = 0.0;
    for c in 0..outputs {
        sum += (o[c] - largest).exp();
    }
    largest + sum.ln() - o[label]
}

/// Image and label; the weights.
struct Inputs {
    img: Vec<f64>,
    label: usize,
    weights: [Vec<f64>; 4],
}

#[derive(Default)]
struct Simple {
    /// For each hidden unit `exp(-s)`, one plus that, and the result.
    sigmoids: Vec<(f64, f64, f64)>,
    /// For each output whether it was larger than all before, and its `exp`.
    exps: Vec<(bool, f64)>,
    h: Vec<f64>,
    o: Vec<f64>,
    dh: Vec<f64>,
    d_o: Vec<f64>,
}

impl Simple {
    fn run(&mut self, inputs: &Inputs, [dw1, db1, dw2, db2]: [&mut [f64]; 4]) -> f64 {
        let Inputs {
            img,
            label,
            weights: [w1, b1, w2, b2],
        } = inputs;
        let (ni, nh, no) = (img.len(), b1.len(), b2.len());
        refill(&mut self.sigmoids, nh, (0.0, 0.0, 0.0));
        refill(&mut self.exps, no, (false, 0.0));
        for buffer in [&mut self.h, &mut self.dh] {
            refill(buffer, nh, 0.0);
        }
        for buffer in [&mut self.o, &mut self.d_o] {
            refill(buffer, no, 0.0);
        }
        let (h, o, dh, d_o) = (&mut self.h, &mut self.o, &mut self.dh, &mut self.d_o);
        for k in 0..nh {
            let mut s = b1[k];
            for i in 0..ni {
                s += w1[k * ni + i] * img[i];
            }
            let exp = (-s).exp();
            let below = 1.0 + exp;
            h[k] = 1.0 / below;
            self.sigmoids[k] = (exp, below, h[k]);
        }
        for c in 0..no {
            let mut s = b2[c];
            for k in 0..nh {
                s += w2[c * nh + k] * h[k];
            }
            o[c] = s;
        }
        let mut largest = o[0];
        for c in 1..no {
            let larger = o[c] > largest;
            self.exps[c].0 = larger;
            if larger {
                largest = o[c];
            }
        }
        let mut sum = 0.0;
        for c in 0..no {
            let exp = (o[c] - largest).exp();
            self.exps[c].1 = exp;
            sum += exp;
        }
        let value = largest + sum.ln() - o[*label];

        let dsum = 1.0 / sum;
        let mut dlargest = 1.0;
        d_o[*label] -= 1.0;
        for c in (0..no).rev() {
            let d = dsum * self.exps[c].1;
            d_o[c] += d;
            dlargest -= d;
        }
        for c in (1..no).rev() {
            if self.exps[c].0 {
                d_o[c] += dlargest;
                dlargest = 0.0;
            }
        }
        d_o[0] += dlargest;
        for c in (0..no).rev() {
            let ds = d_o[c];
            for k in (0..nh).rev() {
                dw2[c * nh + k] += ds * h[k];
                dh[k] += ds * w2[c * nh + k];
            }
            db2[c] += ds;
        }
        for k in (0..nh).rev() {
            let (exp, below, h) = self.sigmoids[k];
            let dbelow = -dh[k] * h / below;
            let ds = -dbelow * exp;
            for i in (0..ni).rev() {
                dw1[k * ni + i] += ds * img[i];
            }
            db1[k] += ds;
        }
        value
    }
}

/// Eight dot products at a time forward; every entry of the gradient written once; nothing recorded but the
/// layers themselves.
#[derive(Default)]
struct Best {
    h: Vec<f64>,
    o: Vec<f64>,
    dh: Vec<f64>,
}

impl Best {
    fn run(&mut self, inputs: &Inputs, [dw1, db1, dw2, db2]: [&mut [f64]; 4]) -> f64 {
        let Inputs {
            img,
            label,
            weights: [w1, b1, w2, b2],
        } = inputs;
        let Self { h, o, dh } = self;
        h.resize(b1.len(), 0.0);
        o.resize(b2.len(), 0.0);
        matvec(w1, img, b1, h);
        for h in h.iter_mut() {
            *h = 1.0 / (1.0 + (-*h).exp());
        }
        matvec(w2, h, b2, o);
        let value = cross_entropy(o, *label, db2);

        outer(db2, h, dw2);
        refill(dh, b1.len(), 0.0);
        matvec_adjoint(w2, db2, dh);
        for ((db, dh), h) in db1.iter_mut().zip(&*dh).zip(&*h) {
            *db = dh * h * (1.0 - h);
        }
        outer(db1, img, dw1);
        value
    }
}

/// The loss of outputs `o`, and its gradient with respect to them.
pub(crate) fn cross_entropy(o: &[f64], label: usize, d_o: &mut [f64]) -> f64 {
    let (mut largest, mut at) = (o[0], 0);
    for (c, &o) in o.iter().enumerate() {
        if o > largest {
            (largest, at) = (o, c);
        }
    }
    let mut sum = 0.0;
    for (d, o) in d_o.iter_mut().zip(o) {
        *d = (o - largest).exp();
        sum += *d;
    }
    let dsum = 1.0 / sum;
    let mut dlargest = 1.0;
    for d in d_o.iter_mut() {
        *d *= dsum;
        dlargest -= *d;
    }
    d_o[at] += dlargest;
    d_o[label] -= 1.0;
    largest + sum.ln() - o[label]
}

/// So many inputs, hidden units and outputs, and the right answer.
pub fn kernel(inputs: usize, hidden: usize, outputs: usize, label: usize) -> Kernel {
    let mut numbers = Numbers::new();
    let img = numbers.vec(inputs, 0.0, 1.0);
    let lengths = [hidden * inputs, hidden, outputs * hidden, outputs];
    let scales = [0.05, 0.05, 0.2, 0.2];
    let weights: [Vec<f64>; 4] =
        std::array::from_fn(|i| numbers.vec(lengths[i], -scales[i], scales[i]));
    let inputs = Rc::new(black_box(Inputs {
        img,
        label,
        weights,
    }));
    let [in1, in2, in3] = [inputs.clone(), inputs.clone(), inputs.clone()];
    let (mut simple, mut best) = (Simple::default(), Best::default());
    Kernel::new(
        "nn",
        &lengths,
        move || {
            let [w1, b1, w2, b2] = &inputs.weights;
            nn(&inputs.img, w1, b1, w2, b2, inputs.label)
        },
        move |tape, gradient| {
            let [w1, b1, w2, b2] = &in1.weights;
            let [dw1, db1, dw2, db2] = parts(gradient);
            let img = &in1.img;
            nn_grad_into(tape, img, w1, dw1, b1, db1, w2, dw2, b2, db2, in1.label)
        },
        ByHand::new(24 * hidden + 16 * outputs, move |gradient| {
            simple.run(&in2, cleared(gradient))
        }),
        ByHand::new(0, move |gradient| best.run(&in3, parts(gradient))),
    )
}

/// The size that is timed.
pub fn full() -> Kernel {
    kernel(784, 80, 10, 3).with_reference(Reference {
        loss: 1.90620583041864,
        entries: &[
            (0, 0, 0.0160310505292458),
            (0, 31360, -0.0147765721822536),
            (1, 7, -0.00746897097705855),
            (2, 240, -0.459400540671728),
            (3, 3, -0.851356704094722),
        ],
        directional: -7.11028399196,
        magnitudes: &[583.118688857, 1.51359594768, 68.2262922834, 1.70271340819],
    })
}
