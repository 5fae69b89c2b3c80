//! The scratch cargo project that programs are compiled and run in.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

const NUMBER: &str = include_str!("../emitted/number.rs");
const HARNESS: &str = include_str!("../emitted/harness.rs");

/// A cargo project with one binary per batch and one file per program.
pub(crate) struct Project {
    name: String,
    root: PathBuf,
    with_macro: bool,
}

/// Compiler errors by file (`p17`), each with its line and message.
pub(crate) type Errors = BTreeMap<String, Vec<(u32, String)>>;

impl Project {
    /// Makes the project in `target/fuzz/<name>`, with the workspace's lock file.
    pub(crate) fn new(name: &str, with_macro: bool) -> io::Result<Project> {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR"))
            .ancestors()
            .nth(2)
            .ok_or(io::ErrorKind::NotFound)?
            .to_path_buf();
        let target = std::env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| workspace.join("target"), PathBuf::from);
        let root = target.join("fuzz").join(name);
        let name = name.to_string();
        let sources = root.join("src");
        if sources.exists() {
            fs::remove_dir_all(&sources)?;
        }
        fs::create_dir_all(sources.join("bin"))?;
        fs::copy(workspace.join("Cargo.lock"), root.join("Cargo.lock"))?;
        let retrograde = if with_macro {
            format!("retrograde = {{ path = {:?} }}\n", workspace)
        } else {
            String::new()
        };
        let manifest = format!(
            "[package]\nname = \"programs\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n[dependencies]\nnum-dual = {{ version = \"0.15\", default-features = false }}\n{retrograde}\n[profile.dev]\ndebug = false\nincremental = false\n\n[profile.release]\ndebug = false\nincremental = false\n\n[workspace]\n"
        );
        fs::write(root.join("Cargo.toml"), manifest)?;
        fs::write(sources.join("number.rs"), NUMBER)?;
        fs::write(sources.join("harness.rs"), HARNESS)?;
        let single = |text: &str| {
            text.replace("pub type R = f64;", "pub type R = f32;")
                .replace("crate::number", "crate::number32")
        };
        fs::write(sources.join("number32.rs"), single(NUMBER))?;
        fs::write(sources.join("harness32.rs"), single(HARNESS))?;
        let derive = if with_macro {
            ", retrograde::Differentiable"
        } else {
            ""
        };
        fs::write(
            sources.join("op.rs"),
            format!(
                "#[derive(Clone, Copy, PartialEq, Debug{derive})]\npub enum Op {{\n    Add,\n    Mul,\n    Sin,\n}}\n"
            ),
        )?;
        Ok(Project {
            name,
            root,
            with_macro,
        })
    }

    pub(crate) fn with_macro(&self) -> bool {
        self.with_macro
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Writes a program's file.
    pub(crate) fn write(&self, name: &str, text: &str) -> io::Result<()> {
        fs::write(self.root.join("src").join(format!("{name}.rs")), text)
    }

    /// Writes the binary that runs the cases of `names`.
    pub(crate) fn write_batch(&self, batch: &str, names: &[String]) -> io::Result<()> {
        let mut text = String::from("#![allow(warnings, clippy::all, arithmetic_overflow, unconditional_panic)]\n");
        for module in ["number", "harness", "number32", "harness32", "op"]
            .iter()
            .copied()
            .chain(names.iter().map(String::as_str))
        {
            text.push_str(&format!("#[path = \"../{module}.rs\"]\nmod {module};\n"));
        }
        text.push_str("fn main() {\n    std::panic::set_hook(Box::new(|_| {}));\n    let only: Vec<String> = std::env::args().skip(1).collect();\n");
        for name in names {
            text.push_str(&format!("    if only.is_empty() || only.iter().any(|o| o == \"{name}\") {{ {name}::case(); }}\n"));
        }
        text.push_str("}\n");
        fs::write(
            self.root
                .join("src/bin")
                .join(format!("{}-{batch}.rs", self.name)),
            text,
        )
    }

    pub(crate) fn remove_batch(&self, batch: &str) {
        let _ = fs::remove_file(
            self.root
                .join("src/bin")
                .join(format!("{}-{batch}.rs", self.name)),
        );
    }

    /// Compiles batches (`build` or `check`). The errors, by file; empty if they compile.
    pub(crate) fn compile(&self, command: &str, batches: &[String]) -> io::Result<Errors> {
        let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args([command, "--release", "--quiet", "--keep-going", "--message-format=short"])
            .args(
                batches
                    .iter()
                    .flat_map(|b| ["--bin".to_string(), format!("{}-{b}", self.name)]),
            )
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", self.shared())
            .env("RUSTFLAGS", rustflags())
            .output()?;
        let text = String::from_utf8_lossy(&output.stderr);
        let errors = parse_errors(&text);
        if !output.status.success() && errors.is_empty() {
            return Err(io::Error::other(format!("cargo failed:\n{text}")));
        }
        Ok(if output.status.success() {
            Errors::new()
        } else {
            errors
        })
    }

    /// The binary of a batch.
    pub(crate) fn binary(&self, batch: &str) -> PathBuf {
        self.shared().join("release").join(format!(
            "{}-{batch}{}",
            self.name,
            std::env::consts::EXE_SUFFIX
        ))
    }

    /// Where all scratch projects build, so that their dependencies are compiled once.
    fn shared(&self) -> PathBuf {
        self.root.with_file_name("build")
    }
}

/// The caller's own flags (`-C target-cpu=native`), and no warnings.
fn rustflags() -> String {
    let own = std::env::var("RUSTFLAGS").unwrap_or_default();
    format!("{own} -Awarnings").trim_start().to_owned()
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
