//! A kernel with the contestants that compute its gradient, and the check that they agree.

/// The function, of all inputs that have a gradient, one after another.
type Primal = Box<dyn FnMut(&[f64]) -> f64>;

/// Computes value and gradient at the inputs. The gradient goes into the buffer and overwrites what it held.
type Gradient = Box<dyn FnMut(&[f64], &mut [f64]) -> f64>;

/// One function, its inputs, and the ways to differentiate it that are compared.
///
/// All contestants read the same inputs and write to the same buffer, so that none has luckier addresses.
pub struct Kernel {
    /// Its name and size.
    pub name: String,
    /// Where it is evaluated.
    pub inputs: Vec<f64>,
    /// The function itself.
    pub primal: Primal,
    /// Name and code of each contestant. The first one is the standard that the others are checked against.
    pub contestants: Vec<(&'static str, Gradient)>,
}

impl Kernel {
    pub(crate) fn new(
        name: impl Into<String>,
        inputs: Vec<f64>,
        primal: impl FnMut(&[f64]) -> f64 + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            inputs,
            primal: Box::new(primal),
            contestants: Vec::new(),
        }
    }

    /// Enters a contestant.
    pub(crate) fn with(
        mut self,
        name: &'static str,
        gradient: impl FnMut(&[f64], &mut [f64]) -> f64 + 'static,
    ) -> Self {
        self.contestants.push((name, Box::new(gradient)));
        self
    }

    /// Panics unless all contestants return the function's value and the first contestant's gradient, whatever
    /// their buffer held before. Nothing is timed before this has passed.
    pub fn check(&mut self) {
        let value = (self.primal)(&self.inputs);
        let mut standard = None;
        for (name, gradient) in &mut self.contestants {
            for stale in [f64::NAN, 7.0] {
                let mut found = vec![stale; self.inputs.len()];
                let returned = gradient(&self.inputs, &mut found);
                assert!(
                    (returned - value).abs() <= 1e-12 * value.abs(),
                    "{}: {name} returns {returned:e}, the function itself {value:e}",
                    self.name,
                );
                let standard = standard.get_or_insert_with(|| found.clone());
                if let Some((at, error)) = disagreement(standard, &found) {
                    panic!(
                        "{}: {name} has {:e} in entry {at} where {:e} is expected (off by {error:e})",
                        self.name, found[at], standard[at],
                    );
                }
            }
        }
    }
}

/// The first entry that differs by more than 1e-10 of the largest entry (or is not a number).
fn disagreement(standard: &[f64], found: &[f64]) -> Option<(usize, f64)> {
    let largest = |largest: f64, entry: &f64| largest.max(entry.abs());
    let scale = standard.iter().fold(0.0, largest);
    let pairs = standard.iter().zip(found);
    let mut errors = pairs.map(|(expected, entry)| (entry - expected).abs() / scale);
    let at = errors.position(|error| error.is_nan() || error > 1e-10)?;
    Some((at, (found[at] - standard[at]).abs() / scale))
}
