//! One crate: unpacked, annotated, compiled and compared.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::annotate::{MODULE, Sources, Unit};
use crate::compile::{Mistake, cargo, check};
use crate::index::Index;
use crate::manifest::Entry;
use crate::report::Outcome;

const HARNESS: &str = include_str!("../emitted/harness.rs");

/// Rounds of errors, each of which leaves out what has any, or derives what an error asks for.
const ROUNDS: usize = 24;

/// A macro that asks for all of `syn`, so that crates which ask for different parts of it share the project's macros.
const HOSTS: &str = "[package]\nname = \"retrograde_collection_hosts\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
                     [lib]\nproc-macro = true\n\n[dependencies]\n\
                     syn = { version = \"2\", features = [\"full\", \"extra-traits\", \"fold\", \"visit\", \
                     \"visit-mut\"] }\n";

/// Where the functions of a crate are tried.
struct Place {
    /// The workspace of the project.
    workspace: PathBuf,
    /// The crate's own folder.
    source: PathBuf,
    /// What the crates share: what is built, and what they depend on.
    target: PathBuf,
    support: PathBuf,
    runner: PathBuf,
}

/// What becomes of the functions of one crate, in their order.
pub(crate) fn run(entries: &[Entry], show: bool) -> io::Result<Vec<Outcome>> {
    let place = Place::unpack(&entries[0])?;
    let library = place.library()?;
    let root = library.parent().unwrap_or(&place.source).to_path_buf();
    let index = Index::of(&root)?;
    let pristine = pristine(&root)?;
    place.depend()?;
    if let Some(mistake) = check(&place.source, &place.target)?.first() {
        return Err(io::Error::other(format!(
            "does not compile by itself: {}",
            mistake.message
        )));
    }
    let mut outcomes: BTreeMap<usize, Outcome> = BTreeMap::new();
    let mut units: BTreeMap<usize, Unit> = BTreeMap::new();
    for (k, entry) in entries.iter().enumerate() {
        match index.find(&root.join(&entry.file), &entry.item) {
            Some(first) => {
                units.insert(k, Unit::new(&index, first, entry.at.clone()));
            }
            None => {
                outcomes.insert(k, Outcome::NotBuilt("no such function".to_owned()));
            }
        }
    }
    let sources = Sources {
        index: &index,
        pristine: &pristine,
        root: &root,
        library: &library,
        edition_2015: place.edition_2015()?,
    };
    let mut trial = Trial {
        place: &place,
        sources,
        units,
        compared: BTreeSet::new(),
        entries,
        show,
    };
    trial.compile(&mut outcomes)?;
    trial.compare(&mut outcomes)?;
    let missing = || Outcome::NotBuilt("not tried".to_owned());
    Ok((0..entries.len())
        .map(|k| outcomes.remove(&k).unwrap_or_else(missing))
        .collect())
}

struct Trial<'a> {
    place: &'a Place,
    sources: Sources<'a>,
    units: BTreeMap<usize, Unit>,
    compared: BTreeSet<usize>,
    entries: &'a [Entry],
    /// Whether to print messages in full.
    show: bool,
}

