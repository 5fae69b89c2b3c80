//! Maps of a function's own, `HashMap` and `BTreeMap`, with values that may carry a derivative.
//!
//! A map becomes two variables: a vector of its values, and a map from its keys to positions in that vector, which
//! carries no derivative. What is done with the map is written out in terms of both, before the walk; a map that is
//! used in another way than those below stays as it is, and is refused where a derivative goes into it.
//!
//! A value keeps its position as long as the map lives; that of a key that was removed is not used again.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Ident, Span};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

use super::operator::strip;
use super::scope::{key, name_of};

/// The function with such maps written out, if there are any.
pub(super) fn written_out(item: &syn::ItemFn) -> Option<syn::ItemFn> {
    let mut found = Maps::default();
    found.visit_item_fn(item);
    let maps = found.chosen();
    if maps.is_empty() {
        return None;
    }
    let mut item = item.clone();
    let mut written = Written {
        maps,
        temporaries: 0,
    };
    written.visit_block_mut(&mut item.block);
    Some(item)
}

/// What a `let` declares.
#[derive(Clone)]
struct Map {
    /// Whether the keys have an order, in which the map is walked through.
    ordered: bool,
    /// The expression that makes the empty map of positions.
    empty: syn::Expr,
    keys: Option<syn::Type>,
    values: Option<syn::Type>,
    /// Whether the values carry no derivative, as far as their type says so. Such a map is written out for the sake of
    /// its entries alone.
    passive: bool,
    /// What the map is filled from.
    items: Option<syn::Expr>,
}

/// The name of a map type at the end of a path, and its segment.
fn map_segment(path: &syn::Path) -> Option<(usize, bool)> {
    let at = path
        .segments
        .iter()
        .position(|s| s.ident == "HashMap" || s.ident == "BTreeMap")?;
    Some((at, path.segments[at].ident == "BTreeMap"))
}

/// The types of the keys and values, and the path with `usize` for the values.
fn with_positions(path: &syn::Path, at: usize) -> (Vec<syn::Type>, syn::Path) {
    let mut path = path.clone();
    let mut types = Vec::new();
    if let syn::PathArguments::AngleBracketed(args) = &mut path.segments[at].arguments {
        for arg in &mut args.args {
            if let syn::GenericArgument::Type(ty) = arg {
                types.push(ty.clone());
                if types.len() == 2 {
                    *ty = syn::parse_quote!(usize);
                }
            }
        }
    }
    (types, path)
}

