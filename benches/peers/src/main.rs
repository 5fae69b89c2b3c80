//! Prints, for each kernel, how many times as long as the function itself each gradient takes.
//!
//! All contestants of a kernel take turns, round after round, so that a change in the machine's speed meets all of
//! them. `ratios [--rounds N] [part of a kernel's name]...`

#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use retrograde_kernels::race::{Entrant, Pace, race};
use retrograde_peers::Kernel;
use std::hint::black_box;
use std::time::Duration;

fn main() {
    let mut rounds = 100;
    let mut wanted = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--rounds" {
            rounds = arguments
                .next()
                .and_then(|n| n.parse().ok())
                .expect("a number after --rounds");
        } else {
            wanted.push(argument);
        }
    }
    for mut kernel in retrograde_peers::all() {
        if wanted.is_empty() || wanted.iter().any(|part| kernel.name.contains(part)) {
            kernel.check();
            report(&kernel.name.clone(), &entrants(&mut kernel, rounds));
        }
    }
}

/// Times the function itself (first) and all contestants.
fn entrants(kernel: &mut Kernel, rounds: usize) -> Vec<Entrant<'_, [f64]>> {
    let x = black_box(&kernel.inputs[..]);
    let mut buffer = x.to_vec();
    let mut entrants = vec![Entrant::new("primal", |_: &mut [f64]| (kernel.primal)(x))];
    for (name, gradient) in &mut kernel.contestants {
        entrants.push(Entrant::new(name, |buffer: &mut [f64]| gradient(x, buffer)));
    }
    let pace = Pace {
        turn: Duration::from_millis(1),
        rounds,
        enough: Duration::MAX,
    };
    race(&mut entrants, &mut buffer[..], pace);
    entrants
}

/// Prints minima, their ratio to the function's own, and the median of the ratios of single rounds: where the
/// two differ much, the machine was too busy for either.
fn report(kernel: &str, entrants: &[Entrant<'_, [f64]>]) {
    let primal = &entrants[0];
    println!("\n| {kernel} | minimum | ratio of minima | median of ratios |");
    println!("|---|---:|---:|---:|");
    for entrant in entrants {
        let rounds = entrant.rounds.iter().zip(&primal.rounds);
        let mut ratios: Vec<f64> = rounds.map(|(own, primal)| own / primal).collect();
        ratios.sort_by(f64::total_cmp);
        println!(
            "| {} | {} | {:.2} | {:.2} |",
            entrant.name,
            readable(entrant.minimum()),
            entrant.minimum() / primal.minimum(),
            ratios[ratios.len() / 2],
        );
    }
}

fn readable(seconds: f64) -> String {
    match seconds {
        ..1e-6 => format!("{:.1} ns", seconds * 1e9),
        ..1e-3 => format!("{:.2} µs", seconds * 1e6),
        _ => format!("{:.2} ms", seconds * 1e3),
    }
}
