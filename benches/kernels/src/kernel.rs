//! A kernel with its gradients, and the check that they are right.

use crate::numbers::Numbers;
use retrograde::Tape;

/// One vector per argument that has a gradient, in the order of the arguments.
pub type Gradient = [Vec<f64>];

type Ours = Box<dyn FnMut(&mut Tape, &mut Gradient) -> f64>;

/// An adjoint written by hand, with the memory that it keeps between calls.
pub struct ByHand {
    /// What its forward sweep stores for its reverse sweep, in bytes.
    pub recorded: usize,
    run: Box<dyn FnMut(&mut Gradient) -> f64>,
}

impl ByHand {
    /// An adjoint that stores so many bytes.
    pub fn new(recorded: usize, run: impl FnMut(&mut Gradient) -> f64 + 'static) -> Self {
        Self {
            recorded,
            run: Box::new(run),
        }
    }

    /// Value and gradient, whatever the buffers held before.
    pub fn run(&mut self, gradient: &mut Gradient) -> f64 {
        (self.run)(gradient)
    }
}

/// What two other implementations, in C and under Enzyme, found at the size that is timed.
pub(crate) struct Reference {
    pub(crate) loss: f64,
    /// Argument, entry, derivative.
    pub(crate) entries: &'static [(usize, usize, f64)],
    /// The whole gradient times a vector of signs, drawn from seed 7.
    pub(crate) directional: f64,
    /// The sum of the magnitudes, for each argument.
    pub(crate) magnitudes: &'static [f64],
}

/// One function at one size with inputs of its own.
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// The lengths of the gradient's vectors.
    lengths: Vec<usize>,
    primal: Box<dyn FnMut() -> f64>,
    ours: Ours,
    /// The mechanical adjoint: reversed loops, a record per iteration, saves before overwrites.
    pub simple: Option<ByHand>,
    /// The best adjoint that a compiler could derive from the loops.
    pub best: Option<ByHand>,
    /// The same function in C.
    twin: Option<Box<dyn FnMut() -> f64>>,
    reference: Option<Reference>,
    tolerance: f64,
}

/// What is timed, to be borrowed side by side.
pub struct Parts<'a> {
    /// The function alone.
    pub primal: &'a mut dyn FnMut() -> f64,
    /// `f_grad_into` of the function.
    pub ours: &'a mut dyn FnMut(&mut Tape, &mut Gradient) -> f64,
    /// The mechanical adjoint.
    pub simple: Option<&'a mut ByHand>,
    /// The best adjoint.
    pub best: Option<&'a mut ByHand>,
    /// The function in C.
    pub twin: Option<&'a mut dyn FnMut() -> f64>,
}

/// How far an entry may be off, relative to the largest of its argument, and a reference value relative to itself,
/// where a kernel does not say.
const TOLERANCE: f64 = 1e-9;

/// How far the value of the function in C may be off: its compiler may fuse a multiplication and an addition.
const TWIN_TOLERANCE: f64 = 1e-9;

impl Kernel {
    /// A kernel whose gradient has vectors of these lengths. Its adjoints by hand are optional.
    pub fn new(
        name: impl Into<String>,
        lengths: &[usize],
        primal: impl FnMut() -> f64 + 'static,
        ours: impl FnMut(&mut Tape, &mut Gradient) -> f64 + 'static,
        simple: impl Into<Option<ByHand>>,
        best: impl Into<Option<ByHand>>,
    ) -> Self {
        Self {
            name: name.into(),
            lengths: lengths.to_vec(),
            primal: Box::new(primal),
            ours: Box::new(ours),
            simple: simple.into(),
            best: best.into(),
            twin: None,
            reference: None,
            tolerance: TOLERANCE,
        }
    }

    pub(crate) fn with_reference(mut self, reference: Reference) -> Self {
        self.reference = Some(reference);
        self
    }

    /// The same kernel beside the same function in C.
    #[must_use]
    pub fn with_twin(mut self, twin: impl FnMut() -> f64 + 'static) -> Self {
        self.twin = Some(Box::new(twin));
        self
    }

    /// The same kernel, whose entries may be off by so much.
    #[must_use]
    pub fn within(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// The function alone.
    pub fn primal(&mut self) -> f64 {
        (self.primal)()
    }

    /// `f_grad_into` of the function.
    pub fn ours(&mut self, tape: &mut Tape, gradient: &mut Gradient) -> f64 {
        (self.ours)(tape, gradient)
    }

    /// Everything that is timed.
    pub fn parts(&mut self) -> Parts<'_> {
        Parts {
            primal: &mut self.primal,
            ours: &mut self.ours,
            simple: self.simple.as_mut(),
            best: self.best.as_mut(),
            twin: match &mut self.twin {
                Some(twin) => Some(twin),
                None => None,
            },
        }
    }

    /// Buffers of the right lengths that hold rubbish.
    pub fn buffers(&self, stale: f64) -> Vec<Vec<f64>> {
        self.lengths.iter().map(|&n| vec![stale; n]).collect()
    }

