//! Compiles programs that must be accepted, runs them, and reports.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Read, Write};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::generate::Program;
use crate::options::Options;
use crate::project::{Errors, Make, Project};
use crate::text::Form;
use crate::{glue, shrink};

/// What went wrong with a program. Worst last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Kind {
    /// The macro does not support something that it should.
    Refused,
    /// What the macro made is not valid Rust.
    DoesNotCompile,
    /// Primal and oracle disagree, or the oracle panics: the generator's own fault.
    Generator,
    /// A panic, an abort, or no end.
    Panic,
    /// Bits of value or gradient depend on the tape.
    DifferentBits,
    WrongValue,
    WrongGradient,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Refused => "refused",
            Kind::DoesNotCompile => "does not compile",
            Kind::Generator => "generator at fault",
            Kind::Panic => "panic",
            Kind::DifferentBits => "different bits",
            Kind::WrongValue => "wrong value",
            Kind::WrongGradient => "WRONG GRADIENT",
        })
    }
}

/// A failure of one program.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) kind: Kind,
    pub(crate) text: String,
}

/// What came of a set of programs.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) failures: BTreeMap<u32, Vec<Failure>>,
    pub(crate) entries: u64,
    pub(crate) comparisons_skipped: u64,
}

/// How long one batch may run.
const LIMIT: Duration = Duration::from_secs(60);

fn file_name(number: u32) -> String {
    format!("p{number}")
}

/// Compiles and runs programs, `per_batch` to a crate, as many batches at once as there are processors.
pub(crate) fn evaluate(
    project: &Project,
    programs: &BTreeMap<u32, Program>,
    per_batch: usize,
) -> io::Result<Outcome> {
    for (number, p) in programs {
        let (primal, cases) = glue::files(*number, p, project.settings());
        project.write(&file_name(*number), &primal, &cases)?;
    }
    let all: Vec<u32> = programs.keys().copied().collect();
    let batches: Vec<&[u32]> = all.chunks(per_batch).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut outcome = Outcome::default();
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            let Some(numbers) = batches.get(k) else {
                return Ok::<_, io::Error>(outcome);
            };
            evaluate_batch(project, &format!("batch{k}"), numbers, &mut outcome)?;
        }
    };
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let outcomes: Vec<io::Result<Outcome>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs.min(batches.len()))
            .map(|_| scope.spawn(work))
            .collect();
        workers
            .into_iter()
            .map(|w| {
                w.join()
                    .unwrap_or_else(|_| Err(io::Error::other("a worker panicked")))
            })
            .collect()
    });
    let mut outcome = Outcome::default();
    for other in outcomes {
        let other = other?;
        outcome.failures.extend(other.failures);
        outcome.entries += other.entries;
        outcome.comparisons_skipped += other.comparisons_skipped;
    }
    Ok(outcome)
}

/// Compiles and runs one batch. Programs that do not compile are reported and left out.
fn evaluate_batch(
    project: &Project,
    batch: &str,
    numbers: &[u32],
    outcome: &mut Outcome,
) -> io::Result<()> {
    let mut left = numbers.to_vec();
    for make in [Make::Programs, Make::Binary] {
        loop {
            let names: Vec<String> = left.iter().map(|n| file_name(*n)).collect();
            let errors = project.compile(batch, make, &names)?;
            if errors.is_empty() {
                break;
            }
            let before = left.len();
            left.retain(|n| match compile_failure(&errors, *n) {
                Some(failure) => {
                    outcome.failures.entry(*n).or_default().push(failure);
                    false
                }
                None => true,
            });
            if left.len() == before {
                return Err(io::Error::other(format!(
                    "errors outside of the programs: {errors:?}"
                )));
            }
        }
    }
    run_batch(project, batch, &left, outcome)?;
    project.remove(batch);
    Ok(())
}

fn compile_failure(errors: &Errors, number: u32) -> Option<Failure> {
    let found = errors.get(&file_name(number))?;
    let text: Vec<String> = found
        .iter()
        .map(|(row, message)| format!("line {row}: {message}"))
        .collect();
    let written_by_rustc = found
        .iter()
        .any(|(_, m)| m.starts_with("error[") || m.contains("panicked"));
    let kind = if written_by_rustc {
        Kind::DoesNotCompile
    } else {
        Kind::Refused
    };
    Some(Failure {
        kind,
        text: text.join("\n"),
    })
}

