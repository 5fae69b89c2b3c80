//! What stands where an element does: the index, and the variable that is indexed, put into the body.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::visit_mut::{self, VisitMut};

use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{Dots, regroup};

/// Puts the index, and the variable that is indexed, into a place.
pub(super) struct Filled<'f> {
    pub(super) base: &'f syn::Expr,
    pub(super) parts: HashMap<String, syn::Expr>,
    /// The name of the whole index, and it.
    pub(super) whole: Option<(String, &'f syn::Expr)>,
    /// The parts that were put in, in their order.
    pub(super) used: Vec<syn::Expr>,
    pub(super) failed: bool,
}

impl Filled<'_> {
    fn put(&mut self, e: &mut syn::Expr, value: &syn::Expr) {
        self.used.push(value.clone());
        *e = match value {
            syn::Expr::Path(_) | syn::Expr::Lit(_) | syn::Expr::Paren(_) => value.clone(),
            value => syn::parse_quote!((#value)),
        };
    }

    /// Whether all of the index stands there once, in its order.
    pub(super) fn is_in_order(&self, index: &syn::Expr) -> bool {
        match index {
            syn::Expr::Tuple(index) => self.used.iter().eq(index.elems.iter()),
            index => self.used.iter().eq([index]),
        }
    }

    /// What a name of the body stands for.
    fn value_of(&self, e: &syn::Expr) -> Option<syn::Expr> {
        match e {
            syn::Expr::Path(path) => {
                let name = path.path.get_ident()?.unraw().to_string();
                if let Some((whole, index)) = &self.whole
                    && *whole == name
                {
                    return Some((*index).clone());
                }
                self.parts.get(&name).cloned()
            }
            syn::Expr::Field(field) => match (self.value_of(&field.base)?, &field.member) {
                (syn::Expr::Tuple(tuple), syn::Member::Unnamed(n)) => {
                    tuple.elems.iter().nth(n.index as usize).cloned()
                }
                _ => None,
            },
            _ => None,
        }
    }
}

impl VisitMut for Filled<'_> {
    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        if let Some(value) = self.value_of(e) {
            return self.put(e, &value);
        }
        if let syn::Expr::Path(path) = e
            && path.path.is_ident("self")
        {
            let base = self.base;
            *e = base.clone();
            return;
        }
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_macro_mut(&mut self, _: &mut syn::Macro) {
        self.failed = true;
    }

    fn visit_block_mut(&mut self, _: &mut syn::Block) {
        self.failed = true;
    }
}

/// Whether an index can be evaluated any number of times, and in any order.
pub(super) fn is_pure(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Path(_) | syn::Expr::Lit(_) => true,
        syn::Expr::Paren(e) => is_pure(&e.expr),
        syn::Expr::Group(e) => is_pure(&e.expr),
        syn::Expr::Cast(e) => is_pure(&e.expr),
        syn::Expr::Field(e) => is_pure(&e.base),
        syn::Expr::Unary(e) => is_pure(&e.expr),
        syn::Expr::Binary(e) => is_pure(&e.left) && is_pure(&e.right),
        _ => false,
    }
}

/// A name that the function does not have.
pub(super) fn fresh(name: &str, names: &HashSet<String>, at: Span) -> Ident {
    let mut name = name.to_owned();
    while names.contains(&name) {
        name.push('_');
    }
    Ident::new(&name, at)
}

/// The tokens with what is indexed in place of `self`, and other names for those of the body.
pub(super) fn with_names(
    tokens: TokenStream,
    base: &syn::Expr,
    renamed: &HashMap<String, Ident>,
) -> TokenStream {
    let mut dots = Dots::default();
    let mut out = TokenStream::new();
    for tree in tokens {
        let is_field = dots.lead_to(&tree);
        let tree = match tree {
            TokenTree::Ident(name) if name == "self" => {
                base.to_tokens(&mut out);
                continue;
            }
            TokenTree::Ident(name) if !is_field => {
                let other = renamed.get(&name.unraw().to_string());
                TokenTree::Ident(other.cloned().unwrap_or(name))
            }
            TokenTree::Group(group) => {
                let inner = with_names(group.stream(), base, renamed);
                TokenTree::Group(regroup(&group, inner))
            }
            other => other,
        };
        out.extend([tree]);
    }
    out
}
