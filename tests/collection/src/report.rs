//! The table.

use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use crate::manifest::Entry;

/// What became of a function.
#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    /// It compiles unchanged, and its gradient agrees with differences.
    Agrees,
    /// It compiles unchanged, but nothing compares it: why.
    Accepted(String),
    /// It is refused, by a message of the project's.
    Refused(String),
    /// The compiler rejects what is generated.
    Rejected(String),
    /// Its gradient differs from differences.
    Differs(String),
    /// The crate could not be tried.
    NotBuilt(String),
}

impl Outcome {
    /// Messages of rustc's have a number, but for a few.
    pub(crate) fn refused(message: String) -> Outcome {
        let numbered =
            message.starts_with('E') && message[1..].chars().take(4).all(|c| c.is_ascii_digit());
        let ours = message.contains("Differentiable")
            || message.contains("cannot be differentiated")
            || message.contains("recorded on the tape")
            || message.contains("has no default value")
            || message.contains("has no derivative")
            || message.contains("a trait that has `#[gradient]`")
            || message.contains("the sweeps cannot copy")
            || message.contains("__derivative_of_");
        if numbered && !ours {
            Outcome::Rejected(message)
        } else {
            Outcome::Refused(message)
        }
    }

    /// A word for the kind, and what is said of it.
    pub(crate) fn parts(&self) -> (&'static str, &str) {
        match self {
            Outcome::Agrees => ("agrees", ""),
            Outcome::Accepted(why) => ("accepted", why),
            Outcome::Refused(message) => ("refused", message),
            Outcome::Rejected(message) => ("rejected", message),
            Outcome::Differs(why) => ("differs", why),
            Outcome::NotBuilt(why) => ("not built", why),
        }
    }

    /// The outcome of which these are the parts.
    pub(crate) fn of_parts(word: &str, why: &str) -> Option<Outcome> {
        let why = why.to_owned();
        Some(match word {
            "agrees" => Outcome::Agrees,
            "accepted" => Outcome::Accepted(why),
            "refused" | "rejected" => Outcome::refused(why),
            "differs" => Outcome::Differs(why),
            "not built" => Outcome::NotBuilt(why),
            _ => return None,
        })
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Agrees => write!(f, "agrees"),
            Outcome::Accepted(why) => write!(f, "compiles, not compared: {why}"),
            Outcome::Refused(message) => write!(f, "refused: {message}"),
            Outcome::Rejected(message) => write!(f, "rejected by rustc: {message}"),
            Outcome::Differs(why) => write!(f, "DIFFERS: {why}"),
            Outcome::NotBuilt(why) => write!(f, "not tried: {why}"),
        }
    }
}

/// Shares, and the messages that refuse.
pub(crate) fn table(outcomes: &[(Entry, Outcome)]) -> String {
    let count = |is: fn(&Outcome) -> bool| outcomes.iter().filter(|(_, o)| is(o)).count();
    let not_tried = count(|o| matches!(o, Outcome::NotBuilt(_)));
    let tried = outcomes.len() - not_tried;
    let rows = [
        (
            "compiles unchanged, and agrees with differences",
            count(|o| matches!(o, Outcome::Agrees)),
        ),
        (
            "compiles unchanged, not compared",
            count(|o| matches!(o, Outcome::Accepted(_))),
        ),
        (
            "refused, with a message",
            count(|o| matches!(o, Outcome::Refused(_))),
        ),
        (
            "rejected by rustc",
            count(|o| matches!(o, Outcome::Rejected(_))),
        ),
        ("differs", count(|o| matches!(o, Outcome::Differs(_)))),
    ];
    let mut text = format!("| of {tried} functions | number | share |\n|---|---|---|\n");
    for (what, n) in rows {
        let _ = writeln!(
            text,
            "| {what} | {n} | {:.0} % |",
            100.0 * n as f64 / tried.max(1) as f64
        );
    }
    let _ = writeln!(
        text,
        "\nNot tried, as the crate or the function could not be had: {not_tried}.\n"
    );
    text.push_str("| domain | functions | compile unchanged |\n|---|---|---|\n");
    let mut domains: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for (entry, outcome) in outcomes {
        let (tried, accepted) = match outcome {
            Outcome::NotBuilt(_) => (0, 0),
            Outcome::Agrees | Outcome::Accepted(_) | Outcome::Differs(_) => (1, 1),
            Outcome::Refused(_) | Outcome::Rejected(_) => (1, 0),
        };
        let of = domains.entry(&entry.domain).or_default();
        *of = [of[0] + tried, of[1] + accepted];
    }
    for (domain, [tried, accepted]) in domains {
        let _ = writeln!(text, "| {domain} | {tried} | {accepted} |");
    }
    text.push('\n');
    let mut messages: BTreeMap<String, usize> = BTreeMap::new();
    for (_, outcome) in outcomes {
        if let Outcome::Refused(message) | Outcome::Rejected(message) = outcome {
            *messages.entry(without_names(message)).or_default() += 1;
        }
    }
    let mut messages: Vec<_> = messages.into_iter().collect();
    messages.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    text.push_str("| message | functions |\n|---|---|\n");
    for (message, n) in messages {
        let _ = writeln!(text, "| {} | {n} |", message.replace('|', "\\|"));
    }
    text
}

/// A message without what stands between backticks.
fn without_names(message: &str) -> String {
    let parts = message.split('`').enumerate();
    parts
        .map(|(k, part)| if k % 2 == 0 { part } else { "`…`" })
        .collect()
}

/// Puts the table where the page has one.
pub(crate) fn write(table: &str) -> io::Result<()> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/collection.md");
    let text = fs::read_to_string(&page)?;
    let missing = || io::Error::other("no place for the table");
    let (before, rest) = text.split_once("<!-- table -->\n").ok_or_else(missing)?;
    let (_, after) = rest
        .split_once("<!-- end of table -->")
        .ok_or_else(missing)?;
    fs::write(
        page,
        format!("{before}<!-- table -->\n{table}<!-- end of table -->{after}"),
    )
}
