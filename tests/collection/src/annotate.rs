//! Attributes, derives and wrappers in the unpacked sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use quote::ToTokens;

use crate::arguments::Wrapper;
use crate::compile::Mistake;
use crate::index::{At, Function, Index, Template};

/// The module with the wrappers of a file.
pub(crate) const MODULE: &str = "__retrograde_collection";

/// What one function of the manifest needs.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// It and those that it calls.
    pub(crate) functions: Vec<usize>,
    /// The types that derive: a name, and a file in which it means the type.
    pub(crate) types: BTreeSet<(String, PathBuf)>,
    /// Those of them that derive `Record` as well, though they are not `Copy`.
    pub(crate) recorded: BTreeSet<(String, PathBuf)>,
    /// What macros make: by which attribute, in front of what.
    pub(crate) others: Vec<(At, &'static str)>,
    /// The traits with `#[gradient]`, by their names.
    pub(crate) traits: BTreeSet<String>,
    /// Their `impl`s with it, beside those of the functions.
    pub(crate) implementations: BTreeSet<usize>,
    pub(crate) wrapper: Result<Wrapper, String>,
    pub(crate) at: Option<Vec<f64>>,
}

/// The attribute on functions, blocks and traits.
const GRADIENT: &str = "#[::retrograde::gradient] ";
const DERIVE: &str = "#[derive(::retrograde::Differentiable)] ";
const DERIVE_RECORD: &str = "#[derive(::retrograde::Differentiable, ::retrograde::Record)] ";

/// What a type derives. `kept`: its values may be records.
fn derives(kept: bool) -> &'static str {
    if kept { DERIVE_RECORD } else { DERIVE }
}

impl Unit {
    pub(crate) fn new(index: &Index, first: usize, at: Option<Vec<f64>>) -> Unit {
        let mut unit = Unit {
            functions: Vec::new(),
            types: BTreeSet::new(),
            recorded: BTreeSet::new(),
            others: Vec::new(),
            traits: BTreeSet::new(),
            implementations: BTreeSet::new(),
            wrapper: crate::arguments::wrapper(index, &index.functions[first]),
            at,
        };
        unit.add(index, first);
        unit
    }

    /// A function, those that it calls, and the types in their signatures. Whether there is a new one.
    fn add(&mut self, index: &Index, first: usize) -> bool {
        let before = self.functions.len();
        for k in index.with_callees(first) {
            if self.functions.contains(&k) {
                continue;
            }
            self.functions.push(k);
            let function = &index.functions[k];
            let mut text = function.sig.to_token_stream().to_string();
            if let Some(owner) = &function.owner {
                let _ = write!(text, " {owner}");
            }
            named_types(index, &text, &function.at.file, &mut self.types);
        }
        self.functions.len() > before
    }

    /// Does what a message asks for, as a user would: derives on the type of the crate that it names, or puts
    /// `#[gradient]` on the operator, method or function. Whether there was something to do.
    pub(crate) fn heeds(&mut self, index: &Index, mistake: &Mistake) -> bool {
        let message = mistake.message.as_str();
        let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
        let last = |path: &str| type_name(path).to_owned();
        match names.as_slice() {
            [ty, ..] if message.contains("cannot be differentiated") => {
                self.derives(index, &last(ty))
                    || self.derives_at(index, &mistake.noted)
                    || self.derives_in_macros(index, &last(ty))
            }
            [ty, ..] if message.contains("cannot be recorded on the tape") => {
                self.records(index, &last(ty))
            }
            [_, ty] if message.contains("the conversion of") => {
                self.annotates(index, "from", Some(&last(ty)))
            }
            [operator, ty, ..] if message.contains("has no derivative") => {
                self.annotates(index, &snake_case(&last(operator)), Some(&last(ty)))
            }
            [name, ..] if message.contains("has no `#[gradient]`, and this `impl` has one") => {
                self.annotates_trait(index, name)
            }
            [method] if message.contains("on a value with a derivative is not supported") => {
                self.annotates_trait_with(index, method)
            }
            [_, name] if message.contains("is not a member of trait") => {
                self.annotates_trait(index, type_name(name))
            }
            [ty, ..] if message.contains("implements a trait that has `#[gradient]`") => {
                self.annotates_implementations(index, &last(ty))
                    || self.annotates_implementations_in_macros(index)
            }
            [method, ty, ..] if method.starts_with("__derivative_of_") => {
                let method = method.trim_start_matches("__derivative_of_");
                let method = method
                    .trim_end_matches("_forward")
                    .trim_end_matches("_reverse");
                self.annotates(index, method, Some(&last(ty)))
                    || self.annotates_trait_with(index, method)
                    || self.annotates_in_macros(index, method)
            }
            [name, _] if message.contains("is called with a value that has a derivative") => {
                self.annotates_at(index, name)
                    || self.annotates_methods(index, name)
                    || self.annotates_trait_with(index, name)
                    || self.annotates_in_macros(index, name)
            }
            [function] if message.contains("expected type, found function") => {
                self.annotates_at(index, function)
                    || self.annotates_in_macros(index, type_name(function))
            }
            _ => false,
        }
    }

