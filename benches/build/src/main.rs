//! What `#[gradient]` adds to the building of a crate of many small functions.
//!
//! ```text
//! cargo run --release -p retrograde-build -- [--functions 200] [--runs 3] [check] [build] [release]
//! ```
//!
//! Writes two crates below `target/build-cost`, alike but for the attribute, and builds each of them alone, without
//! incremental compilation, as users do, without the checks behind each pass that this repository asks for: what they
//! depend on is built before. What is shown is processor time, of cargo and rustc
//! and of all their threads, the least of several runs: on a machine in use, elapsed time says little.
#![allow(clippy::print_stdout, reason = "a program that prints a table")]

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// What cargo is asked for.
const BUILDS: &[(&str, &[&str])] = &[
    ("check", &["check"]),
    ("build", &["build"]),
    ("release", &["build", "--release"]),
];

/// A function of ten lines: a loop, a branch, a local vector, four calls of float functions.
fn function(k: usize) -> String {
    format!(
        "pub fn small_{k}(x: &[f64], a: f64) -> f64 {{
    let mut s = a * {k}.0;
    let mut v = vec![0.0; x.len()];
    for i in 0..x.len() {{
        v[i] = (x[i] * s).sin() + a.exp();
        s += v[i] * x[i].cos();
    }}
    if s > {k}.5 {{ s = s * a }} else {{ s -= (s * s + 1.0).sqrt() }}
    s + v[0]
}}
"
    )
}

/// The text of a crate of `count` functions.
fn library(attribute: &str, count: usize) -> Outcome<String> {
    let mut text = String::from("//! Many small functions.\n");
    for k in 0..count {
        write!(text, "\n{attribute}{}", function(k))?;
    }
    Ok(text)
}

/// A crate by itself, which shares what it depends on with the other.
struct Crate {
    root: PathBuf,
    target: PathBuf,
}

impl Crate {
    fn write(workspace: &Path, name: &str, text: &str) -> Outcome<Self> {
        let scratch = workspace.join("target/build-cost");
        let root = scratch.join(name);
        fs::create_dir_all(root.join("src"))?;
        fs::write(root.join("src/lib.rs"), text)?;
        fs::copy(workspace.join("Cargo.lock"), root.join("Cargo.lock"))?;
        let manifest = format!(
            "[workspace]\n\n[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\nretrograde = {{ path = {:?} }}\n",
            workspace.display().to_string()
        );
        fs::write(root.join("Cargo.toml"), manifest)?;
        let target = scratch.join("target");
        Ok(Crate { root, target })
    }

    /// Processor time in seconds that it takes to build it once more.
    fn build(&self, arguments: &[&str]) -> Outcome<f64> {
        let source = self.root.join("src/lib.rs");
        let text = fs::read(&source)?;
        fs::write(&source, text)?;
        let before = of_children()?;
        let status = Command::new("cargo")
            .args(arguments)
            .args(["--offline", "--quiet"])
            .current_dir(&self.root)
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_TARGET_DIR", &self.target)
            // As users build: the configuration of this repository has the sweeps verified behind each pass.
            .env("RETROGRADE_VERIFY", "0")
            .stdout(Stdio::null())
            .status()?;
        if !status.success() {
            return Err(format!("cargo {} failed", arguments.join(" ")).into());
        }
        Ok(of_children()? - before)
    }

    /// The least of `runs`, after one that builds what it depends on.
    fn least(&self, arguments: &[&str], runs: usize) -> Outcome<f64> {
        self.build(arguments)?;
        let times: Outcome<Vec<f64>> = (0..runs).map(|_| self.build(arguments)).collect();
        Ok(times?.into_iter().fold(f64::INFINITY, f64::min))
    }
}

/// Processor time of all processes that were waited for, in seconds: as the kernel of Linux tells it, in hundredths.
fn of_children() -> Outcome<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    // The name of the program, in parentheses, may hold anything.
    let (_, fields) = stat.rsplit_once(')').ok_or("no fields")?;
    let ticks = fields.split_whitespace().skip(13).take(2);
    let ticks: Result<Vec<u32>, _> = ticks.map(str::parse).collect();
    Ok(ticks?.into_iter().map(f64::from).sum::<f64>() / 100.0)
}

fn main() -> Outcome<()> {
    let (mut functions, mut runs, mut wanted) = (200, 3, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || -> Outcome<usize> { Ok(arguments.next().ok_or("a number")?.parse()?) };
        match argument.as_str() {
            "--functions" => functions = number()?,
            "--runs" => runs = number()?,
            _ => wanted.push(argument),
        }
    }
    let known = |wanted: &String| BUILDS.iter().any(|(name, _)| name == wanted);
    if let Some(unknown) = wanted.iter().find(|wanted| !known(wanted)) {
        return Err(format!("`{unknown}` is none of check, build, release").into());
    }
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let workspace = workspace.canonicalize()?;
    let attribute = "#[retrograde::gradient]\n";
    let without = Crate::write(&workspace, "without", &library("", functions)?)?;
    let with = Crate::write(&workspace, "with", &library(attribute, functions)?)?;
    println!("{functions} functions, processor time in seconds, least of {runs}");
    println!("{:<8} {:>8} {:>8} {:>8}", "", "without", "with", "added");
    for (name, arguments) in BUILDS {
        if !wanted.is_empty() && !wanted.iter().any(|wanted| wanted == name) {
            continue;
        }
        let (plain, all) = (
            without.least(arguments, runs)?,
            with.least(arguments, runs)?,
        );
        println!("{name:<8} {plain:>8.2} {all:>8.2} {:>8.2}", all - plain);
    }
    Ok(())
}
