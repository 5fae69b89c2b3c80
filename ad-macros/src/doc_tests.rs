//! What the documents show of the compiler's work is its work.
//!
//! In `docs/optimizations.md` each transformation has a function and two pieces of code: what is generated for it
//! without the transformation, and with it. `docs/worked-example.md` shows one function after every stage. Such a block
//! is compared without spaces and comments; a line `…` stands for lines that are left out, and `rt` for
//! `::retrograde::__rt`.

use std::path::Path;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use crate::diag::Diagnostics;
use crate::expansion_tests::{Functions, sources};
use crate::ir::{Transform, Transforms};
use crate::surroundings::give_text;
use crate::{ir, lower, pipeline};
use syn::visit::Visit;

const OPTIMIZATIONS: &str = include_str!("../../docs/optimizations.md");
const README: &str = include_str!("../../README.md");
const WORKED_EXAMPLE: &str = include_str!("../../docs/worked-example.md");
const ARCHITECTURE: &str = include_str!("../../ARCHITECTURE.md");

/// The fenced blocks of a text, each with what its fence says.
fn blocks(text: &str) -> Vec<(&str, String)> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(kind) = line.strip_prefix("```") {
            let inside: Vec<&str> = lines.by_ref().take_while(|l| *l != "```").collect();
            found.push((kind, inside.join("\n")));
        }
    }
    found
}

/// Without spaces, commas at the end of a list, and the paths that documents leave out.
fn bare(code: &str) -> String {
    let mut bare: String = code.chars().filter(|c| !c.is_whitespace()).collect();
    for (path, short) in [
        ("::retrograde::__rt", "rt"),
        ("::core::mem::", "mem::"),
        ("::core::option::Option::", ""),
        ("::core::option::", ""),
        ("::core::iter::", ""),
        ("::core::cmp::", ""),
        ("::core::clone::", ""),
        ("::std::vec::", ""),
    ] {
        bare = bare.replace(path, short);
    }
    for end in [")", "]", "}", "|", ">"] {
        bare = bare.replace(&format!(",{end}"), end);
    }
    bare
}

/// The pieces of a block between lines that are left out.
fn pieces(block: &str) -> Vec<String> {
    let code = |line: &str| {
        let line = line.trim_start();
        let comment = if line.starts_with("//") {
            Some(0)
        } else {
            line.find(" //")
        };
        line[..comment.unwrap_or(line.len())].to_owned()
    };
    let lines: Vec<String> = block.lines().map(code).collect();
    let pieces = lines.split(|line| line.trim_end() == "…");
    pieces
        .map(|piece| bare(&piece.join("\n")))
        .filter(|piece| !piece.is_empty())
        .collect()
}

/// What is generated for a function under `#[gradient(arguments)]`.
fn generated(arguments: &TokenStream, item: &TokenStream) -> String {
    let tokens = pipeline::expand(arguments.clone(), item.clone());
    bare(&prettyplease::unparse(
        &syn::parse2(tokens).expect("the expansion parses"),
    ))
}

/// The sections of the transformations, by their names.
fn sections() -> Vec<(&'static str, &'static str)> {
    let sections = OPTIMIZATIONS.split("\n### `").skip(1);
    sections
        .map(|section| section.split_once('`').expect("a name in backticks"))
        .collect()
}

#[test]
fn each_transformation_has_a_section() {
    let mut headings: Vec<&str> = sections().into_iter().map(|(name, _)| name).collect();
    let mut names: Vec<&str> = Transform::ALL.iter().map(|one| one.name()).collect();
    headings.sort_unstable();
    names.sort_unstable();
    assert_eq!(headings, names);
}

#[test]
fn each_section_has_conditions_and_a_gain() {
    for (name, text) in sections() {
        assert!(text.contains("| condition | decided in |"), "`{name}`");
        assert!(text.contains("\nGain: "), "`{name}` does not say its gain");
    }
}

