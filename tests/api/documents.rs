//! The documents: links lead somewhere, and the book has every page.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn pages() -> Vec<PathBuf> {
    let folders = [project().to_path_buf(), project().join("docs")];
    let files = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).expect("a folder of documents"))
        .map(|entry| entry.expect("a document").path());
    files
        .filter(|file| file.extension().is_some_and(|extension| extension == "md"))
        .collect()
}

fn text(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The lines outside of blocks of code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        !inside && !fence
    })
}

/// What the links of a text lead to.
fn targets(text: &str) -> Vec<&str> {
    let ends =
        prose(text).flat_map(|line| line.match_indices("](").map(move |(at, _)| &line[at + 2..]));
    ends.filter_map(|rest| rest.split_once(')').map(|(target, _)| target))
        .collect()
}

/// The names under which the headings of a page are found: words in lower case, without punctuation.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = prose(text).filter(|line| line.starts_with('#'));
    let name = |heading: &str| {
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        heading
            .chars()
            .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
            .map(|c| if c == ' ' { '-' } else { c })
            .collect()
    };
    headings.map(name).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut found = 0;
    for page in pages() {
        let own = text(&page);
        for target in targets(&own) {
            if target.contains("://") {
                continue;
            }
            found += 1;
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = match file {
                "" => page.clone(),
                file => page.parent().expect("a folder").join(file),
            };
            assert!(file.exists(), "{}: no {target}", page.display());
            let known = anchor.is_empty() || anchors(&text(&file)).contains(anchor);
            assert!(known, "{}: no heading for {target}", page.display());
        }
    }
    assert!(found > 50, "{found} links");
}

#[test]
fn the_book_has_every_page() {
    let summary = text(&project().join("docs/SUMMARY.md"));
    let listed: BTreeSet<&str> = targets(&summary).into_iter().collect();
    let pages = pages();
    let there: BTreeSet<&str> = (pages.iter())
        .filter(|page| page.parent().is_some_and(|folder| folder.ends_with("docs")))
        .filter_map(|page| page.file_name()?.to_str())
        .filter(|name| *name != "SUMMARY.md")
        .collect();
    assert_eq!(listed, there);
}

/// What the macro reads the module for is no doctest, which has none: a test has the same lines.
#[test]
fn the_example_of_elements_is_tested() {
    let page = text(&project().join("docs/own-types.md"));
    let (_, section) = page.split_once("## Elements").expect("a section");
    let (_, block) = section
        .split_once("```rust,ignore\n")
        .expect("a block of code");
    let (block, _) = block.split_once("```").expect("the end of the block");
    let test = text(&project().join("tests/unchanged/documented.rs"));
    let without_layout = |text: &str| text.split_whitespace().collect::<String>();
    let test = without_layout(&test);
    let mut rest = test.as_str();
    for line in block.lines() {
        let line = without_layout(line);
        rest = match rest.split_once(line.as_str()) {
            Some((_, behind)) => behind,
            None => panic!("`{line}` is not in the test"),
        };
    }
}
