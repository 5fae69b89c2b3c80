//! Adapters of the crate `itertools` that are chains of std's adapters, in a file that imports its trait: written as
//! those before anything is lowered. Generated code checks that their names mean that trait's methods.

use proc_macro2::{Ident, Span};
use quote::{format_ident, quote};
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

use super::known::imported_from_crate;
use super::operator::{compound_operator, strip};
use crate::ir::{KnownMacro, MathFn};

/// The function with such adapters written out, and what checks their names.
pub(super) fn written_out(item: &syn::ItemFn) -> Option<(syn::ItemFn, Vec<KnownMacro>)> {
    let mut seen = Seen(false);
    seen.visit_block(&item.block);
    if !seen.0 {
        return None;
    }
    let mut adapters = Adapters::default();
    let mut item = item.clone();
    adapters.visit_block_mut(&mut item.block);
    let found = !adapters.checks.is_empty();
    found.then_some((item, adapters.checks))
}

/// Whether a method has such a name: most functions have none.
struct Seen(bool);

impl<'ast> Visit<'ast> for Seen {
    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.0 |= is_adapter(call);
        visit::visit_expr_method_call(self, call);
    }
}

#[derive(Default)]
struct Adapters {
    checks: Vec<KnownMacro>,
    /// How many items the tuples have that the chain now visited goes on with.
    arity: Option<usize>,
}

/// Whether the method is one of these, by its name and the number of its arguments.
fn is_adapter(call: &syn::ExprMethodCall) -> bool {
    matches!(
        (call.method.to_string().as_str(), call.args.len()),
        ("tuple_windows" | "tuple_combinations" | "collect_vec", 0) | ("cartesian_product", 1)
    )
}

