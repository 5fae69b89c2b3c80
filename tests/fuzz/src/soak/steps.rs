//! What can happen to a tape in a round.

use std::thread;

use retrograde::{Site, Tape, catch_tape_error};

use crate::rng::Rng;

use super::faults::Fault;
use super::guard::{self, End};
use super::reference::{Difference, Reference};
use super::round::{Round, Seat};
use super::subject::{Entry, Input};

/// What may come of a gradient besides the right bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Allowed {
    Nothing,
    /// The memory may not suffice.
    Budget,
    /// A fault met its operation.
    Error,
}

impl Round<'_> {
    /// One step.
    pub(crate) fn step(&mut self) {
        if self.references.is_empty() {
            return;
        }
        let reference = self.references[self.rng.below(self.references.len())].clone();
        let seat = self.rng.below(self.seats.len());
        match self.rng.below(100) {
            0..=44 => self.gradient(&reference, seat),
            45..=69 => self.fault(&reference, seat),
            70..=79 => self.panic(&reference, seat),
            80..=87 => self.crowd(),
            88..=93 => self.pooled(&reference),
            94..=96 => {
                let keep = self.rng.below(3 << 20);
                self.seats[seat].tape.trim(keep);
                self.seats[seat].history.push(format!("trim({keep})"));
            }
            _ => self.leave_and_clear(seat),
        }
    }

    fn entry(&mut self, reference: &Reference, with_pool: bool) -> Entry {
        let entries = reference.subject.entries();
        loop {
            let entry = entries[self.rng.below(entries.len())];
            if with_pool || entry != Entry::Grad {
                return entry;
            }
        }
    }

    /// A gradient on a tape, over leftovers of the caller's now and then.
    fn gradient(&mut self, reference: &Reference, seat: usize) {
        let entry = self.entry(reference, false);
        let leftovers = self.rng.percent(35).then(|| Leftovers::draw(&mut self.rng));
        let Some(leftovers) = leftovers else {
            self.run_on(reference, seat, entry, None);
            return;
        };
        let tape = &mut self.seats[seat].tape;
        if catch_tape_error(|| leftovers.push(tape)).is_err() {
            // Only where the budget is all there is.
            tape.clear();
            return;
        }
        self.seats[seat]
            .history
            .push(format!("{leftovers:?} below"));
        let succeeded = self.run_on(reference, seat, entry, None);
        self.take_back(reference, seat, &leftovers, succeeded);
    }

    fn take_back(
        &mut self,
        reference: &Reference,
        seat: usize,
        leftovers: &Leftovers,
        succeeded: bool,
    ) {
        let tape = &mut self.seats[seat].tape;
        let outcome = guard::watched(|| leftovers.pop(tape));
        // After an error the tape is to be cleared; what lay below may be what was lost.
        if succeeded && outcome != Ok(true) {
            let text = format!("{outcome:?}");
            let context = self.context(seat, "what lay below");
            self.note(
                reference,
                context,
                Difference {
                    what: "leftovers",
                    text,
                },
            );
        }
        let seat = &mut self.seats[seat];
        seat.tape.clear();
        seat.history.push("clear".to_owned());
    }

    /// A gradient while the tier fails, and one behind it that must be right.
    fn fault(&mut self, reference: &Reference, seat: usize) {
        let cued = |i: &usize| self.seats[*i].cue.is_some();
        let Some(seat) = (seat..self.seats.len()).chain(0..seat).find(cued) else {
            return self.gradient(reference, seat);
        };
        // The largest is most likely to come to the tier at all.
        let largest = self.references.iter().max_by_key(|r| r.input.n).cloned();
        let reference = match &largest {
            Some(largest) if self.rng.percent(70) => largest,
            _ => reference,
        };
        let fault = Fault::draw(&mut self.rng);
        let few = self.rng.percent(70);
        let pass = match fault {
            Fault::RefusedFree => 0,
            _ => self.rng.below(if few { 4 } else { 40 }) as u64,
        };
        let bit = self.rng.next() as usize >> 8;
        let fallible = self.rng.percent(80);
        let mut entry = self.entry(reference, false);
        while fallible && !entry.is_fallible() {
            entry = self.entry(reference, false);
        }
        let leftovers = self.rng.percent(20).then(|| Leftovers::draw(&mut self.rng));
        if let Some(below) = &leftovers {
            let tape = &mut self.seats[seat].tape;
            if catch_tape_error(|| below.push(tape)).is_err() {
                tape.clear();
                return;
            }
        }
        if fault == Fault::RefusedFree {
            // Pages are given up when a tape is cleared, so there have to be some, and it has to be cleared.
            self.run_on(reference, seat, entry, None);
        }
        let arm = format!("{fault:?} after {pass}, bit {bit}");
        self.seats[seat].history.push(arm);
        if let Some(cue) = &self.seats[seat].cue {
            cue.arm(fault, pass, bit);
        }
        if fault == Fault::RefusedFree {
            self.seats[seat].tape.clear();
        }
        self.counts.armed += 1;
        let succeeded = self.run_on(reference, seat, entry, Some(fault));
        if let Some(below) = leftovers {
            // A page of what lies below may be the one that was hit.
            self.take_back(reference, seat, &below, false);
        }
        let again = self.entry(reference, false);
        if fault == Fault::Panics && !succeeded {
            self.seats[seat].lost = true;
        }
        self.run_on(reference, seat, again, None);
    }

    /// Runs a gradient and judges it; whether it was right.
    fn run_on(
        &mut self,
        reference: &Reference,
        seat: usize,
        entry: Entry,
        fault: Option<Fault>,
    ) -> bool {
        let it = &mut self.seats[seat];
        let end = guard::end(|| (reference.subject.with)(&reference.input, entry, &mut it.tape));
        let fired = fault.is_some() && it.cue.as_ref().is_some_and(super::faults::Cue::disarm);
        let allowed = match fault {
            Some(fault) if fired => {
                *self.counts.fired.entry(format!("{fault:?}")).or_default() += 1;
                if fault == Fault::Panics {
                    it.lost = true;
                }
                if fault.is_harmless() {
                    Allowed::Nothing
                } else {
                    Allowed::Error
                }
            }
            _ if it.lost => Allowed::Error,
            _ if it.layout.may_be_too_small() => Allowed::Budget,
            _ => Allowed::Nothing,
        };
        it.history.push(format!(
            "{entry:?} of {} at {}",
            reference.subject.name, reference.input.n
        ));
        let context = self.context(seat, &format!("{entry:?}"));
        self.judge(reference, context, end, allowed)
    }

    fn judge(
        &mut self,
        reference: &Reference,
        context: String,
        end: End,
        allowed: Allowed,
    ) -> bool {
        self.counts.gradients += 1;
        let (what, text) = match end {
            End::Ok(outcome) => {
                self.counts.entries += outcome.gradient.len() as u64;
                match reference.compare(&outcome) {
                    Ok(()) => return true,
                    Err(difference) => (difference.what, difference.text),
                }
            }
            End::Error(name, text) => {
                *self.counts.errors.entry(name).or_default() += 1;
                let expected = match allowed {
                    Allowed::Nothing => false,
                    Allowed::Budget => name == "budget",
                    Allowed::Error => true,
                };
                if expected {
                    return false;
                }
                ("error", format!("although nothing failed: {text}"))
            }
            End::Panic(text) => ("panic", text),
        };
        self.note(reference, context, Difference { what, text });
        false
    }

    fn context(&self, seat: usize, what: &str) -> String {
        let seat = &self.seats[seat];
        let from = seat.history.len().saturating_sub(6);
        format!(
            "{what} on {:?}, last steps {:?}",
            seat.layout,
            &seat.history[from..]
        )
    }

    /// A function that panics half-way, over what lies below; that must be there as before.
    fn panic(&mut self, reference: &Reference, seat: usize) {
        if !reference.subject.panics || reference.input.n == 0 {
            return self.gradient(reference, seat);
        }
        let entry = self.entry(reference, true);
        let at = self.rng.below(reference.input.n);
        let below = Leftovers::draw(&mut self.rng);
        let input = Input {
            panic_at: Some(at),
            ..reference.input
        };
        let it = &mut self.seats[seat];
        if catch_tape_error(|| below.push(&mut it.tape)).is_err() {
            it.tape.clear();
            return;
        }
        let end = guard::end(|| (reference.subject.with)(&input, entry, &mut it.tape));
        it.history.push(format!("{entry:?}, panic at {at}"));
        let too_small = it.layout.may_be_too_small();
        match end {
            End::Panic(text) if text.contains("i != at") => self.counts.panics += 1,
            End::Error("budget", _) if too_small => {}
            other => {
                let text = format!("instead of the panic that was asked for: {}", shown(&other));
                let context = self.context(seat, "panic");
                self.note(
                    reference,
                    context,
                    Difference {
                        what: "panic",
                        text,
                    },
                );
            }
        }
        self.take_back(reference, seat, &below, !too_small);
        self.run_on(reference, seat, Entry::TryAdjoint, None);
    }

    /// A gradient on a tape of the thread.
    fn pooled(&mut self, reference: &Reference) {
        if reference.subject.gradients {
            let call = || (reference.subject.with)(&reference.input, Entry::Grad, &mut Tape::new());
            let end = guard::end(call);
            self.judge(
                reference,
                "a tape of the thread".to_owned(),
                end,
                Allowed::Nothing,
            );
        }
    }

    /// Something is left on the tape, and cleared.
    fn leave_and_clear(&mut self, seat: usize) {
        let leftovers = Leftovers::draw(&mut self.rng);
        let it = &mut self.seats[seat];
        // A budget without tier may be used up.
        let _ = catch_tape_error(|| leftovers.push(&mut it.tape));
        it.tape.clear();
        it.history.push(format!("{leftovers:?}, clear"));
    }

    /// All tapes at once, each in a thread of its own that also uses tapes of the thread.
    fn crowd(&mut self) {
        let mut plans = Vec::new();
        for _ in 0..self.seats.len() {
            let reference = self.references[self.rng.below(self.references.len())].clone();
            let entries = [
                self.entry(&reference, true),
                self.entry(&reference, false),
                self.entry(&reference, true),
            ];
            plans.push((reference, entries));
        }
        let run = |seat: &mut Seat, plan: &(Reference, [Entry; 3])| {
            let (reference, entries) = plan;
            let with = reference.subject.with;
            entries.map(|entry| guard::end(|| with(&reference.input, entry, &mut seat.tape)))
        };
        let ends: Vec<[End; 3]> = thread::scope(|scope| {
            let threads: Vec<_> = self
                .seats
                .iter_mut()
                .zip(&plans)
                .map(|(seat, plan)| super::roomy(scope, move || run(seat, plan)))
                .collect();
            let joined = threads.into_iter().map(|t| t.join());
            joined.map(|end| end.expect("panics are caught")).collect()
        });
        for (seat, (ends, (reference, entries))) in ends.into_iter().zip(&plans).enumerate() {
            let allowed = if self.seats[seat].layout.may_be_too_small() {
                Allowed::Budget
            } else {
                Allowed::Nothing
            };
            for (end, entry) in ends.into_iter().zip(entries) {
                let history = format!("{entry:?} of {} in a thread", reference.subject.name);
                self.seats[seat].history.push(history);
                let context = self.context(seat, &format!("{entry:?} in a thread"));
                self.judge(reference, context, end, allowed);
            }
        }
    }
}

