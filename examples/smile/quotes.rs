//! Reading quotes.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::pricing::{Quote, Right};

/// Why quotes could not be read.
#[derive(Debug)]
pub(crate) struct Unreadable {
    path: PathBuf,
    reason: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {}\nhelp: the first line of the file is `strike,right,price`; a line such as `95,put,1.25` stands for \
             each quote",
            self.path.display(),
            self.reason
        )
    }
}

impl std::error::Error for Unreadable {}

/// Reads quotes from a CSV file with columns `strike`, `right` (`call` or `put`) and `price`, by strike.
///
/// # Errors
///
/// When the file cannot be read, or a line is no quote.
pub(crate) fn read(path: &Path) -> Result<Vec<Quote>, Unreadable> {
    let unreadable = |reason: String| Unreadable {
        path: path.to_path_buf(),
        reason,
    };
    let mut reader = (csv::ReaderBuilder::new().trim(csv::Trim::All))
        .from_path(path)
        .map_err(|error| unreadable(error.to_string()))?;
    let mut quotes = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| unreadable(error.to_string()))?;
        let line = record.position().map_or(0, csv::Position::line);
        let quote = (record.get(0).and_then(positive))
            .zip(record.get(1).and_then(right))
            .zip(record.get(2).and_then(positive));
        let Some(((strike, right), price)) = quote else {
            return Err(unreadable(format!("line {line} is no quote")));
        };
        quotes.push(Quote {
            right,
            strike,
            price,
        });
    }
    quotes.sort_by(|a, b| a.strike.total_cmp(&b.strike));
    Ok(quotes)
}

fn positive(field: &str) -> Option<f64> {
    field
        .parse()
        .ok()
        .filter(|number: &f64| *number > 0.0 && number.is_finite())
}

fn right(field: &str) -> Option<Right> {
    match field {
        "call" => Some(Right::Call),
        "put" => Some(Right::Put),
        _ => None,
    }
}
