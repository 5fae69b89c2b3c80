//! A small convolutional network (LeNet-5 with tanh and average pooling) on one image: short inner loops, weights
//! that are used at every pixel, layers that follow one another.

mod best;
mod simple;

use crate::kernel::{ByHand, Kernel, Reference, cleared, parts};
use crate::numbers::Numbers;
use best::Best;
use retrograde::gradient;
use simple::Simple;
use std::hint::black_box;
use std::rc::Rc;

/// Channels of the two convolutions, widths of the three dense layers.
const CONV1: usize = 6;
const CONV2: usize = 16;
const DENSE3: usize = 120;
const DENSE4: usize = 84;
const CLASSES: usize = 10;
/// Both convolutions look at squares of this side.
const K: usize = 5;

/// Where weights and biases of the layers begin, where the dense layer after the convolutions has `features`
/// inputs; and how many there are in all.
struct Offsets {
    w1: usize,
    b1: usize,
    w2: usize,
    b2: usize,
    w3: usize,
    b3: usize,
    w4: usize,
    b4: usize,
    w5: usize,
    b5: usize,
    all: usize,
}

impl Offsets {
    const fn new(features: usize) -> Self {
        let w1 = 0;
        let b1 = w1 + CONV1 * K * K;
        let w2 = b1 + CONV1;
        let b2 = w2 + CONV2 * CONV1 * K * K;
        let w3 = b2 + CONV2;
        let b3 = w3 + DENSE3 * features;
        let w4 = b3 + DENSE3;
        let b4 = w4 + DENSE4 * DENSE3;
        let w5 = b4 + DENSE4;
        let b5 = w5 + CLASSES * DENSE4;
        Self {
            w1,
            b1,
            w2,
            b2,
            w3,
            b3,
            w4,
            b4,
            w5,
            b5,
            all: b5 + CLASSES,
        }
    }
}

/// Sides of the layers of an image: convolved, pooled, convolved, pooled.
const fn sides(image: usize) -> [usize; 4] {
    let c1 = image - K + 1;
    let p1 = c1 / 2;
    let c2 = p1 - K + 1;
    [c1, p1, c2, c2 / 2]
}

/// The loss for a square image of side `SIDE` (a multiple of 4, at least 16) and all weights in one vector.
#[expect(clippy::too_many_lines, reason = "a network is as long as its layers")]
#[gradient]
pub fn lenet5<const SIDE: usize>(#[constant] img: &[f64], w: &[f64], label: usize) -> f64 {
    let s1 = SIDE - K + 1;
    let q1 = s1 / 2;
    let s2 = q1 - K + 1;
    let q2 = s2 / 2;
    let features = CONV2 * q2 * q2;
    let b1 = CONV1 * K * K;
    let w2 = b1 + CONV1;
    let b2 = w2 + CONV2 * CONV1 * K * K;
    let w3 = b2 + CONV2;
    let b3 = w3 + DENSE3 * features;
    let w4 = b3 + DENSE3;
    let b4 = w4 + DENSE4 * DENSE3;
    let w5 = b4 + DENSE4;
    let b5 = w5 + CLASSES * DENSE4;

    let mut c1 = vec![0.0; CONV1 * s1 * s1];
    for o in 0..CONV1 {
        for y in 0..s1 {
            let row = (o * s1 + y) * s1;
            for x in 0..s1 {
                c1[row + x] = w[b1 + o];
            }
            for a in 0..K {
                for b in 0..K {
                    let weight = w[(o * K + a) * K + b];
                    for x in 0..s1 {
                        c1[row + x] += weight * img[(y + a) * SIDE + x + b];
                    }
                }
            }
            for x in 0..s1 {
                c1[row + x] = c1[row + x].tanh();
            }
        }
    }
    let mut p1 = vec![0.0; CONV1 * q1 * q1];
    for c in 0..CONV1 {
        for y in 0..q1 {
            for x in 0..q1 {
                let at = (c * s1 + 2 * y) * s1 + 2 * x;
                p1[(c * q1 + y) * q1 + x] =
                    0.25 * (c1[at] + c1[at + 1] + c1[at + s1] + c1[at + s1 + 1]);
            }
        }
    }
    let mut c2 = vec![0.0; CONV2 * s2 * s2];
    for o in 0..CONV2 {
        for y in 0..s2 {
            let row = (o * s2 + y) * s2;
            for x in 0..s2 {
                c2[row + x] = w[b2 + o];
            }
            for c in 0..CONV1 {
                for a in 0..K {
                    for b in 0..K {
                        let weight = w[w2 + ((o * CONV1 + c) * K + a) * K + b];
                        for x in 0..s2 {
                            c2[row + x] += weight * p1[(c * q1 + y + a) * q1 + x + b];
                        }
                    }
                }
            }
            for x in 0..s2 {
                c2[row + x] = c2[row + x].tanh();
            }
        }
    }
    let mut p2 = vec![0.0; features];
    for c in 0..CONV2 {
        for y in 0..q2 {
            for x in 0..q2 {
                let at = (c * s2 + 2 * y) * s2 + 2 * x;
                p2[(c * q2 + y) * q2 + x] =
                    0.25 * (c2[at] + c2[at + 1] + c2[at + s2] + c2[at + s2 + 1]);
            }
        }
    }
    let mut h3 = vec![0.0; DENSE3];
    for k in 0..DENSE3 {
        let mut s = w[b3 + k];
        for i in 0..features {
            s += w[w3 + k * features + i] * p2[i];
        }
        h3[k] = s.tanh();
    }
    let mut h4 = vec![0.0; DENSE4];
    for k in 0..DENSE4 {
        let mut s = w[b4 + k];
        for i in 0..DENSE3 {
            s += w[w4 + k * DENSE3 + i] * h3[i];
        }
        h4[k] = s.tanh();
    }
    let mut o = [0.0; CLASSES];
    for k in 0..CLASSES {
        let mut s = w[b5 + k];
        for i in 0..DENSE4 {
            s += w[w5 + k * DENSE4 + i] * h4[i];
        }
        o[k] = s;
    }
    let mut largest = o[0];
    for k in 1..CLASSES {
        if o[k] > largest {
            largest = o[k];
        }
    }
    let mut sum = 0.0;
    for k in 0..CLASSES {
        sum += (o[k] - largest).exp();
    }
    largest + sum.ln() - o[label]
}