impl Trial<'_> {
    /// Leaves the units that compile.
    fn compile(&mut self, outcomes: &mut BTreeMap<usize, Outcome>) -> io::Result<()> {
        for _ in 0..ROUNDS {
            self.sources.write(&self.units, &self.compared)?;
            let mistakes = check(&self.place.source, &self.place.target)?;
            if mistakes.is_empty() {
                return Ok(());
            }
            let mut blamed: BTreeMap<usize, String> = BTreeMap::new();
            let mut heeded = BTreeSet::new();
            let mut messages: BTreeMap<usize, String> = BTreeMap::new();
            for mistake in &mistakes {
                for unit in self.blamed(mistake) {
                    let index = self.sources.index;
                    let found = self.units.get_mut(&unit);
                    if found.is_some_and(|unit| unit.heeds(index, mistake)) {
                        heeded.insert(unit);
                        continue;
                    }
                    messages
                        .entry(unit)
                        .or_default()
                        .push_str(&mistake.rendered);
                    blamed
                        .entry(unit)
                        .or_insert_with(|| mistake.message.clone());
                }
            }
            blamed.retain(|unit, _| !heeded.contains(unit));
            if blamed.is_empty() && heeded.is_empty() {
                blamed = self
                    .units
                    .keys()
                    .map(|k| (*k, mistakes[0].message.clone()))
                    .collect();
            }
            for (unit, message) in blamed {
                self.units.remove(&unit);
                if let Some(messages) = messages.remove(&unit).filter(|_| self.show) {
                    eprintln!("--- {}\n{messages}", self.entries[unit].item);
                }
                outcomes.insert(unit, Outcome::refused(message));
            }
        }
        Err(io::Error::other("errors without end"))
    }

    /// The units that an error is about: by the first place that says so.
    fn blamed(&self, mistake: &Mistake) -> Vec<usize> {
        let index = self.sources.index;
        for (file, line) in &mistake.places {
            let here =
                |at: &crate::index::At| at.file == *file && (at.line..=at.last).contains(line);
            let units: Vec<usize> = self
                .units
                .iter()
                .filter(|(_, unit)| {
                    unit.functions.iter().any(|k| {
                        let function = &index.functions[*k];
                        here(function.of_trait.as_ref().unwrap_or(&function.at))
                    }) || unit
                        .types
                        .iter()
                        .filter_map(|(name, file)| index.type_in(name, file))
                        .any(|ty| here(&ty.at))
                        || unit.others.iter().any(|(at, _)| here(at))
                        || unit.of_traits(index).any(here)
                        || unit.implements(index, here)
                })
                .map(|(k, _)| *k)
                .collect();
            if !units.is_empty() {
                return units;
            }
        }
        Vec::new()
    }

    /// Adds wrappers, leaves out those that do not compile, and runs the others.
    fn compare(&mut self, outcomes: &mut BTreeMap<usize, Outcome>) -> io::Result<()> {
        for (k, unit) in &self.units {
            match &unit.wrapper {
                Ok(_) => {
                    self.compared.insert(*k);
                }
                Err(why) => {
                    outcomes.insert(*k, Outcome::Accepted(why.clone()));
                }
            }
        }
        for _ in 0..ROUNDS {
            self.sources.write(&self.units, &self.compared)?;
            let mistakes = check(&self.place.source, &self.place.target)?;
            if mistakes.is_empty() {
                break;
            }
            let mut blamed = BTreeMap::new();
            for mistake in &mistakes {
                if let Some(unit) = self.wrapper_at(mistake)? {
                    blamed
                        .entry(unit)
                        .or_insert_with(|| mistake.message.clone());
                }
            }
            if blamed.is_empty() {
                blamed = self
                    .compared
                    .iter()
                    .map(|k| (*k, mistakes[0].message.clone()))
                    .collect();
            }
            for (unit, message) in blamed {
                self.compared.remove(&unit);
                outcomes.insert(unit, Outcome::Accepted(format!("no wrapper: {message}")));
            }
        }
        self.place.build_runner(self.compared.iter().copied())?;
        for unit in &self.compared {
            outcomes.insert(*unit, self.place.run_unit(*unit)?);
        }
        Ok(())
    }

    /// The unit whose wrapper stands where an error does.
    fn wrapper_at(&self, mistake: &Mistake) -> io::Result<Option<usize>> {
        for (file, line) in &mistake.places {
            if !file.exists() {
                continue;
            }
            let text = fs::read_to_string(file)?;
            let line = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
            let number = line
                .split_once(&format!("pub mod {MODULE}_"))
                .map(|(_, rest)| rest);
            let number = number.and_then(|rest| rest.split(' ').next()?.parse().ok());
            if number.is_some() {
                return Ok(number);
            }
        }
        Ok(None)
    }
}

/// The workspace of the project.
pub(crate) fn workspace() -> io::Result<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    Ok(workspace.ok_or(io::ErrorKind::NotFound)?.to_path_buf())
}

/// The folder of all that the program writes.
pub(crate) fn everything() -> io::Result<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.map_or_else(|| workspace().map(|path| path.join("target")), Ok)?;
    Ok(target.join("collection"))
}

/// The text of each source file.
fn pristine(root: &Path) -> io::Result<BTreeMap<PathBuf, String>> {
    let (mut files, mut folders) = (BTreeMap::new(), vec![root.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path)?;
                files.insert(path, text);
            }
        }
    }
    Ok(files)
}

