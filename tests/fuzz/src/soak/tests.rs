//! The soak's own tests: it finds nothing where nothing is wrong, and what is wrong it finds.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use retrograde::{Tape, TapeError};

use super::faults::{Cue, CueTier, Fault};
use super::guard::{self, End};
use super::library::SUBJECTS;
use super::options::Options;
use super::reference::{Reference, same_bits};
use super::subject::{Entry, Input, Outcome, Subject};
use super::tally::Tally;

fn input(n: usize, data: u64) -> Input {
    Input {
        n,
        data,
        panic_at: None,
    }
}

fn short() -> Options {
    Options {
        time: Duration::from_secs(3600),
        rounds: 40,
        largest: 2000,
        threads: 1,
        ..Options::default()
    }
}

fn soak(options: &Options) -> Tally {
    super::run(options, SUBJECTS).expect("valid options")
}

#[test]
fn a_short_soak_finds_no_wrong_number_and_no_error_without_a_cause() {
    let tally = soak(&short());
    for what in ["value", "twin", "oracle", "error", "panic", "leftovers"] {
        assert_eq!(tally.of_kind(what), 0, "{tally}");
    }
    let counts = tally.counts();
    assert!(counts.gradients > 400 && counts.entries > 50_000, "{tally}");
    assert!(counts.spilled > 1 << 20 && counts.panics > 0, "{tally}");
    assert!(
        !counts.fired.is_empty() && !counts.errors.is_empty(),
        "{tally}"
    );
}

#[test]
fn a_short_soak_finds_no_differing_bit() {
    let tally = soak(&Options { seed: 2, ..short() });
    assert_eq!(tally.of_kind("bits"), 0, "{tally}");
}

#[test]
fn every_function_agrees_with_forward_mode_and_with_its_plain_twin() {
    for subject in SUBJECTS {
        for (n, data) in [(0, 1), (1, 2), (2, 3), (3, 4), (9, 5), (26, 6), (40, 7)] {
            let (reference, checked, verdict) = Reference::new(subject, input(n, data));
            if let Err(difference) = verdict {
                panic!("{} at {n}: {difference:?}", subject.name);
            }
            let entries = reference.outcome.gradient.len();
            assert!(checked >= entries, "{} at {n}", subject.name);
        }
    }
}

#[test]
fn a_round_depends_on_seed_and_number_alone() {
    let one = |seed, from| {
        let options = Options {
            seed,
            from,
            rounds: 1,
            ..short()
        };
        let c = soak(&options).counts();
        (c.gradients, c.entries, c.checked, c.armed, c.panics)
    };
    assert_eq!(one(1, 5), one(1, 5));
    assert_ne!(one(1, 5), one(1, 6));
    assert_ne!(one(1, 5), one(2, 5));
}

#[test]
fn a_flipped_bit_is_noticed() {
    let (reference, _, verdict) = Reference::new(Subject::named("sixteen"), input(30, 1));
    assert!(verdict.is_ok(), "{verdict:?}");
    assert!(reference.compare(&reference.outcome).is_ok());
    for k in [0, 17, 60] {
        let mut other = reference.outcome.clone();
        other.gradient[k] = f64::from_bits(other.gradient[k].to_bits() ^ 1);
        let found = reference.compare(&other).expect_err("a bit differs");
        assert_eq!(found.what, "bits");
        assert!(
            found.text.contains(&format!("entry {k} ")),
            "{}",
            found.text
        );
    }
    let mut other = reference.outcome.clone();
    other.value[0] = f64::from_bits(other.value[0].to_bits() ^ 1);
    assert_eq!(
        reference.compare(&other).expect_err("differs").what,
        "value"
    );
    assert!(same_bits("bits", &[0.0], &[-0.0]).is_err());
    assert!(same_bits("bits", &[1.0], &[1.0, 2.0]).is_err());
    assert!(same_bits("bits", &[f64::NAN], &[-f64::NAN]).is_ok());
}

/// `chain` with a derivative that is wrong in the ninth digit.
fn slightly_wrong(input: &Input, entry: Entry, tape: &mut Tape) -> Result<Outcome, TapeError> {
    let mut outcome = (Subject::named("chain").with)(input, entry, tape)?;
    outcome.gradient[0] *= 1.000_000_01;
    Ok(outcome)
}

