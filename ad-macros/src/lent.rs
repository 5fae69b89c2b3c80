//! Methods that lend a part of the value: `fn position(&self) -> &Point { &self.position }`.
//!
//! A shared reference stands for a copy of what it leads to, as that does not change while the reference is there. So
//! the sweeps of such a method are those of one that returns the value. What is returned has to be something of which
//! the text shows that it has a tangent, as the method compiles without one.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]

use proc_macro2::Span;
use syn::parse_quote;

use crate::emit;
use crate::ir::{Answer, Passing, is_float_type};
use crate::lower::passing;
use crate::returned_self::leaves_early;
use crate::surroundings::derives;

/// Whether the text shows that the tangent of a type has its fields.
pub(crate) fn is_derived(of: &syn::Type) -> bool {
    match of {
        syn::Type::Path(path) if path.qself.is_none() => {
            let last = path.path.segments.last();
            last.is_some_and(|last| derives(last.ident.span(), &last.ident))
        }
        _ => false,
    }
}

/// What a reference that a method returns leads to, if the text of the file of `at` shows that it has a tangent.
pub(crate) fn what(reference: &syn::TypeReference, at: Span) -> Option<Answer> {
    match &*reference.elem {
        _ if reference.mutability.is_some() => None,
        syn::Type::Slice(slice) => is_known(&slice.elem, at).then_some(Answer::LentSlice),
        ty => is_known(ty, at).then_some(Answer::LentValue),
    }
}

