//! `table [--rounds N] [--turn MS] [kernel]...`: times each kernel's function and its three gradients, in turns, and
//! prints the quotients of the minima. Before that it checks them against each other and the reference values.
//!
//! `plot` draws the table that stands in `docs/performance.md` into `docs/kernels.svg`.

#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use retrograde::Tape;
use retrograde_kernels::race::{Entrant, Pace, race};
use retrograde_kernels::structs::{FORMS, Form, Forms};
use retrograde_kernels::{ALL, Gradient, Kernel, plot};
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "table [--rounds N] [--turn MS] [kernel]... | structs | plot";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some("table") => {}
        Some("structs") => {
            structs();
            return ExitCode::SUCCESS;
        }
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
/// Prints what kernels over structs take beside the same over slices. All forms agree before they are timed.
fn structs() {
    let pace = Pace {
        turn: Duration::from_millis(1),
        rounds: 1000,
        enough: Duration::from_secs(15),
    };
    println!("| kernel | form | µs | to slices | median of rounds |");
    println!("|---|---|---:|---:|---:|");
    for make in FORMS {
        let Forms { name, mut forms } = make();
        agree(name, &mut forms);
        let entrants = forms.iter_mut().map(|form| {
            let run = &mut form.run;
            Entrant::new(form.name, move |(): &mut ()| run())
        });
        let mut entrants: Vec<Entrant<'_, ()>> = entrants.collect();
        race(&mut entrants, &mut (), pace);
        for entrant in &entrants {
            let rounds = entrant.rounds.iter().zip(&entrants[0].rounds);
            let mut ratios: Vec<f64> = rounds.map(|(own, slices)| own / slices).collect();
            ratios.sort_by(f64::total_cmp);
            println!(
                "| {name} | {} | {} | {:.2} | {:.2} |",
                entrant.name,
                microseconds(entrant.minimum()),
                entrant.minimum() / entrants[0].minimum(),
                ratios[ratios.len() / 2],
            );
        }
    }
}

fn agree(name: &str, forms: &mut [Form]) {
    let values: Vec<f64> = forms.iter_mut().map(|form| (form.run)()).collect();
    let standard = forms[0].gradient.borrow().clone();
    let largest = standard.iter().fold(0.0, |max: f64, d| max.max(d.abs()));
    for (form, value) in forms.iter().zip(&values) {
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * largest;
        let gradient = form.gradient.borrow();
        let same = gradient.len() == standard.len()
            && gradient.iter().zip(&standard).all(|(a, b)| near(*a, *b));
        assert!(
            same,
            "{name}: the gradient over {} is another one",
            form.name
        );
        let same = (value - values[0]).abs() <= 1e-12 * values[0].abs();
        assert!(same, "{name}: the value over {} is another one", form.name);
    }
}

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