#[test]
fn a_reference_that_is_wrong_is_noticed() {
    let right = Subject::named("chain");
    let wrong: &'static Subject = Box::leak(Box::new(Subject {
        with: slightly_wrong,
        ..*right
    }));
    let (_, _, verdict) = Reference::new(wrong, input(10, 3));
    assert_eq!(verdict.expect_err("wrong").what, "twin");
    let without_twin: &'static Subject = Box::leak(Box::new(Subject {
        off: slightly_wrong,
        ..*wrong
    }));
    let (_, _, verdict) = Reference::new(without_twin, input(10, 3));
    assert_eq!(verdict.expect_err("wrong").what, "oracle");
}

/// `chain`, but every seventh gradient has another last bit.
fn forgetful(input: &Input, entry: Entry, tape: &mut Tape) -> Result<Outcome, TapeError> {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let mut outcome = (Subject::named("chain").with)(input, entry, tape)?;
    if CALLS.fetch_add(1, Ordering::Relaxed) % 7 == 6 {
        outcome.gradient[0] = f64::from_bits(outcome.gradient[0].to_bits() ^ 1);
    }
    Ok(outcome)
}

#[test]
fn a_soak_finds_a_gradient_that_now_and_then_has_another_bit() {
    let library: &'static [Subject] = Box::leak(Box::new([Subject {
        with: forgetful,
        ..*Subject::named("chain")
    }]));
    let options = Options {
        rounds: 8,
        ..short()
    };
    let tally = super::run(&options, library).expect("valid options");
    assert!(tally.of_kind("bits") > 5, "{tally}");
    assert_eq!(tally.of_kind("bits"), tally.findings(), "{tally}");
}

/// What comes of a fault at the first operation that it can hit, and whether it was hit.
fn injected(fault: Fault) -> (End, bool) {
    let cue = Cue::default();
    let mut tape = Tape::builder()
        .slab_bytes(4096)
        .memory_budget(1 << 19)
        .tier(CueTier::new(cue.clone()))
        .build()
        .expect("valid");
    let subject = Subject::named("chain");
    let (reference, _, _) = Reference::new(subject, input(60_000, 1));
    let mut run = |entry| guard::end(|| (subject.with)(&reference.input, entry, &mut tape));
    // A gradient before, so that there are pages of another time.
    let before = run(Entry::TryInto);
    assert!(matches!(before, End::Ok(o) if reference.compare(&o).is_ok()));
    cue.arm(fault, 0, 12_345);
    let end = run(Entry::TryAdjoint);
    if let End::Ok(outcome) = &end {
        assert!(reference.compare(outcome).is_ok(), "{fault:?}");
    }
    tape.clear();
    let fired = settled(&mut tape, &cue);
    (end, fired)
}

/// Whether the fault has met its operation, once the thread of the tape is through.
fn settled(tape: &mut Tape, cue: &Cue) -> bool {
    drop(std::mem::take(tape));
    cue.disarm()
}

#[test]
fn every_fault_meets_its_operation_and_is_the_error_that_it_should_be() {
    guard::silence_expected_panics();
    for fault in Fault::ALL {
        let (end, fired) = injected(fault);
        assert!(fired, "{fault:?} never happened");
        let name = match end {
            End::Ok(_) => "ok",
            End::Error(name, _) => name,
            End::Panic(text) => panic!("{fault:?}: {text}"),
        };
        // A read ahead of time that fails is tried again when the page is needed.
        let expected: &[&str] = match fault {
            Fault::RefusedFree | Fault::Interrupted => &["ok"],
            Fault::WriteFails | Fault::ShortWrite | Fault::Full => &["tier"],
            Fault::LostWrite | Fault::FlippedInWrite => &["tier", "corrupt page"],
            Fault::ReadFails | Fault::ShortRead => &["ok", "tier"],
            Fault::FlippedInRead | Fault::StalePage | Fault::ForeignPage => &["ok", "corrupt page"],
            Fault::Panics => &["tier lost"],
        };
        assert!(expected.contains(&name), "{fault:?} was {name}");
    }
}

#[test]
fn options_are_read() {
    let parse = |text: &str| Options::parse(text.split_whitespace().map(str::to_owned));
    let o = parse("--minutes 0.5 --seed 7 --from 3 --rounds 2 --only chain").expect("valid");
    assert_eq!((o.time, o.seed), (Duration::from_secs(30), 7));
    assert_eq!((o.from, o.rounds, o.only.as_deref()), (3, 2, Some("chain")));
    assert!(parse("--minutes x").is_err() && parse("--seed").is_err() && parse("--x").is_err());
    assert!(super::run(&parse("--only nothing").expect("valid"), SUBJECTS).is_err());
}