#[test]
fn code_before_and_after_a_transformation_is_what_is_generated() {
    let mut wrong = Vec::new();
    for (name, text) in sections() {
        let blocks = blocks(text);
        let [("rust", function), ("text", before), ("text", after)] = &blocks[..] else {
            panic!("`{name}` has a function, the code before and the code after");
        };
        let mut functions = Functions::default();
        functions.visit_file(&syn::parse_file(function).expect("the function parses"));
        // What it calls stands in front of it.
        give_text(function);
        let Some(found) = functions.found.last() else {
            panic!("`{name}` has a function");
        };
        let (arguments, item) = (&found.arguments, &found.item);
        let off = quote::format_ident!("{name}");
        let separator = (!arguments.is_empty()).then(|| quote!(,));
        let without = generated(&quote!(#arguments #separator no(#off)), item);
        let with = generated(arguments, item);
        let lacks = |code: &str, block: &str| {
            let mut pieces = pieces(block).into_iter();
            pieces.find(|piece| !code.contains(piece.as_str()))
        };
        for (when, code, block) in [("before", &without, before), ("after", &with, after)] {
            if let Some(piece) = lacks(code, block) {
                wrong.push(format!("`{name}`, {when}: {piece}"));
            }
        }
        if lacks(&without, after).is_none() {
            wrong.push(format!("`{name}`: the code after is there before"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `path.rs`: `function`, as tables say where something is decided.
fn citations(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices(".rs`: `") {
        let path = text[..at].rsplit('`').next().expect("a path");
        let name = text[at + ".rs`: `".len()..].split('`').next();
        found.push((path, name.expect("a name")));
    }
    found
}

#[test]
fn the_functions_that_decide_exist() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    let cited = citations(OPTIMIZATIONS);
    assert!(cited.len() > 50);
    for (path, name) in cited {
        let text = std::fs::read_to_string(sources.join(format!("{path}.rs")));
        let named = |text: String| {
            ["(", "<"]
                .iter()
                .any(|behind| text.contains(&format!("fn {name}{behind}")))
        };
        if !text.is_ok_and(named) {
            wrong.push(format!("`{path}.rs`: `{name}`"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every stage of a function, as the documents show them.
fn stages(function: &syn::ItemFn) -> String {
    let mut diags = Diagnostics::new();
    let lowered = lower::lower(function, &lower::Owner::default(), &mut diags).expect("an IR");
    let primal = pipeline::structured(function, &mut diags).expect("an IR");
    let structured = ir::text(&primal.func);
    let on = Transforms::ON;
    let primal = pipeline::unrolled(primal, on, &mut diags).expect("an unrolled IR");
    let activity = primal.activity.text(&primal.func);
    let (sweeps, explain) = pipeline::sweeps(primal, on, &mut diags).expect("sweeps");
    let tokens = generated(&TokenStream::new(), &function.to_token_stream());
    [
        bare(&ir::text(&lowered)),
        bare(&structured),
        bare(&activity),
        bare(&sweeps.text()),
        bare(&explain.text()),
        tokens,
    ]
    .join("\n")
}

/// The function in the first block of Rust, which is run as a doctest.
fn first_function(blocks: &[(&str, String)]) -> syn::ItemFn {
    let mut rust = blocks.iter().filter(|(kind, _)| *kind == "rust");
    let (_, first) = rust.next().expect("a block of Rust");
    let body: syn::Block = syn::parse_str(&format!("{{ {first} }}")).expect("statements");
    let function = body.stmts.into_iter().find_map(|stmt| {
        if let syn::Stmt::Item(syn::Item::Fn(mut function)) = stmt {
            function.attrs.clear();
            Some(function)
        } else {
            None
        }
    });
    function.expect("a function")
}

#[test]
fn the_readme_shows_what_the_compiler_prints() {
    let blocks = blocks(README);
    let stages = stages(&first_function(&blocks));
    for start in ["for i in (0..to)", "line 6, loop over"] {
        let mut found = blocks.iter().filter(|(_, block)| block.starts_with(start));
        let (Some((_, block)), None) = (found.next(), found.next()) else {
            panic!("one block starts with `{start}`");
        };
        for piece in pieces(block) {
            assert!(stages.contains(&piece), "nothing prints\n{block}\n{piece}");
        }
    }
}

#[test]
fn the_worked_example_shows_what_the_compiler_prints() {
    let blocks = blocks(WORKED_EXAMPLE);
    let stages = stages(&first_function(&blocks));
    let shown: Vec<&String> = blocks
        .iter()
        .filter(|(kind, _)| *kind != "rust")
        .map(|(_, block)| block)
        .collect();
    assert!(shown.len() > 5);
    for block in shown {
        for piece in pieces(block) {
            assert!(stages.contains(&piece), "nothing prints\n{block}\n{piece}");
        }
    }
}

#[test]
fn the_files_and_folders_that_the_architecture_names_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let names: Vec<String> = files
        .iter()
        .filter_map(|file| Some(format!("/{}", file.strip_prefix(&root).ok()?.display())))
        .collect();
    let mut wrong = Vec::new();
    for word in ARCHITECTURE.split('`').skip(1).step_by(2) {
        let is_path = !word.contains([' ', '*', '<', '=']);
        let found = if word.ends_with(".rs") && is_path {
            names.iter().any(|name| name.ends_with(&format!("/{word}")))
        } else if word.ends_with('/') && is_path {
            names.iter().any(|name| name.contains(&format!("/{word}")))
        } else {
            true
        };
        if !found {
            wrong.push(word);
        }
    }
    assert!(wrong.is_empty(), "not there: {wrong:?}");
    let compiler = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for entry in std::fs::read_dir(compiler).expect("a readable folder") {
        let entry = entry.expect("a readable entry");
        let name = entry.file_name().to_string_lossy().into_owned();
        let folder = entry.path().is_dir() && !name.ends_with("_tests");
        assert!(
            !folder || ARCHITECTURE.contains(&format!("`{name}/")),
            "`{name}/` is not on the map"
        );
    }
}
