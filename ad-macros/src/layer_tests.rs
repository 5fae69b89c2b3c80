//! Which folder may name what of which other folder.
//!
//! ```text
//! ir          nothing
//! analysis    ir
//! reverse     ir, analysis
//! optimize    ir, analysis
//! emit        ir
//! interface   ir, emit
//! ```
//!
//! All paths of a file count, wherever they stand: imports, paths within code, visibilities, what is handed to macros.

use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Each folder, and the folders that it may name beside itself.
const LAYERS: &[(&str, &[&str])] = &[
    ("ir", &[]),
    ("analysis", &["ir"]),
    ("reverse", &["ir", "analysis"]),
    ("optimize", &["ir", "analysis"]),
    ("emit", &["ir"]),
    ("interface", &["ir", "emit"]),
];

/// The modules at the root of the crate that a file names, with the line of each.
struct Named {
    found: Vec<(usize, String)>,
}

impl Named {
    /// `module`: where the tokens stand.
    fn of(module: &[String], tokens: TokenStream) -> Self {
        let mut named = Named { found: Vec::new() };
        named.tokens(module, tokens);
        named
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "a test that stops at, or skips, what it is not about"
    )]
    fn tokens(&mut self, module: &[String], tokens: TokenStream) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < trees.len() {
            // A module within the file: what stands in it is one level deeper.
            if let [
                TokenTree::Ident(keyword),
                TokenTree::Ident(name),
                TokenTree::Group(body),
                ..,
            ] = &trees[at..]
                && keyword == "mod"
            {
                let inside = [module, &[name.to_string()]].concat();
                self.tokens(&inside, body.stream());
                at += 3;
                continue;
            }
            at = match &trees[at] {
                TokenTree::Ident(first) if at < 2 || !is_path_separator(&trees[at - 2..at]) => {
                    match first.to_string().as_str() {
                        "crate" => self.path(&[], &trees, at),
                        "self" => self.path(module, &trees, at),
                        "super" => self.path(parent(module), &trees, at),
                        _ => at + 1,
                    }
                }
                TokenTree::Group(group) => {
                    self.tokens(module, group.stream());
                    at + 1
                }
                _ => at + 1,
            };
        }
    }

    /// The path that begins with the token at `at`, which stands for `base`. Returns where to go on.
    fn path(&mut self, base: &[String], trees: &[TokenTree], at: usize) -> usize {
        let line = trees[at].span().start().line;
        let behind = &trees[at + 1..];
        if !is_path_separator(behind) {
            // The root by another name could be asked for everything.
            let renamed = matches!(behind.first(), Some(TokenTree::Ident(word)) if *word == "as");
            if base.is_empty() && renamed {
                self.found.push((line, "*".to_owned()));
            }
            return at + 1;
        }
        let next = at + 3;
        match trees.get(next) {
            Some(TokenTree::Ident(word)) if *word == "super" => {
                self.path(parent(base), trees, next)
            }
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                let parts: Vec<TokenTree> = group.stream().into_iter().collect();
                let is_comma =
                    |tree: &TokenTree| matches!(tree, TokenTree::Punct(p) if p.as_char() == ',');
                for part in parts.split(is_comma).filter(|part| !part.is_empty()) {
                    self.part(base, part);
                }
                next + 1
            }
            Some(tree) => {
                self.note(base, tree);
                next + 1
            }
            None => next,
        }
    }

    /// One of several alternatives behind `base`, as in `base::{part, part}`.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "a test that stops at, or skips, what it is not about"
    )]
    fn part(&mut self, base: &[String], part: &[TokenTree]) {
        match &part[0] {
            TokenTree::Ident(word) if *word == "super" => {
                self.path(parent(base), part, 0);
            }
            tree => self.note(base, tree),
        }
    }

    /// What follows `base`: at the root, a module of its own.
    fn note(&mut self, base: &[String], next: &TokenTree) {
        let line = next.span().start().line;
        let module = base.first().cloned();
        self.found.push((line, module.unwrap_or(next.to_string())));
    }
}

fn parent(module: &[String]) -> &[String] {
    module.split_last().map_or(&[], |(_, parent)| parent)
}

fn is_path_separator(trees: &[TokenTree]) -> bool {
    let colon = |tree: &TokenTree| matches!(tree, TokenTree::Punct(p) if p.as_char() == ':');
    trees.len() >= 2 && colon(&trees[0]) && colon(&trees[1])
}

/// What a file of a layer names that the layer must not.
fn breaches(layer: &str, module: &[String], text: &str) -> Vec<(usize, String)> {
    let allowed = LAYERS.iter().find(|(name, _)| *name == layer);
    let allowed = allowed.expect("a layer").1;
    let tokens = text.parse().expect("a file of Rust");
    let mut found = Named::of(module, tokens).found;
    found.retain(|(_, named)| named != layer && !allowed.contains(&named.as_str()));
    found
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("a readable folder");
    for entry in entries {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn folders_name_nothing_that_they_must_not() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for (layer, _) in LAYERS {
        let mut found = Vec::new();
        files(&root.join(layer), &mut found);
        assert!(!found.is_empty(), "`{layer}` has no files");
        for file in found {
            let inside = file.strip_prefix(&root).expect("a file below the root");
            let mut module: Vec<String> = inside
                .with_extension("")
                .components()
                .map(|part| part.as_os_str().to_string_lossy().into_owned())
                .collect();
            if module.last().is_some_and(|last| last == "mod") {
                module.pop();
            }
            let text = std::fs::read_to_string(&file).expect("a readable file");
            for (line, named) in breaches(layer, &module, &text) {
                let inside = inside.display();
                wrong.push(format!("{inside}:{line} names `{named}`"));
            }
        }
    }
    wrong.sort();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_breach_is_found_wherever_it_stands() {
    let module = |path: &str| -> Vec<String> { path.split("::").map(str::to_owned).collect() };
    let found = |text: &str| -> Vec<String> {
        let breaches = breaches("analysis", &module("analysis::cost"), text);
        breaches.into_iter().map(|(_, named)| named).collect()
    };
    for (text, expected) in [
        ("use crate::diag::Diagnostics;", vec!["diag"]),
        (
            "use crate::{ir::Func, lower, reverse::{bulk, self}};",
            vec!["lower", "reverse"],
        ),
        ("fn f() -> crate::emit::Emitter { todo!() }", vec!["emit"]),
        ("fn f() { vec![crate::explain::name(1)]; }", vec!["explain"]),
        ("use super::super::optimize::loops;", vec!["optimize"]),
        ("use super::{super::dump, plan};", vec!["dump"]),
        (
            "mod inner { use super::super::super::input; }",
            vec!["input"],
        ),
        ("pub(in crate::lower) fn f() {}", vec!["lower"]),
        ("use crate as compiler;", vec!["*"]),
        ("use crate::*;", vec!["*"]),
        // What is allowed.
        ("use crate::{ir::{Func, self}, analysis::plan};", vec![]),
        (
            "use super::plan; use self::inner::x; use super::super::ir;",
            vec![],
        ),
        ("mod inner { use super::super::plan; }", vec![]),
        (
            "pub(crate) fn f() { a::crate_::diag(); } // crate::diag",
            vec![],
        ),
        ("/// See [`crate::diag`].\nfn f() {}", vec![]),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
    let lines = breaches("ir", &module("ir"), "use super::ir;\n\nuse super::lower;\n");
    assert_eq!(lines, [(3, "lower".to_owned())]);
}
