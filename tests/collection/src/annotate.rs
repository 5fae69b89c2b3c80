//! Attributes, derives and wrappers in the unpacked sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use quote::ToTokens;

use crate::arguments::Wrapper;
use crate::index::{Function, Index};

/// The module with the wrappers of a file.
pub(crate) const MODULE: &str = "__retrograde_collection";

/// What one function of the manifest needs.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// It and those that it calls.
    pub(crate) functions: Vec<usize>,
    /// The types that derive: a name, and a file in which it means the type.
    pub(crate) types: Vec<(String, PathBuf)>,
    pub(crate) wrapper: Result<Wrapper, String>,
    pub(crate) at: Option<Vec<f64>>,
}

impl Unit {
    pub(crate) fn new(index: &Index, first: usize, at: Option<Vec<f64>>) -> Unit {
        let functions = index.with_callees(first);
        let mut types = BTreeSet::new();
        for function in functions.iter().map(|k| &index.functions[*k]) {
            let mut text = function.sig.to_token_stream().to_string();
            if let Some(owner) = &function.owner {
                let _ = write!(text, " {owner}");
            }
            named_types(index, &text, &function.at.file, &mut types);
        }
        let types = types.into_iter().collect();
        Unit {
            functions,
            types,
            wrapper: crate::arguments::wrapper(index, &index.functions[first]),
            at,
        }
    }
}

/// The types of the crate that a text names, and those of their fields.
fn named_types(index: &Index, text: &str, file: &Path, found: &mut BTreeSet<(String, PathBuf)>) {
    for word in text.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
        let Some(ty) = index.type_in(word, file) else {
            continue;
        };
        if found.insert((word.to_owned(), ty.at.file.clone())) {
            let fields = ty.item.to_token_stream().to_string();
            named_types(index, &fields, &ty.at.file, found);
        }
    }
}

/// Writes the sources with what the units need, beside `lib.rs` the calls of their wrappers.
pub(crate) struct Sources<'a> {
    pub(crate) index: &'a Index,
    /// As they were.
    pub(crate) pristine: &'a BTreeMap<PathBuf, String>,
    /// Below which the modules lie.
    pub(crate) root: &'a Path,
    /// `lib.rs`, wherever it lies.
    pub(crate) library: &'a Path,
}

impl Sources<'_> {
    /// `units`: those that are annotated; `compared`: those with a wrapper.
    pub(crate) fn write(
        &self,
        units: &BTreeMap<usize, Unit>,
        compared: &BTreeSet<usize>,
    ) -> io::Result<()> {
        let mut inserts: BTreeMap<&Path, BTreeMap<usize, String>> = BTreeMap::new();
        for unit in units.values() {
            for function in unit.functions.iter().map(|k| &self.index.functions[*k]) {
                // Of a trait, the whole block.
                let at = function.of_trait.as_ref().unwrap_or(&function.at);
                let file = inserts.entry(&at.file).or_default();
                file.insert(at.offset, "#[::retrograde::gradient] ".to_owned());
            }
            for ty in unit
                .types
                .iter()
                .filter_map(|(name, file)| self.index.type_in(name, file))
            {
                let derives = if is_copy(&ty.item) {
                    "#[derive(::retrograde::Differentiable, ::retrograde::Record)] "
                } else {
                    "#[derive(::retrograde::Differentiable)] "
                };
                inserts
                    .entry(&ty.at.file)
                    .or_default()
                    .insert(ty.at.offset, derives.to_owned());
            }
        }
        for (path, text) in self.pristine {
            let mut text = text.clone();
            for (offset, insert) in inserts
                .remove(path.as_path())
                .unwrap_or_default()
                .into_iter()
                .rev()
            {
                text.insert_str(offset, &insert);
            }
            let here = compared.iter().filter(|k| {
                units
                    .get(k)
                    .is_some_and(|unit| self.index.functions[unit.functions[0]].at.file == *path)
            });
            let wrappers: String = here
                .map(|k| module(*k, &units[k], &self.index.functions[units[k].functions[0]]))
                .collect();
            text.push_str(&wrappers);
            if path == self.library && !compared.is_empty() {
                text.push_str(&self.entry_point(units, compared));
            }
            fs::write(path, text)?;
        }
        Ok(())
    }

    /// `pub fn __retrograde_run(unit)`.
    fn entry_point(&self, units: &BTreeMap<usize, Unit>, compared: &BTreeSet<usize>) -> String {
        let mut arms = String::new();
        for unit in compared.iter().filter(|k| units.contains_key(k)) {
            let function = &self.index.functions[units[unit].functions[0]];
            let path = self.module_path(&function.at.file);
            let _ = write!(arms, "{unit} => crate::{path}{MODULE}_{unit}::run(), ");
        }
        format!(
            "\n#[doc(hidden)] #[allow(warnings, clippy::all)] \
             pub fn __retrograde_run(unit: usize) -> ::retrograde_collection_harness::Text \
             {{ match unit {{ {arms} _ => ::retrograde_collection_harness::Text::new() }} }}\n"
        )
    }

    /// `a::b::` of `a/b.rs` and `a/b/mod.rs`.
    fn module_path(&self, file: &Path) -> String {
        if file == self.library {
            return String::new();
        }
        let below = file
            .strip_prefix(self.root)
            .unwrap_or(file)
            .with_extension("");
        let parts = below.iter().map(|part| part.to_string_lossy().into_owned());
        parts
            .filter(|part| part != "mod")
            .fold(String::new(), |path, part| path + &part + "::")
    }
}

fn is_copy(item: &syn::Item) -> bool {
    let attrs = match item {
        syn::Item::Struct(s) => &s.attrs,
        syn::Item::Enum(e) => &e.attrs,
        _ => return false,
    };
    attrs
        .iter()
        .any(|a| a.path().is_ident("derive") && a.to_token_stream().to_string().contains("Copy"))
}

/// The wrapper of a unit, and the comparison of its gradient with differences. In one line: errors name it.
fn module(unit: usize, of: &Unit, function: &Function) -> String {
    let Ok(w) = &of.wrapper else {
        return String::new();
    };
    let given = match &of.at {
        Some(at) if at.len() == w.numbers => format!("&{at:?}"),
        _ => "&[]".to_owned(),
    };
    let (params, args) = (w.params.join(", "), w.args.join(", "));
    let lifetimes = function
        .sig
        .generics
        .lifetimes()
        .chain(function.generics.lifetimes());
    let lifetimes: Vec<String> = lifetimes.map(|l| l.lifetime.to_string()).collect();
    let generics = if lifetimes.is_empty() {
        String::new()
    } else {
        format!("<{}>", lifetimes.join(", "))
    };
    let text = format!(
        "#[doc(hidden)] #[allow(warnings, clippy::all)] pub mod {MODULE}_{unit} {{ use super::*; \
         #[::retrograde::gradient] fn wrapper{generics}({params}) -> f64 {{ {body} }} \
         pub fn run() -> ::retrograde_collection_harness::Text {{ \
         ::retrograde_collection_harness::run({numbers}, {single}, {given}, \
         |__p: &[f64]| wrapper({args}), \
         |__p: &[f64]| {{ let __both = wrapper_grad({args}); \
         (__both.0, ::retrograde::Flat::to_flat(&__both.1)) }}) }} }}",
        body = w.body.replace('\n', " "),
        numbers = w.numbers,
        single = w.single,
    );
    format!("\n{}\n", text)
}
