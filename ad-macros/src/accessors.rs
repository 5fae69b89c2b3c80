//! Methods of a block that lead to a field: `fn coefficients(&self) -> &[f64] { &self.coefficients }`.
//!
//! A reference that a function returns has no derivative. Where another method of the block calls such a method, what
//! it leads to is written in place of the call. That the call means this method is certain in methods with `&self`:
//! there Rust finds those of the type before those of any trait. That the field is what is returned, and nothing that a
//! `Deref` of the user's leads to, rustc checks.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::visit_mut::{self, VisitMut};

use crate::ir::Passing;
use crate::ir::hash::HashMap;
use crate::lower::passing;

/// The methods of a block that lead to fields, by their names.
#[derive(Default)]
pub(crate) struct Accessors(HashMap<String, Accessor>);

struct Accessor {
    /// What it evaluates to: a reference to the field.
    field: syn::ExprReference,
    /// The type behind the reference that it returns.
    returned: syn::Type,
}

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
            Some((name, leads_to(method)?))
        });
        Accessors(found.collect())
    }

    /// The method with fields in place of calls, and a function beside it that does not compile if one of the fields is
    /// not of the type that is returned.
    pub(crate) fn written_out(
        &self,
        method: &syn::ImplItemFn,
        krate: &syn::Path,
    ) -> Option<(syn::ImplItemFn, TokenStream)> {
        let receiver = method.sig.receiver().and_then(passing);
        if self.0.is_empty() || receiver != Some(Passing::Shared) {
            return None;
        }
        let mut calls = Calls {
            of: self,
            found: Vec::new(),
        };
        let mut method = method.clone();
        calls.visit_block_mut(&mut method.block);
        if calls.found.is_empty() {
            return None;
        }
        let rt = quote!(#krate::__rt);
        let checks = calls.found.iter().filter_map(|name| {
            let Accessor { field, returned } = self.0.get(name)?;
            Some(quote!(#rt::leads_to::<#returned, _>(#field);))
        });
        let name = format_ident!("__fields_of_{}", method.sig.ident.unraw());
        let check = quote! {
            #[doc(hidden)]
            fn #name(&self) { #(#checks)* }
        };
        Some((method, check))
    }
}

/// Where a method leads to, if all that it does is to return a reference to a field of `self`.
fn leads_to(method: &syn::ImplItemFn) -> Option<Accessor> {
    let sig = &method.sig;
    let plain = sig.inputs.len() == 1
        && sig.receiver().and_then(passing) == Some(Passing::Shared)
        && sig.generics.params.is_empty()
        && sig.asyncness.is_none()
        && sig.unsafety.is_none()
        && !method.attrs.iter().any(|a| a.path().is_ident("cfg"));
    let returned = match &sig.output {
        syn::ReturnType::Type(_, ty) => match &**ty {
            syn::Type::Reference(to) => (*to.elem).clone(),
            _ => return None,
        },
        syn::ReturnType::Default => return None,
    };
    match method.block.stmts.as_slice() {
        [syn::Stmt::Expr(syn::Expr::Reference(to), None)]
            if plain && to.mutability.is_none() && is_field(&to.expr) =>
        {
            Some(Accessor {
                field: to.clone(),
                returned,
            })
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
    /// The names of those that are called.
    found: Vec<String>,
}

impl VisitMut for Calls<'_> {
    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        if let syn::Expr::MethodCall(call) = &*e
            && is_self(&call.receiver)
            && call.args.is_empty()
            && call.turbofish.is_none()
            && let name = call.method.unraw().to_string()
            && let Some(Accessor { field, .. }) = self.of.0.get(&name)
        {
            *e = syn::parse_quote!((#field));
            if !self.found.contains(&name) {
                self.found.push(name);
            }
            return;
        }
        visit_mut::visit_expr_mut(self, e);
    }

    /// There `self` is another one.
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
