//! Half the sum of squares of what a polynomial misses of the signs of points. GradBench's `llsq`.

use crate::workload::Workload;
use retrograde::gradient;
use retrograde_kernels::Kernel;
use retrograde_kernels::lanes::{fma, sum};
use retrograde_kernels::numbers::Numbers;

/// The function of the coefficients `x`, at `n` points.
#[gradient]
pub fn llsq(x: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        let t = -1.0 + i as f64 * 2.0 / (n as f64 - 1.0);
        let mut missed = if t > 0.0 {
            1.0
        } else if t < 0.0 {
            -1.0
        } else {
            0.0
        };
        let mut power = 1.0;
        for j in 0..x.len() {
            missed -= x[j] * power;
            power *= t;
        }
        sum += missed * missed;
    }
    0.5 * sum
}

const L: usize = 8;

/// Points side by side, whose powers are kept until what they miss is known.
#[derive(Default)]
struct Best {
    powers: Vec<[f64; L]>,
}

impl Best {
    fn run(&mut self, x: &[f64], n: usize, dx: &mut [f64]) -> f64 {
        self.powers.resize(x.len(), [0.0; L]);
        dx.fill(0.0);
        let mut total = 0.0;
        for first in (0..n).step_by(L) {
            let (mut t, mut missed, mut power) = ([0.0; L], [0.0; L], [1.0; L]);
            let count = L.min(n - first);
            for l in 0..count {
                t[l] = -1.0 + (first + l) as f64 * 2.0 / (n as f64 - 1.0);
                missed[l] = if t[l] == 0.0 { 0.0 } else { t[l].signum() };
            }
            for (x, powers) in x.iter().zip(&mut self.powers) {
                for l in 0..L {
                    powers[l] = power[l];
                    missed[l] -= x * power[l];
                    power[l] *= t[l];
                }
            }
            for missed in &mut missed[count..] {
                *missed = 0.0;
            }
            for missed in &missed[..count] {
                total += missed * missed;
            }
            for (dx, powers) in dx.iter_mut().zip(&self.powers) {
                let mut lanes = [0.0; L];
                for l in 0..L {
                    lanes[l] = fma(missed[l], powers[l], lanes[l]);
                }
                *dx -= sum(&lanes);
            }
        }
        0.5 * total
    }
}

/// `m` coefficients, `n` points.
pub fn kernel(m: usize, n: usize) -> Kernel {
    let mut best = Best::default();
    let x = Numbers::new().vec(m, -1.0, 1.0);
    Workload::new(
        "llsq",
        &[m],
        x,
        move |x| llsq(x, n),
        move |x, tape, buffers| llsq_grad_into(tape, x, &mut buffers[0], n),
    )
    .by_hand(8 * L * m, move |x, buffers| best.run(x, n, &mut buffers[0]))
    .twin("llsq", move |x, c| c(&[x], &[], &[x.len(), n]))
    .kernel()
}
