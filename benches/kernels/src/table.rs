//! The table of a set of kernels: checks them, times what each has in turns, and prints the quotients of the minima.

#![expect(clippy::print_stdout, reason = "printing is what this is for")]

use crate::race::{Entrant, Pace, race};
use crate::{Gradient, Kernel, Maker};
use retrograde::Tape;
use std::process::ExitCode;
use std::time::Duration;

/// What a column shows of each kernel. What a kernel does not have is shown as a dash.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// The time that the function takes.
    Function,
    /// Our gradient, in multiples of the function.
    Ours,
    /// The mechanical adjoint, in multiples of the function.
    Simple,
    /// The best adjoint, in multiples of the function.
    Best,
    /// Our gradient, in multiples of the best.
    OursToBest,
    /// The function, in multiples of that in C.
    FunctionToTwin,
    /// Our gradient, in multiples of the function in C.
    OursToTwin,
    /// The bytes that our gradient has on the tape at most.
    RecordedByOurs,
    /// The bytes that the mechanical adjoint stores.
    RecordedBySimple,
    /// The bytes that the best adjoint stores.
    RecordedByBest,
}

impl Column {
    fn heading(self) -> &'static str {
        match self {
            Self::Function => "primal, µs",
            Self::Ours => "ours / primal",
            Self::Simple => "simple / primal",
            Self::Best => "best / primal",
            Self::OursToBest => "ours / best",
            Self::FunctionToTwin => "primal / C",
            Self::OursToTwin => "ours / C",
            Self::RecordedByOurs => "recorded bytes: ours",
            Self::RecordedBySimple => "simple",
            Self::RecordedByBest => "best",
        }
    }

    /// The quotient that the column shows, if it shows one and the kernel has both times.
    fn quotient(self, row: &Row) -> Option<f64> {
        let (above, below) = match self {
            Self::Ours => (Some(row.ours), Some(row.primal)),
            Self::Simple => (row.simple, Some(row.primal)),
            Self::Best => (row.best, Some(row.primal)),
            Self::OursToBest => (Some(row.ours), row.best),
            Self::FunctionToTwin => (Some(row.primal), row.twin),
            Self::OursToTwin => (Some(row.ours), row.twin),
            Self::Function
            | Self::RecordedByOurs
            | Self::RecordedBySimple
            | Self::RecordedByBest => (None, None),
        };
        Some(above? / below?)
    }

    fn cell(self, row: &Row) -> String {
        let text = match self {
            Self::Function => Some(microseconds(row.primal)),
            Self::RecordedByOurs => Some(with_commas(row.recorded[0])),
            Self::RecordedBySimple => row.simple.map(|_| with_commas(row.recorded[1])),
            Self::RecordedByBest => row.best.map(|_| with_commas(row.recorded[2])),
            Self::Ours
            | Self::Simple
            | Self::Best
            | Self::OursToBest
            | Self::FunctionToTwin
            | Self::OursToTwin => self.quotient(row).map(|quotient| format!("{quotient:.2}")),
        };
        text.unwrap_or_else(|| "–".to_owned())
    }
}

/// What was found of a kernel: the seconds of each that takes part, and the bytes that ours, the mechanical and the
/// best adjoint record.
struct Row {
    primal: f64,
    ours: f64,
    simple: Option<f64>,
    best: Option<f64>,
    twin: Option<f64>,
    recorded: [usize; 3],
}

/// `[--rounds N] [--turn MS] [kernel]...`: checks and times the kernels, all without a name, and prints a row for
/// each and the geometric means of the quotients.
///
/// # Panics
///
/// If a kernel's gradients differ, or a number is missing.
pub fn print(
    kernels: &[(&str, Maker)],
    columns: &[Column],
    mut arguments: impl Iterator<Item = String>,
    usage: &str,
) -> ExitCode {
    let mut pace = Pace {
        turn: Duration::from_millis(5),
        rounds: 60,
        enough: Duration::from_secs(15),
    };
    let mut wanted = Vec::new();
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|n| n.parse().ok());
        match argument.as_str() {
            "--rounds" => pace.rounds = number().expect("a number after --rounds") as usize,
            "--turn" => pace.turn = Duration::from_millis(number().expect("a number after --turn")),
            name if kernels.iter().any(|(known, _)| *known == name) => wanted.push(argument),
            _ => {
                let names: Vec<&str> = kernels.iter().map(|(name, _)| *name).collect();
                eprintln!("usage: {usage}\nkernels: {}", names.join(" "));
                return ExitCode::FAILURE;
            }
        }
    }
    let headings: Vec<&str> = columns.iter().map(|column| column.heading()).collect();
    println!("| kernel | {} |", headings.join(" | "));
    println!("|---|{}", "---:|".repeat(columns.len()));
    let mut rows = Vec::new();
    for (name, make) in kernels {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            let row = row(make(), pace);
            let cells: Vec<String> = columns.iter().map(|column| column.cell(&row)).collect();
            println!("| {name} | {} |", cells.join(" | "));
            rows.push(row);
        }
    }
    println!();
    for column in columns {
        let quotients: Vec<f64> = rows.iter().filter_map(|row| column.quotient(row)).collect();
        if !quotients.is_empty() {
            let logarithms: f64 = quotients.iter().map(|quotient| quotient.ln()).sum();
            let mean = (logarithms / quotients.len() as f64).exp();
            println!("Geometric mean of {}: {mean:.2}", column.heading());
        }
    }
    ExitCode::SUCCESS
}

/// Checks and times one kernel.
fn row(mut kernel: Kernel, pace: Pace) -> Row {
    kernel.check();
    let recorded = [
        kernel.recorded_by_ours(),
        kernel.simple.as_ref().map_or(0, |simple| simple.recorded),
        kernel.best.as_ref().map_or(0, |best| best.recorded),
    ];
    let mut gradient = kernel.buffers(0.0);
    let mut tape = Tape::new();
    let parts = kernel.parts();
    let mut entrants = vec![
        Entrant::new("primal", |_: &mut Gradient| (parts.primal)()),
        Entrant::new("ours", |gradient: &mut Gradient| {
            (parts.ours)(&mut tape, gradient)
        }),
    ];
    for (name, by_hand) in [("simple", parts.simple), ("best", parts.best)] {
        entrants
            .extend(by_hand.map(|by_hand| {
                Entrant::new(name, |gradient: &mut Gradient| by_hand.run(gradient))
            }));
    }
    entrants.extend(
        parts
            .twin
            .map(|twin| Entrant::new("twin", |_: &mut Gradient| twin())),
    );
    race(&mut entrants, &mut gradient[..], pace);
    let seconds = |name: &str| {
        let entrant = entrants.iter().find(|entrant| entrant.name == name);
        entrant.map(Entrant::minimum)
    };
    Row {
        primal: seconds("primal").expect("the function took part"),
        ours: seconds("ours").expect("our gradient took part"),
        simple: seconds("simple"),
        best: seconds("best"),
        twin: seconds("twin"),
        recorded,
    }
}

fn microseconds(seconds: f64) -> String {
    match seconds * 1e6 {
        micros @ ..1000.0 => format!("{micros:.1}"),
        micros => with_commas(micros.round() as usize),
    }
}

fn with_commas(n: usize) -> String {
    let digits = n.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(String::from_utf8_lossy).collect();
    groups.join(",")
}
