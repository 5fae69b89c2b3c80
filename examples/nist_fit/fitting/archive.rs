//! Reads a problem of the NIST `StRD` archive from its `.dat` file.
//!
//! A file is 60 lines of header and then the data, one observation a line, response first. The
//! header names the lines of the starting and certified values and of the data; those numbers are
//! what the reader goes by.

use std::ops::RangeInclusive;
use std::path::Path;

use super::error::Error;

/// One regression problem as its file states it.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    /// The archive's name, such as `Misra1a`.
    pub(crate) name: String,
    /// `Lower`, `Average` or `Higher`.
    pub(crate) difficulty: String,
    /// What is measured, such as `volume`.
    pub(crate) response: String,
    /// What it is measured against, such as `pressure`; one entry per predictor.
    pub(crate) predictors: Vec<String>,
    /// The two starting points; the first is the farther from the solution.
    pub(crate) starts: [Vec<f64>; 2],
    /// The certified parameters, eleven digits each.
    pub(crate) certified: Vec<f64>,
    /// The certified residual sum of squares.
    pub(crate) certified_rss: f64,
    /// The data.
    pub(crate) observations: Vec<Observation>,
}

/// One line of data.
#[derive(Debug, Clone)]
pub(crate) struct Observation {
    /// The response `y`, as measured.
    pub(crate) y: f64,
    /// The predictors `x`, as many as the problem has.
    pub(crate) x: Vec<f64>,
}

/// Reads the problem in `file`.
///
/// # Errors
///
/// When the file cannot be read, or is not in the archive's format.
pub(crate) fn read(file: &Path) -> Result<Problem, Error> {
    let text = std::fs::read_to_string(file).map_err(|e| Error::Read(file.to_path_buf(), e))?;
    parse(&text).map_err(|missing| Error::Format {
        file: file.to_path_buf(),
        missing,
    })
}

/// Parses the text of a file; the error names what is missing.
pub(crate) fn parse(text: &str) -> Result<Problem, String> {
    let lines: Vec<&str> = text.lines().collect();
    let name = after(&lines, "Dataset Name:")?
        .split_whitespace()
        .next()
        .ok_or("name after `Dataset Name:`")?;
    let difficulty = lines
        .iter()
        .find_map(|line| line.trim().strip_suffix("Level of Difficulty"))
        .ok_or("line `… Level of Difficulty`")?
        .trim();
    let (starts, certified) = parameters(&lines)?;
    let predictors = descriptions(&lines, "Predictor")?;
    let observations = observations(&lines, predictors.len())?;
    let announced = after(&lines, "Number of Observations:")?.trim();
    if observations.len().to_string() != announced {
        let found = observations.len();
        return Err(format!("{announced} lines of data but {found}"));
    }
    Ok(Problem {
        name: name.to_string(),
        difficulty: difficulty.to_string(),
        response: descriptions(&lines, "Response")?.swap_remove(0),
        predictors,
        starts,
        certified,
        certified_rss: number(after(&lines, "Residual Sum of Squares:")?.trim())?,
        observations,
    })
}

/// The rest of the line that holds `label`.
fn after<'a>(lines: &[&'a str], label: &str) -> Result<&'a str, String> {
    lines
        .iter()
        .find_map(|line| line.split_once(label))
        .map(|(_, rest)| rest)
        .ok_or_else(|| format!("line `{label}`"))
}

/// The lines that the header announces as `label (lines 41 to 42)`, counted from 1.
fn announced(lines: &[&str], label: &str) -> Result<RangeInclusive<usize>, String> {
    let missing = || format!("line `{label} (lines … to …)`");
    let span = lines
        .iter()
        .filter_map(|line| line.split_once("(lines"))
        .find(|(before, _)| before.trim_end().ends_with(label))
        .and_then(|(_, span)| span.split_once(')'))
        .ok_or_else(missing)?
        .0;
    let (first, last) = span.split_once("to").ok_or_else(missing)?;
    let line = |text: &str| text.trim().parse::<usize>().map_err(|_| missing());
    Ok(line(first)?..=line(last)?)
}

/// The lines of a span, or what is missing.
fn in_span<'a, 'b>(
    lines: &'a [&'b str],
    span: RangeInclusive<usize>,
) -> impl Iterator<Item = Result<&'b str, String>> + use<'a, 'b> {
    span.map(move |line| {
        lines
            .get(line.wrapping_sub(1))
            .copied()
            .ok_or_else(|| format!("line {line}, which its header announces"))
    })
}

/// Starting points and certified values: `b1 = start1 start2 certified deviation`.
fn parameters(lines: &[&str]) -> Result<([Vec<f64>; 2], Vec<f64>), String> {
    let (mut starts, mut certified) = ([Vec::new(), Vec::new()], Vec::new());
    for line in in_span(lines, announced(lines, "Starting Values")?) {
        let line = line?;
        let values = line
            .split_once('=')
            .map(|(_, values)| {
                values
                    .split_whitespace()
                    .map(number)
                    .collect::<Result<Vec<_>, _>>()
            })
            .ok_or_else(|| format!("parameter in line `{}`", line.trim()))??;
        let &[far, near, value, _deviation] = values.as_slice() else {
            return Err(format!("four values in line `{}`", line.trim()));
        };
        starts[0].push(far);
        starts[1].push(near);
        certified.push(value);
    }
    Ok((starts, certified))
}

/// The data: response, then the predictors.
fn observations(lines: &[&str], predictors: usize) -> Result<Vec<Observation>, String> {
    in_span(lines, announced(lines, "Data")?)
        .map(|line| {
            let line = line?;
            let mut values = line.split_whitespace().map(number);
            let y = values.next().ok_or("response in a line of data")??;
            let x = values.collect::<Result<Vec<_>, _>>()?;
            if x.len() == predictors {
                Ok(Observation { y, x })
            } else {
                Err(format!("{predictors} predictors in line `{}`", line.trim()))
            }
        })
        .collect()
}

/// What the header says of the responses or predictors: `(x1 = time; x2 = temperature)`, or just
/// `(x)`, which stands for itself. A unit after a comma stays in parentheses.
fn descriptions(lines: &[&str], kind: &str) -> Result<Vec<String>, String> {
    let missing = || format!("description of the {}", kind.to_lowercase());
    let line = lines
        .iter()
        .find(|line| line.contains(kind) && line.contains('('))
        .ok_or_else(missing)?;
    let (_, text) = line.split_once('(').ok_or_else(missing)?;
    let text = text.trim().trim_end_matches(')');
    Ok(text
        .split(';')
        .map(|part| {
            let meaning = part.split_once('=').map_or(part, |(_, meaning)| meaning);
            match meaning.trim().split_once(", ") {
                Some((what, unit)) => format!("{what} ({unit})"),
                None => meaning.trim().to_string(),
            }
        })
        .collect())
}

/// A number as the archive writes it: `500`, `.591E0`, `2.3894212918E+02`.
fn number(text: &str) -> Result<f64, String> {
    text.parse()
        .map_err(|_| format!("number where it has `{text}`"))
}
