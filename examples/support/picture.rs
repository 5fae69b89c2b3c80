//! Writing a picture, for the examples that draw one.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use plotters::prelude::SVGBackend;

/// Why there is no picture, and what to do.
#[derive(Debug)]
pub(crate) struct NotWritten(PathBuf, String);

impl NotWritten {
    /// `file` could not be written, for this reason.
    fn new(file: &Path, reason: impl ToString) -> NotWritten {
        NotWritten(file.to_path_buf(), reason.to_string())
    }
}

impl fmt::Display for NotWritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "cannot write {}: {}\nhelp: name a file that you can write to with `--out FILE`",
            self.0.display(),
            self.1
        )
    }
}

impl Error for NotWritten {}

/// Draws an SVG of this size, and makes the folders that lead to it.
///
/// # Errors
///
/// When the file or a folder cannot be written.
pub(crate) fn draw(
    file: &Path,
    size: (u32, u32),
    render: impl FnOnce(SVGBackend<'_>) -> Result<(), Box<dyn Error>>,
) -> Result<(), NotWritten> {
    let mut svg = String::new();
    render(SVGBackend::with_string(&mut svg, size))
        .map_err(|error| NotWritten::new(file, error))?;
    write(&svg, file)
}

fn write(svg: &str, file: &Path) -> Result<(), NotWritten> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(|error| NotWritten::new(file, error))?;
    }
    fs::write(file, svg).map_err(|error| NotWritten::new(file, error))
}