    /// The trait of this name, if there is one of it.
    fn annotates_trait(&mut self, index: &Index, name: &str) -> bool {
        let known = index.traits.get(name).is_some_and(|found| found.len() == 1);
        known && self.traits.insert(name.to_owned())
    }

    /// The traits that declare a method, and their `impl`s for floats.
    fn annotates_trait_with(&mut self, index: &Index, method: &str) -> bool {
        let declares = |found: &[crate::index::Definition]| {
            let mut functions = found.iter().flat_map(|found| &found.functions);
            functions.any(|name| name == method)
        };
        let of_method = index.traits.iter().filter(|(_, found)| declares(found));
        let names: Vec<&String> = of_method.map(|(name, _)| name).collect();
        let mut new = false;
        for name in names {
            if self.annotates_trait(index, name) {
                new = true;
                self.annotates_implementations(index, "f64");
                self.annotates_implementations(index, "f32");
            }
        }
        new
    }

    /// The `impl`s of these traits for the type.
    fn annotates_implementations(&mut self, index: &Index, ty: &str) -> bool {
        let before = self.implementations.len();
        let all = index.implementations.iter().enumerate();
        let found = all.filter(|(_, of)| of.owner == ty && self.traits.contains(&of.of));
        self.implementations.extend(found.map(|(k, _)| k));
        self.implementations.len() > before
    }

    /// Where the traits and their `impl`s stand, that with the attribute first.
    pub(crate) fn of_traits<'i>(&'i self, index: &'i Index) -> impl Iterator<Item = &'i At> {
        let traits = self
            .traits
            .iter()
            .filter_map(|name| Some(&index.traits.get(name)?.first()?.at));
        traits.chain(
            self.implementations
                .iter()
                .map(|k| &index.implementations[*k].at),
        )
    }

    /// Whether an `impl` of one of these traits stands there.
    pub(crate) fn implements(&self, index: &Index, here: impl Fn(&At) -> bool) -> bool {
        let mut all = index.implementations.iter();
        all.any(|of| self.traits.contains(&of.of) && here(&of.at))
    }

    fn derives(&mut self, index: &Index, name: &str) -> bool {
        let Some(ty) = self.type_named(index, name) else {
            return false;
        };
        let new = !self.types.contains(&(name.to_owned(), ty.at.file.clone()));
        if new {
            named_types(index, name, &ty.at.file.clone(), &mut self.types);
        }
        new
    }

    /// Derives on the types that the notes of a message point at: one of several of its name.
    fn derives_at(&mut self, index: &Index, noted: &[(PathBuf, usize)]) -> bool {
        let mut new = false;
        for (file, line) in noted {
            let all = index.types.values().flatten();
            let mut here = all.filter(|ty| ty.at.file == *file && ty.at.line == *line);
            if let Some(ty) = here.next() {
                let derives = derives(is_copy(&ty.item));
                new |= self.other(&ty.at, derives);
            }
        }
        new
    }

