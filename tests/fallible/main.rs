//! `Result` and `Option`: functions that return one, `?`, `ok_or`, `map_err`, `match`, and what they leave behind after
//! an error.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::too_many_lines,
    unused,
    unreachable_pub,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

mod api;
mod blocks;
mod ends;
mod errors;
mod methods;
mod named;
mod of_constants;
mod options;
#[path = "../support/outcomes.rs"]
mod outcomes;
mod places;
mod question;
mod results;
mod shown;
#[path = "../support/mod.rs"]
mod support;
mod variables;

use std::fmt;

/// An error that can neither be copied nor cloned nor recorded.
#[derive(Debug, PartialEq)]
#[allow(missing_docs, reason = "their names say it")]
pub enum Fault {
    Negative(f64),
    Text(String),
    Small,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for Fault {}

/// A result under a name of its own.
pub type MathResult<T> = Result<T, Fault>;

/// With a parameter that has a default.
pub type Res<T, E = Fault> = std::result::Result<T, E>;

/// With its parameters the other way round.
pub type Turned<E, T> = Result<T, E>;

/// Of two numbers.
pub(crate) type Paired<T> = MathResult<[T; 2]>;

/// What other errors become by `?`.
#[derive(Debug, PartialEq)]
pub struct Wrapped(pub String);

impl From<Fault> for Wrapped {
    fn from(fault: Fault) -> Self {
        Wrapped(fault.to_string())
    }
}

/// A square root with a domain.
#[retrograde::gradient]
pub fn root(x: f64) -> Result<f64, Fault> {
    if x < 0.0 {
        return Err(Fault::Negative(x));
    }
    if x == 0.0 {
        return Err(Fault::Text(format!("zero: {x}")));
    }
    Ok(x.sqrt())
}
