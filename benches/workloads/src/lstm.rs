//! The loss of a recurrent network with diagonal weights that predicts a text letter by letter. GradBench's `lstm`,
//! after ADBench.

mod best;

use crate::workload::Workload;
use best::Best;
use retrograde::gradient;
use retrograde_kernels::numbers::Numbers;
use retrograde_kernels::{Kernel, parts};

#[gradient]
fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// One layer: weights of the gates to forget, to let in and to let out, and of the change, then their biases. The state
/// is what is hidden, then the cell.
#[gradient]
fn layer(parameters: &[f64], state: &mut [f64], input: &[f64]) {
    let b = input.len();
    for i in 0..b {
        let forget = sigmoid(input[i] * parameters[i] + parameters[4 * b + i]);
        let enter = sigmoid(state[i] * parameters[b + i] + parameters[5 * b + i]);
        let leave = sigmoid(input[i] * parameters[2 * b + i] + parameters[6 * b + i]);
        let change = (state[i] * parameters[3 * b + i] + parameters[7 * b + i]).tanh();
        state[b + i] = state[b + i] * forget + enter * change;
        state[i] = leave * state[b + i].tanh();
    }
}

/// What comes after `input`: scaled, through all layers, scaled and shifted.
#[gradient]
fn predict(main: &[f64], extra: &[f64], state: &mut [f64], input: &[f64], output: &mut [f64]) {
    let b = input.len();
    for i in 0..b {
        output[i] = input[i] * extra[i];
    }
    for l in 0..main.len() / (8 * b) {
        let here = &mut state[l * 2 * b..(l + 1) * 2 * b];
        layer(&main[l * 8 * b..(l + 1) * 8 * b], here, output);
        for i in 0..b {
            output[i] = state[l * 2 * b + i];
        }
    }
    for i in 0..b {
        output[i] = output[i] * extra[b + i] + extra[2 * b + i];
    }
}

/// The function of the parameters of the layers and of the ends. Letters have `b` bits.
#[gradient]
pub fn lstm(
    main: &[f64],
    extra: &[f64],
    #[constant] start: &[f64],
    #[constant] letters: &[f64],
    b: usize,
) -> f64 {
    let mut state = start.to_vec();
    let mut output = vec![0.0; b];
    let mut total = 0.0;
    let mut count = 0;
    for t in 0..letters.len() / b - 1 {
        let input = &letters[t * b..(t + 1) * b];
        predict(main, extra, &mut state, input, &mut output);
        let mut sum = 0.0;
        for i in 0..b {
            sum += output[i].exp();
        }
        let normal = (sum + 2.0).ln();
        for i in 0..b {
            total += letters[(t + 1) * b + i] * (output[i] - normal);
        }
        count += b;
    }
    -total / count as f64
}

struct Inputs {
    main: Vec<f64>,
    extra: Vec<f64>,
    start: Vec<f64>,
    letters: Vec<f64>,
    b: usize,
}

/// Layers, letters, bits of a letter.
pub fn kernel([layers, letters, b]: [usize; 3]) -> Kernel {
    let mut numbers = Numbers::new();
    let lengths = [layers * 8 * b, 3 * b];
    let inputs = Inputs {
        main: numbers.vec(lengths[0], -1.0, 1.0),
        extra: numbers.vec(lengths[1], -1.0, 1.0),
        start: numbers.vec(layers * 2 * b, -1.0, 1.0),
        letters: (0..letters * b)
            .map(|_| f64::from(u8::from(numbers.unit() < 0.5)))
            .collect(),
        b,
    };
    let mut best = Best::default();
    let recorded = 8 * (letters - 1) * (8 * layers + 1) * b;
    Workload::new(
        "lstm",
        &lengths,
        inputs,
        |i| lstm(&i.main, &i.extra, &i.start, &i.letters, i.b),
        |i, tape, buffers| {
            let [main, extra] = parts(buffers);
            lstm_grad_into(
                tape, &i.main, main, &i.extra, extra, &i.start, &i.letters, i.b,
            )
        },
    )
    .by_hand(recorded, move |i, buffers| best.run(i, parts(buffers)))
    .twin("lstm", move |i, c| {
        let floats: [&[f64]; 4] = [&i.main, &i.extra, &i.start, &i.letters];
        c(&floats, &[], &[layers, letters, b])
    })
    .kernel()
}