/// The empty map of a type.
fn empty_of(mut path: syn::Path, at: usize, types: usize) -> syn::Expr {
    if let syn::PathArguments::AngleBracketed(args) = &mut path.segments[at].arguments {
        args.colon2_token = Some(Default::default());
    }
    // With a hasher of the user's, `new` is another type's.
    match types {
        2 => syn::parse_quote!(#path::new()),
        _ => syn::parse_quote!(#path::default()),
    }
}

/// Whether values of a written type carry no derivative, by its text.
fn is_passive(ty: &syn::Type) -> bool {
    const NAMES: &[&str] = &[
        "usize", "u8", "u16", "u32", "u64", "u128", "isize", "i8", "i16", "i32", "i64", "i128",
        "bool", "char", "str", "String", "Vec", "Option", "HashSet", "BTreeSet",
    ];
    super::prescan::names_in(&ty.to_token_stream())
        .iter()
        .all(|name| NAMES.iter().any(|known| name == known))
}

/// `let m: T = HashMap::new();` and its relatives.
fn map_of(local: &syn::Local) -> Option<(&Ident, Map)> {
    let (pat, written) = match &local.pat {
        syn::Pat::Type(p) => (&*p.pat, Some(&*p.ty)),
        pat => (pat, None),
    };
    let syn::Pat::Ident(name) = pat else {
        return None;
    };
    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
    if name.by_ref.is_some() || name.subpat.is_some() || !local.attrs.is_empty() {
        return None;
    }
    let annotated = match written {
        Some(syn::Type::Path(p)) if p.qself.is_none() => Some((
            p,
            map_segment(&p.path).filter(|(at, _)| at + 1 == p.path.segments.len())?,
        )),
        Some(_) => return None,
        None => None,
    };
    let (called, path) = match strip(&init.expr) {
        syn::Expr::Call(call) => match strip(&call.func) {
            syn::Expr::Path(p) if p.qself.is_none() => (Some(call), Some(&p.path)),
            _ => (None, None),
        },
        _ => (None, None),
    };
    let of_path = path.and_then(|path| map_segment(path).map(|found| (path, found)));
    let function = path
        .and_then(|path| path.segments.last())
        .map(|s| s.ident.to_string());
    let mut items = None;
    let mut map = match (of_path, called) {
        (Some((path, (at, ordered))), Some(call)) if at + 2 == path.segments.len() => {
            let (types, mut path) = with_positions(path, at);
            match function.as_deref() {
                Some("new" | "with_capacity" | "default") => {}
                Some("from") => {
                    items = Some(call.args.first()?.clone());
                    path.segments.pop();
                    path.segments.push(syn::parse_quote!(new));
                }
                _ => return None,
            }
            let args = call.args.iter().filter(|_| items.is_none());
            Map {
                ordered,
                empty: syn::parse_quote!(#path(#(#args),*)),
                keys: types.first().cloned(),
                values: types.get(1).cloned(),
                passive: false,
                items,
            }
        }
        _ => {
            let (_, (_, ordered)) = annotated.as_ref()?;
            let default = function.as_deref() == Some("default");
            let collected = matches!(
                strip(&init.expr),
                syn::Expr::MethodCall(call) if call.method == "collect" && call.args.is_empty()
                    && call.turbofish.is_none()
            );
            match strip(&init.expr) {
                syn::Expr::MethodCall(call) if collected => items = Some((*call.receiver).clone()),
                _ if default => {}
                _ => return None,
            }
            Map {
                ordered: *ordered,
                empty: syn::parse_quote!(::core::default::Default::default()),
                keys: None,
                values: None,
                passive: false,
                items,
            }
        }
    };
    if let Some((written, (at, ordered))) = annotated {
        let (types, path) = with_positions(&written.path, at);
        if types.len() < 2 || ordered != map.ordered {
            return None;
        }
        map.keys = types.first().cloned();
        map.values = types.get(1).cloned();
        map.empty = empty_of(path, at, types.len());
    }
    let inferred = |ty: &syn::Type| matches!(ty, syn::Type::Infer(_));
    map.passive = map
        .values
        .as_ref()
        .is_some_and(|ty| is_passive(ty) && !inferred(ty));
    Some((&name.ident, map))
}

/// Methods of an entry at whose end there is a reference to its value.
fn entry_of(
    e: &syn::Expr,
) -> Option<(&Ident, &syn::Expr, Option<&syn::Expr>, &syn::ExprMethodCall)> {
    let syn::Expr::MethodCall(end) = strip(e) else {
        return None;
    };
    let name = end.method.to_string();
    if !matches!(
        (name.as_str(), end.args.len()),
        ("or_insert" | "or_insert_with", 1) | ("or_default", 0)
    ) {
        return None;
    }
    let (entry, modified) = match strip(&end.receiver) {
        syn::Expr::MethodCall(call) if call.method == "and_modify" && call.args.len() == 1 => {
            (strip(&call.receiver), call.args.first())
        }
        entry => (entry, None),
    };
    // The new value is made behind the change of the old one.
    if modified.is_some()
        && !end
            .args
            .iter()
            .all(|arg| name == "or_insert_with" || is_plain(arg))
    {
        return None;
    }
    match entry {
        syn::Expr::MethodCall(call) if call.method == "entry" && call.args.len() == 1 => {
            Some((name_of(&call.receiver)?, &call.args[0], modified, end))
        }
        _ => None,
    }
}

/// Whether evaluating the expression changes nothing, by its text.
fn is_plain(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Lit(_) | syn::Expr::Path(_) => true,
        syn::Expr::Unary(e) => is_plain(&e.expr),
        syn::Expr::Binary(e) => is_plain(&e.left) && is_plain(&e.right),
        syn::Expr::Index(e) => is_plain(&e.expr) && is_plain(&e.index),
        syn::Expr::Field(e) => is_plain(&e.base),
        _ => false,
    }
}

/// What walks through an ordered map, by the method's name.
fn walks(name: &str, args: usize) -> bool {
    args == 0
        && matches!(
            name,
            "iter"
                | "iter_mut"
                | "values"
                | "values_mut"
                | "keys"
                | "into_iter"
                | "into_values"
                | "into_keys"
        )
}

/// The map that a `for` runs over as a whole, and the method that does the same.
fn whole(e: &syn::Expr) -> Option<(&Ident, &'static str)> {
    match strip(e) {
        syn::Expr::Reference(r) => {
            let method = match r.mutability {
                Some(_) => "iter_mut",
                None => "iter",
            };
            Some((name_of(&r.expr)?, method))
        }
        e => Some((name_of(e)?, "into_iter")),
    }
}

/// Names of maps, by key: how often they are bound, and which of their uses are understood.
#[derive(Default)]
struct Maps {
    maps: HashMap<String, Map>,
    bound: HashMap<String, usize>,
    good: HashMap<String, usize>,
    all: HashMap<String, usize>,
    /// Those that are walked through, and those whose entries are asked for.
    walked: HashSet<String>,
    entered: HashSet<String>,
}

impl Maps {
    fn chosen(self) -> HashMap<String, Map> {
        let Maps {
            maps,
            bound,
            good,
            all,
            walked,
            entered,
        } = self;
        let chosen = maps.into_iter().filter(|(name, map)| {
            bound.get(name) == Some(&1)
                && good.get(name) == all.get(name)
                && (map.ordered || !walked.contains(name))
                && (!map.passive || entered.contains(name))
        });
        chosen.collect()
    }

    fn understands(&mut self, name: &Ident) {
        *self.good.entry(key(name)).or_default() += 1;
    }

    fn named_in(&mut self, tokens: &proc_macro2::TokenStream) {
        for name in super::prescan::names_in(tokens) {
            *self.all.entry(key(&name)).or_default() += 1;
        }
    }
}

impl<'ast> Visit<'ast> for Maps {
    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let Some((name, map)) = map_of(local) {
            self.maps.insert(key(name), map);
        }
        visit::visit_local(self, local);
    }

    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        *self.bound.entry(key(&pat.ident)).or_default() += 1;
        visit::visit_pat_ident(self, pat);
    }

    fn visit_stmt(&mut self, stmt: &'ast syn::Stmt) {
        if let syn::Stmt::Expr(e, Some(_)) = stmt
            && let syn::Expr::MethodCall(call) = strip(e)
            && let Some(name) = name_of(&call.receiver)
            && matches!(
                (call.method.to_string().as_str(), call.args.len()),
                ("insert", 2) | ("clear", 0)
            )
        {
            self.understands(name);
        }
        visit::visit_stmt(self, stmt);
    }

    fn visit_expr_index(&mut self, index: &'ast syn::ExprIndex) {
        if let Some(name) = name_of(&index.expr) {
            self.understands(name);
        }
        visit::visit_expr_index(self, index);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let method = call.method.to_string();
        if let Some(name) = name_of(&call.receiver) {
            match (method.as_str(), call.args.len()) {
                ("get" | "get_mut" | "contains_key" | "remove", 1) | ("len" | "is_empty", 0) => {
                    self.understands(name);
                }
                (method, args) if walks(method, args) => {
                    self.understands(name);
                    self.walked.insert(key(name));
                }
                _ => {}
            }
        }
        let end: syn::Expr = syn::Expr::MethodCall(call.clone());
        if let Some((name, ..)) = entry_of(&end) {
            self.entered.insert(key(name));
            self.understands(name);
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_for_loop(&mut self, repeated: &'ast syn::ExprForLoop) {
        if let Some((name, _)) = whole(&repeated.expr) {
            self.understands(name);
            self.walked.insert(key(name));
        }
        visit::visit_expr_for_loop(self, repeated);
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        if let Some(name) = super::scope::plain_ident(path) {
            *self.all.entry(key(name)).or_default() += 1;
        }
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.named_in(&mac.tokens);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// Writes the maps out.
struct Written {
    maps: HashMap<String, Map>,
    temporaries: usize,
}

fn values_of(name: &Ident) -> Ident {
    format_ident!(
        "__retrograde_values_of_{}",
        name.unraw(),
        span = name.span()
    )
}

fn positions_of(name: &Ident) -> Ident {
    format_ident!(
        "__retrograde_positions_of_{}",
        name.unraw(),
        span = name.span()
    )
}

impl Written {
    fn is_map(&self, name: &Ident) -> bool {
        self.maps.contains_key(&key(name))
    }

    fn temporary(&mut self, base: &str, span: Span) -> Ident {
        self.temporaries += 1;
        format_ident!("__retrograde_{base}_{}", self.temporaries, span = span)
    }

    /// `let m = …;` as its two variables, and what fills them.
    fn declared(&mut self, name: &Ident, map: &Map, out: &mut Vec<syn::Stmt>) {
        let (values, positions) = (values_of(name), positions_of(name));
        let empty = &map.empty;
        // A type of the user's with this name may do otherwise.
        let of_std: syn::Type = match map.ordered {
            true => syn::parse_quote!(::std::collections::BTreeMap<_, _>),
            false => syn::parse_quote!(::std::collections::HashMap<_, _, _>),
        };
        out.push(syn::parse_quote!(
            let mut #positions = ::core::convert::identity::<#of_std>(#empty);
        ));
        out.push(match &map.values {
            Some(ty) => {
                syn::parse_quote!(let mut #values: ::std::vec::Vec<#ty> = ::std::vec::Vec::new();)
            }
            None => syn::parse_quote!(let mut #values = ::std::vec::Vec::new();),
        });
        if let Some(items) = &map.items {
            let mut items = items.clone();
            self.visit_expr_mut(&mut items);
            let (k, v) = (
                self.temporary("key", name.span()),
                self.temporary("value", name.span()),
            );
            let insert = self.inserted(name, &syn::parse_quote!(#k), &syn::parse_quote!(#v));
            out.push(syn::parse_quote!(for (#k, #v) in #items { #insert }));
        }
    }

    /// `m.insert(k, v);`
    fn inserted(&mut self, name: &Ident, k: &syn::Expr, v: &syn::Expr) -> syn::Stmt {
        let values = values_of(name);
        let new = self.temporary("new", name.span());
        let at = self.entry(
            name,
            k,
            &[syn::parse_quote!(let #new = #v;)],
            &syn::parse_quote!(#values.push(#new);),
            Some(&|at: &Ident| syn::parse_quote!(#values[#at] = #new;)),
        );
        syn::parse_quote!({ #at; })
    }

    /// The position of a key, which is added where it is not there: `absent` pushes its value, `there` is done with
    /// the position of one that is.
    fn entry(
        &mut self,
        name: &Ident,
        k: &syn::Expr,
        before: &[syn::Stmt],
        absent: &syn::Stmt,
        there: Option<&dyn Fn(&Ident) -> syn::Stmt>,
    ) -> syn::Expr {
        let (values, positions) = (values_of(name), positions_of(name));
        let (found, at) = (
            self.temporary("key", name.span()),
            self.temporary("at", name.span()),
        );
        let there = there.map(|there| there(&at));
        let ty = self.maps[&key(name)].keys.as_ref().map(|ty| quote!(: #ty));
        syn::parse_quote!({
            let #found #ty = #k;
            #(#before)*
            let mut #at: usize = #positions.get(&#found).copied().unwrap_or(usize::MAX);
            if #at == usize::MAX {
                #at = #values.len();
                #positions.insert(#found, #at);
                #absent
            } else {
                #there
            }
            #at
        })
    }

    /// The value that `m.entry(k).or_insert(v)` refers to.
    fn of_entry(&mut self, e: &syn::Expr) -> Option<syn::Expr> {
        let (name, k, modified, end) = entry_of(e)?;
        if !self.is_map(name) {
            return None;
        }
        let values = values_of(name);
        let new = self.temporary("new", name.span());
        let arg = end.args.first();
        let (before, absent): (Vec<syn::Stmt>, syn::Stmt) = match end.method.to_string().as_str() {
            "or_insert" => (
                vec![syn::parse_quote!(let #new = #arg;)],
                syn::parse_quote!(#values.push(#new);),
            ),
            "or_insert_with" => match arg.map(strip) {
                Some(f @ syn::Expr::Closure(_)) => (
                    vec![],
                    syn::parse_quote!({ let #new = (#f)(); #values.push(#new); }),
                ),
                Some(f) => (
                    vec![],
                    syn::parse_quote!({ let #new = #f(); #values.push(#new); }),
                ),
                None => return None,
            },
            _ => (
                vec![],
                syn::parse_quote!(#values.push(::core::default::Default::default());),
            ),
        };
        let change = modified.cloned();
        let there =
            move |at: &Ident| -> syn::Stmt { syn::parse_quote!((#change)(&mut #values[#at]);) };
        let there: Option<&dyn Fn(&Ident) -> syn::Stmt> = modified.is_some().then_some(&there);
        let at = self.entry(name, k, &before, &absent, there);
        let values = values_of(name);
        Some(syn::parse_quote!(#values[#at]))
    }

    /// What stands for a walk through the whole map.
    fn walked(&mut self, name: &Ident, method: &str) -> syn::Expr {
        let map = &self.maps[&key(name)];
        let keys_ty = map.keys.clone().unwrap_or_else(|| syn::parse_quote!(_));
        let (values, positions) = (values_of(name), positions_of(name));
        let (keys, order) = (
            self.temporary("keys", name.span()),
            self.temporary("order", name.span()),
        );
        let (k, at) = (
            self.temporary("key", name.span()),
            self.temporary("at", name.span()),
        );
        let order: syn::Expr = syn::parse_quote!({
            let #order: ::std::vec::Vec<usize> = #positions.values().copied().collect();
            #order
        });
        let keys: syn::Expr = syn::parse_quote!({
            let #keys: ::std::vec::Vec<#keys_ty> = #positions.keys().cloned().collect();
            #keys
        });
        let value: syn::Expr = match method {
            "iter_mut" | "values_mut" => syn::parse_quote!(&mut #values[#at]),
            "into_iter" | "into_values" => syn::parse_quote!(#values[#at]),
            _ => syn::parse_quote!(&#values[#at]),
        };
        match method {
            "keys" => syn::parse_quote!(#keys.iter()),
            "into_keys" => syn::parse_quote!(#keys.into_iter()),
            "values" | "values_mut" | "into_values" => {
                syn::parse_quote!(#order.into_iter().map(|#at| #value))
            }
            "into_iter" => {
                syn::parse_quote!(#keys.into_iter().zip(#order).map(|(#k, #at)| (#k, #value)))
            }
            _ => syn::parse_quote!(#keys.iter().zip(#order).map(|(#k, #at)| (#k, #value))),
        }
    }

    fn position(&self, name: &Ident, k: &syn::Expr) -> syn::Expr {
        let positions = positions_of(name);
        syn::parse_quote!(#positions.get(#k).copied().unwrap_or(usize::MAX))
    }

    /// What stands for a method of a map.
    fn method(&mut self, call: &syn::ExprMethodCall) -> Option<syn::Expr> {
        let name = name_of(&call.receiver)
            .filter(|name| self.is_map(name))?
            .clone();
        let (values, positions) = (values_of(&name), positions_of(&name));
        let method = call.method.to_string();
        let arg = call.args.first();
        Some(match (method.as_str(), arg) {
            ("get" | "get_mut", Some(k)) => {
                let (at, get) = (self.position(&name, k), &call.method);
                syn::parse_quote!(#values.#get(#at))
            }
            ("remove", Some(k)) => {
                syn::parse_quote!(#values.get(#positions.remove(#k).unwrap_or(usize::MAX)).cloned())
            }
            ("contains_key", Some(k)) => syn::parse_quote!(#positions.contains_key(#k)),
            ("len" | "is_empty", None) => {
                let asked = &call.method;
                syn::parse_quote!(#positions.#asked())
            }
            (method, None) if walks(method, 0) => self.walked(&name, method),
            _ => return None,
        })
    }
}

impl VisitMut for Written {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        for mut stmt in std::mem::take(&mut block.stmts) {
            if let syn::Stmt::Local(local) = &stmt
                && let Some((name, map)) = map_of(local)
                && self.is_map(name)
            {
                let name = name.clone();
                self.declared(&name, &map, &mut block.stmts);
                continue;
            }
            if let Some(written) = self.statement(&stmt) {
                stmt = written;
            }
            self.visit_stmt_mut(&mut stmt);
            block.stmts.push(stmt);
        }
    }

    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        let written = match &*e {
            syn::Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
                self.of_entry(&unary.expr)
            }
            syn::Expr::Index(index) => match name_of(&index.expr) {
                Some(name) if self.is_map(name) => {
                    let (values, positions, k) =
                        (values_of(name), positions_of(name), &index.index);
                    let at = self.temporary("at", name.span());
                    Some(syn::parse_quote!(#values[{ let #at: usize = #positions[#k]; #at }]))
                }
                _ => None,
            },
            syn::Expr::MethodCall(call) => match self.of_entry(e) {
                Some(value) => Some(syn::parse_quote!((&mut #value))),
                None => self.method(call),
            },
            _ => None,
        };
        if let Some(written) = written {
            *e = written;
        }
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_expr_for_loop_mut(&mut self, repeated: &mut syn::ExprForLoop) {
        if let Some((name, method)) = whole(&repeated.expr)
            && self.is_map(name)
        {
            let name = name.clone();
            *repeated.expr = self.walked(&name, method);
        }
        visit_mut::visit_expr_for_loop_mut(self, repeated);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

impl Written {
    /// `m.insert(k, v);` and `m.clear();`
    fn statement(&mut self, stmt: &syn::Stmt) -> Option<syn::Stmt> {
        let syn::Stmt::Expr(e, Some(_)) = stmt else {
            return None;
        };
        let syn::Expr::MethodCall(call) = strip(e) else {
            return None;
        };
        let name = name_of(&call.receiver)
            .filter(|name| self.is_map(name))?
            .clone();
        let (values, positions) = (values_of(&name), positions_of(&name));
        match (call.method.to_string().as_str(), call.args.len()) {
            ("insert", 2) => Some(self.inserted(&name, &call.args[0], &call.args[1])),
            ("remove", 1) => {
                let k = &call.args[0];
                Some(syn::parse_quote!({ #positions.remove(#k); }))
            }
            ("clear", 0) => Some(syn::parse_quote!({ #positions.clear(); #values.clear(); })),
            _ => None,
        }
    }
}