    /// Derives on what macros of the crate make, if the type is none that stands in its text.
    fn derives_in_macros(&mut self, index: &Index, name: &str) -> bool {
        if index.types.contains_key(name) {
            return false;
        }
        let of = |template: &&Template| {
            template.keyword == "struct" && template.name.as_deref().is_none_or(|of| of == name)
        };
        let mut new = false;
        for template in index.templates.iter().filter(of) {
            let derives = derives(template.is_copy);
            new |= self.other(&template.at, derives);
        }
        new
    }

    /// The functions of this name that macros of the crate make.
    fn annotates_in_macros(&mut self, index: &Index, name: &str) -> bool {
        let of = |template: &&Template| {
            template.keyword == "fn" && template.name.as_deref().is_none_or(|of| of == name)
        };
        let mut new = false;
        for template in index.templates.iter().filter(of) {
            new |= self.other(&template.at, GRADIENT);
        }
        new
    }

    /// The `impl`s of the traits with `#[gradient]` that macros of the crate make.
    fn annotates_implementations_in_macros(&mut self, index: &Index) -> bool {
        let mut new = false;
        for template in index.templates.iter().filter(|of| of.keyword == "impl") {
            let named = template.name.as_ref();
            if named.is_some_and(|name| self.traits.contains(name)) {
                new |= self.other(&template.at, GRADIENT);
            }
        }
        new
    }

    fn other(&mut self, at: &At, attribute: &'static str) -> bool {
        let known = |(of, _): &(At, _)| of.file == at.file && of.offset == at.offset;
        let new = !self.others.iter().any(known);
        if new {
            self.others.push((at.clone(), attribute));
        }
        new
    }

    fn records(&mut self, index: &Index, name: &str) -> bool {
        let Some(ty) = self.type_named(index, name) else {
            return false;
        };
        self.derives(index, name);
        !is_copy(&ty.item) && self.recorded.insert((name.to_owned(), ty.at.file.clone()))
    }

    /// The free function of this path: of several of its name, the one in the file that the path names.
    fn annotates_at(&mut self, index: &Index, path: &str) -> bool {
        let names: Vec<&str> = path.split("::").collect();
        let Some((name, modules)) = names.split_last() else {
            return false;
        };
        let in_file = |f: &Function| {
            let file = f.at.file.with_extension("");
            let parts = file.iter().map(|part| part.to_string_lossy().into_owned());
            let mut parts: Vec<String> = parts.filter(|part| part != "mod").collect();
            modules.iter().rev().all(|module| {
                matches!(*module, "crate" | "self" | "super")
                    || parts.pop().is_some_and(|part| part == *module)
            })
        };
        let all = index.functions.iter().enumerate();
        let fits = |f: &Function| f.sig.ident == *name && f.owner.is_none() && in_file(f);
        let found: Vec<usize> = all.filter(|(_, f)| fits(f)).map(|(k, _)| k).collect();
        let here = |k: &&usize| {
            let file = &index.functions[**k].at.file;
            self.functions
                .iter()
                .any(|of| index.functions[*of].at.file == *file)
        };
        let beside: Vec<&usize> = found.iter().filter(here).collect();
        match (found.as_slice(), beside.as_slice()) {
            ([one], _) if !modules.is_empty() => self.add(index, *one),
            (_, [one]) if modules.is_empty() => self.add(index, **one),
            _ => self.annotates(index, name, None),
        }
    }

    /// The functions of this name, of this type.
    fn annotates(&mut self, index: &Index, name: &str, owner: Option<&str>) -> bool {
        let all = index.functions.iter().enumerate();
        let fits = |f: &Function| f.sig.ident == name && f.owner.as_deref() == owner;
        let found: Vec<usize> = all.filter(|(_, f)| fits(f)).map(|(k, _)| k).collect();
        // Which of several free functions is meant, the name alone does not say.
        if owner.is_none() && found.len() > 1 {
            return false;
        }
        let before = self.functions.len();
        for k in found {
            self.add(index, k);
        }
        self.functions.len() > before
    }

