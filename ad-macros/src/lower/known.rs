//! Macros of well-known crates: which ones are known, and how generated code makes sure that they are those.
//!
//! A macro is known by the crate that its path names. Where the path is a name alone, the text of the file says which
//! crate it comes from; it is a guess, as the text is that of all modules. Generated code has a check of each: the name
//! beside a glob import of that crate is ambiguous, which is an error of rustc, unless both are one macro.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};

use crate::ir::KnownMacro;
use crate::surroundings::with_text;

/// What a macro of a crate does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// `bail!`: returns an error.
    Bail,
    /// `ensure!`: returns an error unless something holds.
    Ensure,
    /// `anyhow!`: makes an error.
    Error,
    /// Tells a logger.
    Log,
    /// Tells a subscriber, with fields.
    Event,
    /// Answers whether two numbers are close.
    Close,
    /// Panics unless they are.
    AssertClose,
    /// `izip!`: a chain.
    Izip,
}

const CRATES: &[(&str, &[(&str, Known)])] = &[
    (
        "anyhow",
        &[
            ("bail", Known::Bail),
            ("ensure", Known::Ensure),
            ("anyhow", Known::Error),
        ],
    ),
    (
        "log",
        &[
            ("trace", Known::Log),
            ("debug", Known::Log),
            ("info", Known::Log),
            ("warn", Known::Log),
            ("error", Known::Log),
        ],
    ),
    (
        "tracing",
        &[
            ("trace", Known::Event),
            ("debug", Known::Event),
            ("info", Known::Event),
            ("warn", Known::Event),
            ("error", Known::Event),
        ],
    ),
    (
        "approx",
        &[
            ("abs_diff_eq", Known::Close),
            ("abs_diff_ne", Known::Close),
            ("relative_eq", Known::Close),
            ("relative_ne", Known::Close),
            ("ulps_eq", Known::Close),
            ("ulps_ne", Known::Close),
            ("assert_abs_diff_eq", Known::AssertClose),
            ("assert_abs_diff_ne", Known::AssertClose),
            ("assert_relative_eq", Known::AssertClose),
            ("assert_relative_ne", Known::AssertClose),
            ("assert_ulps_eq", Known::AssertClose),
            ("assert_ulps_ne", Known::AssertClose),
        ],
    ),
    ("itertools", &[("izip", Known::Izip)]),
];

/// The crate and the meaning of a macro, if it is one of the list.
pub(super) fn known(path: &syn::Path) -> Option<(&'static str, Known)> {
    let names = super::callee::segment_names(path);
    let name = names.last()?;
    let all = CRATES.iter().filter_map(|(krate, macros)| {
        let of = macros.iter().find(|(known, _)| known == name)?;
        Some((*krate, of.1))
    });
    match names.as_slice() {
        [krate, _] => all.into_iter().find(|(known, _)| known == krate),
        [_] if path.leading_colon.is_none() => {
            let all: Vec<_> = all.collect();
            if all.is_empty() {
                return None;
            }
            let from = imported_from(name, path.segments.last()?.ident.span());
            all.into_iter().find(|(krate, _)| from == [*krate])
        }
        _ => None,
    }
}

/// The crates from which the file imports a name.
fn imported_from(name: &str, at: Span) -> Vec<&'static str> {
    let mut found = Vec::new();
    with_text(at, |text| {
        for (krate, _) in CRATES {
            if text.contains(&format!("#[macro_use]\nextern crate {krate};")) {
                found.push(*krate);
            }
        }
        for tree in imports(text) {
            for (krate, _) in CRATES {
                if is_from(&tree, krate, name) && !found.contains(krate) {
                    found.push(*krate);
                }
            }
        }
    });
    found
}

/// What the `use` items of a text import.
fn imports(text: &str) -> impl Iterator<Item = syn::UseTree> {
    text.match_indices("use ").filter_map(|(begin, _)| {
        let text = &text[begin..];
        let text = without_comments(&text[..=text.find(';')?]);
        // What is no `use`, as in comments, is not to be read as tokens: rustc reports what it cannot.
        if !is_like_an_import(&text) {
            return None;
        }
        let item = syn::parse_str::<syn::ItemUse>(&text);
        item.ok().map(|item| item.tree)
    })
}

/// Those that stand in no comment, as in an example of the documentation.
pub(crate) fn imports_of_code(text: &str) -> impl Iterator<Item = syn::UseTree> {
    imports(&without_comments(text))
        .collect::<Vec<_>>()
        .into_iter()
}

