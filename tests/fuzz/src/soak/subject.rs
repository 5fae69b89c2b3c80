//! One function of the library, and everything that can be called of it.

use retrograde::{Tape, TapeError};

use super::argument::Argument;

/// What a run is determined by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Input {
    /// Elements, or trips.
    pub(crate) n: usize,
    /// The seed of the values.
    pub(crate) data: u64,
    /// The iteration in which a function that can panic does so.
    pub(crate) panic_at: Option<usize>,
}

/// One of the functions that `#[gradient]` generates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entry {
    /// `f_grad`, on a tape of the thread.
    Grad,
    /// `f_grad_into`.
    Into,
    /// `f_try_grad_into`.
    TryInto,
    /// `f_adjoint`, into adjoints that are zero.
    Adjoint,
    /// `f_try_adjoint`.
    TryAdjoint,
}

impl Entry {
    /// Whether a failing tier is an `Err`.
    pub(crate) fn is_fallible(self) -> bool {
        matches!(self, Self::TryInto | Self::TryAdjoint)
    }
}

/// Floats of the value and of the gradient, in the order of result and parameters. `f32` are widened, which is exact.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) value: Vec<f64>,
    pub(crate) gradient: Vec<f64>,
}

impl Outcome {
    pub(crate) fn value<A: Argument>(&mut self, value: &A) {
        value.flatten(&mut self.value);
    }

    pub(crate) fn gradient<A: Argument>(&mut self, tangent: &A::Tangent) {
        A::flatten_tangent(tangent, &mut self.gradient);
    }
}

type Call = fn(&Input, Entry, &mut Tape) -> Result<Outcome, TapeError>;

/// One function of the library.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    /// The largest size to draw.
    pub(crate) largest: usize,
    /// Whether it computes in `f32`.
    pub(crate) single: bool,
    /// Whether there are `f_grad` and `f_grad_into`.
    pub(crate) gradients: bool,
    /// Whether it panics where it is told to.
    pub(crate) panics: bool,
    /// The function as written.
    pub(crate) plain: fn(&Input) -> Outcome,
    /// The function over dual numbers: value, and the derivative that is entry `k` of the gradient.
    pub(crate) dual: fn(&Input, usize) -> (Outcome, f64),
    /// The generated functions.
    pub(crate) with: Call,
    /// Those that are generated with `no(all)`.
    pub(crate) off: Call,
}

impl Subject {
    /// The function of this name.
    #[cfg(test)]
    pub(crate) fn named(name: &str) -> &'static Self {
        let mut all = super::library::SUBJECTS.iter();
        all.find(|s| s.name == name).expect("in the library")
    }

    /// The entry points that it has.
    pub(crate) fn entries(&self) -> &'static [Entry] {
        if self.gradients {
            &[
                Entry::Grad,
                Entry::Into,
                Entry::TryInto,
                Entry::Adjoint,
                Entry::TryAdjoint,
            ]
        } else {
            &[Entry::Adjoint, Entry::TryAdjoint]
        }
    }
}
