//! The scratch cargo project that programs are compiled and run in.
//!
//! Cargo builds what all programs share, once: the dependencies, the oracle's number, the harness. The programs
//! themselves go to `rustc`, so that each crate gets the flags that it needs: a batch is two crates, the programs under
//! test at the level of a release, and the oracle with all that calls the two, where optimisation would cost more than
//! it saves.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

const NUMBER: &str = include_str!("../emitted/number.rs");
const HARNESS: &str = include_str!("../emitted/harness.rs");
const LAYOUTS: &str = include_str!("../emitted/layouts.rs");

/// What programs are compared with, and how they are compiled.
#[derive(Clone, Copy, Default)]
pub(crate) struct Settings {
    /// Under `#[gradient]`, not the plain text.
    pub(crate) with_macro: bool,
    /// On tapes of several layouts, bit for bit.
    pub(crate) layouts: bool,
    /// With overflow checks and debug assertions.
    pub(crate) checked: bool,
    /// So many programs that an optimised macro, which takes minutes to build, saves more than that.
    pub(crate) many: bool,
}

/// A cargo project with two crates per batch and two files per program.
pub(crate) struct Project {
    root: PathBuf,
    settings: Settings,
    /// The flags of the caller's `RUSTFLAGS`.
    flags: Vec<String>,
}

/// Compiler errors by file (`p17`), each with its line and message.
pub(crate) type Errors = BTreeMap<String, Vec<(u32, String)>>;

/// What a crate is to become.
#[derive(Clone, Copy)]
pub(crate) enum Make {
    /// Nothing: only its errors are of interest.
    Check,
    /// The programs under test.
    Programs,
    /// The binary that compares them.
    Binary,
}

