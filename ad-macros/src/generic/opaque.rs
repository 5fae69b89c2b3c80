//! Parameters of an `impl` for a type of the language: `impl<T: Float + Quintic> Quintic for [T; 2]`.
//!
//! What such an `impl` has for callers stands in it, and so it is there for all that its bounds admit. There is no
//! instance for a float: what the body does with a `T`, it does by the traits that have derivatives.

use super::bounds::{floats, has_methods};

/// The block without the traits of numbers that its parameters are bound by, if each of them has another one.
pub(crate) fn as_opaque(block: &syn::ItemImpl) -> Option<syn::ItemImpl> {
    let mut opaque = block.clone();
    let numbers = floats(&block.generics, &syn::ReturnType::Default);
    let names: Vec<String> = numbers.iter().map(|of| of.ident.to_string()).collect();
    for parameter in block.generics.type_params() {
        let is_number = names.iter().any(|name| parameter.ident == name);
        if is_number && !has_methods(&block.generics, parameter) {
            return None;
        }
    }
    let is_number = |bound: &syn::TypeParamBound| match bound {
        syn::TypeParamBound::Trait(bound) => super::bounds::is_number(&bound.path),
        _ => false,
    };
    let without =
        |bounds: &mut syn::punctuated::Punctuated<syn::TypeParamBound, syn::Token![+]>| {
            *bounds = bounds
                .iter()
                .filter(|bound| !is_number(bound))
                .cloned()
                .collect();
        };
    opaque
        .generics
        .type_params_mut()
        .for_each(|t| without(&mut t.bounds));
    if let Some(clause) = &mut opaque.generics.where_clause {
        for predicate in &mut clause.predicates {
            if let syn::WherePredicate::Type(bound) = predicate {
                without(&mut bound.bounds);
            }
        }
    }
    Some(opaque)
}
