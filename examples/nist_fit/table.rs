//! The table of results.

use std::io::{self, Write};

use crate::fitting::archive::Problem;
use crate::fitting::digits::{self, CERTIFIED};
use crate::fitting::fit::Fit;

/// Digits that a fit must reach, or its row says why it ended.
const REACHED: f64 = 6.0;

/// Digits that most fits reach.
const MANY: f64 = 8.0;

/// The result of one fit.
pub(crate) struct Row {
    problem: String,
    difficulty: String,
    start: usize,
    iterations: usize,
    evaluations: usize,
    minimised: f64,
    digits: f64,
    rss_digits: f64,
    ending: &'static str,
}

impl Row {
    /// The result of fitting `problem` from start 1 or 2.
    pub(crate) fn new(problem: &Problem, start: usize, fit: &Fit) -> Row {
        Row {
            problem: problem.name.clone(),
            difficulty: problem.difficulty.clone(),
            start,
            iterations: fit.iterations,
            evaluations: fit.evaluations,
            minimised: digits::worst(&fit.minimised, &problem.certified),
            digits: digits::worst(&fit.parameters, &problem.certified),
            rss_digits: digits::of(fit.rss, problem.certified_rss),
            ending: fit.ending,
        }
    }
}

/// Writes the table and its summary.
///
/// # Errors
///
/// When `out` cannot be written.
pub(crate) fn print(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    writeln!(
        out,
        "Problem   Difficulty  Start  Iterations  Evaluations  LM digits  Digits  RSS digits"
    )?;
    for row in rows {
        write!(
            out,
            "{:<9} {:<10} {:>6} {:>11} {:>12} {:>10.1} {:>7.1} {:>11.1}",
            row.problem,
            row.difficulty,
            row.start,
            row.iterations,
            row.evaluations,
            row.minimised,
            row.digits,
            row.rss_digits
        )?;
        if row.digits < REACHED {
            write!(out, "  missed: {}", row.ending)?;
        }
        writeln!(out)?;
    }
    writeln!(
        out,
        "\nDigits: agreement of the worst parameter with its certified value, {CERTIFIED} at most.\n\
         LM digits: the same where Levenberg-Marquardt ended, before the refinement.\n\
         RSS digits: agreement of the residual sum of squares; Lanczos1's, 1.4e-25, is rounding noise."
    )?;
    let reach = |digits: fn(&Row) -> f64, least: f64| {
        rows.iter().filter(|row| digits(row) >= least).count()
    };
    writeln!(
        out,
        "{} of {} fits reach {REACHED} digits, {} reach {MANY}; Levenberg-Marquardt alone: {} and {}.",
        reach(|row| row.digits, REACHED),
        rows.len(),
        reach(|row| row.digits, MANY),
        reach(|row| row.minimised, REACHED),
        reach(|row| row.minimised, MANY)
    )
}
