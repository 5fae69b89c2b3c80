//! Filters over an image, the largest of each two by two results, and a saturation.

use crate::workload::Workload;
use retrograde::gradient;
use retrograde_kernels::Kernel;
use retrograde_kernels::numbers::Numbers;
use retrograde_kernels::parts;

/// The side of a filter.
const K: usize = 5;

/// The weighted sum of what the filters find.
#[gradient]
pub fn convolution(
    image: &[f64],
    filters: &[f64],
    biases: &[f64],
    #[constant] weights: &[f64],
    width: usize,
) -> f64 {
    let rows = image.len() / width - (K - 1);
    let cols = width - (K - 1);
    let mut layer = vec![0.0; rows * cols];
    let mut total = 0.0;
    for f in 0..biases.len() {
        for r in 0..rows {
            for c in 0..cols {
                let mut sum = biases[f];
                for a in 0..K {
                    for b in 0..K {
                        sum += filters[(f * K + a) * K + b] * image[(r + a) * width + c + b];
                    }
                }
                layer[r * cols + c] = sum;
            }
        }
        for r in 0..rows / 2 {
            for c in 0..cols / 2 {
                let mut largest = layer[2 * r * cols + 2 * c];
                for a in 0..2 {
                    for b in 0..2 {
                        let v = layer[(2 * r + a) * cols + 2 * c + b];
                        if v > largest {
                            largest = v;
                        }
                    }
                }
                total += weights[(f * (rows / 2) + r) * (cols / 2) + c] * largest.tanh();
            }
        }
    }
    total
}

struct Inputs {
    image: Vec<f64>,
    filters: Vec<f64>,
    biases: Vec<f64>,
    weights: Vec<f64>,
    width: usize,
}

/// Each winner is reversed as soon as it is known, and nobody else has an adjoint: nothing is kept but two rows.
fn best(i: &Inputs, layer: &mut Vec<f64>, bars: [&mut [f64]; 3]) -> f64 {
    let [image_bar, filters_bar, biases_bar] = bars;
    let width = i.width;
    let (rows, cols) = (i.image.len() / width - (K - 1), width - (K - 1));
    image_bar.fill(0.0);
    filters_bar.fill(0.0);
    biases_bar.fill(0.0);
    layer.resize(2 * cols, 0.0);
    let mut total = 0.0;
    for f in 0..i.biases.len() {
        let filter = &i.filters[f * K * K..][..K * K];
        let mut filter_bar = [0.0; K * K];
        for r in 0..rows / 2 {
            for (a, layer) in layer.chunks_exact_mut(cols).enumerate() {
                layer.fill(i.biases[f]);
                for k in 0..K * K {
                    let row = &i.image[(2 * r + a + k / K) * width + k % K..][..cols];
                    for (sum, pixel) in layer.iter_mut().zip(row) {
                        *sum += filter[k] * pixel;
                    }
                }
            }
            for c in 0..cols / 2 {
                let mut at = 2 * c;
                for other in [2 * c + 1, cols + 2 * c, cols + 2 * c + 1] {
                    if layer[other] > layer[at] {
                        at = other;
                    }
                }
                let weight = i.weights[(f * (rows / 2) + r) * (cols / 2) + c];
                let saturated = layer[at].tanh();
                total += weight * saturated;
                let bar = weight * (1.0 - saturated * saturated);
                biases_bar[f] += bar;
                let corner = (2 * r + at / cols) * width + at % cols;
                for a in 0..K {
                    let pixels = &i.image[corner + a * width..][..K];
                    let pixels_bar = &mut image_bar[corner + a * width..][..K];
                    for b in 0..K {
                        filter_bar[a * K + b] += bar * pixels[b];
                        pixels_bar[b] += bar * filter[a * K + b];
                    }
                }
            }
        }
        filters_bar[f * K * K..][..K * K].copy_from_slice(&filter_bar);
    }
    total
}

/// An image of so many rows and columns, and filters.
pub fn kernel([height, width, filters]: [usize; 3]) -> Kernel {
    let mut numbers = Numbers::new();
    let pooled = (height - 4) / 2 * ((width - 4) / 2);
    let lengths = [height * width, filters * K * K, filters];
    let inputs = Inputs {
        image: numbers.vec(lengths[0], 0.0, 1.0),
        filters: numbers.vec(lengths[1], -0.3, 0.3),
        biases: numbers.vec(lengths[2], -0.5, 0.5),
        weights: numbers.vec(filters * pooled, -1.0, 1.0),
        width,
    };
    let mut layer = Vec::new();
    Workload::new(
        "convolution",
        &lengths,
        inputs,
        |i| convolution(&i.image, &i.filters, &i.biases, &i.weights, i.width),
        |i, tape, buffers| {
            let [image, filters, biases] = parts(buffers);
            convolution_grad_into(
                tape, &i.image, image, &i.filters, filters, &i.biases, biases, &i.weights, i.width,
            )
        },
    )
    .by_hand(0, move |i, buffers| best(i, &mut layer, parts(buffers)))
    .twin("convolution", move |i, c| {
        let floats: [&[f64]; 4] = [&i.image, &i.filters, &i.biases, &i.weights];
        c(&floats, &[], &[height, width, filters])
    })
    .kernel()
}
