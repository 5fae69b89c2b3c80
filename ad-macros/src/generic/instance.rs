//! Functions, blocks and methods with a float in place of their type parameter, which call a check first.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::visit_mut::VisitMut;

use super::bounds::FloatParam;
use super::rewrite::{Rewriter, mentions};
use super::{agree, casts};

/// The function at one width, and the item that it calls.
pub(super) fn function(
    function: &syn::ItemFn,
    parameter: FloatParam<'_>,
    float: &str,
    krate: &syn::Path,
) -> (TokenStream, syn::ItemFn) {
    let mut function = function.clone();
    let (sig, body) = (&function.sig, &mut function.block);
    **body = casts::written_out(body, &sig.output, parameter.ident);
    // Of a function among the arguments, the sweeps have no `Fn`.
    let mut known = sig.clone();
    known.generics = crate::iterated::generics(sig);
    let unbound = crate::functions::unbound(&known);
    let generics = [&unbound];
    let check = agree::check(&sig.ident, body, parameter, &generics, float, krate);
    fix(&mut function.sig.generics, parameter.ident);
    Rewriter::new(parameter, float).visit_item_fn_mut(&mut function);
    (checked(check, &mut function.block), function)
}

/// Calls the check first; its item.
fn checked(check: Option<(TokenStream, syn::Stmt)>, body: &mut syn::Block) -> TokenStream {
    let Some((item, call)) = check else {
        return TokenStream::new();
    };
    body.stmts.insert(0, call);
    item
}

/// The block at one width, and the items that its functions call.
pub(super) fn block(
    block: &syn::ItemImpl,
    parameter: FloatParam<'_>,
    float: &str,
    krate: &syn::Path,
) -> (TokenStream, syn::ItemImpl) {
    let mut instance = block.clone();
    fix(&mut instance.generics, parameter.ident);
    let mut checks = Vec::new();
    for item in &mut instance.items {
        checks.push(None);
        if let syn::ImplItem::Fn(method) = item {
            let (sig, body) = (&method.sig, &mut method.block);
            *body = casts::written_out(body, &sig.output, parameter.ident);
            let known = crate::iterated::generics(sig);
            let generics = [&block.generics, &known];
            let check = agree::check(&sig.ident, body, parameter, &generics, float, krate);
            checks.pop();
            checks.push(check);
        }
    }
    Rewriter::new(parameter, float).visit_item_impl_mut(&mut instance);
    let mut items = TokenStream::new();
    for (check, item) in checks.into_iter().zip(&mut instance.items) {
        if let syn::ImplItem::Fn(method) = item {
            items.extend(checked(check, &mut method.block));
        }
    }
    (items, instance)
}

/// The method at one width, and the item that it calls.
pub(super) fn method(
    method: &syn::ImplItemFn,
    of_block: &syn::Generics,
    parameter: FloatParam<'_>,
    float: &str,
    krate: &syn::Path,
) -> (TokenStream, syn::ImplItemFn) {
    let mut method = method.clone();
    let (sig, body) = (&method.sig, &mut method.block);
    *body = casts::written_out(body, &sig.output, parameter.ident);
    let known = crate::iterated::generics(sig);
    let generics = [of_block, &known];
    let check = agree::check(&sig.ident, body, parameter, &generics, float, krate);
    fix(&mut method.sig.generics, parameter.ident);
    Rewriter::new(parameter, float).visit_impl_item_fn_mut(&mut method);
    (checked(check, &mut method.block), method)
}

/// An expression at one width.
pub(super) fn expression(mut e: syn::Expr, parameter: FloatParam<'_>, float: &str) -> syn::Expr {
    Rewriter::new(parameter, float).visit_expr_mut(&mut e);
    e
}

/// Generics at one width.
pub(super) fn generics(
    of: &syn::Generics,
    parameter: FloatParam<'_>,
    float: &str,
) -> syn::Generics {
    let mut generics = of.clone();
    fix(&mut generics, parameter.ident);
    Rewriter::new(parameter, float).visit_generics_mut(&mut generics);
    generics
}

/// Takes the parameter out of the generics, with what is asked of it alone.
fn fix(generics: &mut syn::Generics, parameter: &Ident) {
    let params = std::mem::take(&mut generics.params);
    generics.params = params
        .into_iter()
        .filter(|p| !matches!(p, syn::GenericParam::Type(t) if t.ident == *parameter))
        .collect();
    if generics.params.is_empty() {
        (generics.lt_token, generics.gt_token) = (None, None);
    }
    let Some(clause) = &mut generics.where_clause else {
        return;
    };
    let others: Vec<&Ident> = generics.params.iter().filter_map(named).collect();
    let of_others = |predicate: &syn::WherePredicate| match predicate {
        syn::WherePredicate::Type(p) => {
            let ty = p.bounded_ty.to_token_stream();
            !mentions(ty.clone(), parameter)
                || others.iter().any(|other| mentions(ty.clone(), other))
        }
        _ => true,
    };
    let predicates = std::mem::take(&mut clause.predicates);
    clause.predicates = predicates.into_iter().filter(of_others).collect();
    if clause.predicates.is_empty() {
        generics.where_clause = None;
    }
}

/// The name of a type or const parameter.
pub(super) fn named(param: &syn::GenericParam) -> Option<&Ident> {
    match param {
        syn::GenericParam::Type(t) => Some(&t.ident),
        syn::GenericParam::Const(c) => Some(&c.ident),
        syn::GenericParam::Lifetime(_) => None,
    }
}
