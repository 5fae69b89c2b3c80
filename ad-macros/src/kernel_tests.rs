//! The kernels that generated code calls, beside the table of their contracts in the runtime.
//!
//! The compiler does not depend on the runtime, so both sides are read as text: what `emit` and `interface` print after
//! `rt::`, what the hidden modules of the facade and of the runtime export, the table, and the signatures of the
//! functions in it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::Visit;

mod printed;
mod signatures;

use printed::Printed;
use signatures::{Changes, Declared, Signatures};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn parsed(path: &Path) -> syn::File {
    let text = std::fs::read_to_string(path).expect("a readable file");
    syn::parse_file(&text).expect("a file that parses")
}

/// The files of a folder and of those below.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found
}

/// The names that `use` brings in, of paths that begin in a certain way, and the public items.
fn exported(file: &syn::File, of: &dyn Fn(&[String]) -> bool) -> BTreeSet<String> {
    fn leaves(tree: &syn::UseTree, path: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
        match tree {
            syn::UseTree::Path(part) => {
                path.push(part.ident.to_string());
                leaves(&part.tree, path, found);
                path.pop();
            }
            syn::UseTree::Name(name) => {
                let mut path = path.clone();
                path.push(name.ident.to_string());
                found.push(path);
            }
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    leaves(tree, path, found);
                }
            }
            syn::UseTree::Rename(_) | syn::UseTree::Glob(_) => {}
        }
    }
    let mut names = BTreeSet::new();
    for item in &file.items {
        let syn::Item::Use(item) = item else {
            continue;
        };
        let mut found = Vec::new();
        leaves(&item.tree, &mut Vec::new(), &mut found);
        let found = found.into_iter().filter(|path| of(path));
        names.extend(found.filter_map(|path| path.last().cloned()));
    }
    for item in &file.items {
        if let syn::Item::Mod(module) = item
            && let Some((_, items)) = &module.content
        {
            let inner = syn::File {
                shebang: None,
                attrs: Vec::new(),
                items: items.clone(),
            };
            let inner = exported(&inner, of);
            names.extend(inner.iter().map(|name| format!("{}::{name}", module.ident)));
        }
    }
    names
}

/// A row of the table: a name, the file, and the arguments by what is done with them.
#[derive(Debug)]
struct Row {
    name: String,
    module: String,
    kept: BTreeSet<String>,
    changed: BTreeSet<String>,
    lent: BTreeSet<String>,
}

struct Table {
    rows: Vec<Row>,
    /// The constants and types beside the functions.
    names: BTreeSet<String>,
}

impl Table {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "a test that stops at, or skips, what it is not about"
    )]
    fn read() -> Self {
        let file = parsed(&root().join("ad-runtime/src/kernels/contracts.rs"));
        let mut table = Self {
            rows: Vec::new(),
            names: BTreeSet::new(),
        };
        for item in &file.items {
            match item {
                syn::Item::Macro(called) if called.mac.path.is_ident("kernels") => {
                    table.rows(called.mac.tokens.clone());
                }
                syn::Item::Const(item) if item.ident == "CONSTANTS" || item.ident == "TYPES" => {
                    let mut firsts = Firsts(&mut table.names);
                    firsts.visit_expr(&item.expr);
                }
                _ => {}
            }
        }
        table
    }

    fn rows(&mut self, tokens: TokenStream) {
        let mut module = String::new();
        for token in tokens {
            match token {
                TokenTree::Ident(word) => module = word.to_string(),
                TokenTree::Group(rows) => {
                    let rows: Vec<TokenTree> = rows.stream().into_iter().collect();
                    let end =
                        |t: &TokenTree| matches!(t, TokenTree::Punct(p) if p.as_char() == ';');
                    for row in rows.split(end).filter(|row| !row.is_empty()) {
                        self.rows.push(Row::of(&module, row));
                    }
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    fn has(&self, name: &str) -> bool {
        self.names.contains(name)
            || self.rows.iter().any(|row| {
                // `Type::method` stands for the type too.
                row.name == name || row.name.starts_with(&format!("{name}::"))
            })
    }
}

impl Row {
    fn of(module: &str, tokens: &[TokenTree]) -> Self {
        let (mut kept, mut changed, mut lent) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for pair in tokens.windows(2) {
            let [TokenTree::Ident(access), TokenTree::Group(names)] = pair else {
                continue;
            };
            let to = match access.to_string().as_str() {
                "reads" => &mut kept,
                "lends" => &mut lent,
                "writes" | "adds" | "edits" => &mut changed,
                other => panic!("`{other}` says nothing of an argument"),
            };
            to.extend(names.stream().into_iter().map(|name| name.to_string()));
        }
        Self {
            name: tokens[0].to_string().trim_matches('"').to_owned(),
            module: module.to_owned(),
            kept,
            changed,
            lent,
        }
    }
}

/// The first part of each tuple, which is a text.
struct Firsts<'a>(&'a mut BTreeSet<String>);

impl<'ast> Visit<'ast> for Firsts<'_> {
    fn visit_expr_tuple(&mut self, tuple: &'ast syn::ExprTuple) {
        if let Some(syn::Expr::Lit(lit)) = tuple.elems.first()
            && let syn::Lit::Str(text) = &lit.lit
        {
            self.0.insert(text.value());
        }
    }
}

#[test]
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test that stops at, or skips, what it is not about"
)]
fn what_generated_code_names_is_there_and_kernels_are_in_the_table() {
    let printed = Printed::of(&["emit", "interface"]);
    assert!(
        printed.paths.len() > 60,
        "the paths are found: {:?}",
        printed.paths
    );
    let (table, facade) = (Table::read(), parsed(&root().join("src/__rt.rs")));
    let mut there = exported(&facade, &|_| true);
    for item in &facade.items {
        match item {
            syn::Item::Fn(item) => there.insert(item.sig.ident.to_string()),
            syn::Item::Const(item) => there.insert(item.ident.to_string()),
            syn::Item::Mod(item) => there.insert(item.ident.to_string()),
            _ => false,
        };
    }
    let runtime = parsed(&root().join("ad-runtime/src/__rt.rs"));
    let kernels = exported(&runtime, &|path| path.iter().any(|part| part == "kernels"));
    for path in &printed.paths {
        let first = path.split("::").next().unwrap_or_default();
        assert!(there.contains(first), "`rt::{path}` is not in src/__rt.rs");
        if kernels.contains(first) || first == "simd" && path != first {
            assert!(
                table.has(path),
                "`rt::{path}` is not in the table of kernels"
            );
        }
    }
    for name in kernels.iter().filter(|name| *name != "contracts") {
        assert!(
            table.has(name),
            "`{name}` is exported and not in the table of kernels"
        );
    }
}

