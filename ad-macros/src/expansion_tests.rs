//! Every `#[gradient]` function of benches and examples goes through the whole compiler: what it generates parses, or
//! the function is refused with a message that is not an internal error. Those of tests do where they are compiled.
//!
//! `RETROGRADE_EXPANSIONS=<folder> cargo test -p ad-macros --lib expansions` writes what is generated for all functions
//! of the workspace into the folder, a file for each source file. A change that is not meant to change generated code
//! is checked by `diff -r` of the folders before and after. `RETROGRADE_SOURCES=<folder>` takes the functions from
//! there instead.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::visit::{self, Visit};

/// A function, or method, and the arguments of its attribute.
pub(crate) struct Found {
    pub(crate) name: String,
    pub(crate) arguments: TokenStream,
    pub(crate) item: TokenStream,
    /// The macro whose argument it is, which may be what puts it under `#[gradient]`.
    pub(crate) within: Option<String>,
}

/// Collects what `#[gradient]` is above, wherever it stands, and functions that are arguments of macros.
#[derive(Default)]
pub(crate) struct Functions {
    pub(crate) found: Vec<Found>,
    within: Option<String>,
}

impl Functions {
    fn look(&mut self, name: &syn::Ident, attributes: &[syn::Attribute], item: TokenStream) {
        let gradient = |a: &&syn::Attribute| {
            let last = a.path().segments.last();
            last.is_some_and(|segment| segment.ident == "gradient")
        };
        let attribute = attributes.iter().find(gradient);
        if attribute.is_none() && self.within.is_none() {
            return;
        }
        let arguments = match attribute.map(|attribute| &attribute.meta) {
            Some(syn::Meta::List(list)) => list.tokens.clone(),
            Some(syn::Meta::Path(_) | syn::Meta::NameValue(_)) | None => TokenStream::new(),
        };
        self.found.push(Found {
            name: name.to_string(),
            arguments,
            item,
            within: self.within.clone(),
        });
    }
}

fn without_gradient(attributes: &mut Vec<syn::Attribute>) {
    attributes.retain(|a| !a.path().is_ident("gradient"));
}

impl<'ast> Visit<'ast> for Functions {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        let mut bare = function.clone();
        without_gradient(&mut bare.attrs);
        self.look(
            &function.sig.ident,
            &function.attrs,
            bare.into_token_stream(),
        );
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, method: &'ast syn::ImplItemFn) {
        let mut bare = method.clone();
        without_gradient(&mut bare.attrs);
        self.look(&method.sig.ident, &method.attrs, bare.into_token_stream());
        visit::visit_impl_item_fn(self, method);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let Ok(items) = call.parse_body::<syn::File>() else {
            return;
        };
        let name = call.path.segments.last().map(|s| s.ident.to_string());
        let around = std::mem::replace(&mut self.within, name);
        self.visit_file(&items);
        self.within = around;
    }
}

/// The Rust files below a folder, in the order of their names, without what is built.
pub(crate) fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a readable folder")
        .map(|entry| entry.expect("a readable entry").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            let built = ["target", ".git"];
            if !path
                .file_name()
                .is_some_and(|n| built.iter().any(|b| n == *b))
            {
                sources(&path, files);
            }
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
}

/// What the attribute generates for the functions of a file, and how many there are.
fn expansions(text: &str) -> (String, usize) {
    let Ok(file) = syn::parse_file(text) else {
        return (String::new(), 0);
    };
    let mut functions = Functions::default();
    functions.visit_file(&file);
    // Those in macros have their twins beside them.
    functions.found.retain(|found| found.within.is_none());
    let mut out = String::new();
    for function in &functions.found {
        let tokens = crate::pipeline::expand(function.arguments.clone(), function.item.clone());
        let parsed: syn::Result<syn::File> = syn::parse2(tokens.clone());
        let shown = match parsed {
            Ok(file) => prettyplease::unparse(&file),
            // Methods are no items of a file.
            Err(_) => tokens.to_string(),
        };
        assert!(
            !shown.contains("retrograde made a mistake"),
            "`{}`:\n{shown}",
            function.name
        );
        let _infallible = writeln!(out, "// ==== {}\n{shown}", function.name);
    }
    (out, functions.found.len())
}

#[test]
fn expansions_of_functions_of_the_workspace() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let given = std::env::var_os("RETROGRADE_SOURCES").map(PathBuf::from);
    let into = std::env::var_os("RETROGRADE_EXPANSIONS").map(PathBuf::from);
    let all = given.is_some() || into.is_some();
    let root = given.unwrap_or(workspace);
    let mut files = Vec::new();
    if all {
        sources(&root, &mut files);
    } else {
        for folder in ["benches", "examples"] {
            sources(&root.join(folder), &mut files);
        }
    }
    let (next, functions) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        while let Some(file) = files.get(next.fetch_add(1, Relaxed)) {
            let text = std::fs::read_to_string(file).expect("a readable file");
            let (generated, found) = expansions(&text);
            functions.fetch_add(found, Relaxed);
            if let Some(into) = into.as_ref().filter(|_| found > 0) {
                let inside = file.strip_prefix(&root).expect("a file below the root");
                let to = into.join(inside);
                let folder = to.parent().expect("a folder");
                std::fs::create_dir_all(folder).expect("a folder to write to");
                std::fs::write(to, generated).expect("a file to write to");
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    assert!(
        functions.into_inner() > 0,
        "there are functions below {}",
        root.display()
    );
}
