//! Types of other files than their callers.

use retrograde::{Differentiable, Record, gradient};

/// A mean that counts in `u64`.
#[derive(Clone, Debug, Differentiable, Record)]
pub(crate) struct Mean {
    pub(crate) mean: f64,
    #[constant]
    pub(crate) n: u64,
}

#[gradient]
impl Mean {
    pub(crate) fn len(&self) -> u64 {
        self.n
    }
    pub(crate) fn count(&self) -> u32 {
        self.n as u32
    }
    pub(crate) fn capacity(&self) -> i8 {
        3
    }
    pub(crate) fn add(&mut self, x: f64) {
        self.n += 1;
        self.mean += (x - self.mean) / self.n as f64;
    }
}

/// An angle in radians.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
pub(crate) struct Angle {
    pub(crate) radians: f64,
}

#[gradient]
impl Angle {
    pub(crate) fn as_radians(&self) -> f64 {
        self.radians
    }
    pub(crate) fn as_turns(&self) -> f64 {
        self.radians / std::f64::consts::TAU
    }
    pub(crate) fn into_degrees(self) -> f64 {
        self.radians.to_degrees()
    }
    pub(crate) fn into_array(self) -> [f64; 2] {
        [self.radians.cos(), self.radians.sin()]
    }
    pub(crate) fn domain(&self) -> (f64, f64) {
        (-10.0, self.radians * self.radians + 10.0)
    }
    pub(crate) fn wraps(&mut self) -> bool {
        self.radians *= 0.5;
        true
    }
}

/// A limit that picks from several.
#[derive(Clone, Debug, Differentiable, Record)]
pub(crate) struct Limits {
    pub(crate) upper: Vec<f64>,
}

#[gradient]
impl Limits {
    pub(crate) fn filter(&self, values: &Vec<f64>) -> Vec<f64> {
        let mut kept = Vec::new();
        for (v, u) in values.iter().zip(&self.upper) {
            kept.push(if v < u { v * u } else { *u });
        }
        kept
    }
}

/// A level that answers by the names of std's.
#[derive(Clone, Copy, Debug, Differentiable, Record)]
pub(crate) struct Level {
    pub(crate) height: f64,
}

impl Level {
    pub(crate) fn cmp(&self, other: &Level) -> std::cmp::Ordering {
        self.height.total_cmp(&other.height)
    }
    pub(crate) fn partial_cmp(&self, other: &Level) -> Option<std::cmp::Ordering> {
        self.height.partial_cmp(&other.height)
    }
    pub(crate) fn total_cmp(&self, by: &f64) -> f64 {
        self.height * *by
    }
    pub(crate) fn is_below(&self, x: f64) -> bool {
        self.height < x
    }
    pub(crate) fn is_some(&self) -> bool {
        true
    }
    pub(crate) fn is_empty(&self) -> bool {
        self.height == 0.0
    }
    pub(crate) fn contains(&self, x: f64) -> bool {
        x <= self.height
    }
}
