//! Maps of a function's own, `HashMap` and `BTreeMap`, with values that may carry a derivative.
//!
//! A map becomes two variables: a vector of its values, and a map from its keys to positions in that vector, which
//! carries no derivative. What is done with the map is written out in terms of both, before the walk; a map that is
//! used in another way than those below stays as it is, and is refused where a derivative goes into it.
//!
//! A value keeps its position as long as the map lives; that of a key that was removed is not used again.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::visit::{self, Visit};

use super::operator::strip;
use super::scope::{key, name_of};
use crate::ir::IntTy;
use crate::ir::hash::{HashMap, HashSet};

/// The function with such maps written out, if there are any.
pub(super) fn written_out(item: &syn::ItemFn) -> Option<syn::ItemFn> {
    let mut seen = Seen(false);
    seen.visit_item_fn(item);
    if !seen.0 {
        return None;
    }
    let mut found = Maps::default();
    found.visit_item_fn(item);
    let maps = found.chosen();
    if maps.is_empty() {
        return None;
    }
    let mut item = item.clone();
    super::positions::write_out(&mut item, maps);
    Some(item)
}

/// Whether a `let` declares a map: most functions have none, and how names are used is of no interest then.
struct Seen(bool);

impl<'ast> Visit<'ast> for Seen {
    fn visit_local(&mut self, local: &'ast syn::Local) {
        self.0 |= map_of(local).is_some();
        visit::visit_local(self, local);
    }
}

/// What a `let` declares.
#[derive(Clone)]
pub(super) struct Map {
    /// Whether the keys have an order, in which the map is walked through.
    pub(super) ordered: bool,
    /// The expression that makes the empty map of positions.
    pub(super) empty: syn::Expr,
    pub(super) keys: Option<syn::Type>,
    pub(super) values: Option<syn::Type>,
    /// Whether the values carry no derivative, as far as their type says so. Such a map is written out for the sake of
    /// values that are changed in place alone.
    passive: bool,
    /// What the map is filled from.
    pub(super) items: Option<syn::Expr>,
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
    const OTHERS: &[&str] = &[
        "bool", "char", "str", "String", "Vec", "Option", "HashSet", "BTreeSet",
    ];
    super::prescan::names_in(&ty.to_token_stream())
        .iter()
        .map(ToString::to_string)
        .all(|name| IntTy::from_name(&name).is_some() || OTHERS.contains(&name.as_str()))
}

/// `let m: T = HashMap::default();` and its relatives.
pub(super) fn map_of(local: &syn::Local) -> Option<(&Ident, Map)> {
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
pub(super) fn entry_of(
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
pub(super) fn walks(name: &str, args: usize) -> bool {
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
pub(super) fn whole(e: &syn::Expr) -> Option<(&Ident, &'static str)> {
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
    /// Those that are walked through, and those whose values are changed in place.
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
                    if method == "get_mut" {
                        self.entered.insert(key(name));
                    }
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
