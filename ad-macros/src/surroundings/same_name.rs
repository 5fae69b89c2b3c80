//! Functions in a module of their own name: `pub use loss::loss;` of a file `loss.rs`.
//!
//! The hidden type of such a function would collide with the module where both are imported, so it has another name,
//! and callers find it by the path that they import the function by.

use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::ext::IdentExt;

use super::{Blocks, Open, Surroundings, look};
use crate::lower::imports;

/// The name of the hidden type.
pub(crate) fn sweeps_name(function: &Ident) -> Ident {
    format_ident!("__{}_sweeps", function.unraw(), span = function.span())
}

/// Whether the module in which this token stands, and in nothing else, has this name.
pub(super) fn is_in_module(name: &str, at: Span) -> bool {
    look(at, |blocks, open| match open.last() {
        Some((Surroundings::Module, brace)) => module_before(&blocks.text, *brace) == Some(name),
        Some(_) => false,
        None => of_file(blocks, name),
    })
    .unwrap_or(false)
}

/// Whether a file is a module of this name.
fn of_file(blocks: &Blocks, name: &str) -> bool {
    let file = &blocks.file;
    let stem = file.file_stem().and_then(|stem| stem.to_str());
    let stem = match stem {
        Some("mod") => file
            .parent()
            .and_then(|folder| folder.file_name()?.to_str()),
        other => other,
    };
    stem == Some(name) && !is_root(blocks)
}

/// Whether the file is the root of the crate, which is no module of its name.
fn is_root(blocks: &Blocks) -> bool {
    let mut roots = std::env::args().skip(1).filter(|a| a.ends_with(".rs"));
    let same = |root: &str| {
        let root = std::fs::canonicalize(root).ok();
        root.is_some() && root == std::fs::canonicalize(&blocks.file).ok()
    };
    roots.next().is_none_or(|root| same(&root))
}

/// `name` of `mod name {`, whose brace stands here.
fn module_before(text: &str, brace: usize) -> Option<&str> {
    let before = text.get(..brace)?.trim_end();
    let name = before
        .rsplit(|c: char| !(c.is_alphanumeric() || c == '_'))
        .next()?;
    let of = before[..before.len() - name.len()].trim_end();
    of.ends_with("mod").then_some(name)
}

