//! What can be wrong with a problem's file, each with what to do about it.

use std::fmt;
use std::path::PathBuf;

/// A problem that cannot be fitted; the text says what to do.
#[derive(Debug)]
pub(crate) enum Error {
    /// A data file that cannot be opened.
    Read(PathBuf, std::io::Error),
    /// A data file that is not in the archive's format.
    Format {
        /// The file.
        file: PathBuf,
        /// What was looked for and not found.
        missing: String,
    },
    /// A model whose number of parameters or predictors differs from the file's.
    Mismatch {
        /// The problem's name.
        problem: String,
        /// What differs, with both numbers.
        what: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Read(file, source) => write!(
                f,
                "cannot read {}: {source}\nhelp: pass the folder that holds the NIST files with \
                 `--data DIR`; the project keeps its copy in examples/data/nist",
                file.display()
            ),
            Error::Format { file, missing } => write!(
                f,
                "{} has no {missing}\nhelp: restore the file as NIST publishes it; its header \
                 names the lines that hold starting values and data, so lines cannot be added or \
                 removed",
                file.display()
            ),
            Error::Mismatch { problem, what } => write!(
                f,
                "the model of {problem} does not match its file: {what}\nhelp: correct the \
                 model's entry in examples/nist_fit/fitting/models.rs, or restore the file"
            ),
        }
    }
}

impl std::error::Error for Error {}
