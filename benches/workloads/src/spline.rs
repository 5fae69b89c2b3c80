//! The squared distance of a cubic spline from measurements, by coefficients and by where it is evaluated.

use crate::workload::Workload;
use retrograde::gradient;
use retrograde_kernels::numbers::Numbers;
use retrograde_kernels::{Kernel, parts};

/// The knots are the integers.
#[gradient]
pub fn spline(coefficients: &[f64], places: &[f64], #[constant] measured: &[f64]) -> f64 {
    let mut sum = 0.0;
    for k in 0..places.len() {
        let cell = places[k].floor();
        let first = cell as usize;
        let t = places[k] - cell;
        let s = 1.0 - t;
        let basis = [
            s * s * s / 6.0,
            (3.0 * t * t * t - 6.0 * t * t + 4.0) / 6.0,
            (3.0 * s * s * s - 6.0 * s * s + 4.0) / 6.0,
            t * t * t / 6.0,
        ];
        let mut value = 0.0;
        for b in 0..4 {
            value += coefficients[first + b] * basis[b];
        }
        let missed = value - measured[k];
        sum += missed * missed;
    }
    sum
}

/// Each term is reversed as soon as it is computed.
fn best(
    [coefficients, places, measured]: &[Vec<f64>; 3],
    [coefficients_bar, places_bar]: [&mut [f64]; 2],
) -> f64 {
    coefficients_bar.fill(0.0);
    let mut sum = 0.0;
    for ((place, measured), place_bar) in places.iter().zip(measured).zip(places_bar) {
        let cell = place.floor();
        let t = place - cell;
        let s = 1.0 - t;
        let basis = [
            s * s * s / 6.0,
            (3.0 * t * t * t - 6.0 * t * t + 4.0) / 6.0,
            (3.0 * s * s * s - 6.0 * s * s + 4.0) / 6.0,
            t * t * t / 6.0,
        ];
        let slopes = [
            -0.5 * s * s,
            1.5 * t * t - 2.0 * t,
            2.0 * s - 1.5 * s * s,
            0.5 * t * t,
        ];
        let there: &[f64; 4] = coefficients[cell as usize..][..4].try_into().expect("four");
        let mut value = 0.0;
        for b in 0..4 {
            value += there[b] * basis[b];
        }
        let missed = value - measured;
        sum += missed * missed;
        let bar = 2.0 * missed;
        let mut slope = 0.0;
        for (b, there_bar) in coefficients_bar[cell as usize..][..4]
            .iter_mut()
            .enumerate()
        {
            *there_bar += bar * basis[b];
            slope += there[b] * slopes[b];
        }
        *place_bar = bar * slope;
    }
    sum
}

/// So many coefficients, at least four, and places.
pub fn kernel(n: usize, places: usize) -> Kernel {
    let mut numbers = Numbers::new();
    let inputs = [
        numbers.vec(n, -1.0, 1.0),
        numbers.vec(places, 0.0, (n - 3) as f64),
        numbers.vec(places, -1.0, 1.0),
    ];
    Workload::new(
        "spline",
        &[n, places],
        inputs,
        |[coefficients, places, measured]| spline(coefficients, places, measured),
        |[coefficients, places, measured], tape, buffers| {
            let [of_coefficients, of_places] = parts(buffers);
            spline_grad_into(
                tape,
                coefficients,
                of_coefficients,
                places,
                of_places,
                measured,
            )
        },
    )
    .by_hand(0, |inputs, buffers| best(inputs, parts(buffers)))
    .twin("spline", |[coefficients, places, measured], c| {
        c(&[coefficients, places, measured], &[], &[places.len()])
    })
    .kernel()
}
