//! Methods of a block that lead to a field: `fn coefficients(&self) -> &[f64] { &self.coefficients }`.
//!
//! A reference that a function returns has no derivative. Where another method of the block calls such a method, what
//! it leads to is written in place of the call. That the call means this method is certain in methods with `&self`:
//! there Rust finds those of the type before those of any trait.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]

use std::collections::HashMap;

use syn::ext::IdentExt;
use syn::visit_mut::{self, VisitMut};

use crate::ir::Passing;
use crate::lower::passing;

/// The methods of a block that lead to fields, by their names: what they evaluate to.
#[derive(Default)]
pub(crate) struct Accessors(HashMap<String, syn::Expr>);

impl Accessors {
    /// Those of the block. Of one that implements a trait, none: a function of the type may hide its functions.
    pub(crate) fn of(block: &syn::ItemImpl) -> Self {
        if block.trait_.is_some() {
            return Accessors::default();
        }
        let methods = block.items.iter().filter_map(|item| match item {
            syn::ImplItem::Fn(method) => Some(method),
            _ => None,
        });
        let found = methods.filter_map(|method| {
            let name = method.sig.ident.unraw().to_string();
            Some((name, leads_to(method)?.clone()))
        });
        Accessors(found.collect())
    }

    /// The method with fields in place of calls.
    pub(crate) fn written_out(&self, method: &syn::ImplItemFn) -> Option<syn::ImplItemFn> {
        let receiver = method.sig.receiver().and_then(passing);
        if self.0.is_empty() || receiver != Some(Passing::Shared) {
            return None;
        }
        let mut calls = Calls {
            of: self,
            found: false,
        };
        let mut method = method.clone();
        calls.visit_block_mut(&mut method.block);
        calls.found.then_some(method)
    }
}

/// What a method evaluates to, if that is a reference to a field of `self`.
fn leads_to(method: &syn::ImplItemFn) -> Option<&syn::Expr> {
    let sig = &method.sig;
    let plain = sig.inputs.len() == 1
        && sig.receiver().and_then(passing) == Some(Passing::Shared)
        && sig.generics.type_params().next().is_none()
        && sig.asyncness.is_none()
        && sig.unsafety.is_none()
        && !method.attrs.iter().any(|a| a.path().is_ident("cfg"));
    let returned = matches!(&sig.output, syn::ReturnType::Type(_, ty) if matches!(&**ty, syn::Type::Reference(_)));
    match method.block.stmts.as_slice() {
        [syn::Stmt::Expr(e @ syn::Expr::Reference(to), None)]
            if plain && returned && to.mutability.is_none() && is_field(&to.expr) =>
        {
            Some(e)
        }
        _ => None,
    }
}

/// `self.a.b`, `self.0[..]`
fn is_field(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Field(field) => is_self(&field.base) || is_field(&field.base),
        syn::Expr::Index(index) => {
            let all = matches!(&*index.index, syn::Expr::Range(r) if r.start.is_none() && r.end.is_none());
            all && is_field(&index.expr)
        }
        _ => false,
    }
}

fn is_self(e: &syn::Expr) -> bool {
    matches!(e, syn::Expr::Path(path) if path.path.is_ident("self"))
}

struct Calls<'a> {
    of: &'a Accessors,
    found: bool,
}

impl VisitMut for Calls<'_> {
    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        if let syn::Expr::MethodCall(call) = &*e
            && is_self(&call.receiver)
            && call.args.is_empty()
            && call.turbofish.is_none()
            && let Some(field) = self.of.0.get(&call.method.unraw().to_string())
        {
            *e = syn::parse_quote!((#field));
            self.found = true;
            return;
        }
        visit_mut::visit_expr_mut(self, e);
    }

    /// There `self` is another one.
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
