//! Mistakes are compile errors at the user's token.
//!
//! `tests/ui/<name>.rs` shows the message `<name>` of the catalogue, `tests/ui/<name>-….rs` another face of it, and
//! `tests/ui/rustc/` those mistakes that need types, which rustc words. To write the `.stderr` files anew:
//! `TRYBUILD=overwrite cargo test --test ui`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The `.stderr` files are what this compiler prints. Others must refuse the same files, in words of their own.
const COMPILER: &str = "rustc 1.95.";

/// Cases that show how messages work together.
const OF_SEVERAL_MESSAGES: &[&str] = &["three-mistakes", "stubs", "stubs-of-a-signature"];

/// Messages without a case.
const WITHOUT_CASE: &[(&str, &str)] = &[(
    "internal",
    "a mistake of ours; known ones are mended, not shown",
)];

/// What does not depend on features.
const FOLDERS: &[&str] = &["tests/ui", "tests/ui/rustc"];

/// What depends on the feature `rayon`.
const FOLDERS_OF_THREADS: &[&str] = &[if cfg!(feature = "rayon") {
    "tests/ui/rayon"
} else {
    "tests/ui/no-rayon"
}];

/// Where each case shows a message of the catalogue.
const FOLDERS_OF_MESSAGES: &[&str] = &["tests/ui", "tests/ui/rayon", "tests/ui/no-rayon"];

#[test]
fn mistakes_are_refused() {
    are_refused(FOLDERS);
}

#[test]
fn mistakes_around_threads_are_refused() {
    are_refused(FOLDERS_OF_THREADS);
}

fn are_refused(folders: &[&str]) {
    if compiler().starts_with(COMPILER) {
        refuse(Path::new(""), folders.iter().copied());
        return;
    }
    let copies = copies();
    for folder in folders {
        // Cases that are gone since the last run.
        drop(fs::remove_dir_all(copies.join(folder)));
    }
    for folder in folders {
        fs::create_dir_all(copies.join(folder)).expect("a folder for the copies");
        for case in cases(folder) {
            let case = Path::new(folder).join(case + ".rs");
            fs::copy(&case, copies.join(&case)).expect("a copy of a case");
        }
    }
    let status = Command::new(env::current_exe().expect("this test"))
        .args(["--exact", "copies_are_refused"])
        .env("TRYBUILD", "overwrite")
        .env(COPIES, folders.join(","))
        .status()
        .expect("the other test");
    assert!(status.success(), "a case compiles");
}

/// Names the folders where the tests above run the copies, on other compilers.
const COPIES: &str = "RETROGRADE_UI_COPIES";

/// Whatever the messages are: cases without `.stderr` files need only fail to compile. A part of the tests above:
/// `trybuild` writes instead of comparing only if the whole process does.
#[test]
fn copies_are_refused() {
    if let Ok(folders) = env::var(COPIES) {
        refuse(&copies(), folders.split(','));
    }
}

fn refuse<'a>(under: &Path, folders: impl Iterator<Item = &'a str>) {
    let cases = trybuild::TestCases::new();
    for folder in folders {
        cases.compile_fail(under.join(folder).join("*.rs"));
    }
}

fn copies() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("refused")
}

fn compiler() -> String {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let output = Command::new(rustc)
        .arg("--version")
        .output()
        .expect("rustc runs");
    String::from_utf8(output.stdout).expect("the version is text")
}

/// The names of the cases in a folder.
fn cases(folder: &str) -> BTreeSet<String> {
    let names = fs::read_dir(folder)
        .expect("a folder of cases")
        .filter_map(|entry| {
            let name = entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("a name that is text");
            name.strip_suffix(".rs").map(str::to_owned)
        });
    names.collect()
}

/// Name, text and help of a message.
struct Message {
    name: String,
    text: String,
    help: String,
}

/// Reads the catalogue as text: `"name" function(arguments): "text",` and `help: "help";` below.
fn catalog() -> Vec<Message> {
    let source = fs::read_to_string("ad-macros/src/diag/catalog.rs").expect("the catalogue");
    // A string may go on in the next line.
    let source: String = source.split("\\\n").map(str::trim_start).collect();
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let string = |line: &str, before: &str| {
        let start = line.find(before)? + before.len();
        let end = line.rfind('"').filter(|end| *end > start)?;
        Some(
            line[start..end]
                .replace("\\\"", "\"")
                .replace("{{", "{")
                .replace("}}", "}"),
        )
    };
    let messages: Vec<Message> = lines
        .windows(2)
        .filter_map(|pair| {
            let name = pair[0].strip_prefix('"')?.split_once("\" ")?.0.to_owned();
            Some(Message {
                name,
                text: string(pair[0], ": \"")?,
                help: string(pair[1], "help: \"")?,
            })
        })
        .collect();
    assert!(messages.len() > 60, "the catalogue could not be read");
    messages
}

#[test]
fn every_message_has_a_case() {
    let without: BTreeSet<&str> = WITHOUT_CASE.iter().map(|(name, _)| *name).collect();
    let cases: BTreeSet<String> = FOLDERS_OF_MESSAGES
        .iter()
        .copied()
        .flat_map(cases)
        .collect();
    let messages = catalog();
    let missing: Vec<&str> = messages
        .iter()
        .map(|m| &*m.name)
        .filter(|name| !cases.contains(*name) && !without.contains(name))
        .collect();
    assert!(missing.is_empty(), "no tests/ui/….rs for {missing:?}");
    let needless: Vec<&str> = without
        .into_iter()
        .filter(|name| cases.contains(*name) || messages.iter().all(|m| m.name != *name))
        .collect();
    assert!(needless.is_empty(), "excused for nothing: {needless:?}");
}

#[test]
fn every_case_shows_its_message() {
    let messages = catalog();
    let with_folder =
        |folder: &'static str| cases(folder).into_iter().map(move |case| (folder, case));
    for (folder, case) in FOLDERS_OF_MESSAGES.iter().copied().flat_map(with_folder) {
        if OF_SEVERAL_MESSAGES.contains(&&*case) {
            continue;
        }
        let message = messages
            .iter()
            .filter(|m| shows(&case, &m.name))
            .max_by_key(|m| m.name.len());
        let message = message.unwrap_or_else(|| panic!("`{case}` is no message"));
        let shown = fs::read_to_string(format!("{folder}/{case}.stderr"))
            .unwrap_or_else(|_| panic!("`{case}` has no .stderr"));
        for part in [&message.text, &message.help]
            .into_iter()
            .flat_map(|text| fixed_parts(text))
        {
            assert!(shown.contains(part), "`{case}` does not show {part:?}");
        }
    }
}

fn shows(case: &str, message: &str) -> bool {
    case.strip_prefix(message)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

/// What stands between the placeholders.
fn fixed_parts(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').enumerate().map(|(n, part)| {
        if n == 0 {
            part
        } else {
            part.split_once('}').map_or(part, |(_, rest)| rest)
        }
    })
}

#[test]
fn every_mistake_is_one_error() {
    for (case, mistakes) in [
        ("three-mistakes", 3),
        ("stubs", 3),
        ("stubs-of-a-signature", 1),
    ] {
        let shown = fs::read_to_string(format!("tests/ui/{case}.stderr")).expect("its .stderr");
        let errors = shown.lines().filter(|line| line.starts_with("error"));
        assert_eq!(errors.count(), mistakes, "{case}");
    }
}
