//! The gradient check: compares a gradient with finite differences of the function.
//!
//! ```
//! use ad_runtime::check::check_gradient;
//!
//! let f = |x: &[f64]| x[0].sin() * x[1];
//! let grad = |x: &[f64]| (x[0].sin() * x[1], vec![x[0].cos() * x[1], x[0].sin()]);
//! check_gradient(f, grad, &[0.5, 2.0]).assert_passed();
//! ```
//!
//! It belongs at smooth points: at a kink, a jump, or the edge of a domain, a difference
//! quotient is no derivative, and the report says so where it can be seen.

mod probe;
mod report;
mod sample;
#[cfg(test)]
mod tests;

pub use report::{Entry, Report};

use probe::Probe;
use sample::{SplitMix, sample};

/// Compares `grad` with central differences of `f` at `x`, with the default settings of
/// [`GradientCheck`].
///
/// # Panics
///
/// If `grad` returns a gradient of another length than `x`.
pub fn check_gradient(
    f: impl FnMut(&[f64]) -> f64,
    grad: impl FnMut(&[f64]) -> (f64, Vec<f64>),
    x: &[f64],
) -> Report {
    GradientCheck::new().run(f, grad, x)
}

/// The settings of a gradient check.
///
/// ```
/// use ad_runtime::check::GradientCheck;
///
/// let wrong = |x: &[f64]| (x[0] * x[0], vec![x[0]]);
/// let report = GradientCheck::new().tolerance(1e-5).run(|x| x[0] * x[0], wrong, &[3.0]);
/// assert!(!report.passed());
/// assert_eq!(report.worst().map(|entry| entry.index), Some(0));
/// ```
#[derive(Debug, Clone)]
pub struct GradientCheck {
    tolerance: f64,
    step: f64,
    entries: usize,
    seed: u64,
}

impl Default for GradientCheck {
    fn default() -> Self {
        Self::new()
    }
}

impl GradientCheck {
    /// Tolerance 1e-6, step 1e-5, at most 256 entries.
    #[must_use]
    pub fn new() -> Self {
        Self {
            tolerance: 1e-6,
            step: 1e-5,
            entries: 256,
            seed: 0x9E37_79B9_7F4A_7C15,
        }
    }

    /// The largest relative error that passes.
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// The larger of the two step sizes, relative to `max(1, |x|)`; the other is a sixteenth of
    /// it, and the better of the two counts.
    #[must_use]
    pub fn step(mut self, step: f64) -> Self {
        self.step = step;
        self
    }

    /// The number of entries to compare one by one; of a longer gradient, a random sample. All
    /// entries count in the directional derivative in any case.
    #[must_use]
    pub fn entries(mut self, entries: usize) -> Self {
        self.entries = entries;
        self
    }

    /// The seed of the sample and of the direction.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Runs the check at `x`.
    ///
    /// # Panics
    ///
    /// If `grad` returns a gradient of another length than `x`.
    pub fn run(
        &self,
        mut f: impl FnMut(&[f64]) -> f64,
        mut grad: impl FnMut(&[f64]) -> (f64, Vec<f64>),
        x: &[f64],
    ) -> Report {
        let primal = f(x);
        let (value, gradient) = grad(x);
        assert_eq!(
            gradient.len(),
            x.len(),
            "retrograde: the gradient has {} entries, the point has {}",
            gradient.len(),
            x.len()
        );
        let mut random = SplitMix(self.seed);
        let mut probe = Probe::new(&mut f, x, self.step);
        let entries: Vec<Entry> = sample(x.len(), self.entries, &mut random)
            .into_iter()
            .map(|index| probe.along(&[(index, 1.0)], index, gradient[index]))
            .collect();
        let worst = entries.iter().copied().reduce(worse);
        let direction: Vec<_> = (0..x.len())
            .map(|i| (i, random.in_unit_interval()))
            .collect();
        let slope = direction.iter().map(|&(i, v)| v * gradient[i]).sum();
        let directional = probe.along(&direction, x.len(), slope);
        Report {
            value,
            primal,
            worst,
            directional: (!x.is_empty()).then_some(directional),
            checked: entries.len(),
            total: x.len(),
            tolerance: self.tolerance,
        }
    }
}

fn worse(a: Entry, b: Entry) -> Entry {
    if b.error > a.error { b } else { a }
}
