//! Fits a curve to two columns of a CSV file, with exact gradients, standard errors and confidence intervals.
//!
//! ```text
//! cargo run --release --features special --example fit
//! cargo run --release --features special --example fit -- data.csv --model decay --x time --y count
//! ```
//!
//! The models are plain functions under `#[gradient]` (`models.rs`); their gradients are the rows of the Jacobian that
//! Levenberg–Marquardt asks for, and of which the confidence intervals are made (`regression.rs`). A table goes to
//! standard output, a picture of data, curve and band to a file. `--help` lists the arguments and the models.

#[path = "../support/command.rs"]
mod command;
mod models;
mod plot;
mod regression;
mod table;

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;

use command::{ended, project, reported};
use models::Model;
use regression::Fit;
use table::Table;

/// Fits a curve to two columns of a CSV file.
#[derive(Debug, Parser)]
#[command(after_help = models::help())]
struct Arguments {
    /// A CSV file whose first line names its columns.
    #[arg(default_value_os_t = project().join("examples/data/puromycin/rates.csv"))]
    data: PathBuf,
    /// The name of the model.
    #[arg(long, default_value = "saturation", value_parser = models::by_name)]
    model: &'static Model,
    /// The column of the abscissae [default: the first]
    #[arg(long)]
    x: Option<String>,
    /// The column of what is fitted [default: the second]
    #[arg(long)]
    y: Option<String>,
    /// Where the fit starts: a number for each parameter [default: guessed from the data]
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true)]
    start: Option<Vec<f64>>,
    /// The confidence of intervals and band, between 0 and 1.
    #[arg(long, default_value_t = 0.95)]
    confidence: f64,
    /// Where the picture goes.
    #[arg(long, default_value_os_t = project().join("target/fit/fit.svg"))]
    out: PathBuf,
}

fn main() -> ExitCode {
    ended(run(&Arguments::parse()))
}

/// Reads, fits, draws, and prints the table.
fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let table = table::read(
        &arguments.data,
        arguments.x.as_deref(),
        arguments.y.as_deref(),
    )?;
    let model = arguments.model;
    let start = match &arguments.start {
        Some(start) => start.clone(),
        None => (model.guess)(&table.points),
    };
    let fit = regression::fit(model, &table.points, &start, arguments.confidence)?;
    plot::draw(&table, &fit, &arguments.out)?;
    reported(report(&table, &fit, &arguments.out))
}

/// The parameters with their intervals, and where the picture is.
fn report(table: &Table, fit: &Fit, picture: &Path) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{} = {}", table.y, fit.model.formula)?;
    writeln!(
        out,
        "{} observations, residual standard error {:.4} with {} degrees of freedom",
        table.points.len(),
        fit.scale,
        fit.freedom
    )?;
    let percent = 100.0 * fit.confidence;
    writeln!(
        out,
        "{:<12} {:>12} {:>12}    {percent:.0} % interval",
        "parameter", "estimate", "std. error"
    )?;
    for (name, estimate) in fit.model.parameters.iter().zip(&fit.estimates) {
        let [low, high] = estimate.interval;
        writeln!(
            out,
            "{name:<12} {:>12.6} {:>12.6}    {low:.6} to {high:.6}",
            estimate.value, estimate.error
        )?;
    }
    writeln!(
        out,
        "Picture: {}",
        picture.strip_prefix(project()).unwrap_or(picture).display()
    )
}
