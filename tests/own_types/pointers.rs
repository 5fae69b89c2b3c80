//! Fields that hold no numbers: pointers to functions, orders, durations.

use std::cmp::Ordering;
use std::time::Duration;

use retrograde::{Differentiable, Flat, gradient};

use crate::support::check;

#[derive(Clone, Copy, Differentiable)]
struct Activation {
    function: fn(f64) -> f64,
    slope: fn(f64, usize) -> f64,
    start: fn() -> f64,
    gain: f64,
}

#[derive(Clone, Differentiable)]
struct Layer {
    weights: Vec<f64>,
    activation: Activation,
    order: Ordering,
    pause: Duration,
}

fn slope(x: f64, n: usize) -> f64 {
    x * n as f64
}

impl Layer {
    fn new(p: &[f64]) -> Self {
        Layer {
            weights: p[1..].to_vec(),
            activation: Activation {
                function: f64::tanh,
                slope,
                start: || 0.25,
                gain: p[0],
            },
            order: Ordering::Less,
            pause: Duration::from_secs(1),
        }
    }
}

#[gradient]
impl Layer {
    fn output(&self, x: f64) -> f64 {
        let sum: f64 = self.weights.iter().map(|w| w * x).sum();
        self.activation.gain * sum.tanh()
    }

    /// What is copied has the pointers.
    fn halved(&self, x: f64) -> f64 {
        let half = self.clone();
        0.5 * half.activation.gain * half.weights[0] * x
    }
}

#[test]
fn gradients_of_the_other_fields() {
    let points: &[&[f64]] = &[&[0.5, 1.5, -0.75], &[2.0, 0.5, 1.0]];
    check(
        |p| Layer::new(p).output(0.5),
        |p| {
            let (value, (layer, _)) = Layer::new(p).output_grad(0.5);
            (value, [vec![layer.activation.gain], layer.weights].concat())
        },
        points,
    );
    check(
        |p| Layer::new(p).halved(0.5),
        |p| {
            let (value, (layer, _)) = Layer::new(p).halved_grad(0.5);
            (value, [vec![layer.activation.gain], layer.weights].concat())
        },
        points,
    );
}

#[test]
fn they_list_nothing_and_do_not_move() {
    let mut layer = Layer::new(&[0.5, 1.5]);
    let tangent = layer.zero_tangent();
    assert_eq!((layer.len_flat(), tangent.to_flat()), (2, vec![0.0, 0.0]));
    assert_eq!(layer.names_flat(), ["weights[0]", "activation.gain"]);
    layer.step(1.0, &tangent);
    assert_eq!((layer.activation.function)(0.5), 0.5_f64.tanh());
    let _: [(); 2] = [tangent.order, tangent.activation.function];
}
