//! The network of `nn` with a struct for each layer.

use retrograde::{Differentiable, gradient};

/// A dense layer: weights row by row.
#[derive(Clone, Debug, Differentiable)]
pub struct Layer {
    /// One for each input, row by row.
    pub weights: Vec<f64>,
    /// One for each output.
    pub biases: Vec<f64>,
}

#[gradient]
impl Layer {
    fn hidden(&self, #[constant] input: &[f64], out: &mut [f64]) {
        for k in 0..self.biases.len() {
            let mut s = self.biases[k];
            for i in 0..input.len() {
                s += self.weights[k * input.len() + i] * input[i];
            }
            out[k] = 1.0 / (1.0 + (-s).exp());
        }
    }

    fn scores(&self, input: &[f64], out: &mut [f64]) {
        for k in 0..self.biases.len() {
            let mut s = self.biases[k];
            for i in 0..input.len() {
                s += self.weights[k * input.len() + i] * input[i];
            }
            out[k] = s;
        }
    }
}

/// The loss on one image.
#[gradient]
pub fn nn(#[constant] img: &[f64], first: &Layer, second: &Layer, label: usize) -> f64 {
    let mut h = vec![0.0; first.biases.len()];
    first.hidden(img, &mut h);
    let mut o = vec![0.0; second.biases.len()];
    second.scores(&h, &mut o);
    let mut largest = o[0];
    for c in 1..o.len() {
        if o[c] > largest {
            largest = o[c];
        }
    }
    let mut sum = 0.0;
    for c in 0..o.len() {
        sum += (o[c] - largest).exp();
    }
    largest + sum.ln() - o[label]
}

/// The same with both layers read in one function.
#[gradient]
pub fn network(#[constant] img: &[f64], first: &Layer, second: &Layer, label: usize) -> f64 {
    let (inputs, hidden, outputs) = (img.len(), first.biases.len(), second.biases.len());
    let mut h = vec![0.0; hidden];
    for k in 0..hidden {
        let mut s = first.biases[k];
        for i in 0..inputs {
            s += first.weights[k * inputs + i] * img[i];
        }
        h[k] = 1.0 / (1.0 + (-s).exp());
    }
    let mut o = vec![0.0; outputs];
    for c in 0..outputs {
        let mut s = second.biases[c];
        for k in 0..hidden {
            s += second.weights[c * hidden + k] * h[k];
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
