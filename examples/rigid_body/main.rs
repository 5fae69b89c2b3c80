//! Recovers how a tumbling body was thrown from noisy positions of markers on it.
//!
//! ```text
//! cargo run --release --example rigid_body
//! ```
//!
//! Vectors, quaternions and states have operators, the method of integration is a trait; all of it stands under
//! `#[gradient]` as one would write it without. The gradient of the misfit with respect to the state at the start goes
//! to argmin's L-BFGS through the flat view (`recover.rs`). A table goes to standard output, a picture of the flight to
//! a file. `--help` lists the arguments.

mod body;
#[path = "../support/command.rs"]
mod command;
mod geometry;
mod integrator;
mod plot;
mod recover;
mod scene;

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use indicatif::ProgressBar;
use retrograde::Flat;

use body::State;
use command::{ended, project, reported};
use integrator::{Integrator, Midpoint, RungeKutta};
use recover::{distance, fly, misfit, recover};

/// Recovers how a tumbling racket was thrown from noisy positions of markers on it.
#[derive(Debug, Parser)]
struct Arguments {
    /// How the equations of motion are integrated.
    #[arg(long, value_enum, default_value_t = Method::RungeKutta)]
    method: Method,
    /// Steps of the method between two frames.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    substeps: u16,
    /// Frames that were seen.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u16).range(2..))]
    frames: u16,
    /// Seconds between two frames.
    #[arg(long, default_value_t = 0.02)]
    interval: f64,
    /// Standard deviation of a seen coordinate, in m.
    #[arg(long, default_value_t = 0.005)]
    noise: f64,
    /// Of the random errors.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where the picture goes.
    #[arg(long, default_value_os_t = project().join("target/rigid_body/flight.svg"))]
    out: PathBuf,
}

/// The methods of integration by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Method {
    Midpoint,
    RungeKutta,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match arguments.method {
        Method::Midpoint => run(&Midpoint, &arguments),
        Method::RungeKutta => run(&RungeKutta, &arguments),
    };
    ended(done)
}

/// Throws, recovers, draws, and prints the table.
fn run<I: Integrator + retrograde::Differentiable>(
    integrator: &I,
    arguments: &Arguments,
) -> Result<(), Box<dyn Error>> {
    let (body, thrown) = (scene::racket(), scene::thrown());
    let (frames, substeps) = (arguments.frames.into(), arguments.substeps.into());
    let (interval, noise) = (arguments.interval, arguments.noise);
    let (truth, flight) = scene::seen(&body, thrown, interval, frames, noise, arguments.seed);
    let bar = ProgressBar::new_spinner();
    let (start, left) = recover(integrator, &body, &flight, substeps, &bar)?;
    bar.finish_and_clear();
    let states = fly(integrator, &body, start, interval, frames, substeps);
    plot::draw(&body, &flight, &truth, &states, &arguments.out)?;
    let best = misfit(integrator, &body, thrown, &flight, substeps);
    reported(report(
        integrator,
        &thrown,
        &start,
        [left, best],
        &arguments.out,
    ))
}

/// The recovered state beside the true one, and where the picture is.
fn report<I: Integrator>(
    _: &I,
    thrown: &State,
    start: &State,
    [left, best]: [f64; 2],
    picture: &Path,
) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "method of order {}", I::ORDER)?;
    writeln!(
        out,
        "{:<24} {:>9} {:>9}",
        "state at the start", "true", "recovered"
    )?;
    for ((name, t), r) in thrown
        .names_flat()
        .iter()
        .zip(thrown.to_flat())
        .zip(start.to_flat())
    {
        writeln!(out, "{name:<24} {t:>9.4} {r:>9.4}")?;
    }
    let [left, best] = [left, best].map(|misfit| 1e3 * distance(misfit));
    writeln!(
        out,
        "distance of markers seen: {left:.2} mm, from the true flight {best:.2} mm"
    )?;
    writeln!(
        out,
        "Picture: {}",
        picture.strip_prefix(project()).unwrap_or(picture).display()
    )
}