    /// The bytes that the generated code has on the tape at most.
    pub fn recorded_by_ours(&mut self) -> usize {
        let tape = Tape::builder().shadow(true).build();
        let mut tape = tape.expect("a tape in memory");
        let mut gradient = self.buffers(0.0);
        self.ours(&mut tape, &mut gradient);
        tape.stats().high_water
    }

    /// Panics unless all return the bits of the function's value and the same gradient, which is that of the
    /// reference where there is one, whatever their buffers held before, and the function in C nearly that value.
    pub fn check(&mut self) {
        let value = self.primal();
        if let Some(twin) = &mut self.twin {
            let found = twin();
            assert!(
                (found - value).abs() <= TWIN_TOLERANCE * value.abs(),
                "{}: the function in C returns {found:e}, that in Rust {value:e}",
                self.name,
            );
        }
        let mut tape = Tape::new();
        let mut standard = self.buffers(f64::NAN);
        match self.simple.as_mut().or(self.best.as_mut()) {
            Some(by_hand) => by_hand.run(&mut standard),
            None => self.ours(&mut tape, &mut standard),
        };
        self.check_reference(value, &standard);
        for stale in [f64::NAN, 7.0] {
            let stale = self.buffers(stale);
            let mut gradient = stale.clone();
            let value_of_ours = self.ours(&mut tape, &mut gradient);
            let mut all = vec![("ours", value_of_ours, gradient)];
            for (who, by_hand) in [("best", &mut self.best), ("simple", &mut self.simple)] {
                if let Some(by_hand) = by_hand {
                    let mut gradient = stale.clone();
                    all.push((who, by_hand.run(&mut gradient), gradient));
                }
            }
            for (who, found, gradient) in all {
                self.check_value(who, found, value);
                self.check_gradient(who, &gradient, &standard);
            }
        }
    }

    fn check_value(&self, who: &str, found: f64, value: f64) {
        assert!(
            found.to_bits() == value.to_bits(),
            "{}: {who} returns {found:e}, the function {value:e}",
            self.name,
        );
    }

    fn check_gradient(&self, who: &str, found: &Gradient, standard: &Gradient) {
        for (argument, (found, standard)) in found.iter().zip(standard).enumerate() {
            let largest = standard.iter().fold(0.0, |max: f64, d| max.max(d.abs()));
            for (at, (found, expected)) in found.iter().zip(standard).enumerate() {
                assert!(
                    (found - expected).abs() <= self.tolerance * largest,
                    "{}: {who} has {found:e} in entry {at} of argument {argument} where {expected:e} is expected",
                    self.name,
                );
            }
        }
    }

    fn check_reference(&self, value: f64, gradient: &Gradient) {
        let Some(reference) = &self.reference else {
            return;
        };
        let near = |what: &str, found: f64, expected: f64| {
            assert!(
                (found - expected).abs() <= self.tolerance * expected.abs(),
                "{}: {what} is {found:e}, the reference has {expected:e}",
                self.name,
            );
        };
        near("the value", value, reference.loss);
        for &(argument, at, expected) in reference.entries {
            near("an entry", gradient[argument][at], expected);
        }
        for (part, &expected) in gradient.iter().zip(reference.magnitudes) {
            let magnitudes = part.iter().map(|d| d.abs());
            near("the sum of magnitudes", magnitudes.sum(), expected);
        }
        let mut signs = Numbers::from_seed(7);
        let signed = gradient.iter().flatten().map(|d| match signs.unit() {
            ..0.5 => -d,
            _ => *d,
        });
        near(
            "the directional derivative",
            signed.sum(),
            reference.directional,
        );
    }
}

/// The parts of a gradient, each under its own name.
///
/// # Panics
///
/// If there are not `N`.
pub fn parts<const N: usize>(gradient: &mut Gradient) -> [&mut [f64]; N] {
    let parts: &mut [Vec<f64>; N] = gradient.try_into().expect("as many parts as arguments");
    parts.each_mut().map(Vec::as_mut_slice)
}

/// The same, all entries zero.
///
/// # Panics
///
/// If there are not `N`.
pub fn cleared<const N: usize>(gradient: &mut Gradient) -> [&mut [f64]; N] {
    let mut parts = parts(gradient);
    for part in &mut parts {
        part.fill(0.0);
    }
    parts
}

/// Makes a buffer that is kept between calls hold `n` times `value`.
pub fn refill<T: Clone>(buffer: &mut Vec<T>, n: usize, value: T) {
    buffer.clear();
    buffer.resize(n, value);
}

/// Makes a buffer that is kept between calls hold a copy.
pub fn copy(buffer: &mut Vec<f64>, of: &[f64]) {
    buffer.clear();
    buffer.extend_from_slice(of);
}

/// `to += what`, entry by entry.
pub fn add(to: &mut [f64], what: &[f64]) {
    for (to, what) in to.iter_mut().zip(what) {
        *to += *what;
    }
}