fn without_comments(text: &str) -> String {
    let lines = text.lines();
    lines
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Whether a text has names, separators and braces in pairs, and nothing else.
fn is_like_an_import(text: &str) -> bool {
    let mut depth = 0_usize;
    for c in text.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => return false,
            '}' => depth -= 1,
            ':' | ',' | '*' | ';' | '_' => {}
            c if c.is_ascii_alphanumeric() || c.is_whitespace() => {}
            _ => return false,
        }
    }
    depth == 0
}

/// Whether the file imports a name, under this name, from a crate.
pub(crate) fn imported_from_crate(name: &str, krate: &str, at: Span) -> bool {
    let of = |tree| is_from(&tree, krate, name);
    with_text(at, |text| imports(text).any(of)).unwrap_or(false)
}

/// Whether an import brings a name from a crate.
fn is_from(tree: &syn::UseTree, krate: &str, name: &str) -> bool {
    matches!(tree, syn::UseTree::Path(p) if p.ident == krate && brings(&p.tree, name))
}

/// Whether the file imports a name from a module of std.
pub(super) fn imported_from_std(name: &str, module: &str, at: Span) -> bool {
    let of_std = |tree| match tree {
        syn::UseTree::Path(p) if p.ident == "std" || p.ident == "core" => {
            brings_from(&p.tree, module, name)
        }
        _ => false,
    };
    with_text(at, |text| imports(text).any(of_std)).unwrap_or(false)
}

fn brings_from(tree: &syn::UseTree, module: &str, name: &str) -> bool {
    match tree {
        syn::UseTree::Path(p) => p.ident == module && brings(&p.tree, name),
        syn::UseTree::Group(g) => g.items.iter().any(|tree| brings_from(tree, module, name)),
        syn::UseTree::Name(_) | syn::UseTree::Rename(_) | syn::UseTree::Glob(_) => false,
    }
}

fn brings(tree: &syn::UseTree, name: &str) -> bool {
    match tree {
        syn::UseTree::Path(p) => brings(&p.tree, name),
        syn::UseTree::Name(n) => n.ident == name,
        syn::UseTree::Rename(r) => r.rename == name && r.ident == name,
        syn::UseTree::Glob(_) => true,
        syn::UseTree::Group(g) => g.items.iter().any(|tree| brings(tree, name)),
    }
}

