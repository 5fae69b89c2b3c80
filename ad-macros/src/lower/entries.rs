//! Loops over sets and maps that carry no derivative: `for (a, b) in edges { … }`, `rows.values().map(…)`.
//!
//! What is in one that is a parameter is copied into a vector at the beginning, and the loop goes over that. Nothing
//! changes it meanwhile, so that its order is that of the function. Items have the same types: of a map, two
//! references. rustc checks that the type is std's.

use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::parse_quote;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

use super::operator::strip;
use crate::ir::hash::{HashMap, HashSet};

/// The function with such loops over vectors, if there are any.
pub(super) fn written_out(item: &syn::ItemFn) -> Option<syn::ItemFn> {
    let mut walked = Walked::default();
    walked.visit_block(&item.block);
    if walked.places.is_empty() {
        return None;
    }
    let mut entries = Entries::default();
    for name in walked.places {
        if let Some(of) = collection(item, &name, &walked.bound) {
            entries.known.entry(name.to_string()).or_insert(of);
        }
    }
    if entries.known.is_empty() {
        return None;
    }
    let mut item = item.clone();
    entries.visit_block_mut(&mut item.block);
    let made = std::mem::take(&mut entries.made);
    item.block.stmts.splice(0..0, made);
    Some(item)
}

/// A set or a map.
#[derive(Clone)]
struct Collection {
    /// As the text names it, behind no reference.
    ty: syn::Type,
    /// The name of std's.
    name: Ident,
    keys: syn::Type,
    values: Option<syn::Type>,
    /// Whether it is the function's own: a loop has its items, and not references to them.
    by_value: bool,
}

/// What a name is, where it is a parameter that nothing hides.
fn collection(item: &syn::ItemFn, name: &Ident, bound: &HashSet<String>) -> Option<Collection> {
    if bound.contains(&name.to_string()) {
        return None;
    }
    let ty = item.sig.inputs.iter().find_map(|input| match input {
        syn::FnArg::Typed(input) => match &*input.pat {
            syn::Pat::Ident(p) if p.ident == *name && p.mutability.is_none() => {
                Some((*input.ty).clone())
            }
            _ => None,
        },
        syn::FnArg::Receiver(_) => None,
    })?;
    let (ty, by_value) = match &ty {
        syn::Type::Reference(of) if of.mutability.is_none() => (&*of.elem, false),
        ty => (ty, true),
    };
    let syn::Type::Path(path) = ty else {
        return None;
    };
    let last = path.path.segments.last()?;
    let syn::PathArguments::AngleBracketed(list) = &last.arguments else {
        return None;
    };
    let types: Vec<&syn::Type> = list.args.iter().filter_map(of_numbers_or_text).collect();
    let (keys, values) = match (last.ident.to_string().as_str(), types.as_slice()) {
        ("BTreeSet" | "HashSet", [keys]) => (*keys, None),
        ("BTreeMap" | "HashMap", [keys, values]) => (*keys, Some((*values).clone())),
        _ => return None,
    };
    (types.len() == list.args.len()).then(|| Collection {
        ty: ty.clone(),
        name: last.ident.clone(),
        keys: keys.clone(),
        values,
        by_value,
    })
}

fn of_numbers_or_text(argument: &syn::GenericArgument) -> Option<&syn::Type> {
    let syn::GenericArgument::Type(ty @ syn::Type::Path(path)) = argument else {
        return None;
    };
    let name = path.path.get_ident()?.to_string();
    (name == "String" || crate::lower::is_primitive(&name) && name != "str").then_some(ty)
}

/// What loops and chains begin with, and the names that the body binds.
#[derive(Default)]
struct Walked {
    places: Vec<Ident>,
    bound: HashSet<String>,
}

