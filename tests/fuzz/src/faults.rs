//! Deliberate faults of the compiler, one after the other: each must be caught by the verifier, or by the test of
//! its name.
//!
//! `tests/faults` is built with `--cfg retrograde_faults`, in a target directory of its own, once for each fault
//! that `RETROGRADE_FAULT` switches on. Its tests are the list of faults.

use std::io;
use std::path::Path;
use std::process::{Command, ExitCode};

/// What became of a fault.
enum Outcome {
    /// The test fails.
    Test,
    /// The macro refuses what it would have generated.
    Verifier,
    /// rustc does, or cargo fails for another reason.
    Other(String),
    Missed,
}

/// The faults that are named, or all.
pub(crate) fn main(named: impl Iterator<Item = String>) -> ExitCode {
    match run(&named.collect::<Vec<_>>()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::from(2)
        }
    }
}

/// How many faults were not caught.
fn run(named: &[String]) -> io::Result<usize> {
    let (built, text, errors) = tests("", &[])?;
    let passed = text.lines().filter_map(|line| {
        let test = line.strip_prefix("test ")?.strip_suffix(" ... ok")?;
        Some(test.to_owned())
    });
    let all: Vec<String> = passed.collect();
    if !built || all.is_empty() || text.contains("... FAILED") {
        return Err(io::Error::other(format!(
            "without a fault, something fails\n{text}\n{errors}"
        )));
    }
    let (mut by_test, mut by_verifier, mut missed) = (0, 0, 0);
    for test in all {
        let name = test.rsplit("::").next().unwrap_or(&test).to_owned();
        if !named.is_empty() && !named.contains(&name) {
            continue;
        }
        let how = match outcome(&name, &test)? {
            Outcome::Test => {
                by_test += 1;
                "its test fails".to_owned()
            }
            Outcome::Verifier => {
                by_verifier += 1;
                "the verifier refuses".to_owned()
            }
            Outcome::Other(errors) => {
                missed += 1;
                format!("NOT CAUGHT, but no test could be run:\n{errors}")
            }
            Outcome::Missed => {
                missed += 1;
                "NOT CAUGHT".to_owned()
            }
        };
        println!("{name:32} {how}");
    }
    let all = by_test + by_verifier + missed;
    println!(
        "{all} faults: {by_test} caught by their tests, {by_verifier} by the verifier, {missed} not"
    );
    Ok(missed)
}

fn outcome(fault: &str, test: &str) -> io::Result<Outcome> {
    let (passed, text, errors) = tests(fault, &["--exact", test])?;
    Ok(if passed {
        Outcome::Missed
    } else if text.contains(&format!("test {test} ... FAILED")) {
        Outcome::Test
    } else if errors.contains("retrograde made a mistake") {
        Outcome::Verifier
    } else {
        Outcome::Other(errors)
    })
}

/// Whether the tests pass with a fault, what they print, and what cargo does.
fn tests(fault: &str, arguments: &[&str]) -> io::Result<(bool, String, String)> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .ok_or(io::ErrorKind::NotFound)?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(
        || workspace.join("target/faults"),
        |target| Path::new(&target).join("faults"),
    );
    let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["test", "-p", "retrograde", "--test", "faults", "--"])
        .args(arguments)
        .current_dir(workspace)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_TERM_COLOR", "never")
        .env("RETROGRADE_FAULT", fault)
        .env("RUSTFLAGS", format!("{flags} --cfg retrograde_faults"))
        .output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok((
        output.status.success(),
        text(&output.stdout),
        text(&output.stderr),
    ))
}
