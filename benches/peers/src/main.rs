//! Prints, for each kernel, how many times as long as the function itself each gradient takes.
//!
//! All contestants of a kernel take turns, round after round, so that a change in the machine's speed meets all of
//! them. `ratios [--rounds N] [part of a kernel's name]...`

#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use retrograde_peers::Kernel;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A turn repeats its call until about this much time has gone by.
const TURN: Duration = Duration::from_millis(1);

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
            report(&kernel.name.clone(), &race(&mut kernel, rounds));
        }
    }
}

/// Fills the buffer and returns the value.
type Call<'a> = Box<dyn FnMut(&mut [f64]) -> f64 + 'a>;

/// One contestant, or the function itself, and the seconds that a call took in each round.
struct Entrant<'a> {
    name: &'a str,
    call: Call<'a>,
    calls_per_turn: u32,
    rounds: Vec<f64>,
}

impl<'a> Entrant<'a> {
    fn new(name: &'a str, call: impl FnMut(&mut [f64]) -> f64 + 'a) -> Self {
        Self {
            name,
            call: Box::new(call),
            calls_per_turn: 1,
            rounds: Vec::new(),
        }
    }

    /// Runs once to warm up and once to see how many calls make a turn.
    fn prepare(&mut self, buffer: &mut [f64]) {
        self.turn(buffer);
        let per_turn = TURN.as_secs_f64() / self.turn(buffer);
        self.calls_per_turn = per_turn.max(1.0) as u32;
    }

    /// The seconds that a call takes.
    fn turn(&mut self, buffer: &mut [f64]) -> f64 {
        let start = Instant::now();
        for _ in 0..self.calls_per_turn {
            black_box((self.call)(buffer));
        }
        start.elapsed().as_secs_f64() / f64::from(self.calls_per_turn)
    }

    fn minimum(&self) -> f64 {
        self.rounds.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// Times the function itself (first) and all contestants.
fn race(kernel: &mut Kernel, rounds: usize) -> Vec<Entrant<'_>> {
    let x = black_box(&kernel.inputs[..]);
    let mut buffer = x.to_vec();
    let mut entrants = vec![Entrant::new("primal", |_| (kernel.primal)(x))];
    for (name, gradient) in &mut kernel.contestants {
        entrants.push(Entrant::new(name, |buffer| gradient(x, buffer)));
    }
    for entrant in &mut entrants {
        entrant.prepare(&mut buffer);
    }
    for _ in 0..rounds {
        for entrant in &mut entrants {
            let seconds = entrant.turn(&mut buffer);
            entrant.rounds.push(seconds);
        }
    }
    entrants
}

/// Prints minima, their ratio to the function's own, and the median of the ratios of single rounds: where the
/// two differ much, the machine was too busy for either.
fn report(kernel: &str, entrants: &[Entrant<'_>]) {
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
