//! One round: some functions at some sizes, some tapes, and steps that a stream of random numbers chooses.
//!
//! A round depends on the seed and its number alone. It has a thread of its own, and makes its own tapes.

use std::path::Path;

use retrograde::Tape;

use crate::rng::Rng;

use super::faults::Cue;
use super::guard;
use super::layout::Layout;
use super::options::Options;
use super::reference::{Difference, Reference};
use super::subject::{Input, Subject};
use super::tally::{Counts, Finding};

/// A tape that several gradients run on, and what it has been through.
#[derive(Debug)]
pub(crate) struct Seat {
    pub(crate) layout: Layout,
    pub(crate) tape: Tape,
    pub(crate) cue: Option<Cue>,
    pub(crate) history: Vec<String>,
    /// Its tier panicked: whatever does not fit into memory is an error from then on.
    pub(crate) lost: bool,
}

impl Seat {
    fn new(layout: Layout, dir: &Path) -> Self {
        let (tape, cue) = layout.build(dir).expect("layouts are valid");
        Self {
            layout,
            tape,
            cue,
            history: Vec::new(),
            lost: false,
        }
    }
}

/// The state of a round.
pub(crate) struct Round<'o> {
    pub(crate) number: u32,
    pub(crate) rng: Rng,
    options: &'o Options,
    library: &'static [Subject],
    dir: &'o Path,
    pub(crate) references: Vec<Reference>,
    pub(crate) seats: Vec<Seat>,
    pub(crate) counts: Counts,
    pub(crate) findings: Vec<Finding>,
}

impl<'o> Round<'o> {
    pub(crate) fn new(
        options: &'o Options,
        library: &'static [Subject],
        number: u32,
        dir: &'o Path,
    ) -> Self {
        Self {
            number,
            rng: Rng::for_program(options.seed, number),
            options,
            library,
            dir,
            references: Vec::new(),
            seats: Vec::new(),
            counts: Counts::default(),
            findings: Vec::new(),
        }
    }

    /// Runs the round.
    pub(crate) fn run(mut self) -> (Counts, Vec<Finding>) {
        for k in 0..self.rng.within(1, 3) {
            let subject = self.subject();
            let large = k == 0 && self.rng.percent(50);
            let size = self.size(subject, large);
            self.refer_to(subject, size);
        }
        self.seats.push(Seat::new(Layout::DEFAULT, self.dir));
        for _ in 0..self.rng.within(2, 5) {
            let layout = Layout::draw(&mut self.rng);
            self.seats.push(Seat::new(layout, self.dir));
        }
        for _ in 0..self.rng.within(8, 20) {
            self.step();
            for i in 0..self.seats.len() {
                if self.seats[i].lost {
                    self.replace(i);
                }
            }
        }
        for i in 0..self.seats.len() {
            self.counts.spilled += self.seats[i].tape.stats().written_bytes;
        }
        self.counts.rounds = 1;
        (self.counts, self.findings)
    }

    fn replace(&mut self, i: usize) {
        let seat = Seat::new(self.seats[i].layout, self.dir);
        let old = std::mem::replace(&mut self.seats[i], seat);
        self.counts.spilled += old.tape.stats().written_bytes;
    }

    fn subject(&mut self) -> &'static Subject {
        let only = self.options.only.as_deref();
        let named = |s: &&Subject| only.is_none_or(|name| s.name == name);
        let subjects: Vec<&'static Subject> = self.library.iter().filter(named).collect();
        subjects[self.rng.below(subjects.len())]
    }

    /// None, one, a crooked few, some, and many: the last evenly by their logarithms.
    fn size(&mut self, subject: &Subject, large: bool) -> usize {
        let class = if large { 19 } else { self.rng.below(20) };
        let drawn = match class {
            0..=1 => self.rng.below(4),
            2..=8 => self.rng.within(4, 80),
            9..=13 => self.rng.within(81, 4000),
            _ => {
                let (low, high) = (4000_f64.ln(), (subject.largest.max(4001) as f64).ln());
                let at = self.rng.below(1001) as f64 / 1000.0;
                (low + at * (high - low)).exp() as usize
            }
        };
        drawn.min(subject.largest).min(self.options.largest)
    }

    fn refer_to(&mut self, subject: &'static Subject, n: usize) {
        let data = self.rng.next() >> 32;
        let input = Input {
            n,
            data,
            panic_at: None,
        };
        match guard::watched(|| Reference::new(subject, input)) {
            Ok((reference, checked, verdict)) => {
                self.counts.checked += checked as u64;
                self.counts.gradients += 1;
                if let Err(difference) = verdict {
                    self.note(&reference, "a new tape".to_owned(), difference);
                }
                self.references.push(reference);
            }
            Err(text) => self.findings.push(Finding {
                round: self.number,
                subject: subject.name,
                context: format!("{input:?}, the first run"),
                difference: Difference {
                    what: "panic",
                    text,
                },
            }),
        }
    }

    /// Keeps a finding.
    pub(crate) fn note(&mut self, reference: &Reference, context: String, difference: Difference) {
        self.findings.push(Finding {
            round: self.number,
            subject: reference.subject.name,
            context: format!(
                "n {}, data {}, {context}",
                reference.input.n, reference.input.data
            ),
            difference,
        });
    }
}

/// What is left of a round that panicked outside of a gradient.
pub(crate) fn lost(number: u32) -> (Counts, Vec<Finding>) {
    let finding = Finding {
        round: number,
        subject: "the soak",
        context: "outside of a gradient".to_owned(),
        difference: Difference {
            what: "panic",
            text: "see standard error".to_owned(),
        },
    };
    (Counts::default(), vec![finding])
}
