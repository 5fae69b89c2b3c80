//! The command line.

use std::fmt;
use std::path::{Path, PathBuf};

/// What `--help` prints.
pub(crate) const HELP: &str = "\
Fits the 27 nonlinear regression problems of the NIST StRD archive.

Usage: cargo run --release --example nist_fit -- [--out DIR] [--data DIR]

  --out DIR    folder for the plots, one SVG per problem (default: target/nist_fit)
  --data DIR   folder of the archive's .dat files (default: examples/data/nist)
  --help       print this text";

/// What the command line asks for.
#[derive(Debug)]
pub(crate) enum Command {
    /// Print [`HELP`].
    Help,
    /// Fit and plot.
    Fit(Arguments),
}

/// Where to read and where to write.
#[derive(Debug)]
pub(crate) struct Arguments {
    /// Folder for the plots.
    pub(crate) out: PathBuf,
    /// Folder of the data files.
    pub(crate) data: PathBuf,
}

/// Reads the arguments that follow the program's name.
///
/// # Errors
///
/// On an unknown argument, or one without its folder.
pub(crate) fn parse(given: impl Iterator<Item = String>) -> Result<Command, Misused> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut arguments = Arguments {
        out: project.join("target").join("nist_fit"),
        data: project.join("examples").join("data").join("nist"),
    };
    let mut given = given;
    while let Some(argument) = given.next() {
        let folder = match argument.as_str() {
            "--help" | "-h" => return Ok(Command::Help),
            "--out" => &mut arguments.out,
            "--data" => &mut arguments.data,
            _ => return Err(Misused(format!("unknown argument `{argument}`"))),
        };
        *folder = given
            .next()
            .ok_or_else(|| Misused(format!("`{argument}` without a folder")))?
            .into();
    }
    Ok(Command::Fit(arguments))
}

/// A command line that is not understood, and why.
#[derive(Debug)]
pub(crate) struct Misused(String);

impl fmt::Display for Misused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\nhelp: the arguments are\n\n{HELP}", self.0)
    }
}

impl std::error::Error for Misused {}