impl<'ast> Visit<'ast> for Walked {
    fn visit_expr_for_loop(&mut self, e: &'ast syn::ExprForLoop) {
        self.places.extend(place(&e.expr));
        visit::visit_expr_for_loop(self, e);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if walk(call).is_some() {
            self.places.extend(place(&call.receiver));
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        self.bound.insert(p.ident.to_string());
        visit::visit_pat_ident(self, p);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// A variable, behind references or not.
fn place(e: &syn::Expr) -> Option<Ident> {
    match strip(e) {
        syn::Expr::Reference(e) if e.mutability.is_none() => place(&e.expr),
        syn::Expr::Path(path) => path.path.get_ident().cloned(),
        _ => None,
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Walk {
    Entries,
    Keys,
    Values,
    /// As the type says.
    Into,
}

fn walk(call: &syn::ExprMethodCall) -> Option<Walk> {
    if !call.args.is_empty() || call.turbofish.is_some() {
        return None;
    }
    Some(match call.method.to_string().as_str() {
        "iter" => Walk::Entries,
        "keys" => Walk::Keys,
        "values" => Walk::Values,
        "into_iter" => Walk::Into,
        _ => return None,
    })
}

#[derive(Default)]
struct Entries {
    known: HashMap<String, Collection>,
    names: HashMap<(String, Walk), Ident>,
    /// The vectors.
    made: Vec<syn::Stmt>,
}

impl Entries {
    /// What goes over the vector. `borrowed`: behind a reference in the text.
    fn over(&mut self, place: &Ident, walk: Walk, borrowed: bool, at: Span) -> Option<syn::Expr> {
        let text = place.to_string();
        let of = self.known.get(&text)?.clone();
        let owned = walk == Walk::Into && of.by_value && !borrowed;
        let walk = if walk == Walk::Into {
            Walk::Entries
        } else {
            walk
        };
        let (keys, values) = (&of.keys, &of.values);
        let key = (text, walk);
        let number = self.names.len();
        let known = self.names.get(&key).cloned();
        let name = known
            .clone()
            .unwrap_or_else(|| format_ident!("__entries_{number}", span = at));
        let made: Option<syn::Stmt> = match (walk, values) {
            (Walk::Entries, None) => Some(parse_quote! {
                let #name: Vec<#keys> = #place.iter().cloned().collect();
            }),
            (Walk::Entries, Some(values)) => Some(parse_quote! {
                let #name: Vec<(#keys, #values)> =
                    #place.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
            }),
            (Walk::Keys, Some(_)) => Some(parse_quote! {
                let #name: Vec<#keys> = #place.keys().cloned().collect();
            }),
            (Walk::Values, Some(values)) => Some(parse_quote! {
                let #name: Vec<#values> = #place.values().cloned().collect();
            }),
            _ => None,
        };
        let made = made?;
        if known.is_none() {
            self.names.insert(key, name.clone());
            // Another type of the name may have other items in a loop.
            let (ty, of, values) = (&of.ty, &of.name, values.iter());
            let is_of_std = format_ident!("{name}_of_std", span = at);
            self.made.push(parse_quote! {
                fn #is_of_std(of: &#ty) -> &::std::collections::#of<#keys #(, #values)*> { of }
            });
            self.made.push(made);
        }
        Some(match (walk, values) {
            _ if owned => parse_quote!(#name.into_iter()),
            (Walk::Entries, Some(_)) => {
                parse_quote!(#name.iter().map(|entry| (&entry.0, &entry.1)))
            }
            _ => parse_quote!(#name.iter()),
        })
    }
}

impl VisitMut for Entries {
    fn visit_expr_for_loop_mut(&mut self, e: &mut syn::ExprForLoop) {
        visit_mut::visit_expr_for_loop_mut(self, e);
        let borrowed = matches!(strip(&e.expr), syn::Expr::Reference(_));
        let at = e.for_token.span;
        if let Some(over) = place(&e.expr).and_then(|of| self.over(&of, Walk::Into, borrowed, at)) {
            *e.expr = over;
        }
    }

    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        visit_mut::visit_expr_mut(self, e);
        let syn::Expr::MethodCall(call) = e else {
            return;
        };
        let borrowed = matches!(strip(&call.receiver), syn::Expr::Reference(_));
        if let Some(walk) = walk(call)
            && let Some(of) = place(&call.receiver)
            && let Some(over) = self.over(&of, walk, borrowed, call.method.span())
        {
            *e = over;
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
