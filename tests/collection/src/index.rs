//! The functions and types of a crate, by name.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use quote::ToTokens;
use syn::visit::Visit;

/// Where something stands in a file: bytes.
#[derive(Clone, Debug)]
pub(crate) struct At {
    pub(crate) file: PathBuf,
    /// The first line.
    pub(crate) line: usize,
    /// The last line.
    pub(crate) last: usize,
    /// Where an attribute can go, in bytes.
    pub(crate) offset: usize,
}

/// A function or method.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) at: At,
    /// The type of the block that it stands in.
    pub(crate) owner: Option<String>,
    /// Where the block stands, if it is one of a trait.
    pub(crate) of_trait: Option<At>,
    pub(crate) sig: syn::Signature,
    pub(crate) generics: syn::Generics,
    calls: BTreeSet<Call>,
}

/// A struct or enum.
#[derive(Clone, Debug)]
pub(crate) struct Type {
    pub(crate) at: At,
    pub(crate) item: syn::Item,
}

/// A function, type or `impl` of a trait in a template of `macro_rules!`: `fn $name`, `fn sin`, `struct $name`.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    pub(crate) at: At,
    pub(crate) keyword: &'static str,
    /// Without the `$` of a fragment, whose name is that of each that the macro makes. Of an `impl`, the trait's.
    pub(crate) name: Option<String>,
    pub(crate) is_copy: bool,
}

/// A trait.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) at: At,
    /// The names of its functions.
    pub(crate) functions: Vec<String>,
}

/// An `impl` of a trait.
#[derive(Clone, Debug)]
pub(crate) struct Implementation {
    pub(crate) at: At,
    /// The name of the trait.
    pub(crate) of: String,
    /// The name of the type.
    pub(crate) owner: String,
}

/// What a crate holds outside of its tests.
#[derive(Default)]
pub(crate) struct Index {
    pub(crate) functions: Vec<Function>,
    pub(crate) types: BTreeMap<String, Vec<Type>>,
    pub(crate) templates: Vec<Template>,
    pub(crate) traits: BTreeMap<String, Vec<Definition>>,
    pub(crate) implementations: Vec<Implementation>,
}

impl Index {
    /// Of all files below a folder.
    pub(crate) fn of(sources: &Path) -> io::Result<Index> {
        let mut index = Index::default();
        let mut folders = vec![sources.to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder)? {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|e| e == "rs") {
                    let text = fs::read_to_string(&path)?;
                    if let Ok(file) = syn::parse_file(&text) {
                        let mut collect = Collect {
                            index: &mut index,
                            path: &path,
                            text: &text,
                        };
                        file.items.iter().for_each(|item| collect.item(item));
                    }
                }
            }
        }
        Ok(index)
    }

    /// The function `name` or `Type::name` of a file.
    pub(crate) fn find(&self, file: &Path, item: &str) -> Option<usize> {
        let (owner, name) = match item.rsplit_once("::") {
            Some((owner, name)) => (Some(owner), name),
            None => (None, item),
        };
        self.functions
            .iter()
            .position(|f| f.at.file == file && f.sig.ident == name && f.owner.as_deref() == owner)
    }

    /// A function and those of the same crate that it calls, as far as names tell which those are.
    pub(crate) fn with_callees(&self, first: usize) -> Vec<usize> {
        let mut found = vec![first];
        let mut at = 0;
        while at < found.len() {
            for callee in self.callees(&self.functions[found[at]]) {
                if !found.contains(&callee) && self.functions[callee].carries_numbers() {
                    found.push(callee);
                }
            }
            at += 1;
        }
        found
    }

    fn callees(&self, caller: &Function) -> Vec<usize> {
        let resolve = |call: &Call| {
            let fits = |f: &Function| {
                let owned = match &call.owner {
                    Some(owner) if owner == "Self" => f.owner == caller.owner,
                    // The last part in front of the name may be a module.
                    Some(owner) => f.owner.as_ref().is_none_or(|of| of == owner),
                    None => f.owner.is_some() == call.of_method,
                };
                f.sig.ident == call.name.as_str()
                    && owned
                    && (!call.of_method || f.sig.receiver().is_some())
            };
            // Of another crate's trait, the method of an unknown receiver may be that of any type.
            let foreign = |f: &Function| {
                let unknown = call.of_method && call.owner.is_none();
                unknown && f.of_trait.as_ref().is_some_and(|at| self.is_foreign(at))
            };
            let all: Vec<usize> = (0..self.functions.len())
                .filter(|k| fits(&self.functions[*k]) && !foreign(&self.functions[*k]))
                .collect();
            let near = |k: &usize| self.functions[*k].at.file == caller.at.file;
            let own = |k: &usize| near(k) && self.functions[*k].owner == caller.owner;
            let near = all
                .iter()
                .copied()
                .find(own)
                .or_else(|| all.iter().copied().find(near));
            near.or(match all.as_slice() {
                [one] => Some(*one),
                _ => None,
            })
        };
        caller.calls.iter().filter_map(resolve).collect()
    }

    /// Whether the `impl` that stands here is one of another crate's trait.
    fn is_foreign(&self, at: &At) -> bool {
        let here = |of: &&Implementation| of.at.file == at.file && of.at.offset == at.offset;
        let found = self.implementations.iter().find(here);
        found.is_some_and(|of| !self.traits.contains_key(&of.of))
    }

    /// A line for each function that carries numbers: file, item, signature.
    pub(crate) fn print(&self, below: &Path) {
        for f in self.functions.iter().filter(|f| f.carries_numbers()) {
            let file =
                f.at.file
                    .strip_prefix(below)
                    .unwrap_or(&f.at.file)
                    .display();
            let owner = f
                .owner
                .as_ref()
                .map_or_else(String::new, |owner| format!("{owner}::"));
            let of = if f.of_trait.is_some() { "trait" } else { "own" };
            println!(
                "{file}\t{owner}{}\t{of}\t{}",
                f.sig.ident,
                f.sig.to_token_stream()
            );
        }
    }

    /// The type that this name means in a file, as far as that can be told: the only one, or the one of the file.
    pub(crate) fn type_in(&self, name: &str, file: &Path) -> Option<&Type> {
        match self.types.get(name)?.as_slice() {
            [one] => Some(one),
            several => {
                let mut here = several.iter().filter(|ty| ty.at.file == file);
                here.next().filter(|_| here.next().is_none())
            }
        }
    }
}

