//! Cargo, and what it reports.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// An error of the compiler.
#[derive(Clone, Debug)]
pub(crate) struct Mistake {
    pub(crate) message: String,
    /// As the compiler shows it.
    pub(crate) rendered: String,
    /// All places that it names, the primary ones first.
    pub(crate) places: Vec<(PathBuf, usize)>,
    /// Those of its notes.
    pub(crate) noted: Vec<(PathBuf, usize)>,
}

/// `cargo` in a folder, with what all crates of the collection share.
pub(crate) fn cargo(folder: &Path, target: &Path) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_INCREMENTAL", "0")
        // Dependencies that this compiler builds.
        .env("CARGO_RESOLVER_INCOMPATIBLE_RUST_VERSIONS", "fallback")
        .env_remove("RUSTFLAGS")
        // As users' builds do, which see nothing of this workspace.
        .env("RETROGRADE_VERIFY", "0")
        .stdin(Stdio::null());
    cargo
}

/// The errors of `cargo check --lib`.
pub(crate) fn check(folder: &Path, target: &Path) -> io::Result<Vec<Mistake>> {
    let output = cargo(folder, target)
        .args(["check", "--lib", "--message-format=json", "--quiet"])
        .stderr(Stdio::piped())
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mistakes: Vec<Mistake> = text
        .lines()
        .filter_map(|line| mistake(folder, line))
        .collect();
    if mistakes.is_empty() && !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        let why = why
            .lines()
            .find(|line| !line.trim().is_empty())
            .unwrap_or("it does not build");
        return Err(io::Error::other(why.to_owned()));
    }
    Ok(mistakes)
}

fn mistake(folder: &Path, line: &str) -> Option<Mistake> {
    let json: Value = serde_json::from_str(line).ok()?;
    let shown = json.get("message")?;
    if json["reason"] != "compiler-message" || shown["level"] != "error" {
        return None;
    }
    let mut places = Vec::new();
    let spans = shown["spans"].as_array()?;
    for primary in [true, false] {
        for span in spans.iter().filter(|s| s["is_primary"] == primary) {
            let mut span = span;
            loop {
                let file = folder.join(span["file_name"].as_str().unwrap_or_default());
                let line = span["line_start"].as_u64().unwrap_or(0);
                places.push((file, usize::try_from(line).unwrap_or(0)));
                match span["expansion"].get("span") {
                    Some(outer) => span = outer,
                    None => break,
                }
            }
        }
    }
    let code = shown["code"]["code"].as_str();
    let text = shown["message"]
        .as_str()
        .unwrap_or_default()
        .trim()
        .lines()
        .next()
        .unwrap_or_default();
    let message = match code {
        Some(code) => format!("{code}: {text}"),
        None => text.to_owned(),
    };
    let rendered = shown["rendered"].as_str().unwrap_or_default().to_owned();
    let notes = shown["children"].as_array().into_iter().flatten();
    let spans = notes.flat_map(|note| note["spans"].as_array().into_iter().flatten());
    let noted = spans.map(|span| {
        let line = span["line_start"].as_u64().unwrap_or(0);
        let file = folder.join(span["file_name"].as_str().unwrap_or_default());
        (file, usize::try_from(line).unwrap_or(0))
    });
    let noted = noted.collect();
    (!places.is_empty()).then_some(Mistake {
        message,
        rendered,
        places,
        noted,
    })
}
