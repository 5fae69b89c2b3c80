//! The kernels for any [`Number`]: the same operations in the same order as the plain versions in
//! `kernels`, up to two rewritings that save the libraries records and leave the value as it is:
//! a sum starts with its first term instead of zero, and `1 - x` is written `x - 1` where only its square counts.

use crate::kernels::network::{self, HIDDEN, INPUTS, LABEL, OUTPUTS, PARTS};
use crate::number::{Function, Number};

fn sum<N: Number>(terms: impl Iterator<Item = N>) -> N {
    terms
        .reduce(|sum, term| sum + term)
        .expect("at least one term")
}

fn largest<N: Number>(x: &[N]) -> N {
    x[1..].iter().fold(x[0], |largest, &v| largest.larger(v))
}

#[derive(Clone)]
pub(crate) struct Rosenbrock;

impl Function for Rosenbrock {
    fn at<N: Number>(&self, x: &[N]) -> N {
        sum((0..x.len() - 1).map(|i| {
            let a = x[i] - 1.0;
            let b = x[i + 1] - x[i] * x[i];
            a * a + b * 100.0 * b
        }))
    }
}

#[derive(Clone)]
pub(crate) struct LogSumExp;

impl Function for LogSumExp {
    fn at<N: Number>(&self, x: &[N]) -> N {
        let largest = largest(x);
        largest + sum(x.iter().map(|&v| (v - largest).exp())).ln()
    }
}

/// The network on one image; its inputs are `w1`, `b1`, `w2`, `b2`, one after another.
#[derive(Clone)]
pub(crate) struct Network {
    img: Vec<f64>,
}

impl Network {
    /// With the image that the plain version sees.
    pub(crate) fn new() -> Self {
        Self {
            img: network::image_and_weights().0,
        }
    }
}

impl Function for Network {
    fn at<N: Number>(&self, x: &[N]) -> N {
        let [w1, b1, w2, b2] = PARTS.map(|part| &x[part]);
        let hidden: [N; HIDDEN] = std::array::from_fn(|k| {
            let row = w1[k * INPUTS..][..INPUTS].iter();
            let s = row.zip(&self.img).fold(b1[k], |s, (&w, &v)| s + w * v);
            ((-s).exp() + 1.0).recip()
        });
        let output: [N; OUTPUTS] = std::array::from_fn(|c| {
            let row = w2[c * HIDDEN..][..HIDDEN].iter();
            row.zip(hidden).fold(b2[c], |s, (&w, h)| s + w * h)
        });
        LogSumExp.at(&output) - output[LABEL]
    }
}

/// Nonlinear diffusion over `steps` steps.
#[derive(Clone)]
pub(crate) struct Diffusion {
    pub(crate) steps: usize,
}

impl Function for Diffusion {
    fn at<N: Number>(&self, u: &[N]) -> N {
        let (mut a, mut b) = (u.to_vec(), u.to_vec());
        for _ in 0..self.steps {
            for i in 1..u.len() - 1 {
                let (hr, hl) = ((a[i] + a[i + 1]) * 0.5, (a[i - 1] + a[i]) * 0.5);
                b[i] = a[i] + (hr * hr * (a[i + 1] - a[i]) - hl * hl * (a[i] - a[i - 1])) * 0.1;
            }
            std::mem::swap(&mut a, &mut b);
        }
        sum(a.iter().map(|&v| v * v))
    }
}
