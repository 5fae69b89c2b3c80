//! Fits the 27 nonlinear regression problems of the NIST `StRD` archive with exact gradients.
//!
//! ```text
//! cargo run --release --example nist_fit
//! ```
//!
//! Each model is a plain Rust function under `#[gradient]` (`fitting/models.rs`); its
//! `<model>_grad` gives the rows of the Jacobian to a Levenberg–Marquardt minimiser
//! (`fitting/fit.rs`). Each problem is fitted from both of its certified starting points and
//! compared with the certified parameters; a table goes to standard output and a plot per problem
//! to a folder. `--help` lists the arguments.

mod arguments;
mod fitting;
mod plot;
mod table;

use std::error::Error;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressStyle};

use arguments::{Arguments, Command};
use fitting::{archive, fit, models};
use table::Row;

fn main() -> ExitCode {
    let done = match arguments::parse(std::env::args().skip(1)) {
        Ok(Command::Help) => writeln!(io::stdout(), "{}", arguments::HELP).map_err(Into::into),
        Ok(Command::Fit(arguments)) => run(&arguments),
        Err(error) => Err(error.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Fits, plots, and prints the table.
fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let models = models::all();
    let progress = progress_bar(models.len())?;
    plot::prepare(&arguments.out)?;
    let mut rows = Vec::new();
    for model in &models {
        progress.set_message(model.problem);
        let problem = archive::read(&arguments.data.join(format!("{}.dat", model.problem)))?;
        model.check(&problem)?;
        let fits = problem.starts.each_ref().map(|start| {
            let fit = fit::fit(&problem, model, start);
            progress.inc(1);
            fit
        });
        rows.extend(
            (1..)
                .zip(&fits)
                .map(|(start, fit)| Row::new(&problem, start, fit)),
        );
        plot::draw(&problem, model, &fits, &arguments.out)?;
    }
    progress.finish_and_clear();
    match report(&rows, &arguments.out) {
        // Whoever read the table has seen enough of it.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        done => done.map_err(Into::into),
    }
}

/// The table, and where the plots are.
fn report(rows: &[Row], plots: &Path) -> io::Result<()> {
    let mut out = io::stdout().lock();
    table::print(&mut out, rows)?;
    writeln!(out, "Plots of data, fit and residuals: {}", shown(plots))
}

/// Progress on standard error, and nothing where that is not a terminal.
fn progress_bar(problems: usize) -> Result<ProgressBar, Box<dyn Error>> {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} fits  {msg}")?;
    Ok(ProgressBar::new(2 * problems as u64).with_style(style))
}

/// A path as the user would write it: relative where it lies below the current folder.
fn shown(path: &Path) -> String {
    let current = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&current)
        .unwrap_or(path)
        .display()
        .to_string()
}
