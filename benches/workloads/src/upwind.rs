//! Advection by a second-order upwind scheme, whose slopes a limiter keeps from overshooting.

use crate::workload::Workload;
use retrograde::gradient;
use retrograde_kernels::Kernel;
use retrograde_kernels::numbers::Numbers;
use retrograde_kernels::refill;

/// The smaller of two slopes, none where they disagree.
#[gradient]
fn minmod(a: f64, b: f64) -> f64 {
    if a * b <= 0.0 {
        0.0
    } else if a.abs() < b.abs() {
        a
    } else {
        b
    }
}

/// The squared distance from a target after so many steps. What flows in stays.
#[gradient]
pub fn upwind(
    start: &[f64],
    #[constant] target: &[f64],
    #[constant] courant: f64,
    steps: usize,
) -> f64 {
    let n = start.len();
    let mut u = start.to_vec();
    let mut flux = vec![0.0; n + 1];
    for _ in 0..steps {
        flux[1] = u[0];
        flux[n] = u[n - 1];
        for i in 1..n - 1 {
            let slope = minmod(u[i] - u[i - 1], u[i + 1] - u[i]);
            flux[i + 1] = u[i] + 0.5 * (1.0 - courant) * slope;
        }
        for i in 1..n {
            u[i] -= courant * (flux[i + 1] - flux[i]);
        }
    }
    let mut distance = 0.0;
    for i in 0..n {
        distance += (u[i] - target[i]) * (u[i] - target[i]);
    }
    distance
}

const COURANT: f64 = 0.4;

/// Which slope was taken of each cell and step, in a byte: the scheme is linear but for that.
#[derive(Default)]
struct Best {
    taken: Vec<u8>,
    u: Vec<f64>,
    flux: Vec<f64>,
    flux_bar: Vec<f64>,
}

impl Best {
    fn run(&mut self, start: &[f64], target: &[f64], steps: usize, u_bar: &mut [f64]) -> f64 {
        let n = start.len();
        retrograde_kernels::copy(&mut self.u, start);
        refill(&mut self.flux, n + 1, 0.0);
        refill(&mut self.flux_bar, n + 1, 0.0);
        self.taken.resize(steps * n, 0);
        let (u, flux, flux_bar) = (
            &mut self.u[..n],
            &mut self.flux[..=n],
            &mut self.flux_bar[..=n],
        );
        for step in 0..steps {
            let taken = &mut self.taken[step * n..][..n];
            flux[1] = u[0];
            flux[n] = u[n - 1];
            for i in 1..n - 1 {
                let (a, b) = (u[i] - u[i - 1], u[i + 1] - u[i]);
                let same = a * b > 0.0;
                let left = a.abs() < b.abs();
                let slope = if left { a } else { b };
                let slope = if same { slope } else { 0.0 };
                taken[i] = u8::from(same) * (2 - u8::from(left));
                flux[i + 1] = u[i] + 0.5 * (1.0 - COURANT) * slope;
            }
            for i in 1..n {
                u[i] -= COURANT * (flux[i + 1] - flux[i]);
            }
        }
        let mut distance = 0.0;
        for i in 0..n {
            distance += (u[i] - target[i]) * (u[i] - target[i]);
            u_bar[i] = 2.0 * (u[i] - target[i]);
        }
        const HALF: f64 = 0.5 * (1.0 - COURANT);
        for step in (0..steps).rev() {
            let taken = &self.taken[step * n..][..n];
            // The first cell is not updated.
            flux_bar[1] = COURANT * u_bar[1];
            for i in 2..n {
                flux_bar[i] = COURANT * (u_bar[i] - u_bar[i - 1]);
            }
            flux_bar[n] = -COURANT * u_bar[n - 1];
            u_bar[0] += flux_bar[1];
            u_bar[n - 1] += flux_bar[n];
            // What a cell gets as the left, the middle and the right of a slope.
            let slope = |i: usize, which: u8| match taken[i] == which {
                true => HALF * flux_bar[i + 1],
                false => 0.0,
            };
            for i in 0..n {
                let mut bar = 0.0;
                if i + 2 < n {
                    bar -= slope(i + 1, 1);
                }
                if i > 0 && i + 1 < n {
                    bar += flux_bar[i + 1] + slope(i, 1) - slope(i, 2);
                }
                if i > 1 {
                    bar += slope(i - 1, 2);
                }
                u_bar[i] += bar;
            }
        }
        distance
    }
}

/// `n` cells, at least two, so many steps.
pub fn kernel(n: usize, steps: usize) -> Kernel {
    let mut numbers = Numbers::new();
    let inputs = [(); 2].map(|()| numbers.vec(n, 0.0, 1.0));
    let mut best = Best::default();
    Workload::new(
        "upwind",
        &[n],
        inputs,
        move |[start, target]| upwind(start, target, COURANT, steps),
        move |[start, target], tape, buffers| {
            upwind_grad_into(tape, start, &mut buffers[0], target, COURANT, steps)
        },
    )
    .by_hand(n * steps, move |[start, target], buffers| {
        best.run(start, target, steps, &mut buffers[0])
    })
    .twin("upwind", move |[start, target], c| {
        c(&[start, target, &[COURANT]], &[], &[n, steps])
    })
    .kernel()
}