fn shown(end: &End) -> String {
    match end {
        End::Ok(_) => "a gradient".to_owned(),
        End::Error(_, text) => format!("error: {text}"),
        End::Panic(text) => format!("panic: {text}"),
    }
}

/// Records of the caller's below a gradient: of crooked sizes, so that what follows is aligned to nothing.
#[derive(Debug, Clone, Copy)]
struct Leftovers {
    records: usize,
    bytes: usize,
    seed: u64,
}

/// What the records are.
const ITEM: Site<(u8, f64, u16)> = Site::new();

impl Leftovers {
    fn draw(rng: &mut Rng) -> Self {
        let bytes = match rng.below(4) {
            0 => 0,
            1 => rng.below(40),
            2 => rng.below(5000),
            _ => rng.below(200_000),
        };
        Self {
            records: rng.below(9),
            bytes,
            seed: rng.next() >> 40,
        }
    }

    fn items(self) -> impl DoubleEndedIterator<Item = (u8, f64, u16)> {
        (0..self.records).map(move |i| {
            let k = self.seed.wrapping_mul(i as u64 + 1);
            (k as u8, k as f64, (k >> 3) as u16)
        })
    }

    fn slice(self) -> Vec<u8> {
        (0..self.bytes)
            .map(|i| (self.seed.wrapping_add(i as u64 * 7)) as u8)
            .collect()
    }

    fn push(self, tape: &mut Tape) {
        self.items().for_each(|item| tape.push(ITEM, item));
        tape.push_slice(Site::new(), &self.slice());
    }

    /// Whether what comes back is what was pushed.
    fn pop(self, tape: &mut Tape) -> bool {
        let slice: Vec<u8> = tape.pop_vec(Site::new());
        let same = slice == self.slice();
        let mut items = self.items().rev();
        same & items.all(|item| tape.pop(ITEM) == item) & tape.is_empty()
    }
}