impl Place {
    /// Fetches a crate, and copies its sources.
    fn unpack(entry: &Entry) -> io::Result<Place> {
        let workspace = workspace()?;
        let root = everything()?;
        let folder = root.join(&entry.krate);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        let fetch = folder.join("fetch");
        fs::create_dir_all(fetch.join("src"))?;
        fs::write(fetch.join("src/lib.rs"), "")?;
        let manifest = format!(
            "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n\
             [dependencies]\n{} = \"={}\"\n\n[workspace]\n",
            entry.krate, entry.version
        );
        fs::write(fetch.join("Cargo.toml"), manifest)?;
        let shared = root.join("build");
        let output = cargo(&fetch, &shared)
            .args(["metadata", "--format-version", "1", "--quiet"])
            .output()?;
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).map_err(|_| {
            io::Error::other(String::from_utf8_lossy(&output.stderr).trim().to_owned())
        })?;
        let package = json["packages"]
            .as_array()
            .into_iter()
            .flatten()
            .find(|p| p["name"] == entry.krate.as_str());
        let manifest = package
            .and_then(|p| p["manifest_path"].as_str())
            .ok_or(io::ErrorKind::NotFound)?;
        let from = Path::new(manifest)
            .parent()
            .ok_or(io::ErrorKind::NotFound)?;
        let source = folder.join("source");
        copy(from, &source)?;
        let runner = folder.join("runner");
        Ok(Place {
            workspace,
            source,
            target: shared,
            support: root.join("support"),
            runner,
        })
    }

    /// Whether the crate has the first edition, which is that of crates that name none.
    fn edition_2015(&self) -> io::Result<bool> {
        let manifest = fs::read_to_string(self.source.join("Cargo.toml"))?;
        let edition = manifest.lines().find(|line| line.starts_with("edition"));
        Ok(edition.is_none_or(|line| line.contains("2015")))
    }

    fn library(&self) -> io::Result<PathBuf> {
        let manifest = fs::read_to_string(self.source.join("Cargo.toml"))?;
        let path = manifest
            .split("\n[lib]")
            .nth(1)
            .and_then(|lib| {
                lib.lines()
                    .take_while(|l| !l.starts_with('['))
                    .find_map(|l| l.strip_prefix("path = \""))
            })
            .map_or("src/lib.rs", |path| path.trim_end_matches('"'));
        Ok(self.source.join(path))
    }

    /// Adds the project to the dependencies of the crate, and leaves out its programs.
    fn depend(&self) -> io::Result<()> {
        let harness = self.support.join("harness");
        let retrograde = format!(
            "{{ path = {:?}, default-features = false }}",
            self.workspace
        );
        let manifest = format!(
            "[package]\nname = \"retrograde_collection_harness\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\nretrograde = {retrograde}\nretrograde_collection_hosts = {{ path = \"../hosts\" }}\n"
        );
        write_crate(&harness, &manifest, HARNESS)?;
        write_crate(&self.support.join("hosts"), HOSTS, "")?;
        let path = self.source.join("Cargo.toml");
        let manifest = fs::read_to_string(&path)?;
        let mut kept = String::new();
        let mut skip = false;
        for line in manifest.lines() {
            if line.starts_with('[') {
                skip = line.starts_with("[[") || line.starts_with("[workspace");
            }
            // Programs are left out, so that none can be the one that is run.
            if !skip && !line.starts_with("default-run") {
                kept.push_str(line);
                kept.push('\n');
            }
        }
        kept.push_str(&format!(
            "\n[dependencies.retrograde]\npath = {:?}\ndefault-features = false\n\n\
             [dependencies.retrograde_collection_harness]\n\
             path = {harness:?}\n\n[workspace]\n",
            self.workspace
        ));
        fs::write(path, kept)
    }

    fn build_runner(&self, units: impl Iterator<Item = usize>) -> io::Result<()> {
        if units.count() == 0 {
            return Ok(());
        }
        fs::create_dir_all(self.runner.join("src"))?;
        let manifest = fs::read_to_string(self.source.join("Cargo.toml"))?;
        let name = manifest
            .lines()
            .find_map(|l| l.strip_prefix("name = \""))
            .unwrap_or_default();
        let name = name.trim_end_matches('"');
        fs::write(
            self.runner.join("Cargo.toml"),
            format!(
                "[package]\nname = \"runner\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[dependencies]\n\
                 tried = {{ package = {name:?}, path = \"../source\" }}\n\n[workspace]\n"
            ),
        )?;
        fs::write(
            self.runner.join("src/main.rs"),
            "fn main() { let unit = std::env::args().nth(1).unwrap().parse().unwrap(); \
             println!(\"{}\", tried::__retrograde_run(unit)); }\n",
        )?;
        let output = cargo(&self.runner, &self.target)
            .args(["build", "--quiet"])
            .output()?;
        if !output.status.success() {
            let why = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(io::Error::other(
                why.lines().take(12).collect::<Vec<_>>().join("\n"),
            ));
        }
        Ok(())
    }

    fn run_unit(&self, unit: usize) -> io::Result<Outcome> {
        let output = std::process::Command::new(self.target.join("debug/runner"))
            .arg(unit.to_string())
            .output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let text = text.trim();
        Ok(match text.split_once(' ') {
            Some(("agree", "0")) => Outcome::Accepted("no point inside its domain".to_owned()),
            Some(("agree", _)) => Outcome::Agrees,
            Some(("differ", why)) => Outcome::Differs(why.to_owned()),
            _ => Outcome::Accepted("the comparison did not end".to_owned()),
        })
    }
}

/// A crate of one file, which is written only where it differs: it is not built again.
fn write_crate(folder: &Path, manifest: &str, library: &str) -> io::Result<()> {
    fs::create_dir_all(folder.join("src"))?;
    for (name, text) in [("Cargo.toml", manifest), ("src/lib.rs", library)] {
        let path = folder.join(name);
        if fs::read_to_string(&path).is_ok_and(|there| there == text) {
            continue;
        }
        fs::write(path, text)?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            if !matches!(
                &*entry.file_name().to_string_lossy(),
                "target" | "tests" | "benches" | "examples" | ".git"
            ) {
                copy(&path, &target)?;
            }
        } else if entry.file_name() != "Cargo.lock" {
            let content = fs::read(&path)?;
            fs::write(&target, content)?;
        }
    }
    Ok(())
}