impl Function {
    /// Whether something goes in and comes out that may carry a derivative.
    fn carries_numbers(&self) -> bool {
        let out = match &self.sig.output {
            syn::ReturnType::Default => false,
            syn::ReturnType::Type(_, ty) => !is_discrete(ty),
        };
        let ins = self.sig.inputs.iter().any(|input| match input {
            syn::FnArg::Receiver(_) => true,
            syn::FnArg::Typed(typed) => !is_discrete(&typed.ty),
        });
        let changes = self.sig.inputs.iter().any(|input| match input {
            syn::FnArg::Receiver(r) => r.mutability.is_some() && r.reference.is_some(),
            syn::FnArg::Typed(t) => {
                matches!(&*t.ty, syn::Type::Reference(r) if r.mutability.is_some())
            }
        });
        ins && (out || changes)
    }
}

fn is_discrete(ty: &syn::Type) -> bool {
    const NAMES: &[&str] = &[
        "bool", "char", "str", "String", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16",
        "i32", "i64", "i128", "isize",
    ];
    match ty {
        syn::Type::Reference(r) => is_discrete(&r.elem),
        syn::Type::Path(p) => p
            .path
            .segments
            .last()
            .is_some_and(|s| NAMES.contains(&&*s.ident.to_string())),
        syn::Type::Tuple(t) => t.elems.is_empty(),
        _ => false,
    }
}

struct Collect<'a> {
    index: &'a mut Index,
    path: &'a Path,
    text: &'a str,
}

