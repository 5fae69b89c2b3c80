//! Functions of published crates, as they stand: how many have gradients.
//!
//! ```text
//! cargo run --release -p retrograde-collection                     crates without outcomes of this state
//! cargo run --release -p retrograde-collection -- --kept           those without any
//! cargo run --release -p retrograde-collection -- statrs kurbo     some crates
//! cargo run --release -p retrograde-collection -- --kept --write   besides writes the table of docs/collection.md
//! cargo run --release -p retrograde-collection -- --show kurbo     besides prints the errors in full
//! cargo run --release -p retrograde-collection -- list folder         the functions below a folder, to choose from
//! ```
//!
//! `manifest.tsv` lists facts: a domain, a crate, its version, a file, a function. For each crate the program unpacks
//! the sources into a folder under `target/collection`, puts `#[gradient]` on the functions and on those of the same
//! crate that they call, and derives on the types that they take; compiles; and compares gradients with differences. No
//! source text of another project is kept here. What became of the functions of a crate is kept under
//! `target/collection/results`.

#![allow(clippy::print_stdout, reason = "a command-line tool")]

mod annotate;
mod arguments;
mod compile;
mod crates;
mod index;
mod kept;
mod manifest;
mod report;

use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    let (mut write, mut show, mut rerun) = (false, false, None);
    let mut only = Vec::new();
    for arg in std::env::args().skip(1) {
        match arg.as_str() {
            "--write" => write = true,
            "--show" => show = true,
            "--all" => rerun = Some(Rerun::All),
            "--kept" => rerun = Some(Rerun::Missing),
            "--help" | "-h" => {
                println!("{USAGE}");
                return ExitCode::SUCCESS;
            }
            _ => only.push(arg),
        }
    }
    if only.first().is_some_and(|word| word == "list") {
        return list(&only[1..]);
    }
    // Who names crates wants to see them tried.
    let rerun = rerun.unwrap_or(if only.is_empty() {
        Rerun::Older
    } else {
        Rerun::All
    });
    match run(&only, show, write, rerun) {
        Ok(wrong) => ExitCode::from(u8::from(wrong)),
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}

const USAGE: &str = "usage: retrograde-collection [--write] [--show] [--kept | --all] [crate …]\n       \
                     retrograde-collection list folder …";

/// Which crates are tried again, of those of which outcomes are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rerun {
    All,
    /// Those whose outcomes are of another state of the compiler.
    Older,
    Missing,
}

/// Tries crates, and prints the table; `write`: puts the one of all crates into the page. Whether a gradient is wrong.
fn run(only: &[String], show: bool, write: bool, rerun: Rerun) -> io::Result<bool> {
    let state = kept::state()?;
    let mut outcomes = Vec::new();
    let groups = manifest::groups(only);
    for (at, group) in groups.iter().enumerate() {
        let of = format!("{}/{}", at + 1, groups.len());
        let known = kept::kept(group).filter(|kept| match rerun {
            Rerun::All => false,
            Rerun::Older => kept.state == state,
            Rerun::Missing => true,
        });
        let found = match known {
            Some(kept) => kept.outcomes,
            None => {
                let found = crates::run(group, show).unwrap_or_else(|e| {
                    group
                        .iter()
                        .map(|_| report::Outcome::NotBuilt(e.to_string()))
                        .collect()
                });
                kept::keep(group, &found, &state)?;
                found
            }
        };
        for (entry, outcome) in group.iter().zip(&found) {
            println!("{of} {} {}: {outcome}", entry.krate, entry.item);
        }
        outcomes.extend(group.iter().cloned().zip(found));
    }
    println!("\n{}", report::table(&outcomes));
    if write {
        let (outcomes, missing, older) = everything_kept(&state);
        let note = format!(
            "{missing} functions of the list were not tried; outcomes of {older} are of an earlier state of the \
             compiler.\n\n"
        );
        report::write(&(note + &report::table(&outcomes)))?;
    }
    let wrong =
        |(_, outcome): &(_, report::Outcome)| matches!(outcome, report::Outcome::Differs(_));
    Ok(outcomes.iter().any(wrong))
}

/// What is kept of all crates; how many functions of the list it says nothing of, and how many are of another state.
fn everything_kept(state: &str) -> (Vec<(manifest::Entry, report::Outcome)>, usize, usize) {
    let (mut outcomes, mut missing, mut older) = (Vec::new(), 0, 0);
    for group in manifest::groups(&[]) {
        match kept::kept(&group) {
            Some(kept) => {
                if kept.state != state {
                    older += group.len();
                }
                outcomes.extend(group.into_iter().zip(kept.outcomes));
            }
            None => missing += group.len(),
        }
    }
    (outcomes, missing, older)
}

/// The functions below some folders of sources into which a number goes and from which one comes out.
fn list(folders: &[String]) -> ExitCode {
    for folder in folders {
        match index::Index::of(folder.as_ref()) {
            Ok(index) => index.print(folder.as_ref()),
            Err(e) => {
                eprintln!("{folder}: {e}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
