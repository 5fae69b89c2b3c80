//! Difference quotients and how far a derivative is from them.

use super::Entry;

/// Evaluates difference quotients of `f` around `x`.
pub(super) struct Probe<'a, F> {
    f: &'a mut F,
    x: &'a [f64],
    point: Vec<f64>,
    step: f64,
}

impl<'a, F: FnMut(&[f64]) -> f64> Probe<'a, F> {
    pub(super) fn new(f: &'a mut F, x: &'a [f64], step: f64) -> Self {
        Self {
            f,
            x,
            point: x.to_vec(),
            step,
        }
    }

    /// Compares `analytic` with the difference quotients along `direction`.
    pub(super) fn along(
        &mut self,
        direction: &[(usize, f64)],
        index: usize,
        analytic: f64,
    ) -> Entry {
        let scale = direction
            .iter()
            .map(|&(i, _)| self.x[i].abs())
            .fold(1.0, f64::max);
        let [coarse, fine] = [1.0, 1.0 / 16.0].map(|part| {
            let (numeric, noise) = self.quotient(direction, self.step * scale * part);
            let error = relative_error(analytic, numeric, noise);
            Entry {
                index,
                analytic,
                numeric,
                error,
            }
        });
        if coarse.error <= fine.error {
            coarse
        } else {
            fine
        }
    }

    /// A central difference quotient and a bound of its rounding error.
    fn quotient(&mut self, direction: &[(usize, f64)], step: f64) -> (f64, f64) {
        let above = self.shifted(direction, step);
        let below = self.shifted(direction, -step);
        // Of one entry, the step that was really taken, after rounding.
        let width = match direction {
            &[(i, _)] => (self.x[i] + step) - (self.x[i] - step),
            _ => 2.0 * step,
        };
        let noise = 8.0 * f64::EPSILON * above.abs().max(below.abs()) / width;
        ((above - below) / width, noise)
    }

    fn shifted(&mut self, direction: &[(usize, f64)], step: f64) -> f64 {
        for &(i, v) in direction {
            self.point[i] = self.x[i] + step * v;
        }
        let value = (self.f)(&self.point);
        for &(i, _) in direction {
            self.point[i] = self.x[i];
        }
        value
    }
}

fn relative_error(analytic: f64, numeric: f64, noise: f64) -> f64 {
    if analytic == numeric {
        return 0.0;
    }
    let distance = (analytic - numeric).abs() - noise;
    if distance <= 0.0 {
        return 0.0;
    }
    let error = distance / analytic.abs().max(numeric.abs());
    if error.is_nan() { f64::INFINITY } else { error }
}
