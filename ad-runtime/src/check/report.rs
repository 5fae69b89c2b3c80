//! What a gradient check found, in numbers and in words.

use std::fmt;

/// One comparison of a derivative with a difference quotient.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Entry {
    /// Which entry of the gradient; its length for the directional derivative.
    pub index: usize,
    /// What the gradient says.
    pub analytic: f64,
    /// The difference quotient.
    pub numeric: f64,
    /// Their distance beyond the rounding error of the quotient, relative to the larger; infinite
    /// if either is NaN.
    pub error: f64,
}

/// What a gradient check found.
#[derive(Debug, Clone, PartialEq)]
#[must_use = "a report that is not looked at checks nothing: call `assert_passed`"]
pub struct Report {
    pub(super) value: f64,
    pub(super) primal: f64,
    pub(super) worst: Option<Entry>,
    pub(super) directional: Option<Entry>,
    pub(super) checked: usize,
    pub(super) total: usize,
    pub(super) tolerance: f64,
}

impl Report {
    /// Whether the values agree bit for bit (NaN equals NaN) and all derivatives within the
    /// tolerance.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.value_agrees()
            && [self.worst, self.directional]
                .iter()
                .flatten()
                .all(|entry| self.within(entry))
    }

    /// The entry with the largest error, unless the gradient is empty.
    #[must_use]
    pub fn worst(&self) -> Option<Entry> {
        self.worst
    }

    /// The derivative along a random direction, in which every entry counts.
    #[must_use]
    pub fn directional(&self) -> Option<Entry> {
        self.directional
    }

    /// Whether the value that came with the gradient is that of the function, bit for bit (NaN
    /// equals NaN).
    #[must_use]
    pub fn value_agrees(&self) -> bool {
        self.value.to_bits() == self.primal.to_bits()
            || (self.value.is_nan() && self.primal.is_nan())
    }

    /// Panics with the report unless it [`passed`](Self::passed).
    ///
    /// # Panics
    ///
    /// If the check failed.
    #[track_caller]
    pub fn assert_passed(&self) {
        assert!(self.passed(), "{self}");
    }

    fn within(&self, entry: &Entry) -> bool {
        entry.error <= self.tolerance
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.passed() { "passed" } else { "failed" };
        let Self {
            checked,
            total,
            tolerance,
            ..
        } = self;
        writeln!(
            f,
            "gradient check {verdict} ({checked} of {total} entries, tolerance {tolerance:e})"
        )?;
        if !self.value_agrees() {
            let (value, primal) = (self.value, self.primal);
            writeln!(
                f,
                "  value: {value:e} with the gradient, {primal:e} from the function"
            )?;
            writeln!(
                f,
                "  help: the two must be the same operations in the same order"
            )?;
        }
        for (name, entry) in [("entry", self.worst), ("direction", self.directional)] {
            let Some(Entry {
                index,
                analytic,
                numeric,
                error,
            }) = entry
            else {
                continue;
            };
            let index = if name == "entry" {
                format!(" {index}")
            } else {
                String::new()
            };
            writeln!(
                f,
                "  worst {name}{index}: gradient {analytic:e}, difference quotient {numeric:e}, \
                 error {error:.1e}"
            )?;
        }
        let failed = |entry: Option<Entry>| entry.filter(|entry| !self.within(entry));
        match (failed(self.worst), failed(self.directional)) {
            (Some(Entry { numeric, .. }), _) if !numeric.is_finite() => writeln!(
                f,
                "  help: the function is not finite around this point: check at another one"
            ),
            (Some(Entry { analytic, .. }), _) if !analytic.is_finite() => writeln!(
                f,
                "  help: the function has a difference quotient here but the gradient is not finite"
            ),
            (Some(_), _) => writeln!(
                f,
                "  help: if the function is smooth here, try `.step(…)` ten times larger and \
                 smaller; an error that stays is in the gradient"
            ),
            (None, Some(_)) => writeln!(
                f,
                "  help: the entries compared are right, another one is not: raise `.entries(…)`"
            ),
            (None, None) => Ok(()),
        }
    }
}