impl Collect<'_> {
    fn item(&mut self, item: &syn::Item) {
        match item {
            syn::Item::Fn(f) => {
                let at = self.at(&f.attrs, item);
                self.function(at, None, None, &f.sig, &f.sig.generics, &f.block);
            }
            syn::Item::Impl(block) => {
                let mut itself = &*block.self_ty;
                while let syn::Type::Reference(behind) = itself {
                    itself = &behind.elem;
                }
                let syn::Type::Path(ty) = itself else {
                    return;
                };
                let owner = ty.path.segments.last().map(|s| s.ident.to_string());
                let of_trait = block.trait_.is_some().then(|| self.at(&block.attrs, item));
                let name = block
                    .trait_
                    .as_ref()
                    .and_then(|(_, path, _)| path.segments.last());
                if let (Some(at), Some(of), Some(owner)) = (&of_trait, name, &owner) {
                    self.index.implementations.push(Implementation {
                        at: at.clone(),
                        of: of.ident.to_string(),
                        owner: owner.clone(),
                    });
                }
                for method in &block.items {
                    if let syn::ImplItem::Fn(f) = method {
                        let at = self.at(&f.attrs, f);
                        self.function(
                            at,
                            owner.clone(),
                            of_trait.clone(),
                            &f.sig,
                            &block.generics,
                            &f.block,
                        );
                    }
                }
            }
            syn::Item::Trait(t) => {
                let functions = t.items.iter().filter_map(|item| match item {
                    syn::TraitItem::Fn(f) => Some(f.sig.ident.to_string()),
                    _ => None,
                });
                let definition = Definition {
                    at: self.at(&t.attrs, item),
                    functions: functions.collect(),
                };
                let of_name = self.index.traits.entry(t.ident.to_string());
                of_name.or_default().push(definition);
            }
            syn::Item::Macro(m) if m.ident.is_some() => self.templates(m),
            syn::Item::Struct(s) => self.ty(&s.ident, &s.attrs, item),
            syn::Item::Enum(e) => self.ty(&e.ident, &e.attrs, item),
            syn::Item::Mod(m) if !is_test(&m.attrs) => {
                let items = m.content.iter().flat_map(|(_, items)| items);
                items.for_each(|item| self.item(item));
            }
            _ => {}
        }
    }

    fn ty(&mut self, name: &syn::Ident, attrs: &[syn::Attribute], item: &syn::Item) {
        let ty = Type {
            at: self.at(attrs, item),
            item: item.clone(),
        };
        self.index
            .types
            .entry(name.to_string())
            .or_default()
            .push(ty);
    }

    fn function(
        &mut self,
        at: At,
        owner: Option<String>,
        of_trait: Option<At>,
        sig: &syn::Signature,
        generics: &syn::Generics,
        block: &syn::Block,
    ) {
        let mut calls = Calls::default();
        calls.visit_block(block);
        let function = Function {
            at,
            owner,
            of_trait,
            sig: sig.clone(),
            generics: generics.clone(),
            calls: calls.0,
        };
        self.index.functions.push(function);
    }

    /// The functions and structs of a macro's templates, as far as their text shows them.
    fn templates(&mut self, item: &syn::ItemMacro) {
        let whole = self.at(&item.attrs, item);
        let bodies = bodies(item.mac.tokens.clone());
        let lines = self.text.split_inclusive('\n').enumerate();
        let mut offset = 0;
        // The `impl` of a trait that a line stands in: its indent, and where it begins.
        let mut of_trait: Option<(usize, usize)> = None;
        for (number, line) in lines {
            let begin = offset;
            offset += line.len();
            if !bodies.iter().any(|lines| lines.contains(&(number + 1))) {
                continue;
            }
            let code = line.trim_start();
            let indent = line.len() - code.len();
            if code.starts_with('}') && of_trait.is_some_and(|(of, _)| indent <= of) {
                of_trait = None;
            }
            if let Some(name) = trait_of(code) {
                of_trait = Some((indent, begin + indent));
                self.index.templates.push(Template {
                    at: At {
                        offset: begin + indent,
                        ..whole.clone()
                    },
                    keyword: "impl",
                    name: Some(name),
                    is_copy: false,
                });
            }
            let mut rest = code;
            if let Some(shown) = rest.strip_prefix("pub") {
                rest = shown.trim_start();
                if rest.starts_with('(') {
                    rest = rest
                        .split_once(')')
                        .map_or(rest, |(_, rest)| rest.trim_start());
                }
            }
            for keyword in ["fn", "struct"] {
                let Some(name) = rest.strip_prefix(keyword).filter(|r| r.starts_with(' ')) else {
                    continue;
                };
                // A trait declares it.
                if keyword == "fn" && code.trim_end().ends_with(';') && !code.contains('{') {
                    continue;
                }
                let name = name.trim_start();
                let word = |text: &str| {
                    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_'));
                    text[..end.unwrap_or(text.len())].to_owned()
                };
                let before = &self.text[begin.saturating_sub(200)..begin];
                let of_trait = of_trait.filter(|_| keyword == "fn");
                self.index.templates.push(Template {
                    at: At {
                        // Of a trait, the whole block.
                        offset: of_trait.map_or(begin + indent, |(_, at)| at),
                        ..whole.clone()
                    },
                    keyword,
                    name: (!name.starts_with('$')).then(|| word(name)),
                    is_copy: before.contains("Copy"),
                });
            }
        }
    }

    /// Behind the attributes that stand there, in the line of what follows them.
    fn at(&self, attrs: &[syn::Attribute], tokens: &impl ToTokens) -> At {
        let stream = tokens.to_token_stream().into_iter();
        let spans: Vec<_> = stream.map(|tree| tree.span()).collect();
        // `#` and `[…]` of each attribute; those of a function's body, `//! …`, stand further on.
        let outer = |attr: &&syn::Attribute| matches!(attr.style, syn::AttrStyle::Outer);
        let outer = attrs.iter().filter(outer).count();
        let first = spans.get(2 * outer).or(spans.first());
        let (line, column) = first.map_or((1, 0), |span| (span.start().line, span.start().column));
        let last = spans.last().map_or(line, |span| span.end().line);
        let start: usize = self
            .text
            .split_inclusive('\n')
            .take(line - 1)
            .map(str::len)
            .sum();
        let within: usize = self.text[start..]
            .chars()
            .take(column)
            .map(char::len_utf8)
            .sum();
        At {
            file: self.path.to_path_buf(),
            line,
            last,
            offset: start + within,
        }
    }
}