/// The inputs of the first dense layer.
const fn features(side: usize) -> usize {
    let [.., q2] = sides(side);
    CONV2 * q2 * q2
}

/// An image of side 16, 20 or 32, for which the best adjoint is compiled.
pub fn kernel<const SIDE: usize>(label: usize) -> Kernel {
    let mut numbers = Numbers::new();
    let at = Offsets::new(features(SIDE));
    let img = numbers.vec(SIDE * SIDE, 0.0, 1.0);
    let mut w = Vec::with_capacity(at.all);
    for (end, scale) in [
        (at.w2, 0.2),
        (at.w3, 0.08),
        (at.w4, 0.05),
        (at.w5, 0.09),
        (at.all, 0.11),
    ] {
        w.extend(numbers.vec(end - w.len(), -scale, scale));
    }
    let label = black_box(label);
    let inputs = Rc::new(black_box((img, w)));
    let [in1, in2, in3] = [inputs.clone(), inputs.clone(), inputs.clone()];
    let (mut simple, mut best) = (Simple::default(), Best::default());
    let [s1, _, s2, _] = sides(SIDE);
    let tanhs = CONV1 * s1 * s1 + CONV2 * s2 * s2 + DENSE3 + DENSE4;
    Kernel::new(
        "lenet5",
        &[at.all],
        move || lenet5::<SIDE>(&inputs.0, &inputs.1, label),
        move |tape, gradient| {
            lenet5_grad_into::<SIDE>(tape, &in1.0, &in1.1, &mut gradient[0], label)
        },
        ByHand::new(8 * tanhs + 16 * CLASSES, move |gradient| {
            let [dw] = cleared(gradient);
            simple.run::<SIDE>(&in2.0, &in2.1, label, dw)
        }),
        ByHand::new(0, move |gradient| {
            let [dw] = parts(gradient);
            best.run(&in3.0, &in3.1, SIDE, label, dw)
        }),
    )
}

/// The size that is timed.
pub fn full() -> Kernel {
    kernel::<32>(7).with_reference(Reference {
        loss: 2.22330688459922,
        entries: &[
            (0, 0, 0.0146725408517477),
            (0, 1000, -0.00402373504376705),
            (0, 30000, -0.00207211677366414),
            (0, 55000, 0.00943201927404341),
            (0, 61703, -0.891749455771723),
        ],
        directional: 1.16741048421,
        magnitudes: &[199.161958223],
    })
}
