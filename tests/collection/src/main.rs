//! Functions of published crates, as they stand: how many have gradients.
//!
//! ```text
//! cargo run --release -p retrograde-collection                        all functions of the manifest
//! cargo run --release -p retrograde-collection -- statrs kurbo        those of some crates
//! cargo run --release -p retrograde-collection -- --write             besides writes the table of docs/collection.md
//! cargo run --release -p retrograde-collection -- --show kurbo    besides prints the errors in full
//! cargo run --release -p retrograde-collection -- list folder         the functions below a folder, to choose from
//! ```
//!
//! `manifest.tsv` lists facts: a domain, a crate, its version, a file, a function. For each crate the program unpacks
//! the sources into a folder under `target/collection`, puts `#[gradient]` on the functions and on those of the same
//! crate that they call, and derives on the types that they take; compiles; and compares gradients with differences. No
//! source text of another project is kept here.

#![allow(clippy::print_stdout, reason = "a command-line tool")]

mod annotate;
mod arguments;
mod compile;
mod crates;
mod index;
mod manifest;
mod report;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut write = false;
    let mut show = false;
    let mut only = Vec::new();
    for arg in std::env::args().skip(1) {
        match arg.as_str() {
            "--write" => write = true,
            "--show" => show = true,
            "--help" | "-h" => {
                println!(
                    "usage: retrograde-collection [--write] [--show] [crate …]\n       \
                     retrograde-collection list folder …"
                );
                return ExitCode::SUCCESS;
            }
            _ => only.push(arg),
        }
    }
    if only.first().is_some_and(|word| word == "list") {
        return list(&only[1..]);
    }
    let mut outcomes = Vec::new();
    let groups = manifest::groups(&only);
    for (at, group) in groups.iter().enumerate() {
        let of = format!("{}/{}", at + 1, groups.len());
        match crates::run(group, show) {
            Ok(found) => {
                for (entry, outcome) in group.iter().zip(&found) {
                    println!("{of} {} {}: {outcome}", entry.krate, entry.item);
                }
                outcomes.extend(group.iter().cloned().zip(found));
            }
            Err(e) => {
                eprintln!("{of} {}: {e}", group[0].krate);
                let failed = report::Outcome::NotBuilt(e.to_string());
                outcomes.extend(group.iter().cloned().map(|entry| (entry, failed.clone())));
            }
        }
    }
    let table = report::table(&outcomes);
    println!("\n{table}");
    if write && let Err(e) = report::write(&table) {
        eprintln!("docs/collection.md: {e}");
        return ExitCode::FAILURE;
    }
    let wrong = outcomes
        .iter()
        .any(|(_, outcome)| matches!(outcome, report::Outcome::Differs(_)));
    ExitCode::from(u8::from(wrong))
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