impl Project {
    /// Makes the project in `target/fuzz/<name>`, with the workspace's lock file, and builds what its programs share.
    pub(crate) fn new(name: &str, settings: Settings) -> io::Result<Project> {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR"))
            .ancestors()
            .nth(2)
            .ok_or(io::ErrorKind::NotFound)?
            .to_path_buf();
        let target = std::env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| workspace.join("target"), PathBuf::from);
        let root = target.join("fuzz").join(name);
        let sources = root.join("src");
        if sources.exists() {
            fs::remove_dir_all(&sources)?;
        }
        fs::create_dir_all(sources.join("primal"))?;
        fs::create_dir_all(sources.join("batch"))?;
        let project = Project {
            root,
            settings,
            flags: std::env::var("RUSTFLAGS")
                .unwrap_or_default()
                .split_whitespace()
                .map(str::to_owned)
                .collect(),
        };
        project.share(&workspace)?;
        Ok(project)
    }

    pub(crate) fn settings(&self) -> Settings {
        self.settings
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Writes and builds the library that the crates of all batches depend on. It stands for the facade too.
    fn share(&self, workspace: &Path) -> io::Result<()> {
        let root = self.shared().join("library");
        let sources = root.join("src");
        fs::create_dir_all(&sources)?;
        fs::copy(workspace.join("Cargo.lock"), root.join("Cargo.lock"))?;
        let (dependency, reexport, derive) = if self.settings.with_macro {
            (
                format!("retrograde = {{ path = {workspace:?} }}\n"),
                "pub mod layouts;\npub use retrograde::*;\n",
                ", retrograde::Differentiable",
            )
        } else {
            (String::new(), "", "")
        };
        // Each program goes through the macro once.
        let level = if self.settings.many { 2 } else { 0 };
        let manifest = format!(
            "[package]\nname = \"shared\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = \
             false\n\n[dependencies]\nnum-dual = {{ version = \"0.15\", default-features = false \
                 }}\nnum-traits = \"0.2\"\n{dependency}\n\
                 [profile.release.build-override]\nopt-level = {level}\n\n[workspace]\n"
        );
        write(&root.join("Cargo.toml"), &manifest)?;
        let single = |text: &str| {
            text.replace("pub type R = f64;", "pub type R = f32;")
                .replace("crate::number", "crate::number32")
        };
        write(&sources.join("number.rs"), NUMBER)?;
        write(&sources.join("harness.rs"), HARNESS)?;
        write(&sources.join("layouts.rs"), LAYOUTS)?;
        write(&sources.join("number32.rs"), &single(NUMBER))?;
        write(&sources.join("harness32.rs"), &single(HARNESS))?;
        write(
            &sources.join("op.rs"),
            &format!(
                "#[derive(Clone, Copy, PartialEq, Debug{derive})]\npub enum Op {{\n    Add,\n    Mul,\n    Sin,\n}}\n"
            ),
        )?;
        write(
            &sources.join("lib.rs"),
            &format!(
                "#![allow(warnings, clippy::all)]\npub mod harness;\npub mod harness32;\npub mod number;\npub mod \
                 number32;\npub mod op;\npub use num_traits;\n{reexport}"
            ),
        )?;
        let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(["build", "--release", "--quiet"])
            .current_dir(&root)
            .env("CARGO_TARGET_DIR", self.shared())
            .env("RETROGRADE_VERIFY", "1")
            .output()?;
        if output.status.success() {
            Ok(())
        } else {
            let text = String::from_utf8_lossy(&output.stderr);
            Err(io::Error::other(format!("cargo failed:\n{text}")))
        }
    }

    /// Writes the files of a program: the one under test, and what compares it.
    pub(crate) fn write(&self, name: &str, primal: &str, cases: &str) -> io::Result<()> {
        let sources = self.root.join("src");
        fs::write(sources.join("primal").join(format!("{name}.rs")), primal)?;
        fs::write(sources.join(format!("{name}.rs")), cases)
    }

    /// Compiles the programs `names` of a batch. The errors, by file; empty if they compile.
    pub(crate) fn compile(&self, batch: &str, make: Make, names: &[String]) -> io::Result<Errors> {
        let mut text = String::from(
            "#![allow(warnings, clippy::all, arithmetic_overflow, unconditional_panic)]\nuse retrograde::{harness, \
             harness32, number, number32, op};\n",
        );
        let (folder, visible) = match make {
            Make::Binary => ("..", ""),
            Make::Check | Make::Programs => ("../primal", "pub "),
        };
        for name in names {
            text.push_str(&format!(
                "#[path = \"{folder}/{name}.rs\"]\n{visible}mod {name};\n"
            ));
        }
        if matches!(make, Make::Binary) {
            text.push_str("fn main() {\n    std::panic::set_hook(Box::new(|_| {}));\n    let only: Vec<String> = \
                std::env::args().skip(1).collect();\n");
            for name in names {
                text.push_str(&format!(
                    "    if only.is_empty() || only.iter().any(|o| o == \"{name}\") {{ \
                    {name}::case(); }}\n"
                ));
            }
            text.push_str("}\n");
        }
        let crate_name = match make {
            Make::Binary => batch.to_owned(),
            Make::Check | Make::Programs => format!("{batch}_programs"),
        };
        let source = format!("src/batch/{crate_name}.rs");
        fs::write(self.root.join(&source), text)?;
        self.rustc(&source, &crate_name, batch, make)
    }

    fn rustc(&self, source: &str, name: &str, batch: &str, make: Make) -> io::Result<Errors> {
        let release = self.shared().join("release");
        let checks = if self.settings.checked { "on" } else { "off" };
        let mut command = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        command
            // What the macro makes is verified behind each of its passes.
            .env("RETROGRADE_VERIFY", "1")
            .args(["--edition=2024", "--error-format=short", "-Awarnings"])
            .args(["--crate-name", name, "--out-dir", ".", source])
            // One unit: the crates of several batches are compiled side by side.
            .args(["-Ccodegen-units=1", "-Cdebuginfo=0"])
            .arg(format!("-Coverflow-checks={checks}"))
            .arg(format!("-Cdebug-assertions={checks}"))
            .arg(format!(
                "--extern=retrograde={}",
                release.join("libshared.rlib").display()
            ))
            .arg(format!("-Ldependency={}", release.join("deps").display()))
            .current_dir(&self.root);
        match make {
            Make::Check => command.args(["--crate-type=rlib", "--emit=metadata"]),
            // Functions of constants are computed when the program runs: the compiler computes those of `f32` in `f64`,
            // where it can, and the oracle has other constants.
            Make::Programs => command.args([
                "--crate-type=rlib",
                "-Copt-level=3",
                "-Cllvm-args=-disable-fp-call-folding",
            ]),
            Make::Binary => command
                .args(["--crate-type=bin", "-Copt-level=0"])
                .arg(format!("--extern=programs=lib{batch}_programs.rlib")),
        };
        let output = command.args(&self.flags).output()?;
        if output.status.success() {
            return Ok(Errors::new());
        }
        let text = String::from_utf8_lossy(&output.stderr);
        let errors = parse_errors(&text);
        if errors.is_empty() {
            return Err(io::Error::other(format!("rustc failed:\n{text}")));
        }
        Ok(errors)
    }

    /// The binary of a batch.
    pub(crate) fn binary(&self, batch: &str) -> PathBuf {
        self.root
            .join(format!("{batch}{}", std::env::consts::EXE_SUFFIX))
    }

    /// Takes away what has been compiled of a batch.
    pub(crate) fn remove(&self, batch: &str) {
        let _ = fs::remove_file(self.binary(batch));
        let _ = fs::remove_file(self.root.join(format!("lib{batch}_programs.rlib")));
    }

    /// Where all scratch projects with the same flags build what they share, so that it is compiled once.
    fn shared(&self) -> PathBuf {
        let mut name = String::from(if self.settings.with_macro {
            "shared"
        } else {
            "shared-plain"
        });
        if self.settings.many {
            name.push_str("-many");
        }
        for flag in &self.flags {
            name.push('-');
            name.extend(flag.chars().filter(char::is_ascii_alphanumeric));
        }
        self.root.with_file_name(name)
    }
}

/// Writes a file unless it says the same already: cargo builds again what is newer.
fn write(path: &Path, text: &str) -> io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::write(path, text)
}

/// `src/p17.rs:12:5: error[E0308]: mismatched types`
fn parse_errors(text: &str) -> Errors {
    let mut errors = Errors::new();
    for l in text.lines() {
        let Some((place, message)) = l.split_once(": error") else {
            continue;
        };
        let mut parts = place.rsplitn(3, ':');
        let (Some(_column), Some(row), Some(path)) = (parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        let file = Path::new(path)
            .file_stem()
            .map(|s| s.to_string_lossy().into_owned())
            .unwrap_or_default();
        errors
            .entry(file)
            .or_default()
            .push((row.parse().unwrap_or(0), format!("error{message}")));
    }
    errors
}
