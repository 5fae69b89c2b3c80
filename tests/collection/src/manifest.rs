//! The list of functions.

const MANIFEST: &str = include_str!("../manifest.tsv");

/// A function of a published crate.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) domain: String,
    pub(crate) krate: String,
    pub(crate) version: String,
    /// Below `src`.
    pub(crate) file: String,
    /// `function` or `Type::method`.
    pub(crate) item: String,
    /// Values for the numbers among the arguments, in order, where those that are drawn do not suit.
    pub(crate) at: Option<Vec<f64>>,
}

/// The functions of each crate, in the order of the list; `only`: of these crates, or of all.
pub(crate) fn groups(only: &[String]) -> Vec<Vec<Entry>> {
    let mut groups: Vec<Vec<Entry>> = Vec::new();
    for entry in MANIFEST.lines().filter_map(entry) {
        if !only.is_empty() && !only.contains(&entry.krate) {
            continue;
        }
        match groups.last_mut() {
            Some(group) if group[0].krate == entry.krate => group.push(entry),
            _ => groups.push(vec![entry]),
        }
    }
    groups
}

fn entry(line: &str) -> Option<Entry> {
    if line.starts_with('#') {
        return None;
    }
    let mut columns = line.split('\t').map(str::to_owned);
    let mut next = || columns.next().filter(|column| !column.is_empty());
    Some(Entry {
        domain: next()?,
        krate: next()?,
        version: next()?,
        file: next()?,
        item: next()?,
        at: next().map(|numbers| {
            numbers
                .split_whitespace()
                .filter_map(|n| n.parse().ok())
                .collect()
        }),
    })
}
