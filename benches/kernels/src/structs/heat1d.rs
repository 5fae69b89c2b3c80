//! heat1d over a struct of vectors, a step as a method.

use crate::heat1d::DT;
use retrograde::{Differentiable, Record, gradient};

/// The temperatures along a rod, and room for those after the next step.
#[derive(Clone, Debug, Differentiable, Record)]
pub struct Rod {
    now: Vec<f64>,
    next: Vec<f64>,
}

#[gradient]
impl Rod {
    fn step(&mut self) {
        for i in 1..self.now.len() - 1 {
            let hr = 0.5 * (self.now[i] + self.now[i + 1]);
            let hl = 0.5 * (self.now[i - 1] + self.now[i]);
            self.next[i] = self.now[i]
                + DT * (hr * hr * (self.now[i + 1] - self.now[i])
                    - hl * hl * (self.now[i] - self.now[i - 1]));
        }
        std::mem::swap(&mut self.now, &mut self.next);
    }

    fn heat(&self) -> f64 {
        let mut f = 0.0;
        for i in 0..self.now.len() {
            f += self.now[i] * self.now[i];
        }
        f
    }
}

/// The sum of squares after some steps.
#[gradient]
pub fn heat1d(u0: &[f64], steps: usize) -> f64 {
    let mut rod = Rod {
        now: u0.to_vec(),
        next: u0.to_vec(),
    };
    for _ in 0..steps {
        rod.step();
    }
    rod.heat()
}