/// The rules of derivatives that run on several iterations at once, whose names `emit` takes from the IR.
fn rules() -> BTreeSet<String> {
    let rules = crate::optimize::loops::windows::RULES.iter();
    rules.map(|rule| rule.name().to_owned()).collect()
}

#[test]
fn rules_for_several_iterations_at_once_are_in_the_table() {
    let (rules, table) = (rules(), Table::read());
    assert!(rules.contains("mul_add"), "{rules:?}");
    for rule in rules {
        assert!(table.has(&format!("simd::{rule}")), "`{rule}`");
    }
}

#[test]
fn each_kernel_of_the_table_is_called_by_generated_code() {
    let emit = Printed::of(&["emit", "interface"]);
    let (rules, table) = (rules(), Table::read());
    let named = |name: &str| {
        let last = name.rsplit("::").next().unwrap_or_default();
        let below = format!("{name}::");
        emit.paths
            .iter()
            .any(|path| path == name || path.starts_with(&below))
            || emit.chosen.contains(last)
            || name.starts_with("simd::") && rules.contains(last)
    };
    for name in &table.names {
        assert!(named(name), "no generated code names `{name}`");
    }
    for row in &table.rows {
        let method = row.name.rsplit_once("::").filter(|(of, _)| {
            let of = of.rsplit("::").next().unwrap_or_default();
            of.starts_with(char::is_uppercase)
        });
        let called = method.is_some_and(|(_, method)| emit.methods.contains(method));
        assert!(
            called || named(&row.name),
            "no generated code calls `{}`",
            row.name
        );
    }
}

/// The arguments that the table names are those of the functions, and what it says is changed can be.
#[test]
fn arguments_are_those_of_the_signatures() {
    for row in Table::read().rows {
        let file = format!("ad-runtime/src/kernels/{}.rs", row.module);
        let mut signatures = Signatures::default();
        signatures.visit_file(&parsed(&root().join(file)));
        if row.module == "simd" {
            for inside in ["rules", "neighbours"] {
                let file = format!("ad-runtime/src/kernels/simd/{inside}.rs");
                signatures.visit_file(&parsed(&root().join(file)));
            }
        }
        let name = row.name.trim_start_matches("simd::");
        let found = signatures.found.iter().find(|(of, _)| of == name);
        let (_, signature) = found.unwrap_or_else(|| panic!("{} has no `{name}`", row.module));
        let (mut all, mut changeable, mut exclusive) =
            (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for input in &signature.inputs {
            let mut names = BTreeSet::new();
            let mut changes = Changes::default();
            match input {
                syn::FnArg::Receiver(own) => {
                    names.insert("self".to_owned());
                    changes.exclusive = own.reference.is_some() && own.mutability.is_some();
                }
                syn::FnArg::Typed(typed) => {
                    Declared(&mut names).visit_pat(&typed.pat);
                    changes.visit_type(&typed.ty);
                }
            }
            if changes.exclusive {
                exclusive.extend(names.iter().cloned());
            }
            if changes.exclusive || changes.cells {
                changeable.extend(names.iter().cloned());
            }
            all.extend(names);
        }
        assert!(row.kept.is_subset(&all), "{row:?}: {all:?}");
        assert!(
            row.changed.is_subset(&changeable),
            "{row:?}: {changeable:?}"
        );
        let said: BTreeSet<String> = row.changed.union(&row.lent).cloned().collect();
        assert!(exclusive.is_subset(&said), "{row:?}: {exclusive:?}");
    }
}