impl Adapters {
    fn written(&mut self, call: &syn::ExprMethodCall, arity: Option<usize>) -> Option<syn::Expr> {
        let span = call.method.span();
        if !is_adapter(call) || !imported_from_crate("Itertools", "itertools", span) {
            return None;
        }
        let items = &*call.receiver;
        let arity = call.turbofish.as_ref().and_then(arity_written).or(arity);
        let name = call.method.to_string();
        if name != "collect_vec" && !is_repeatable(items) {
            return None;
        }
        let written = match (name.as_str(), arity) {
            ("collect_vec", _) => syn::parse_quote!(#items.collect::<::std::vec::Vec<_>>()),
            ("tuple_windows", Some(arity @ 2..=6)) => windows(items, arity),
            ("tuple_combinations", Some(2)) => syn::parse_quote! {
                #items.enumerate().flat_map(|(__at, __first)| {
                    #items.skip(__at + 1).map(move |__second| (__first, __second))
                })
            },
            ("cartesian_product", _) if is_repeatable(&call.args[0]) => {
                let others = &call.args[0];
                syn::parse_quote! {
                    #items.flat_map(|__first| {
                        (#others).into_iter().map(move |__second| (__first, __second))
                    })
                }
            }
            _ => return None,
        };
        self.check(&call.method, arity);
        Some(written)
    }

    /// Compiles only where the name is that of the trait's method.
    fn check(&mut self, method: &Ident, arity: Option<usize>) {
        let items = quote!(::std::vec::IntoIter<u8>);
        let harmless = match method.to_string().as_str() {
            "collect_vec" => quote!(let _: ::std::vec::Vec<u8> = items.#method();),
            "cartesian_product" => {
                quote!(let _: ::itertools::Product<#items, #items> = items.#method(others);)
            }
            name => {
                let adapter = match name {
                    "tuple_windows" => format_ident!("TupleWindows"),
                    _ => format_ident!("TupleCombinations"),
                };
                let bytes = vec![quote!(u8); arity.unwrap_or(2)];
                quote!(let _: ::itertools::#adapter<#items, (#(#bytes),*)> = items.#method();)
            }
        };
        let path = syn::Path::from(method.clone());
        if self.checks.iter().any(|known| known.path == path) {
            return;
        }
        self.checks.push(KnownMacro {
            path,
            krate: None,
            prefix: None,
            harmless: quote!(let _ = |items: #items, others: #items| { #harmless };),
        });
    }
}

/// `items.zip(items.skip(1))`, and with more items `.zip(items.skip(2)).map(|((a, b), c)| (a, b, c))`.
fn windows(items: &syn::Expr, arity: usize) -> syn::Expr {
    let name = |at: usize| Ident::new(&format!("__item{at}"), Span::call_site());
    let mut chain = quote!(#items);
    let mut nested = quote!(__item0);
    let names: Vec<Ident> = (0..arity).map(name).collect();
    for (at, next) in names.iter().enumerate().skip(1) {
        chain = quote!(#chain.zip(#items.skip(#at)));
        nested = quote!((#nested, #next));
    }
    if arity > 2 {
        chain = quote!(#chain.map(|#nested| (#(#names),*)));
    }
    syn::parse_quote!(#chain)
}

/// `::<(_, _)>`
fn arity_written(turbofish: &syn::AngleBracketedGenericArguments) -> Option<usize> {
    match turbofish.args.first()? {
        syn::GenericArgument::Type(syn::Type::Tuple(tuple)) => Some(tuple.elems.len()),
        _ => None,
    }
}

/// How many parts a pattern takes apart.
fn arity_of(pat: &syn::Pat) -> Option<usize> {
    match pat {
        syn::Pat::Tuple(tuple) => {
            let rest = |pat: &syn::Pat| matches!(pat, syn::Pat::Rest(_));
            (!tuple.elems.iter().any(rest)).then_some(tuple.elems.len())
        }
        syn::Pat::Type(typed) => arity_of(&typed.pat),
        syn::Pat::Paren(inner) => arity_of(&inner.pat),
        _ => None,
    }
}

/// How many parts the items of the chain have that a method is called on, if its closure takes them apart.
fn arity_behind(call: &syn::ExprMethodCall) -> Option<usize> {
    let at = usize::from(matches!(
        call.method.to_string().as_str(),
        "fold" | "try_fold" | "scan"
    ));
    let syn::Expr::Closure(closure) = strip(call.args.get(at)?) else {
        return None;
    };
    arity_of(closure.inputs.get(at)?)
}

/// Whether the expression may be evaluated again for the same value, and does nothing else, by its text.
fn is_repeatable(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Path(_) | syn::Expr::Lit(_) => true,
        syn::Expr::Field(field) => is_repeatable(&field.base),
        syn::Expr::Index(at) => is_repeatable(&at.expr) && is_repeatable(&at.index),
        syn::Expr::Reference(of) => of.mutability.is_none() && is_repeatable(&of.expr),
        syn::Expr::Unary(of) => is_repeatable(&of.expr),
        syn::Expr::Cast(of) => is_repeatable(&of.expr),
        syn::Expr::Closure(closure) => is_repeatable(&closure.body),
        syn::Expr::Tuple(parts) => parts.elems.iter().all(is_repeatable),
        syn::Expr::Binary(e) => {
            compound_operator(&e.op).is_none() && is_repeatable(&e.left) && is_repeatable(&e.right)
        }
        syn::Expr::Range(range) => {
            let mut ends = range.start.iter().chain(&range.end);
            ends.all(|end| is_repeatable(end))
        }
        syn::Expr::MethodCall(call) => {
            repeats(&call.method.to_string())
                && is_repeatable(&call.receiver)
                && call.args.iter().all(is_repeatable)
        }
        _ => false,
    }
}

/// Methods of std's that change nothing.
fn repeats(name: &str) -> bool {
    matches!(
        name,
        "iter"
            | "into_iter"
            | "copied"
            | "cloned"
            | "rev"
            | "skip"
            | "take"
            | "step_by"
            | "enumerate"
            | "zip"
            | "map"
            | "filter"
            | "windows"
            | "chunks"
            | "chunks_exact"
            | "len"
    ) || MathFn::from_name(name).is_some()
}

impl VisitMut for Adapters {
    fn visit_expr_for_loop_mut(&mut self, repeated: &mut syn::ExprForLoop) {
        self.arity = arity_of(&repeated.pat);
        self.visit_expr_mut(&mut repeated.expr);
        self.visit_block_mut(&mut repeated.body);
    }

    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        let arity = self.arity.take();
        if let syn::Expr::MethodCall(call) = e {
            self.arity = arity_behind(call);
            self.visit_expr_mut(&mut call.receiver);
            self.arity = None;
            call.args
                .iter_mut()
                .for_each(|arg| self.visit_expr_mut(arg));
            if let Some(written) = self.written(call, arity) {
                *e = written;
            }
            return;
        }
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
