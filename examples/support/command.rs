//! What the examples that are commands share.

use std::error::Error;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// The folder of the project.
pub(crate) fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// How the program ends: an error goes to standard error.
pub(crate) fn ended(done: Result<(), Box<dyn Error>>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// What became of writing to standard output.
///
/// # Errors
///
/// When it failed, unless whoever read it has seen enough of it.
pub(crate) fn reported(written: io::Result<()>) -> Result<(), Box<dyn Error>> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        done => done.map_err(Into::into),
    }
}
