//! A kernel with the contestants that compute its gradient, and the check that they agree.

/// Computes value and gradient. The buffer holds the gradient with respect to all inputs, one after another;
/// whatever it held before is overwritten (a contestant may also replace the `Vec` by its own).
type Gradient = Box<dyn FnMut(&mut Vec<f64>) -> f64>;

/// One function, bound to its inputs, and the ways to differentiate it that are compared.
pub struct Kernel {
    /// Its name and size.
    pub name: String,
    /// The inputs with a gradient, one after another.
    pub inputs: Vec<f64>,
    /// The function itself.
    pub primal: Box<dyn FnMut() -> f64>,
    /// Name and code of each contestant. The first one is the standard that the others are checked against.
    pub contestants: Vec<(&'static str, Gradient)>,
}

impl Kernel {
    pub(crate) fn new(
        name: impl Into<String>,
        inputs: Vec<f64>,
        primal: impl FnMut() -> f64 + 'static,
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
        gradient: impl FnMut(&mut Vec<f64>) -> f64 + 'static,
    ) -> Self {
        self.contestants.push((name, Box::new(gradient)));
        self
    }

    /// Panics unless all contestants return the primal's value and the first contestant's gradient, whatever
    /// their buffer held before. Nothing is timed before this has passed.
    pub fn check(&mut self) {
        let value = (self.primal)();
        let mut standard: Option<Vec<f64>> = None;
        for (name, gradient) in &mut self.contestants {
            for stale in [f64::NAN, 7.0] {
                let mut found = vec![stale; self.inputs.len()];
                let returned = gradient(&mut found);
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
    assert_eq!(standard.len(), found.len(), "length of the gradient");
    let scale = standard
        .iter()
        .fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
    let errors = standard
        .iter()
        .zip(found)
        .map(|(expected, entry)| (entry - expected).abs() / scale);
    errors
        .enumerate()
        .find(|(_, error)| error.is_nan() || *error > 1e-10)
}
