//! What a soak has counted and found.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::reference::Difference;

/// Counts of one round, or of all.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counts {
    pub(crate) rounds: u64,
    pub(crate) gradients: u64,
    /// Gradient entries compared with a reference, in every bit.
    pub(crate) entries: u64,
    /// Gradient entries of references compared with the twin and with forward mode.
    pub(crate) checked: u64,
    /// Bytes that tapes wrote to their tiers.
    pub(crate) spilled: u64,
    pub(crate) armed: u64,
    /// Faults that met their operation, by name.
    pub(crate) fired: BTreeMap<String, u64>,
    /// Errors of tapes that followed, by kind.
    pub(crate) errors: BTreeMap<&'static str, u64>,
    /// Panics half-way that were asked for, and came.
    pub(crate) panics: u64,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.rounds += other.rounds;
        self.gradients += other.gradients;
        self.entries += other.entries;
        self.checked += other.checked;
        self.spilled += other.spilled;
        self.armed += other.armed;
        self.panics += other.panics;
        for (name, n) in &other.fired {
            *self.fired.entry(name.clone()).or_default() += n;
        }
        for (name, n) in &other.errors {
            *self.errors.entry(name).or_default() += n;
        }
    }

    fn faults(&self) -> u64 {
        self.fired.values().sum()
    }
}

/// Something that must not be.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    pub(crate) round: u32,
    pub(crate) subject: &'static str,
    /// Size, data, tape, history.
    pub(crate) context: String,
    pub(crate) difference: Difference,
}

/// Findings of one kind that are shown in full.
const SHOWN: u64 = 3;

/// Counts and findings of all rounds so far.
#[derive(Debug, Default)]
struct Found {
    counts: Counts,
    /// How many findings, by kind and function.
    kinds: BTreeMap<(&'static str, &'static str), u64>,
}

/// Shared by all threads of a soak.
#[derive(Debug)]
pub(crate) struct Tally {
    seed: u64,
    found: Mutex<Found>,
}

impl Tally {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            seed,
            found: Mutex::default(),
        }
    }

    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes in a round, and shows the first findings of each kind.
    pub(crate) fn add(&self, counts: &Counts, findings: &[Finding]) {
        let mut found = self.found();
        found.counts.add(counts);
        for finding in findings {
            let key = (finding.difference.what, finding.subject);
            let seen = found.kinds.entry(key).or_default();
            *seen += 1;
            if *seen <= SHOWN {
                println!(
                    "{} of {}: {}\n    {}\n    reproduce: cargo run --release -p retrograde-fuzz -- soak --seed {} \
                     --from {} --rounds 1",
                    finding.difference.what,
                    finding.subject,
                    finding.difference.text,
                    finding.context,
                    self.seed,
                    finding.round,
                );
            }
        }
    }

    /// How many findings there are of a kind.
    pub(crate) fn of_kind(&self, what: &str) -> u64 {
        let found = self.found();
        let kinds = found.kinds.iter().filter(|((kind, _), _)| *kind == what);
        kinds.map(|(_, n)| n).sum()
    }

    /// How many findings there are.
    pub(crate) fn findings(&self) -> u64 {
        self.found().kinds.values().sum()
    }

    pub(crate) fn counts(&self) -> Counts {
        self.found().counts.clone()
    }

    /// One line for the progress.
    pub(crate) fn line(&self) -> String {
        let findings = self.findings();
        let c = self.counts();
        format!(
            "{} rounds, {} gradients, {} entries, {:.1} GB spilled, {} faults, {findings} findings",
            c.rounds,
            c.gradients,
            c.entries,
            c.spilled as f64 / 1e9,
            c.faults(),
        )
    }
}

/// The block for reports.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let c = self.counts();
        writeln!(f, "rounds              {}", c.rounds)?;
        writeln!(f, "gradients           {}", c.gradients)?;
        writeln!(f, "entries, bit by bit {}", c.entries)?;
        writeln!(f, "entries, by oracles {}", c.checked)?;
        writeln!(f, "bytes spilled       {}", c.spilled)?;
        writeln!(f, "panics half-way     {}", c.panics)?;
        writeln!(f, "faults              {} of {} armed", c.faults(), c.armed)?;
        for (name, n) in &c.fired {
            writeln!(f, "  {name:<17} {n}")?;
        }
        writeln!(f, "errors that came    {}", c.errors.values().sum::<u64>())?;
        for (name, n) in &c.errors {
            writeln!(f, "  {name:<17} {n}")?;
        }
        let kinds = [
            ("wrong values", "value"),
            ("differing bits", "bits"),
            ("wrong by the twin", "twin"),
            ("wrong by duals", "oracle"),
            ("unexpected errors", "error"),
            ("unexpected panics", "panic"),
            ("leftovers changed", "leftovers"),
        ];
        for (label, what) in kinds {
            writeln!(f, "{label:<19} {}", self.of_kind(what))?;
        }
        for ((what, subject), n) in &self.found().kinds {
            writeln!(f, "  {what} of {subject}: {n}")?;
        }
        Ok(())
    }
}
