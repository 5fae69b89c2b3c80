//! Reading two columns of a CSV file.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::models::Point;

/// Points, and the names of their columns.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) x: String,
    pub(crate) y: String,
    /// In the order of their abscissae.
    pub(crate) points: Vec<Point>,
}

/// Why a table could not be read.
#[derive(Debug)]
pub(crate) struct Unreadable {
    path: PathBuf,
    reason: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {}\nhelp: the first line of the file names the columns, numbers stand below; `--x` and `--y` choose \
             two of them",
            self.path.display(),
            self.reason
        )
    }
}

impl std::error::Error for Unreadable {}

/// Reads two columns: those of these names, else the first and the second. Lines without a number in one of them are
/// left out if the field is empty.
///
/// # Errors
///
/// When the file cannot be read, has no such column, no line, or a field that is no finite number.
pub(crate) fn read(path: &Path, x: Option<&str>, y: Option<&str>) -> Result<Table, Unreadable> {
    let unreadable = |reason: String| Unreadable {
        path: path.to_path_buf(),
        reason,
    };
    let mut reader = (csv::ReaderBuilder::new().trim(csv::Trim::All))
        .from_path(path)
        .map_err(|error| unreadable(error.to_string()))?;
    let headers = (reader.headers().cloned()).map_err(|error| unreadable(error.to_string()))?;
    let column = |name: Option<&str>, default: usize| {
        let found = match name {
            Some(name) => headers.iter().position(|header| header == name),
            None => Some(default).filter(|&column| column < headers.len()),
        };
        found.ok_or_else(|| {
            let names: Vec<&str> = headers.iter().collect();
            let wanted = name.map_or_else(|| "two columns".to_owned(), |name| format!("`{name}`"));
            unreadable(format!("there is no {wanted} among {}", names.join(", ")))
        })
    };
    let columns = [column(x, 0)?, column(y, 1)?];
    let mut points = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| unreadable(error.to_string()))?;
        let fields = columns.map(|column| record.get(column).unwrap_or_default());
        if fields.contains(&"") {
            continue;
        }
        let line = record.position().map_or(0, csv::Position::line);
        let number = |field: &str| {
            let number = field.parse().ok().filter(|number: &f64| number.is_finite());
            number.ok_or_else(|| unreadable(format!("`{field}` in line {line} is no number")))
        };
        points.push((number(fields[0])?, number(fields[1])?));
    }
    if points.is_empty() {
        return Err(unreadable("there are no numbers".to_owned()));
    }
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok(Table {
        x: headers[columns[0]].to_owned(),
        y: headers[columns[1]].to_owned(),
        points,
    })
}