/// The method that returns the value, of one that lends it.
pub(crate) fn returning_value(method: &syn::ImplItemFn) -> Option<syn::ImplItemFn> {
    let (sig, body) = (&method.sig, &method.block);
    let syn::ReturnType::Type(_, output) = &sig.output else {
        return None;
    };
    let syn::Type::Reference(reference) = &**output else {
        return None;
    };
    let by_value = sig.inputs.iter().skip(1).all(|input| match input {
        syn::FnArg::Typed(input) => is_own_value(&input.ty),
        syn::FnArg::Receiver(_) => false,
    });
    let plain = sig.receiver().and_then(passing) == Some(Passing::Shared)
        && by_value
        && sig.generics.params.is_empty()
        && sig.generics.where_clause.is_none()
        && sig.asyncness.is_none()
        && sig.unsafety.is_none()
        && !leaves_early(body);
    if !plain {
        return None;
    }
    what(reference, sig.ident.span())?;
    let (ty, end) = copied(body, output, reference)?;
    let mut method = method.clone();
    method.sig.output = parse_quote!(-> #ty);
    method.block = parse_quote!({ #end });
    Some(method)
}

/// The function that returns the value, of one with the attribute of its own that lends a part of what it is given, and
/// what that one returns. That the value has a tangent, rustc checks.
pub(crate) fn owned(function: &syn::ItemFn) -> Option<(syn::ItemFn, syn::Type)> {
    let (sig, body) = (&function.sig, &function.block);
    let syn::ReturnType::Type(_, output) = &sig.output else {
        return None;
    };
    let syn::Type::Reference(reference) = &**output else {
        return None;
    };
    let hidden = sig.asyncness.is_some() || sig.unsafety.is_some() || leaves_early(body);
    if hidden || reference.mutability.is_some() {
        return None;
    }
    let (ty, end) = copied(body, output, reference)?;
    let output = (**output).clone();
    let mut function = function.clone();
    function.sig.output = parse_quote!(-> #ty);
    *function.block = parse_quote!({ #end });
    Some((function, output))
}

/// The type of the value that a reference leads to, and the body with a copy of it.
fn copied(
    body: &syn::Block,
    output: &syn::Type,
    reference: &syn::TypeReference,
) -> Option<(syn::Type, syn::Expr)> {
    Some(match &*reference.elem {
        syn::Type::Slice(slice) => {
            let element = &slice.elem;
            (
                parse_quote!(::std::vec::Vec<#element>),
                sliced(body, output)?,
            )
        }
        ty if is_float_type(ty) => (ty.clone(), parse_quote!(*#body)),
        ty => (ty.clone(), place(body)?),
    })
}

/// The body with a copy of the slice that it ends with.
fn sliced(body: &syn::Block, ty: &syn::Type) -> Option<syn::Expr> {
    let Some((syn::Stmt::Expr(end, None), before)) = body.stmts.split_last() else {
        return None;
    };
    // The name is one of ours, and what stands in front of it is not asked for it.
    let lent = emit::own("lent");
    Some(parse_quote!({ #(#before)* let #lent: #ty = #end; #lent.to_vec() }))
}

/// What the body takes a reference to, if each of its branches ends with one to a part, or does not end.
fn place(body: &syn::Block) -> Option<syn::Expr> {
    let body = block(body)?;
    Some(match body.stmts.as_slice() {
        [syn::Stmt::Expr(end, None)] => end.clone(),
        _ => parse_quote!(#body),
    })
}

fn block(of: &syn::Block) -> Option<syn::Block> {
    let mut of = of.clone();
    match of.stmts.last_mut()? {
        syn::Stmt::Expr(end, None) => *end = part(end)?,
        syn::Stmt::Macro(end) if end.semi_token.is_none() && never_returns(&end.mac) => {}
        _ => return None,
    }
    Some(of)
}

/// What one end of the body takes a reference to.
fn part(end: &syn::Expr) -> Option<syn::Expr> {
    match end {
        syn::Expr::Reference(to) if to.mutability.is_none() => {
            is_part(&to.expr).then(|| (*to.expr).clone())
        }
        syn::Expr::Paren(inner) => part(&inner.expr),
        syn::Expr::Block(inner) if inner.label.is_none() => {
            let block = block(&inner.block)?;
            Some(parse_quote!(#block))
        }
        syn::Expr::If(branch) => {
            let mut branch = branch.clone();
            branch.then_branch = block(&branch.then_branch)?;
            let (_, other) = branch.else_branch.as_mut()?;
            **other = part(other)?;
            Some(syn::Expr::If(branch))
        }
        syn::Expr::Match(cases) => {
            let mut cases = cases.clone();
            for arm in &mut cases.arms {
                *arm.body = part(&arm.body)?;
            }
            Some(syn::Expr::Match(cases))
        }
        syn::Expr::Macro(end) if never_returns(&end.mac) => Some(syn::Expr::Macro(end.clone())),
        _ => None,
    }
}

/// Whether a macro ends what runs. Another one of the name would be an error of rustc: its value is no part.
fn never_returns(mac: &syn::Macro) -> bool {
    let never = ["panic", "unreachable", "todo", "unimplemented"];
    never.iter().any(|name| mac.path.is_ident(name))
}

/// `self.a.b`, `self.a[i]`, `points[i]`
fn is_part(e: &syn::Expr) -> bool {
    let is_name =
        |e: &syn::Expr| matches!(e, syn::Expr::Path(path) if path.path.get_ident().is_some());
    match e {
        syn::Expr::Field(field) => is_part(&field.base) || is_name(&field.base),
        syn::Expr::Index(index) => {
            let of = &*index.expr;
            !matches!(&*index.index, syn::Expr::Range(_)) && (is_part(of) || is_name(of))
        }
        _ => false,
    }
}

/// Whether values of the type hold no references, as far as its text shows.
fn is_own_value(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Path(path) => path.path.segments.iter().all(|s| s.arguments.is_none()),
        syn::Type::Tuple(tuple) => tuple.elems.iter().all(is_own_value),
        syn::Type::Array(array) => is_own_value(&array.elem),
        _ => false,
    }
}

/// Whether the type has a tangent, as far as the text shows.
fn is_known(ty: &syn::Type, at: Span) -> bool {
    match ty {
        syn::Type::Path(path) if path.qself.is_none() => {
            let Some(last) = path.path.segments.last() else {
                return false;
            };
            match &last.arguments {
                syn::PathArguments::None => {
                    is_float_type(ty) || path.path.get_ident().is_some_and(|name| derives(at, name))
                }
                syn::PathArguments::AngleBracketed(arguments) if last.ident == "Vec" => {
                    arguments.args.iter().all(|argument| match argument {
                        syn::GenericArgument::Type(ty) => is_known(ty, at),
                        _ => false,
                    })
                }
                _ => false,
            }
        }
        syn::Type::Array(array) => is_known(&array.elem, at),
        syn::Type::Tuple(tuple) => {
            !tuple.elems.is_empty() && tuple.elems.iter().all(|ty| is_known(ty, at))
        }
        _ => false,
    }
}
