//! Loops over fields of structs, beside the same loops over slices: no bit differs, at any size.

use retrograde::{Differentiable, Record, Tape, gradient};

const SIZES: [usize; 9] = [0, 1, 2, 3, 7, 8, 16, 33, 100];

fn numbers(n: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64 + 0.5
    };
    (0..n).map(|_| next()).collect()
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

// A rod: two vectors that are exchanged, a factor, and a count.

#[derive(Clone, Debug, Differentiable, Record)]
struct Rod {
    now: Vec<f64>,
    next: Vec<f64>,
    factor: f64,
    steps: usize,
}

#[gradient]
impl Rod {
    fn step(&mut self) {
        for i in 1..self.now.len().saturating_sub(1) {
            let flux = self.now[i - 1] - 2.0 * self.now[i] + self.now[i + 1];
            self.next[i] = self.now[i] + self.factor * flux * self.now[i];
        }
        std::mem::swap(&mut self.now, &mut self.next);
        self.steps += 1;
    }

    fn heat(&self) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.now.len() {
            sum += self.now[i] * self.now[i];
        }
        sum * self.steps as f64
    }
}

#[gradient]
fn cooled(u: &[f64], factor: f64, steps: usize) -> f64 {
    let mut rod = Rod {
        now: u.to_vec(),
        next: u.to_vec(),
        factor,
        steps: 0,
    };
    for _ in 0..steps {
        rod.step();
    }
    rod.heat()
}

#[gradient]
fn step(now: &mut Vec<f64>, next: &mut Vec<f64>, factor: f64, steps: &mut usize) {
    for i in 1..now.len().saturating_sub(1) {
        let flux = now[i - 1] - 2.0 * now[i] + now[i + 1];
        next[i] = now[i] + factor * flux * now[i];
    }
    std::mem::swap(now, next);
    *steps += 1;
}

#[gradient]
fn heat(now: &[f64], steps: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..now.len() {
        sum += now[i] * now[i];
    }
    sum * steps as f64
}

#[gradient]
fn cooled_slices(u: &[f64], factor: f64, steps: usize) -> f64 {
    let mut now = u.to_vec();
    let mut next = u.to_vec();
    let mut done = 0;
    for _ in 0..steps {
        step(&mut now, &mut next, factor, &mut done);
    }
    heat(&now, done)
}

#[test]
fn a_rod_that_is_written() {
    let mut tape = Tape::new();
    for n in SIZES {
        for steps in [0, 1, 5] {
            let u = numbers(n, 3);
            let (value, (du, df)) = cooled_grad(&u, 0.1, steps);
            let (expected, (du2, df2)) = cooled_slices_grad(&u, 0.1, steps);
            assert_eq!(value.to_bits(), cooled(&u, 0.1, steps).to_bits());
            assert_eq!(value.to_bits(), expected.to_bits());
            assert_eq!(
                (bits(&du), df.to_bits()),
                (bits(&du2), df2.to_bits()),
                "{n} {steps}"
            );
            let (mut du3, mut df3) = (vec![f64::NAN; n], f64::NAN);
            cooled_grad_into(&mut tape, &u, &mut du3, 0.1, &mut df3, steps);
            assert_eq!((bits(&du), df.to_bits()), (bits(&du3), df3.to_bits()));
        }
    }
}

// A layer: rows of a matrix, read through `&self`, through a parameter, and by a method of another function.

#[derive(Clone, Debug, Differentiable)]
struct Layer {
    weights: Vec<f64>,
    biases: Vec<f64>,
}

#[gradient]
impl Layer {
    fn apply(&self, input: &[f64], out: &mut [f64]) {
        for k in 0..self.biases.len() {
            let mut s = self.biases[k];
            for i in 0..input.len() {
                s += self.weights[k * input.len() + i] * input[i];
            }
            out[k] = s.tanh();
        }
    }
}

