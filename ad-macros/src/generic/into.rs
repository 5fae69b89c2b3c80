//! Type parameters that are there to be converted: `fn new(at: impl Into<Point>)`, `P: Into<f64>`.
//!
//! The sweeps ask the target for the sweeps of the conversion. That a value is converted by `into` in the body is
//! written out in front of `lower` (`lower/own_conversions.rs`).

use quote::quote;

use super::bounds::{COMPARING, bounds_of, into_target};
use super::rewrite;

/// The only type that values of the parameter are converted to, if they are moved, copied and compared beside that.
pub(crate) fn target<'a>(
    generics: &'a syn::Generics,
    parameter: &'a syn::TypeParam,
) -> Option<&'a syn::Type> {
    let mut found = None;
    for path in bounds_of(generics, parameter) {
        let last = path.segments.last()?;
        match into_target(path) {
            Some(target) if found.is_none() => found = Some(target),
            None if COMPARING.iter().any(|known| last.ident == known) => {}
            _ => return None,
        }
    }
    found
}

/// Whether an `impl Trait` is one of them.
pub(crate) fn is_into<'b>(bounds: impl IntoIterator<Item = &'b syn::TypeParamBound>) -> bool {
    bounds.into_iter().any(|bound| {
        matches!(bound, syn::TypeParamBound::Trait(bound) if into_target(&bound.path).is_some())
    })
}

/// Adds what sweeps ask of such parameters, of which values may carry a derivative, and of types that are made from
/// parameters: `where Celsius: From<T>`.
pub(super) fn ask(sig: &mut syn::Signature, krate: &syn::Path) {
    let rt = quote!(#krate::__rt);
    let mut asked: Vec<syn::WherePredicate> = Vec::new();
    for parameter in sig.generics.type_params() {
        let carries = |input: &syn::FnArg| match input {
            syn::FnArg::Receiver(_) => false,
            syn::FnArg::Typed(typed) => {
                let constant = typed.attrs.iter().any(|a| a.path().is_ident("constant"));
                !constant && rewrite::names(&typed.ty, &parameter.ident)
            }
        };
        if !sig.inputs.iter().any(carries) {
            continue;
        }
        let name = &parameter.ident;
        let into = target(&sig.generics, parameter);
        let targets = into.into_iter().chain(made_from(&sig.generics, name));
        for (n, target) in targets.enumerate() {
            if n == 0 {
                asked.push(syn::parse_quote!(#name: #rt::Differentiable));
            }
            asked.push(syn::parse_quote! {
                #target: #rt::Conversion<
                    #name,
                    Bar = <#name as #rt::Differentiable>::Tangent,
                    Seed = <#target as #rt::Differentiable>::Tangent
                >
            });
        }
    }
    if !asked.is_empty() {
        sig.generics.make_where_clause().predicates.extend(asked);
    }
}

/// The types of which the `where` clause says that they are made from the parameter.
fn made_from<'a>(
    generics: &'a syn::Generics,
    parameter: &'a syn::Ident,
) -> impl Iterator<Item = &'a syn::Type> {
    let predicates = generics.where_clause.iter().flat_map(|w| &w.predicates);
    predicates.filter_map(move |predicate| {
        let syn::WherePredicate::Type(of) = predicate else {
            return None;
        };
        let from = |bound: &syn::TypeParamBound| match bound {
            syn::TypeParamBound::Trait(bound) => is_from(&bound.path, parameter),
            _ => false,
        };
        of.bounds.iter().any(from).then_some(&of.bounded_ty)
    })
}

/// `From<T>`
fn is_from(path: &syn::Path, parameter: &syn::Ident) -> bool {
    let Some(last) = path.segments.last().filter(|last| last.ident == "From") else {
        return false;
    };
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return false;
    };
    let source = arguments.args.first();
    matches!(source, Some(syn::GenericArgument::Type(syn::Type::Path(ty))) if ty.path.is_ident(parameter))
}