    /// The methods of this name, whatever they are of.
    fn annotates_methods(&mut self, index: &Index, name: &str) -> bool {
        let all = index.functions.iter().enumerate();
        let of_types = all.filter(|(_, f)| f.sig.ident == name && f.owner.is_some());
        let found: Vec<usize> = of_types.map(|(k, _)| k).collect();
        let before = self.functions.len();
        for k in found {
            self.add(index, k);
        }
        self.functions.len() > before
    }

    /// The type of this name in one of the files that the functions stand in.
    fn type_named<'i>(&self, index: &'i Index, name: &str) -> Option<&'i crate::index::Type> {
        let mut files = self.functions.iter().map(|k| &index.functions[*k].at.file);
        files.find_map(|file| index.type_in(name, file))
    }
}

/// The name of the type, without references, path and parameters.
fn type_name(shown: &str) -> &str {
    let shown = shown
        .trim_start_matches(['&', '[', '('])
        .trim_start_matches("mut ");
    let path = shown
        .split(['<', ';', ',', ']', ')'])
        .next()
        .unwrap_or_default();
    path.rsplit("::").next().unwrap_or_default()
}

/// `add_assign` of `AddAssign`.
fn snake_case(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.extend(c.to_lowercase());
    }
    text
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
    /// Paths begin at the root of the crate, where other crates have to be declared.
    pub(crate) edition_2015: bool,
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
                file.insert(at.offset, GRADIENT.to_owned());
            }
            for (at, attribute) in &unit.others {
                let file = inserts.entry(&at.file).or_default();
                file.insert(at.offset, (*attribute).to_owned());
            }
            for at in unit.of_traits(self.index) {
                let file = inserts.entry(&at.file).or_default();
                file.insert(at.offset, "#[::retrograde::gradient] ".to_owned());
            }
            for ty in unit
                .types
                .iter()
                .filter_map(|(name, file)| self.index.type_in(name, file))
            {
                let recorded = unit.recorded.iter().any(|(name, file)| {
                    let of = self.index.type_in(name, file);
                    of.is_some_and(|of| of.at.file == ty.at.file && of.at.offset == ty.at.offset)
                });
                let derives = derives(recorded || is_copy(&ty.item));
                let file = inserts.entry(&ty.at.file).or_default();
                // Another unit may ask for more.
                if file
                    .get(&ty.at.offset)
                    .is_none_or(|other| other.len() <= derives.len())
                {
                    file.insert(ty.at.offset, derives.to_owned());
                }
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
            if path == self.library && self.edition_2015 {
                text.push_str(
                    "\nextern crate retrograde; extern crate retrograde_collection_harness;\n",
                );
            }
            text.push_str(&self.entry_point(path, units, compared));
            fs::write(path, text)?;
        }
        Ok(())
    }

    /// `pub fn __retrograde_run(unit)` of a file on the way to the modules of wrappers: one may be private, so each is
    /// named in the one around it. A line for each unit, which errors name as that of its wrapper.
    fn entry_point(
        &self,
        file: &Path,
        units: &BTreeMap<usize, Unit>,
        compared: &BTreeSet<usize>,
    ) -> String {
        let here = self.module_path(file);
        let mut arms = String::new();
        for unit in compared.iter().filter(|k| units.contains_key(k)) {
            let function = &self.index.functions[units[unit].functions[0]];
            let path = self.module_path(&function.at.file);
            let Some(below) = path.strip_prefix(here.as_str()) else {
                continue;
            };
            let call = match below.split_once("::") {
                Some((module, _)) => format!("self::{module}::__retrograde_run(unit)"),
                None => format!("self::{MODULE}_{unit}::run()"),
            };
            let _ = writeln!(arms, "{unit} => {call}, // pub mod {MODULE}_{unit} {{");
        }
        if arms.is_empty() {
            return String::new();
        }
        format!(
            "\n#[doc(hidden)] #[allow(warnings, clippy::all)] \
             pub fn __retrograde_run(unit: usize) -> ::retrograde_collection_harness::Text {{ match unit {{\n{arms}\
             _ => ::retrograde_collection_harness::Text::new() }} }}\n"
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