#[gradient]
fn network(x: &[f64], first: &Layer, second: &Layer) -> f64 {
    let mut h = vec![0.0; first.biases.len()];
    first.apply(x, &mut h);
    let mut o = vec![0.0; second.biases.len()];
    for k in 0..second.biases.len() {
        let mut s = second.biases[k];
        for i in 0..h.len() {
            s += second.weights[k * h.len() + i] * h[i];
        }
        o[k] = s;
    }
    let mut sum = 0.0;
    for k in 0..o.len() {
        sum += o[k] * o[k];
    }
    sum
}

#[gradient]
fn apply(weights: &[f64], biases: &[f64], input: &[f64], out: &mut [f64]) {
    for k in 0..biases.len() {
        let mut s = biases[k];
        for i in 0..input.len() {
            s += weights[k * input.len() + i] * input[i];
        }
        out[k] = s.tanh();
    }
}

#[gradient]
fn network_slices(x: &[f64], w1: &[f64], b1: &[f64], w2: &[f64], b2: &[f64]) -> f64 {
    let mut h = vec![0.0; b1.len()];
    apply(w1, b1, x, &mut h);
    let mut o = vec![0.0; b2.len()];
    for k in 0..b2.len() {
        let mut s = b2[k];
        for i in 0..h.len() {
            s += w2[k * h.len() + i] * h[i];
        }
        o[k] = s;
    }
    let mut sum = 0.0;
    for k in 0..o.len() {
        sum += o[k] * o[k];
    }
    sum
}

#[test]
fn layers_that_are_read() {
    for (inputs, hidden, outputs) in [
        (0, 0, 0),
        (1, 1, 1),
        (3, 2, 5),
        (17, 9, 3),
        (64, 33, 17),
        (5, 100, 1),
    ] {
        let x = numbers(inputs, 1);
        let layer = |rows: usize, columns: usize, seed| Layer {
            weights: numbers(rows * columns, seed)
                .iter()
                .map(|w| w - 1.0)
                .collect(),
            biases: numbers(rows, seed + 1),
        };
        let (first, second) = (layer(hidden, inputs, 5), layer(outputs, hidden, 7));
        let (value, (dx, d1, d2)) = network_grad(&x, &first, &second);
        let (expected, (dx2, dw1, db1, dw2, db2)) = network_slices_grad(
            &x,
            &first.weights,
            &first.biases,
            &second.weights,
            &second.biases,
        );
        assert_eq!(value.to_bits(), expected.to_bits());
        assert_eq!(bits(&dx), bits(&dx2));
        assert_eq!(
            (bits(&d1.weights), bits(&d1.biases)),
            (bits(&dw1), bits(&db1))
        );
        assert_eq!(
            (bits(&d2.weights), bits(&d2.biases)),
            (bits(&dw2), bits(&db2))
        );
        // Buffers full of what was there before.
        let mut tape = Tape::new();
        let (mut bx, mut b1, mut b2) = (vec![f64::NAN; inputs], d1.clone(), d2.clone());
        b1.weights.fill(f64::NAN);
        b2.biases.fill(f64::NAN);
        network_grad_into(&mut tape, &x, &mut bx, &first, &mut b1, &second, &mut b2);
        assert_eq!((b1, b2, bits(&bx)), (d1, d2, bits(&dx)));
    }
}

/// The same struct twice: both gradients are of their own.
#[test]
fn one_struct_as_two_arguments() {
    let layer = Layer {
        weights: numbers(9, 2),
        biases: numbers(3, 4),
    };
    let x = numbers(3, 9);
    let (_, (_, d1, d2)) = network_grad(&x, &layer, &layer);
    let (_, (_, dw1, db1, dw2, db2)) = network_slices_grad(
        &x,
        &layer.weights,
        &layer.biases,
        &layer.weights,
        &layer.biases,
    );
    assert_eq!(
        (d1.weights, d1.biases, d2.weights, d2.biases),
        (dw1, db1, dw2, db2)
    );
}