/// Where the sweeps are of a function in a module of its name, as far as the text shows that it is one.
pub(crate) fn sweeps_of_same_name(path: &syn::Path) -> Option<syn::Path> {
    let names: Vec<String> = path
        .segments
        .iter()
        .map(|s| s.ident.unraw().to_string())
        .collect();
    let function = &path.segments.last()?.ident;
    let name = names.last()?;
    let sweeps = sweeps_name(function);
    if names.len() > 1 {
        let same = names[names.len() - 2] == *name;
        return same.then(|| replaced(path.clone(), sweeps));
    }
    let at = function.span();
    let (inside, globs_above, imported) = look(at, |blocks, open| {
        let module = innermost(&open);
        let text = text_of_module(blocks, module);
        let globs_above = text.contains("use super::*;");
        let inside = is_inside(blocks, module, name, &text);
        (inside, globs_above, by_import(&text, name))
    })?;
    match imported {
        Import::Renamed => None,
        Import::Path(mut path) => {
            let function = path.pop()?;
            let module = path.last()?;
            let of_own = *module == function;
            let of_above = module == "super" && function == *name;
            let sweeps = sweeps_name(&name_at(&function, at));
            (of_own || of_above && above(at, name)?).then(|| {
                let path = path.iter().map(|name| name_at(name, at));
                syn::parse_quote!(#(#path::)*#sweeps)
            })
        }
        Import::All => Some(syn::parse_quote!(#sweeps)),
        // A glob brings it with the function.
        Import::Not => {
            (inside || globs_above && above(at, name)?).then(|| syn::parse_quote!(#sweeps))
        }
    }
}

/// Whether the module around the innermost one has this name and declares a function of it.
fn above(at: Span, name: &str) -> Option<bool> {
    look(at, |blocks, mut open| {
        while open.pop().is_some_and(|(of, _)| of != Surroundings::Module) {}
        let module = innermost(&open);
        is_inside(blocks, module, name, &text_of_module(blocks, module))
    })
}

/// `super`, `crate`, `r#loop` or another name.
fn name_at(name: &str, at: Span) -> Ident {
    match name.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, at),
        None => Ident::new(name, at),
    }
}

/// The brace of the innermost module, if it is not that of the file.
fn innermost(open: &Open) -> Option<usize> {
    let modules = open.iter().filter(|(of, _)| *of == Surroundings::Module);
    modules.map(|(_, brace)| *brace).next_back()
}

/// What stands in a module, and in none inside of it.
fn text_of_module(blocks: &Blocks, module: Option<usize>) -> String {
    let mut text = String::new();
    let begin = (0, Open::new());
    let changes: Vec<&(usize, Open)> = std::iter::once(&begin).chain(&blocks.open).collect();
    for (k, (from, open)) in changes.iter().enumerate() {
        if innermost(open) == module {
            let to = changes.get(k + 1).map_or(blocks.text.len(), |(to, _)| *to);
            text.push_str(blocks.text.get(*from..to).unwrap_or_default());
        }
    }
    text
}

/// Whether a module has this name and declares a function of it.
fn is_inside(blocks: &Blocks, module: Option<usize>, name: &str, text: &str) -> bool {
    let named = match module {
        Some(brace) => module_before(&blocks.text, brace) == Some(name),
        None => of_file(blocks, name),
    };
    let declared = [format!("fn {name}("), format!("fn {name}<")];
    named
        && declared
            .iter()
            .any(|declared| text.contains(declared.as_str()))
}

fn replaced(mut path: syn::Path, by: Ident) -> syn::Path {
    if let Some(last) = path.segments.last_mut() {
        last.ident = by;
        last.arguments = syn::PathArguments::None;
    }
    path
}

/// How a text brings a name.
#[derive(Debug, PartialEq, Eq)]
enum Import {
    /// Another name by this one.
    Renamed,
    /// The path to the function, by which name ever it is brought.
    Path(Vec<String>),
    /// All that is in a module of the name.
    All,
    Not,
}

fn by_import(text: &str, name: &str) -> Import {
    let mut found = Import::Not;
    for tree in imports(text) {
        match find(&tree, name, &mut Vec::new()) {
            Import::Not => {}
            Import::Renamed => return Import::Renamed,
            other @ (Import::Path(_) | Import::All) => found = other,
        }
    }
    found
}

/// How an import brings a name, behind a path.
fn find(tree: &syn::UseTree, name: &str, path: &mut Vec<String>) -> Import {
    match tree {
        syn::UseTree::Path(p) => {
            path.push(p.ident.to_string());
            let found = find(&p.tree, name, path);
            path.pop();
            found
        }
        syn::UseTree::Name(n) if n.ident == name => {
            Import::Path(path.iter().cloned().chain([name.to_owned()]).collect())
        }
        // `use loss::loss as other;`
        syn::UseTree::Rename(r) if r.rename == name => match path.last() {
            Some(module) if r.ident == module => {
                Import::Path(path.iter().chain([module]).cloned().collect())
            }
            _ => Import::Renamed,
        },
        syn::UseTree::Glob(_) if path.last().is_some_and(|module| module == name) => Import::All,
        syn::UseTree::Group(g) => {
            let found = g.items.iter().map(|tree| find(tree, name, path));
            found.fold(Import::Not, |known, found| match (known, found) {
                // Its companion has the name beside it.
                (Import::Renamed, _) | (_, Import::Renamed) => Import::Renamed,
                (Import::Not, found) => found,
                (known, _) => known,
            })
        }
        syn::UseTree::Name(_) | syn::UseTree::Rename(_) | syn::UseTree::Glob(_) => Import::Not,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_say_where_a_name_is_from() {
        let path = |text: &str| match by_import(text, "loss") {
            Import::Path(path) => path.join("::"),
            Import::Renamed => "renamed".to_owned(),
            Import::All => "all".to_owned(),
            Import::Not => "not".to_owned(),
        };
        assert_eq!(path("use super::loss::{rate, loss};"), "super::loss::loss");
        assert_eq!(path("use a::{b::c, d::{loss}};"), "a::d::loss");
        assert_eq!(path("use a::loss::loss; use b::sweeps as loss;"), "renamed");
        assert_eq!(path("use a::loss::{loss, sweeps as loss};"), "renamed");
        assert_eq!(path("use super::loss::*;"), "all");
        assert_eq!(path("use super::{a::*, b};"), "not");
        assert_eq!(path("use a::rate::rate as loss;"), "a::rate::rate");
    }

    #[test]
    fn a_brace_says_which_module_it_opens() {
        let text = "pub mod loss {";
        assert_eq!(module_before(text, text.len() - 1), Some("loss"));
        assert_eq!(module_before("fn loss() {", 10), None);
    }

    #[test]
    fn paths_of_one_name_twice_lead_to_the_other() {
        let of = |path: &str| {
            let sweeps = sweeps_of_same_name(&syn::parse_str(path).expect("a path"))?;
            Some(quote::quote!(#sweeps).to_string().replace(' ', ""))
        };
        assert_eq!(
            of("a::loss::loss").as_deref(),
            Some("a::loss::__loss_sweeps")
        );
        assert_eq!(of("a::loss"), None);
    }
}
