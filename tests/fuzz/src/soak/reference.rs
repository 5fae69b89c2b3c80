//! What every run has to agree with, and how that is itself checked.

use retrograde::Tape;

use super::subject::{Entry, Input, Outcome, Subject};

/// The twin without transformations is run up to this size.
const TWIN: usize = 50_000;

/// Forward mode is run once per entry, up to so many entries and trips.
const ENTRIES: usize = 150;
const TRIPS: usize = 80;

/// Value of the plain function, gradient of the first run on a new tape.
#[derive(Debug, Clone)]
pub(crate) struct Reference {
    pub(crate) subject: &'static Subject,
    pub(crate) input: Input,
    pub(crate) outcome: Outcome,
}

/// Two results that do not agree.
#[derive(Debug, Clone)]
pub(crate) struct Difference {
    /// `value`, `bits`, `twin`, `oracle`.
    pub(crate) what: &'static str,
    pub(crate) text: String,
}

impl Reference {
    /// Runs the function, its gradient, and the oracles that its size admits; returns how many entries these compared.
    pub(crate) fn new(
        subject: &'static Subject,
        input: Input,
    ) -> (Self, usize, Result<(), Difference>) {
        let plain = (subject.plain)(&input);
        let entry = if subject.gradients {
            Entry::Into
        } else {
            Entry::Adjoint
        };
        let outcome =
            (subject.with)(&input, entry, &mut Tape::new()).expect("a tape in memory has room");
        let this = Self {
            subject,
            input,
            outcome,
        };
        let mut compared = 0;
        let verdict = same_bits("value", &plain.value, &this.outcome.value)
            .and_then(|()| this.check_against_twin(entry, &mut compared))
            .and_then(|()| this.check_against_duals(&mut compared));
        (this, compared, verdict)
    }

    fn check_against_twin(&self, entry: Entry, compared: &mut usize) -> Result<(), Difference> {
        if self.input.n > TWIN {
            return Ok(());
        }
        let off = (self.subject.off)(&self.input, entry, &mut Tape::new())
            .expect("a tape in memory has room");
        same_bits("value", &off.value, &self.outcome.value)?;
        *compared += off.gradient.len();
        let tolerance = if self.subject.single { 2e-3 } else { 1e-9 };
        close("twin", &self.outcome.gradient, &off.gradient, tolerance)
    }

    fn check_against_duals(&self, compared: &mut usize) -> Result<(), Difference> {
        let entries = self.outcome.gradient.len();
        if self.input.n > TRIPS || entries > ENTRIES {
            return Ok(());
        }
        let mut want = Vec::with_capacity(entries);
        for k in 0..entries {
            let (outcome, derivative) = (self.subject.dual)(&self.input, k);
            same_bits("value", &outcome.value, &self.outcome.value)?;
            want.push(derivative);
        }
        *compared += entries;
        let tolerance = if self.subject.single { 2e-3 } else { 1e-9 };
        close("oracle", &self.outcome.gradient, &want, tolerance)
    }

    /// Compares a run with the reference, in every bit.
    pub(crate) fn compare(&self, got: &Outcome) -> Result<(), Difference> {
        same_bits("value", &got.value, &self.outcome.value)?;
        same_bits("bits", &got.gradient, &self.outcome.gradient)
    }
}

/// Whether all bits agree; any NaN is as good as another.
pub(crate) fn same_bits(what: &'static str, got: &[f64], want: &[f64]) -> Result<(), Difference> {
    let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    compare(what, got, want, same)
}

/// Whether all entries agree to `tolerance` of the largest.
fn close(what: &'static str, got: &[f64], want: &[f64], tolerance: f64) -> Result<(), Difference> {
    let scale = want
        .iter()
        .filter(|w| w.is_finite())
        .fold(f64::MIN_POSITIVE, |s, w| s.max(w.abs()));
    let near = |a: f64, b: f64| {
        a == b || (a - b).abs() <= tolerance * scale || !b.is_finite() && !a.is_finite()
    };
    compare(what, got, want, near)
}

fn compare(
    what: &'static str,
    got: &[f64],
    want: &[f64],
    same: impl Fn(f64, f64) -> bool,
) -> Result<(), Difference> {
    if got.len() != want.len() {
        let text = format!("{} entries instead of {}", got.len(), want.len());
        return Err(Difference { what, text });
    }
    let mut wrong = (0..got.len()).filter(|&i| !same(got[i], want[i]));
    let Some(first) = wrong.next() else {
        return Ok(());
    };
    let text = format!(
        "{} of {} entries; entry {first} is {:e} instead of {:e}",
        1 + wrong.count(),
        got.len(),
        got[first],
        want[first]
    );
    Err(Difference { what, text })
}
