//! The local level model: a level that drifts from year to year, measured with noise.
//!
//! `level[t + 1] = level[t] + drift[t]`, `flow[t] = level[t] + noise[t]`, both normal. The likelihood comes from the
//! Kalman filter (Durbin and Koopman, *Time Series Analysis by State Space Methods*, section 2.2), which knows nothing
//! of the level before the first measurement (their section 2.9).

use std::f64::consts::TAU;

use retrograde::{Differentiable, Record, gradient};

/// One year of the record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Year {
    /// Of the Gregorian calendar.
    pub(crate) year: u16,
    /// Volume in 10⁸ m³, if it was measured.
    pub(crate) flow: Option<f64>,
}

/// The parameters. Logarithms, so that every real number is a variance.
#[derive(Clone, Debug, PartialEq, Differentiable)]
#[differentiable(tangent = Self)]
pub(crate) struct LocalLevel {
    /// Of the variance of a measurement.
    pub(crate) log_noise: f64,
    /// Of the variance by which the level drifts in a year.
    pub(crate) log_drift: f64,
}

/// What is known of the level: a normal distribution.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
pub(crate) struct Belief {
    pub(crate) mean: f64,
    pub(crate) variance: f64,
}

#[gradient]
impl LocalLevel {
    /// The variance of a measurement.
    pub(crate) fn noise(&self) -> f64 {
        self.log_noise.exp()
    }

    /// The variance of a year's drift.
    pub(crate) fn drift(&self) -> f64 {
        self.log_drift.exp()
    }

    /// The level a year later.
    pub(crate) fn predict(&self, level: Belief) -> Belief {
        Belief {
            variance: level.variance + self.drift(),
            ..level
        }
    }

    /// The level once more, after a measurement, and the logarithm of the measurement's density.
    pub(crate) fn update(&self, level: Belief, flow: f64) -> (Belief, f64) {
        let spread = level.variance + self.noise();
        let surprise = flow - level.mean;
        let gain = level.variance / spread;
        let level = Belief {
            mean: level.mean + gain * surprise,
            variance: level.variance * (1.0 - gain),
        };
        (
            level,
            -0.5 * ((TAU * spread).ln() + surprise * surprise / spread),
        )
    }

    /// The logarithm of the likelihood of a record, given its first measurement.
    pub(crate) fn log_likelihood(&self, #[constant] record: &[Year]) -> f64 {
        let mut sum = 0.0;
        let mut level: Option<Belief> = None;
        for year in record {
            level = match (level, year.flow) {
                (None, None) => None,
                (None, Some(flow)) => Some(Belief {
                    mean: flow,
                    variance: self.noise(),
                }),
                (Some(level), None) => Some(self.predict(level)),
                (Some(level), Some(flow)) => {
                    let (level, density) = self.update(self.predict(level), flow);
                    sum += density;
                    Some(level)
                }
            };
        }
        sum
    }
}
