//! Fits a local level model to the flow of the Nile by maximum likelihood, with the exact gradient of a Kalman filter.
//!
//! ```text
//! cargo run --release --example kalman_fit
//! ```
//!
//! The filter is a struct with methods under `#[gradient]` (`model.rs`), as one would write it without. The gradient
//! with respect to its parameters goes to argmin's L-BFGS through the flat view (`fit.rs`). A table goes to standard
//! output, a picture of the record, the level and a forecast to a file. `--help` lists the arguments.

#[path = "../support/command.rs"]
mod command;
mod fit;
mod model;
mod plot;
mod record;
mod smooth;

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use indicatif::ProgressBar;

use command::{ended, project, reported};
use fit::Fit;

/// Fits a local level model to a record of yearly measurements.
#[derive(Debug, Parser)]
struct Arguments {
    /// The record: a heading, then a line `year,flow` for each year.
    #[arg(long, default_value_os_t = project().join("examples/data/nile/flow.csv"))]
    data: PathBuf,
    /// Where the picture goes.
    #[arg(long, default_value_os_t = project().join("target/kalman_fit/level.svg"))]
    out: PathBuf,
    /// Years that are forecast.
    #[arg(long, default_value_t = 30)]
    ahead: usize,
}

fn main() -> ExitCode {
    ended(run(&Arguments::parse()))
}

/// Reads, fits, draws, and prints the table.
fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let record = record::read(&arguments.data)?;
    let bar = ProgressBar::new_spinner();
    let fit = fit::fit(&record, fit::guess(&record), bar.clone())?;
    bar.finish_and_clear();
    let levels = smooth::levels(&fit.model, &record, arguments.ahead);
    plot::draw(&record, &levels, &arguments.out)?;
    reported(report(&fit, &arguments.out))
}

/// The parameters with their standard errors, and where the picture is.
fn report(fit: &Fit, picture: &Path) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "log likelihood {:.4} after {} iterations, gradient {:.1e}",
        fit.log_likelihood, fit.iterations, fit.gradient
    )?;
    writeln!(out, "variance of       estimate    95 % interval")?;
    let rows = [
        ("a measurement", fit.model.log_noise),
        ("a year's drift", fit.model.log_drift),
    ];
    for ((name, log), error) in rows.into_iter().zip(&fit.errors) {
        let [low, high] = [-1.96, 1.96].map(|quantile| (log + quantile * error).exp());
        writeln!(
            out,
            "{name:<15} {:>10.1}    {low:.0} to {high:.0}",
            log.exp()
        )?;
    }
    writeln!(
        out,
        "Picture: {}",
        picture.strip_prefix(project()).unwrap_or(picture).display()
    )
}
