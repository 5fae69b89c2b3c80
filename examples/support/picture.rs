//! Writing a picture, for the examples that draw one.

use std::path::{Path, PathBuf};
use std::{fmt, fs};

/// Why there is no picture, and what to do.
#[derive(Debug)]
pub(crate) struct NotWritten(PathBuf, String);

impl NotWritten {
    /// `file` could not be written, for this reason.
    pub(crate) fn new(file: &Path, reason: impl ToString) -> NotWritten {
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

impl std::error::Error for NotWritten {}

/// Writes an SVG, and makes the folders that lead to it.
///
/// # Errors
///
/// When the file or a folder cannot be written.
pub(crate) fn write(svg: &str, file: &Path) -> Result<(), NotWritten> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(|error| NotWritten::new(file, error))?;
    }
    fs::write(file, svg).map_err(|error| NotWritten::new(file, error))
}
