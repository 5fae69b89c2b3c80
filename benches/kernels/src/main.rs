//! `table [--rounds N] [--turn MS] [kernel]...`: times each kernel's function and its three gradients, in turns, and
//! prints the quotients of the minima. Before that it checks them against each other and the reference values.
//!
//! `plot` draws the table that stands in `docs/performance.md` into `docs/kernels.svg`.

#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use retrograde::Tape;
use retrograde_kernels::race::{Entrant, Pace, race};
use retrograde_kernels::{ALL, Gradient, Kernel, plot};
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "table [--rounds N] [--turn MS] [kernel]... | plot";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some("table") => {}
        Some("plot") => {
            let documents = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");
            let table = std::fs::read_to_string(format!("{documents}/performance.md"));
            let picture = plot::svg(&table.expect("docs/performance.md"));
            std::fs::write(format!("{documents}/kernels.svg"), picture).expect("docs/kernels.svg");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("usage: {USAGE}");
            return ExitCode::FAILURE;
        }
    }
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
            name if ALL.iter().any(|(known, _)| *known == name) => wanted.push(argument),
            _ => {
                let names = ALL.map(|(name, _)| name).join(" ");
                eprintln!("usage: {USAGE}\nkernels: {names}");
                return ExitCode::FAILURE;
            }
        }
    }
    println!(
        "| kernel | primal, µs | ours / primal | simple / primal | best / primal | ours / best | recorded bytes: ours \
         | simple | best |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    let (mut logarithms, mut count) = (0.0, 0);
    for (name, make) in ALL {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            logarithms += row(make(), pace).ln();
            count += 1;
        }
    }
    let mean = (logarithms / f64::from(count)).exp();
    println!("\nGeometric mean of ours / best: {mean:.2}");
    ExitCode::SUCCESS
}

/// Checks and times one kernel and prints its row; the time of ours divided by that of the best.
fn row(mut kernel: Kernel, pace: Pace) -> f64 {
    kernel.check();
    let name = kernel.name.clone();
    let recorded = [
        kernel.recorded_by_ours(),
        kernel.simple.recorded,
        kernel.best.recorded,
    ];
    let mut gradient = kernel.buffers(0.0);
    let mut tape = Tape::new();
    let (primal, ours, simple, best) = kernel.parts();
    let mut entrants = [
        Entrant::new("primal", |_: &mut Gradient| primal()),
        Entrant::new("ours", |gradient: &mut Gradient| ours(&mut tape, gradient)),
        Entrant::new("simple", |gradient: &mut Gradient| simple.run(gradient)),
        Entrant::new("best", |gradient: &mut Gradient| best.run(gradient)),
    ];
    race(&mut entrants, &mut gradient[..], pace);
    let [primal, ours, simple, best] = entrants.map(|entrant| entrant.minimum());
    let [a, b, c] = recorded.map(with_commas);
    println!(
        "| {name} | {} | {:.2} | {:.2} | {:.2} | {:.2} | {a} | {b} | {c} |",
        microseconds(primal),
        ours / primal,
        simple / primal,
        best / primal,
        ours / best,
    );
    ours / best
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