/// Runs a batch's binary; programs that end it are reported and left out of the next attempt.
fn run_batch(
    project: &Project,
    batch: &str,
    numbers: &[u32],
    outcome: &mut Outcome,
) -> io::Result<()> {
    let mut left: Vec<u32> = numbers.to_vec();
    while !left.is_empty() {
        let mut child = Command::new(project.binary(batch))
            .args(left.iter().map(|n| file_name(*n)))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut stdout = child
            .stdout
            .take()
            .ok_or_else(|| io::Error::other("no output"))?;
        let reader = std::thread::spawn(move || {
            let mut text = String::new();
            let _ = stdout.read_to_string(&mut text);
            text
        });
        let start = Instant::now();
        let ended = loop {
            if let Some(status) = child.try_wait()? {
                break status.success();
            }
            if start.elapsed() > LIMIT {
                child.kill()?;
                child.wait()?;
                break false;
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        let text = reader
            .join()
            .map_err(|_| io::Error::other("the reader panicked"))?;
        let running = read_report(&text, outcome);
        match running {
            Some(n) => {
                let text = if start.elapsed() > LIMIT {
                    "does not end"
                } else {
                    "ended the process"
                };
                outcome.failures.entry(n).or_default().push(Failure {
                    kind: Kind::Panic,
                    text: text.into(),
                });
                left.retain(|k| *k > n);
            }
            None if ended => return Ok(()),
            None => {
                return Err(io::Error::other(format!(
                    "{batch} failed before its first program"
                )));
            }
        }
    }
    Ok(())
}

/// Reads a batch's output. The program that did not finish, if any.
fn read_report(text: &str, outcome: &mut Outcome) -> Option<u32> {
    let mut running = None;
    let mut last: Option<u32> = None;
    for l in text.lines() {
        let mut words = l.split(' ');
        match words.next() {
            Some("START") => running = words.next().and_then(|w| w.parse().ok()),
            Some("DONE") => {
                running = None;
                let counts: Vec<u64> = words.skip(1).filter_map(|w| w.parse().ok()).collect();
                outcome.entries += counts.first().unwrap_or(&0);
                outcome.comparisons_skipped += counts.get(1).unwrap_or(&0);
            }
            Some("FAIL") => {
                let Some(n) = words.next().and_then(|w| w.parse().ok()) else {
                    continue;
                };
                let kind = match words.next() {
                    Some("gradient:") => Kind::WrongGradient,
                    Some("value:") => Kind::WrongValue,
                    Some("bits:") => Kind::DifferentBits,
                    Some("panic:") => Kind::Panic,
                    _ => Kind::Generator,
                };
                outcome.failures.entry(n).or_default().push(Failure {
                    kind,
                    text: words.collect::<Vec<_>>().join(" "),
                });
                last = Some(n);
            }
            _ => {
                if let Some(f) = last
                    .and_then(|n| outcome.failures.get_mut(&n))
                    .and_then(|f| f.last_mut())
                {
                    f.text.push('\n');
                    f.text.push_str(l);
                }
            }
        }
    }
    running
}

/// The whole run. The number of programs that failed.
pub(crate) fn run(options: &Options) -> io::Result<usize> {
    let project = Project::new(&format!("programs-{}", options.seed), options.settings)?;
    println!(
        "programs {} to {} of seed {}, in {}",
        options.first,
        options.first + options.programs - 1,
        options.seed,
        project.root().display()
    );
    let start = Instant::now();
    let jobs = std::thread::available_parallelism().map_or(1, usize::from) as u32;
    // Few rounds, as the last batch of each is waited for.
    let round = options.batch * jobs * 4;
    let mut used: BTreeMap<&'static str, u32> = BTreeMap::new();
    let (mut entries, mut skipped, mut failed) = (0, 0, BTreeMap::<Kind, usize>::new());
    let mut at = options.first;
    let end = options.first + options.programs;
    while at < end {
        let programs: BTreeMap<u32, Program> = (at..end.min(at + round))
            .map(|i| (i, options.program(i)))
            .collect();
        at += programs.len() as u32;
        for p in programs.values() {
            for name in p.used.keys() {
                *used.entry(name).or_default() += 1;
            }
        }
        let outcome = evaluate(&project, &programs, options.batch as usize)?;
        entries += outcome.entries;
        skipped += outcome.comparisons_skipped;
        for (number, failures) in &outcome.failures {
            let Some(worst) = failures.iter().max_by_key(|f| f.kind) else {
                continue;
            };
            let count = failed.entry(worst.kind).or_default();
            *count += 1;
            let worth_it = worst.kind > Kind::Generator && *count <= 2;
            let shrink =
                options.settings.with_macro && (options.shrink_all || options.shrink && worth_it);
            report(options, *number, &programs[number], worst, shrink)?;
        }
        let counts: Vec<String> = failed
            .iter()
            .rev()
            .map(|(k, n)| format!("{n} {k}"))
            .collect();
        println!(
            "{:5}/{} programs, {entries} gradient entries agree, {:.0} s; failures: {}",
            at - options.first,
            options.programs,
            start.elapsed().as_secs_f64(),
            if counts.is_empty() {
                "none".into()
            } else {
                counts.join(", ")
            }
        );
    }
    println!("{skipped} comparisons left out: not finite, or moved by rounding alone");
    let table: Vec<String> = used.iter().map(|(name, n)| format!("{name} {n}")).collect();
    println!("programs with each construct: {}", table.join(", "));
    Ok(failed.values().sum())
}

fn report(
    options: &Options,
    number: u32,
    p: &Program,
    failure: &Failure,
    shrink: bool,
) -> io::Result<()> {
    let p = if shrink {
        shrink::shrink(number, p, failure.kind, options.settings)?
    } else {
        p.clone()
    };
    let form = if options.settings.with_macro {
        Form::Gradient
    } else {
        Form::Plain
    };
    let text = format!(
        "--- program {number} of seed {}: {}\n{}\n{}{}",
        options.seed,
        failure.kind,
        failure.text.lines().take(6).collect::<Vec<_>>().join("\n"),
        if shrink { "shrunk to:\n" } else { "" },
        glue::shown(&p, form)
    );
    println!("{text}");
    if let Some(path) = &options.keep {
        let mut file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)?;
        writeln!(file, "{text}")?;
    }
    Ok(())
}
