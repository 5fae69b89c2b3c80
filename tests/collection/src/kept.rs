//! What became of the functions of each crate, kept in a file for each, so that a run can go on where one ended.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::io;
use std::path::{Path, PathBuf};

use crate::crates::{everything, workspace};
use crate::manifest::Entry;
use crate::report::Outcome;

/// What the outcomes of a crate were, and on which state of the compiler.
pub(crate) struct Kept {
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) state: String,
}

/// A number for the sources of the compiler and its runtime: results of equal numbers are of the same state.
pub(crate) fn state() -> io::Result<String> {
    let root = workspace()?;
    let mut hasher = DefaultHasher::new();
    for part in ["ad-macros/src", "ad-runtime/src", "src"] {
        let mut files = Vec::new();
        sources(&root.join(part), &mut files)?;
        files.sort();
        for file in files {
            hasher.write(
                file.strip_prefix(&root)
                    .unwrap_or(&file)
                    .as_os_str()
                    .as_encoded_bytes(),
            );
            hasher.write(&fs::read(&file)?);
        }
    }
    Ok(format!("{:016x}", hasher.finish()))
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            sources(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

fn file(group: &[Entry]) -> io::Result<PathBuf> {
    Ok(everything()?
        .join("results")
        .join(format!("{}.tsv", group[0].krate)))
}

/// Keeps the outcomes of a crate.
pub(crate) fn keep(group: &[Entry], outcomes: &[Outcome], state: &str) -> io::Result<()> {
    let path = file(group)?;
    fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    let mut text = format!("{state}\n");
    for (entry, outcome) in group.iter().zip(outcomes) {
        let (word, why) = outcome.parts();
        let why = why.replace(['\n', '\t'], " ");
        text.push_str(&format!(
            "{}\t{}\t{word}\t{why}\n",
            entry.version, entry.item
        ));
    }
    fs::write(path, text)
}

/// What was kept of a crate, if it is about these functions.
pub(crate) fn kept(group: &[Entry]) -> Option<Kept> {
    let text = fs::read_to_string(file(group).ok()?).ok()?;
    let mut lines = text.lines();
    let state = lines.next()?.to_owned();
    let outcomes = lines.zip(group).map(|(line, entry)| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [version, item, word, why] = columns.as_slice() else {
            return None;
        };
        let same = *version == entry.version && *item == entry.item;
        same.then(|| Outcome::of_parts(word, why)).flatten()
    });
    let outcomes: Vec<Outcome> = outcomes.collect::<Option<_>>()?;
    (outcomes.len() == group.len()).then_some(Kept { outcomes, state })
}
