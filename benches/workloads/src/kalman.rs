//! The likelihood of a series under a level and a trend that wander, by a Kalman filter with two components.

use crate::workload::Workload;
use retrograde::gradient;
use retrograde_kernels::Kernel;
use retrograde_kernels::numbers::Numbers;

/// Twice the negative logarithm of the likelihood, but for a constant. Parameters are the variances of level, trend and
/// measurement, and what level and trend start from.
#[gradient]
pub fn kalman(parameters: &[f64; 5], #[constant] measured: &[f64]) -> f64 {
    let [of_level, of_trend, noise, mut level, mut trend] = *parameters;
    let (mut p00, mut p01, mut p11) = (1.0, 0.0, 1.0);
    let mut sum = 0.0;
    for z in measured {
        level += trend;
        p00 += 2.0 * p01 + p11 + of_level;
        p01 += p11;
        p11 += of_trend;
        let missed = z - level;
        let spread = p00 + noise;
        let gain0 = p00 / spread;
        let gain1 = p01 / spread;
        level += gain0 * missed;
        trend += gain1 * missed;
        p11 -= gain1 * p01;
        p01 -= gain0 * p01;
        p00 -= gain0 * p00;
        sum += spread.ln() + missed * missed / spread;
    }
    sum
}

/// What an update of the filter hangs on.
#[derive(Clone, Copy)]
struct Update {
    p00: f64,
    p01: f64,
    missed: f64,
    inverse: f64,
    gain: [f64; 2],
}

fn best(
    [of_level, of_trend, noise, mut level, mut trend]: [f64; 5],
    measured: &[f64],
    updates: &mut Vec<Update>,
    bars: &mut [f64],
) -> f64 {
    let (mut p00, mut p01, mut p11) = (1.0, 0.0, 1.0);
    let mut sum = 0.0;
    updates.clear();
    for z in measured {
        level += trend;
        p00 += 2.0 * p01 + p11 + of_level;
        p01 += p11;
        p11 += of_trend;
        let missed = z - level;
        let spread = p00 + noise;
        let gain = [p00 / spread, p01 / spread];
        updates.push(Update {
            p00,
            p01,
            missed,
            inverse: 1.0 / spread,
            gain,
        });
        level += gain[0] * missed;
        trend += gain[1] * missed;
        p11 -= gain[1] * p01;
        p01 -= gain[0] * p01;
        p00 -= gain[0] * p00;
        sum += spread.ln() + missed * missed / spread;
    }
    let [mut of_level, mut of_trend, mut noise] = [0.0; 3];
    let [mut level, mut trend, mut b00, mut b01, mut b11] = [0.0; 5];
    for update in updates.iter().rev() {
        let Update {
            p00,
            p01,
            missed,
            inverse,
            gain,
        } = *update;
        let gain1 = trend * missed - b11 * p01;
        let gain0 = level * missed - b01 * p01 - b00 * p00;
        let scaled = missed * inverse;
        let spread = inverse - scaled * scaled - (gain0 * gain[0] + gain1 * gain[1]) * inverse;
        let missed = level * gain[0] + trend * gain[1] + 2.0 * scaled;
        b00 = b00 * (1.0 - gain[0]) + gain0 * inverse + spread;
        b01 = b01 * (1.0 - gain[0]) - b11 * gain[1] + gain1 * inverse;
        noise += spread;
        level -= missed;
        of_trend += b11;
        b11 += b01 + b00;
        b01 += 2.0 * b00;
        of_level += b00;
        trend += level;
    }
    bars.copy_from_slice(&[of_level, of_trend, noise, level, trend]);
    sum
}

const PARAMETERS: [f64; 5] = [0.3, 0.02, 0.5, 0.1, -0.05];

/// `n` measurements.
pub fn kernel(n: usize) -> Kernel {
    let mut numbers = Numbers::new();
    let mut level = 0.0;
    let measured: Vec<f64> = (0..n)
        .map(|_| {
            level += numbers.draw(-0.5, 0.5);
            level + numbers.draw(-0.5, 0.5)
        })
        .collect();
    let mut updates = Vec::new();
    Workload::new(
        "kalman",
        &[5],
        measured,
        |measured| kalman(&PARAMETERS, measured),
        |measured, tape, buffers| {
            let bars = buffers[0].as_mut_array().expect("five parameters");
            kalman_grad_into(tape, &PARAMETERS, bars, measured)
        },
    )
    .by_hand(size_of::<Update>() * n, move |measured, buffers| {
        best(PARAMETERS, measured, &mut updates, &mut buffers[0])
    })
    .twin("kalman", |measured, c| {
        c(&[&PARAMETERS, measured], &[], &[measured.len()])
    })
    .kernel()
}