/// What makes sure that the macro is the one of the crate.
pub(super) fn check(path: &syn::Path, krate: &str, known: Known) -> KnownMacro {
    // The name alone, beside what its path leads to.
    let name = path.segments.last().map(|last| last.ident.clone());
    let krate = Ident::new(krate, Span::call_site());
    let fails = |inner: TokenStream| quote!(let _ = || -> ::core::result::Result<(), ::#krate::Error> { #inner };);
    let harmless = match known {
        Known::Bail => fails(quote!(#name!(""))),
        Known::Ensure => fails(quote!(#name!(true, ""); ::core::result::Result::Ok(()))),
        Known::Error => quote!(let _ = || #name!("");),
        Known::Log | Known::Event => quote!(let _ = || { #name!(""); };),
        Known::Close | Known::AssertClose => {
            quote!(let _ = || { let _ = #name!(0.0_f64, 0.0_f64); };)
        }
        Known::Izip => quote!(let _ = || #name!([0_u8], [0_u8]);),
    };
    let mut prefix = path.clone();
    prefix.segments.pop();
    prefix.segments.pop_punct();
    KnownMacro {
        path: path.clone(),
        krate: Some(krate),
        prefix: (!prefix.segments.is_empty()).then_some(prefix),
        harmless,
    }
}

/// The function with what stands for a jump or a chain in place of the macros that hide one, and their checks.
pub(super) fn expanded(item: &syn::ItemFn) -> (Option<syn::ItemFn>, Vec<KnownMacro>) {
    let mut expander = Expander::default();
    let mut item = item.clone();
    expander.visit_block_mut(&mut item.block);
    let found = !expander.checks.is_empty();
    (found.then_some(item), expander.checks)
}

#[derive(Default)]
struct Expander {
    checks: Vec<KnownMacro>,
    /// In the error of an `ensure!`, which spells the macro again.
    inside: bool,
}

impl Expander {
    fn of(&mut self, mac: &syn::Macro) -> Option<syn::Expr> {
        let (krate, known) = known(&mac.path)?;
        let parse = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        let e = match known {
            Known::Bail => {
                let tokens = &mac.tokens;
                syn::parse_quote!(return ::core::result::Result::Err(::anyhow::anyhow!(#tokens)))
            }
            Known::Ensure => {
                let args = with_condition.parse2(mac.tokens.clone()).ok()?;
                let (cond, rest) = args;
                let error = match rest {
                    Some(rest) => quote!(::anyhow::anyhow!(#rest)),
                    None => failed(&mac.path, &cond),
                };
                syn::parse_quote!(if !(#cond) { return ::core::result::Result::Err(#error); })
            }
            Known::Izip => izip(&parse.parse2(mac.tokens.clone()).ok()?)?,
            Known::Error | Known::Log | Known::Event | Known::Close | Known::AssertClose => {
                return None;
            }
        };
        if !self.checks.iter().any(|check| check.path == mac.path) {
            self.checks.push(check(&mac.path, krate, known));
        }
        Some(e)
    }
}

impl VisitMut for Expander {
    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        let outside = self.inside;
        if let syn::Expr::Macro(mac) = e
            && !self.inside
            && let Some(expanded) = self.of(&mac.mac)
        {
            self.inside = spells_itself(&expanded);
            *e = expanded;
        }
        visit_mut::visit_expr_mut(self, e);
        self.inside = outside;
    }

    fn visit_stmt_mut(&mut self, stmt: &mut syn::Stmt) {
        let outside = self.inside;
        if let syn::Stmt::Macro(mac) = stmt
            && !self.inside
            && let Some(expanded) = self.of(&mac.mac)
        {
            self.inside = spells_itself(&expanded);
            *stmt = syn::Stmt::Expr(expanded, mac.semi_token);
        }
        visit_mut::visit_stmt_mut(self, stmt);
        self.inside = outside;
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Whether it is an `ensure!` without a message, expanded.
fn spells_itself(e: &syn::Expr) -> bool {
    let syn::Expr::If(branch) = e else {
        return false;
    };
    let made = branch.then_branch.to_token_stream().to_string();
    !made.contains("anyhow :: anyhow !")
}

fn with_condition(
    input: syn::parse::ParseStream<'_>,
) -> syn::Result<(syn::Expr, Option<TokenStream>)> {
    let cond = input.parse()?;
    input.parse::<Option<syn::Token![,]>>()?;
    let rest: TokenStream = input.parse()?;
    Ok((cond, (!rest.is_empty()).then_some(rest)))
}

/// The error of `ensure!` without a message, which spells the condition: its names keep their spelling.
fn failed(path: &syn::Path, cond: &syn::Expr) -> TokenStream {
    let mut names = Variables(Vec::new());
    names.visit_expr(cond);
    let names = names.0;
    quote!((|| {
        #(let #names = #names.clone();)*
        match (|| -> ::core::result::Result<(), ::anyhow::Error> {
            #path!(#cond);
            ::core::result::Result::Ok(())
        })() {
            ::core::result::Result::Err(__error) => __error,
            ::core::result::Result::Ok(()) => ::core::unreachable!(),
        }
    })())
}

/// Names that may be variables.
struct Variables(Vec<Ident>);

impl<'ast> Visit<'ast> for Variables {
    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        if let Some(name) = super::scope::plain_ident(path)
            && !super::pattern::names_a_constant(name)
            && !self.0.contains(name)
            && name.unraw() != "self"
        {
            self.0.push(name.clone());
        }
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        call.args.iter().for_each(|arg| self.visit_expr(arg));
    }

    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
}

/// `a.into_iter().zip(b).zip(c).map(|((a, b), c)| (a, b, c))`
fn izip(args: &Punctuated<syn::Expr, syn::Token![,]>) -> Option<syn::Expr> {
    let mut all = args.iter();
    let first = all.next()?;
    let mut chain = quote!((#first).into_iter());
    let name = |at: usize| Ident::new(&format!("__item{at}"), Span::call_site());
    let mut nested = name(0).into_token_stream();
    let mut flat = vec![name(0)];
    for (at, arg) in all.enumerate() {
        let next = name(at + 1);
        chain = quote!(#chain.zip(#arg));
        nested = quote!((#nested, #next));
        flat.push(next);
    }
    if flat.len() > 2 {
        chain = quote!(#chain.map(|#nested| (#(#flat),*)));
    }
    syn::parse2(chain).ok()
}

#[cfg(test)]
mod tests {
    use super::{imports, is_like_an_import};

    #[test]
    fn comments_are_no_imports() {
        assert_eq!(
            imports("/// It isn't of use to anyone; a `use` of \"this;").count(),
            0
        );
        assert_eq!(imports("use a::{b, // isn't\n c};").count(), 1);
        assert!(!is_like_an_import("use a::{b;"));
        assert!(!is_like_an_import("use a}::{b;"));
    }
}