/// The lines of what the arms of a macro write: what an arm matches is no code.
fn bodies(definition: proc_macro2::TokenStream) -> Vec<std::ops::RangeInclusive<usize>> {
    let groups = definition.into_iter().filter_map(|tree| match tree {
        proc_macro2::TokenTree::Group(group) => {
            Some(group.span_open().start().line..=group.span_close().end().line)
        }
        _ => None,
    });
    groups.skip(1).step_by(2).collect()
}

/// The name of the trait, of a line that begins an `impl` of one.
fn trait_of(code: &str) -> Option<String> {
    let rest = code
        .strip_prefix("impl")
        .filter(|rest| rest.starts_with([' ', '<']))?;
    let (head, _) = rest.split_once(" for ")?;
    // Behind the parameters, and without arguments.
    let head = head.rsplit("> ").next().unwrap_or(head).trim();
    let path = head.split('<').next().unwrap_or(head);
    let name = path.rsplit("::").next().unwrap_or(path).trim();
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    (!name.is_empty() && name.chars().all(is_name)).then(|| name.to_owned())
}

fn is_test(attrs: &[syn::Attribute]) -> bool {
    attrs
        .iter()
        .any(|a| a.path().is_ident("cfg") && a.to_token_stream().to_string().contains("test"))
}

/// What a function calls, as far as the text tells.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Call {
    name: String,
    /// What stands in front of the name.
    owner: Option<String>,
    of_method: bool,
}

#[derive(Default)]
struct Calls(BTreeSet<Call>);

impl<'ast> Visit<'ast> for Calls {
    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let syn::Expr::Path(path) = &*call.func {
            let mut names = path
                .path
                .segments
                .iter()
                .rev()
                .map(|segment| segment.ident.to_string());
            if let Some(name) = names.next() {
                self.0.insert(Call {
                    name,
                    owner: names.next(),
                    of_method: false,
                });
            }
        }
        syn::visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let name = call.method.to_string();
        // Of another receiver the type is not seen, and a name that std has says nothing.
        let on_self =
            matches!(&*call.receiver, syn::Expr::Path(path) if path.path.is_ident("self"));
        let owner = on_self.then(|| "Self".to_owned());
        if on_self || !OF_STD.contains(&&*name) {
            self.0.insert(Call {
                name,
                owner,
                of_method: true,
            });
        }
        syn::visit::visit_expr_method_call(self, call);
    }
}

/// Methods of std that crates have, too.
const OF_STD: &[&str] = &[
    "abs",
    "acos",
    "add",
    "as_ref",
    "asin",
    "atan",
    "atan2",
    "ceil",
    "clamp",
    "clone",
    "cos",
    "cosh",
    "div",
    "exp",
    "extend",
    "find",
    "first",
    "floor",
    "get",
    "get_mut",
    "insert",
    "into",
    "into_iter",
    "is_nan",
    "iter",
    "iter_mut",
    "last",
    "len",
    "ln",
    "log10",
    "map",
    "max",
    "min",
    "mul",
    "mul_add",
    "neg",
    "next",
    "pop",
    "powf",
    "powi",
    "product",
    "push",
    "remove",
    "rev",
    "round",
    "sin",
    "sinh",
    "sqrt",
    "sub",
    "sum",
    "tan",
    "tanh",
    "to_vec",
    "unwrap",
    "zip",
];
