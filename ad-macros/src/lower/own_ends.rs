//! `Length::new(x)` at the end of a function of `Length<T, Unit>` that returns `Self`: it is `Self::new(x)`.
//!
//! In the function as written, its type says what the parameters of the call's type are. In the sweeps, the call and
//! its derivative are apart, so they say it themselves.

use quote::ToTokens;
use syn::parse_quote;

use super::operator::strip;
use crate::surroundings::{block_around, method_of};

/// The function with such calls, if there are any.
pub(super) fn written_out(item: &syn::ItemFn) -> Option<syn::ItemFn> {
    let syn::ReturnType::Type(_, written) = &item.sig.output else {
        return None;
    };
    let syn::Stmt::Expr(end, None) = item.block.stmts.last()? else {
        return None;
    };
    if !ends_with_a_call(end) {
        return None;
    }
    let at = item.sig.ident.span();
    let block = block_around(at)?;
    let syn::Type::Path(own) = &*block.self_ty else {
        return None;
    };
    let own = own
        .path
        .segments
        .last()
        .filter(|own| !own.arguments.is_empty())?;
    let params: Vec<&syn::Ident> = block.generics.type_params().map(|p| &p.ident).collect();
    let returns_own = |written: &syn::Type| match written {
        syn::Type::Path(written) => written.path.segments.last().is_some_and(|of| {
            let is_own = || of.ident == own.ident && is_instance(of, own, &params);
            written.path.is_ident("Self") || is_own()
        }),
        _ => false,
    };
    if !returns_own(written) {
        return None;
    }
    let is_own = |path: &syn::ExprPath| {
        let names: Vec<_> = path.path.segments.iter().collect();
        let [of, name] = names.as_slice() else {
            return false;
        };
        path.qself.is_none()
            && of.ident == own.ident
            && of.arguments.is_none()
            && method_of(at, &of.ident, &name.ident).is_some_and(|sig| match &sig.output {
                syn::ReturnType::Type(_, ty) => returns_own(ty),
                syn::ReturnType::Default => false,
            })
    };
    let mut item = item.clone();
    let mut found = false;
    if let Some(syn::Stmt::Expr(end, None)) = item.block.stmts.last_mut() {
        each_end(end, &mut |call| {
            if let syn::Expr::Path(path) = &mut *call.func
                && is_own(path)
                && let Some(name) = path.path.segments.pop()
            {
                let (name, span) = (name.into_value(), own.ident.span());
                let own = syn::Ident::new("Self", span);
                path.path = parse_quote!(#own::#name);
                found = true;
            }
        });
    }
    found.then_some(item)
}

/// Whether the arguments of a type are those of another, or floats for what are parameters there.
fn is_instance(ty: &syn::PathSegment, of: &syn::PathSegment, params: &[&syn::Ident]) -> bool {
    let (syn::PathArguments::AngleBracketed(ty), syn::PathArguments::AngleBracketed(of)) =
        (&ty.arguments, &of.arguments)
    else {
        return false;
    };
    let text = |argument: &syn::GenericArgument| argument.to_token_stream().to_string();
    let same = |(a, b): (&syn::GenericArgument, &syn::GenericArgument)| {
        let (a, b) = (text(a), text(b));
        let is_parameter = || params.iter().any(|param| **param == b);
        a == b || (a == "f64" || a == "f32") && is_parameter()
    };
    ty.args.len() == of.args.len() && ty.args.iter().zip(&of.args).all(same)
}

fn ends_with_a_call(end: &syn::Expr) -> bool {
    match strip(end) {
        syn::Expr::Call(call) => matches!(&*call.func, syn::Expr::Path(_)),
        syn::Expr::If(_) | syn::Expr::Match(_) | syn::Expr::Block(_) => true,
        _ => false,
    }
}

/// The calls that an expression ends with.
fn each_end(end: &mut syn::Expr, visit: &mut dyn FnMut(&mut syn::ExprCall)) {
    let of_block = |block: &mut syn::Block, visit: &mut dyn FnMut(&mut syn::ExprCall)| {
        if let Some(syn::Stmt::Expr(end, None)) = block.stmts.last_mut() {
            each_end(end, visit);
        }
    };
    match end {
        syn::Expr::Paren(inner) => each_end(&mut inner.expr, visit),
        syn::Expr::Group(inner) => each_end(&mut inner.expr, visit),
        syn::Expr::Call(call) => visit(call),
        syn::Expr::Block(block) if block.label.is_none() => of_block(&mut block.block, visit),
        syn::Expr::If(branch) => {
            of_block(&mut branch.then_branch, visit);
            if let Some((_, otherwise)) = &mut branch.else_branch {
                each_end(otherwise, visit);
            }
        }
        syn::Expr::Match(choice) => {
            choice
                .arms
                .iter_mut()
                .for_each(|arm| each_end(&mut arm.body, visit));
        }
        _ => {}
    }
}
