//! Crates of their own, with lints, editions and names that differ from the workspace's: see `tests/crates/`.
//!
//! They build offline from what the workspace itself is built from: their lock files are made of its lock file.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};
use std::{env, fs};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/crates")
        .join(name)
}

/// One crate at a time: they share lock files and a build folder.
static ALONE: Mutex<()> = Mutex::new(());

/// `cargo arguments` in one of the crates.
fn run(name: &str, arguments: &[&str]) -> Output {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = folder(name);
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock");
    fs::copy(lock, folder.join("Cargo.lock")).expect("a lock file");
    Command::new(env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()))
        .args(arguments)
        .env("CARGO_NET_OFFLINE", "true")
        .current_dir(&folder)
        // One folder for all of them: what they share is compiled once.
        .env(
            "CARGO_TARGET_DIR",
            Path::new(env!("CARGO_TARGET_TMPDIR")).join("crates"),
        )
        .env("CARGO_TERM_COLOR", "never")
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo runs")
}

fn succeeds(name: &str, arguments: &[&str]) {
    let output = run(name, arguments);
    let (text, rest) = (
        String::from_utf8_lossy(&output.stderr),
        String::from_utf8_lossy(&output.stdout),
    );
    assert!(
        output.status.success(),
        "`cargo {}` in {name}:\n{text}\n{rest}",
        arguments.join(" ")
    );
}

/// The crates deny all warnings: those of rustc, and of clippy where that is installed.
fn is_clean(name: &str) {
    if run(name, &["clippy", "--version"]).status.success() {
        succeeds(name, &["clippy", "--all-targets"]);
    } else {
        succeeds(name, &["check", "--all-targets"]);
    }
}

/// Where `::core` is a path of the crate, and `dyn` a name.
#[test]
fn gradients_in_edition_2015() {
    is_clean("edition-2015");
    succeeds("edition-2015", &["test"]);
}

/// Where `::std` leads nowhere.
#[test]
fn gradients_without_std() {
    is_clean("no-std");
    succeeds("no-std", &["test"]);
}

#[test]
fn strict_lints_in_edition_2021() {
    is_clean("lint-2021");
    succeeds("lint-2021", &["test"]);
}

#[test]
fn strict_lints_in_edition_2024() {
    is_clean("lint-2024");
    succeeds("lint-2024", &["test"]);
}

#[test]
fn documentation_has_no_dead_links() {
    succeeds("lint-2024", &["doc", "--no-deps"]);
}

#[test]
fn callees_in_another_crate() {
    is_clean("kernels-lib");
    is_clean("downstream");
    succeeds("downstream", &["test"]);
}

/// With `panic = "abort"` no error can come back from a failing tape: the process says what went wrong, and what to do,
/// before it ends.
#[test]
fn a_failing_tape_is_named_where_panics_abort() {
    is_clean("abort");
    for (case, fault) in [
        ("full", "cannot write a page"),
        ("adjoint", "cannot write a page"),
        ("caught", "cannot write a page"),
        ("damaged", "is not what was written"),
        ("no tier", "its memory budget is"),
    ] {
        let output = run("abort", &["run", "--", case]);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && !text.contains("went on"),
            "{case}: {text}"
        );
        assert!(text.contains(fault), "{case}: {text}");
        let advice = text.contains("panic = \"abort\"") && text.contains("panic = \"unwind\"");
        assert!(advice, "{case}: {text}");
    }
    // What no `Result` was to come from says the fault alone, as any panic.
    let output = run("abort", &["run", "--", "infallible"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(
        text.contains("cannot write a page") && !text.contains("panic = \"unwind\""),
        "{text}"
    );
    let output = run("abort", &["run", "--", "fits"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && text.contains("went on: true"),
        "{text}"
    );
}
