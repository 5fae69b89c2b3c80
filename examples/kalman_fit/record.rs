//! Reading a record of yearly measurements.

use std::path::{Path, PathBuf};
use std::{fmt, fs};

use crate::model::Year;

/// Why a record could not be read.
#[derive(Debug)]
pub(crate) struct Unreadable {
    path: PathBuf,
    reason: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {}\nhelp: the file has a heading, then a line `year,flow` for each year; a year without \
             measurement ends in the comma",
            self.path.display(),
            self.reason
        )
    }
}

impl std::error::Error for Unreadable {}

/// Years that have to be measured: two variances and a level are to be found.
const MEASURED: usize = 3;

/// Reads a file of lines `year,flow` below a heading.
///
/// # Errors
///
/// When the file cannot be read, a line has another form, a year does not follow the one before, or too few
/// years were measured.
pub(crate) fn read(path: &Path) -> Result<Vec<Year>, Unreadable> {
    let unreadable = |reason: String| Unreadable {
        path: path.to_path_buf(),
        reason,
    };
    let text = fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
    let mut record: Vec<Year> = Vec::new();
    for (number, line) in (1..).zip(text.lines()).skip(1) {
        let year = parse(line).ok_or_else(|| unreadable(format!("line {number} is `{line}`")))?;
        if record.last().is_some_and(|last| last.year + 1 != year.year) {
            return Err(unreadable(format!("line {number}: a year is left out")));
        }
        record.push(year);
    }
    let measured = record.iter().filter(|year| year.flow.is_some()).count();
    if measured < MEASURED {
        return Err(unreadable(format!(
            "{measured} years were measured, {MEASURED} have to be"
        )));
    }
    Ok(record)
}

fn parse(line: &str) -> Option<Year> {
    let (year, flow) = line.split_once(',')?;
    let flow = match flow.trim() {
        "" => None,
        flow => Some(flow.parse().ok().filter(|flow: &f64| flow.is_finite())?),
    };
    Some(Year {
        year: year.trim().parse().ok()?,
        flow,
    })
}
