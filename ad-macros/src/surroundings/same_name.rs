//! Functions in a module of their own name: `pub use loss::loss;` of a file `loss.rs`.
//!
//! The hidden type of such a function would collide with the module where both are imported, so it has another name,
//! and callers find it by the path that they import the function by.

use std::rc::Rc;

use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::ext::IdentExt;

use super::{Blocks, Open, Surroundings, declares_function, is_word, look, resolved};
use crate::edition::root_of_crate;
use crate::ir::HiddenPlace;
use crate::lower::{imports_of_code, segment_names};

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
pub(super) fn is_root(blocks: &Blocks) -> bool {
    let arguments: Vec<String> = std::env::args().collect();
    let same = |root: &str| {
        let root = std::fs::canonicalize(root).ok();
        root.is_some() && root == std::fs::canonicalize(&blocks.file).ok()
    };
    root_of_crate(&arguments).is_none_or(same)
}

/// `name` of `mod name {`, whose brace stands here.
pub(super) fn module_before(text: &str, brace: usize) -> Option<&str> {
    let before = text.get(..brace)?.trim_end();
    let name = before.rsplit(|c| !is_word(c)).next()?;
    let of = before[..before.len() - name.len()].trim_end();
    of.ends_with("mod").then_some(name)
}

/// Where the sweeps are of a function in a module of its name, as far as the text shows that it is one.
pub(crate) fn sweeps_of_same_name(path: &syn::Path) -> Option<syn::Path> {
    let names = segment_names(path);
    let function = &path.segments.last()?.ident;
    let (name, module) = names.split_last()?;
    let sweeps = sweeps_name(function);
    let at = function.span();
    let elsewhere = |module: &[String], name: &str| {
        let path = resolved::behind(module, name, at)?;
        let sweeps = sweeps_name(&name_at(name, at));
        let path = path.iter().map(|name| name_at(name, at));
        Some(syn::parse_quote!(#(#path::)*#sweeps))
    };
    if let Some(last) = module.last() {
        return match last == name {
            true => Some(replaced(path.clone(), sweeps)),
            false => elsewhere(module, name),
        };
    }
    let (inside, own, globs, imported) = look(at, |blocks, open| {
        let brace = innermost(&open);
        let module = blocks.module(brace);
        let inside = is_inside(blocks, brace, name, &module.text);
        let own = inside || declares_function(&module.text, name);
        (
            inside,
            own,
            module.globs(),
            by_import(&module.imports, name),
        )
    })?;
    match imported {
        Import::Renamed(path) => {
            let (function, path) = path.split_last()?;
            elsewhere(path, function)
        }
        Import::Path(mut path) => {
            let function = path.pop()?;
            let module = path.last()?;
            let of_own = *module == function;
            let of_above = module == "super" && function == *name;
            let sweeps = sweeps_name(&name_at(&function, at));
            if of_own || of_above && above(at, name)? {
                let path = path.iter().map(|name| name_at(name, at));
                return Some(syn::parse_quote!(#(#path::)*#sweeps));
            }
            elsewhere(&path, &function)
        }
        Import::All => Some(syn::parse_quote!(#sweeps)),
        // A glob brings it with the function.
        Import::Not => {
            let of_above = |path: &[String]| path == ["super"];
            if inside || globs.iter().any(|path| of_above(path)) && above(at, name)? {
                return Some(syn::parse_quote!(#sweeps));
            }
            let mut others = globs.iter().filter(|_| !own);
            others.find_map(|path| elsewhere(path, name))
        }
    }
}

/// Where a function is by the path of its sweeps, if the module of that is private where the path stands.
pub(crate) fn hidden_place(called: &syn::Path, sweeps: &syn::Path) -> Option<HiddenPlace> {
    let at = called.segments.last()?.ident.span();
    let mut names = segment_names(sweeps);
    let own = names.pop()?;
    if !resolved::is_private_here(&names, at) {
        return None;
    }
    names.push(own.strip_prefix("__")?.strip_suffix("_sweeps")?.to_owned());
    // What an import brings begins where it does.
    let first = names.first()?.clone();
    let imported = look(at, |blocks, open| {
        let module = blocks.module(innermost(&open));
        let mut leaves = module.imports.iter().flatten();
        let of_first = |leaf: &&Leaf| leaf.name.as_ref().is_some_and(|(_, here)| *here == first);
        let leaf = leaves.find(of_first)?;
        let (of, _) = leaf.name.as_ref()?;
        Some([leaf.path.as_slice(), std::slice::from_ref(of)].concat())
    });
    if let Some(Some(path)) = imported {
        names.splice(..1, path);
    }
    let up = match names.first()?.as_str() {
        "crate" => None,
        _ => Some(names.iter().filter(|name| *name == "super").count()),
    };
    let is_name = |name: &&String| !matches!(name.as_str(), "crate" | "self" | "super");
    let path: Vec<&str> = names.iter().filter(is_name).map(String::as_str).collect();
    Some(HiddenPlace {
        up,
        path: path.join("::"),
    })
}

/// Whether an import of the module around this place brings a trait of `std::ops`, by its name.
pub(crate) fn brings_operator(name: &str, at: Span) -> bool {
    let brings = |leaf: &Leaf| {
        let [krate, module] = leaf.path.as_slice() else {
            return false;
        };
        let of_std = (krate == "std" || krate == "core") && module == "ops";
        let names = leaf.name.as_ref();
        of_std && names.is_none_or(|(of, here)| of == name && here == name)
    };
    look(at, |blocks, open| {
        let module = blocks.module(innermost(&open));
        module.imports.iter().flatten().any(brings)
    })
    .unwrap_or(false)
}

/// Whether the module around the innermost one has this name and declares a function of it.
fn above(at: Span, name: &str) -> Option<bool> {
    look(at, |blocks, mut open| {
        while open.pop().is_some_and(|(of, _)| of != Surroundings::Module) {}
        let brace = innermost(&open);
        is_inside(blocks, brace, name, &blocks.module(brace).text)
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
pub(super) fn innermost(open: &Open) -> Option<usize> {
    braces_of_modules(open).next_back()
}

/// The braces of the modules that are open, the innermost last.
pub(super) fn braces_of_modules(open: &Open) -> impl DoubleEndedIterator<Item = usize> {
    let modules = open.iter().filter(|(of, _)| *of == Surroundings::Module);
    modules.map(|(_, brace)| *brace)
}

/// What the text of a module says, that of the modules in it apart.
pub(super) struct Module {
    pub(super) text: String,
    /// The leaves of each `use`.
    pub(super) imports: Vec<Vec<Leaf>>,
}

/// A name that is imported, or all that is in a module: behind which path.
pub(super) struct Leaf {
    pub(super) path: Vec<String>,
    /// The name, and the one that it gets here.
    pub(super) name: Option<(String, String)>,
}

impl Blocks {
    /// The module of this brace, or that of the file.
    pub(super) fn module(&self, brace: Option<usize>) -> Rc<Module> {
        let mut known = self.modules_read.borrow_mut();
        let read = || Rc::new(Module::of(text_of_module(self, brace)));
        Rc::clone(known.entry(brace).or_insert_with(read))
    }
}

impl Module {
    /// The modules of which everything is imported.
    fn globs(&self) -> Vec<Vec<String>> {
        let all = self
            .imports
            .iter()
            .flatten()
            .filter(|leaf| leaf.name.is_none());
        all.map(|leaf| leaf.path.clone()).collect()
    }

    fn of(text: String) -> Self {
        Module {
            imports: leaves_of(&text),
            text,
        }
    }
}

/// The leaves of each import of a text that stands in no comment.
pub(super) fn leaves_of(text: &str) -> Vec<Vec<Leaf>> {
    imports_of_code(text).map(|tree| leaves(&tree)).collect()
}

/// The leaves of an import.
pub(super) fn leaves(tree: &syn::UseTree) -> Vec<Leaf> {
    let mut leaves = Vec::new();
    collect(tree, &mut Vec::new(), &mut leaves);
    leaves
}

fn collect(tree: &syn::UseTree, path: &mut Vec<String>, leaves: &mut Vec<Leaf>) {
    let name = match tree {
        syn::UseTree::Path(p) => {
            path.push(p.ident.to_string());
            collect(&p.tree, path, leaves);
            path.pop();
            return;
        }
        syn::UseTree::Group(g) => {
            g.items.iter().for_each(|tree| collect(tree, path, leaves));
            return;
        }
        syn::UseTree::Name(n) => Some((n.ident.to_string(), n.ident.to_string())),
        syn::UseTree::Rename(r) => Some((r.ident.to_string(), r.rename.to_string())),
        syn::UseTree::Glob(_) => None,
    };
    let path = path.clone();
    leaves.push(Leaf { path, name });
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
    named && declares_function(text, name)
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
pub(super) enum Import {
    /// Another name by this one, by its path.
    Renamed(Vec<String>),
    /// The path to the function, by which name ever it is brought.
    Path(Vec<String>),
    /// All that is in a module of the name.
    All,
    Not,
}

pub(super) fn by_import(imports: &[Vec<Leaf>], name: &str) -> Import {
    let mut found = Import::Not;
    for leaves in imports {
        // In one `use`, the first, unless another name is given this one: its companion has the name beside it.
        let mut here = Import::Not;
        for leaf in leaves {
            match (leaf.brings(name), &here) {
                (Import::Renamed(path), _) => return Import::Renamed(path),
                (brought, Import::Not) => here = brought,
                (Import::Path(_) | Import::All | Import::Not, _) => {}
            }
        }
        if here != Import::Not {
            found = here;
        }
    }
    found
}

impl Leaf {
    /// How it brings a name.
    fn brings(&self, name: &str) -> Import {
        let module = self.path.last();
        match &self.name {
            Some((of, here)) if here == name => {
                let path = self.path.iter().chain([of]).cloned().collect();
                // `use loss::loss as other;`
                if of == here || module == Some(of) {
                    Import::Path(path)
                } else {
                    Import::Renamed(path)
                }
            }
            None if module.is_some_and(|module| module == name) => Import::All,
            Some(_) | None => Import::Not,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_say_where_a_name_is_from() {
        let path = |text: &str| match by_import(&Module::of(text.to_owned()).imports, "loss") {
            Import::Path(path) => path.join("::"),
            Import::Renamed(_) => "renamed".to_owned(),
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
        assert_eq!(path("//! use loss::*;\nfn f() {}"), "not");
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
