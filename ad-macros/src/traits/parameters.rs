//! Type parameters of an `impl` that its type does not name: `impl<T: Low> Next<&T> for Minimum`.
//!
//! What stands beside the `impl` stands in a block of the type, where nothing says what such a parameter is. So it is
//! one of each function there: `impl Minimum { fn next<T: Low>(&mut self, x: &T) … }`.

use proc_macro2::Ident;
use quote::ToTokens;

use crate::generic::{names_parameter, stands_for_float};
use crate::ir::{parameter_names, spells};

/// A parameter that functions cannot have: the trait is not given it, or it stands for a float.
pub(super) fn unsupported(block: &syn::ItemImpl) -> Option<Ident> {
    let (_, moved) = parted(block)?;
    let (_, of, _) = block.trait_.as_ref()?;
    let given = of
        .segments
        .last()
        .map(|last| last.arguments.to_token_stream());
    let given = given.unwrap_or_default();
    let unsupported = parameter_names(&moved).find(|name| {
        !spells(given.clone(), &name.to_string()) || stands_for_float(&block.generics, name)
    });
    unsupported.cloned()
}

/// The block with the parameters that its type does not name on its functions, if there are some.
pub(super) fn on_functions(block: &syn::ItemImpl) -> Option<syn::ItemImpl> {
    let mut own = block.clone();
    let (stays, moved) = parted(block)?;
    own.generics = stays;
    for item in &mut own.items {
        if let syn::ImplItem::Fn(function) = item {
            let generics = &mut function.sig.generics;
            generics.params.extend(moved.params.iter().cloned());
            if let Some(clause) = &moved.where_clause {
                let own = generics.make_where_clause();
                own.predicates.extend(clause.predicates.iter().cloned());
            }
        }
    }
    Some(own)
}

/// The type parameters that the type does not name.
pub(super) fn unnamed(block: &syn::ItemImpl) -> Vec<Ident> {
    let moved = parted(block).map(|(_, moved)| moved);
    let types = moved.iter().flat_map(syn::Generics::type_params);
    types.map(|t| t.ident.clone()).collect()
}

/// The generics of the type, and those of the trait alone, if there are some.
fn parted(block: &syn::ItemImpl) -> Option<(syn::Generics, syn::Generics)> {
    let generics = &block.generics;
    let mut stay: Vec<&Ident> = parameter_names(generics)
        .filter(|name| names_parameter(&block.self_ty, name))
        .collect();
    // What a trait yields for another one is known by that one: `I: Iterator<Item = T>`.
    loop {
        let more = parameter_names(generics).find(|name| {
            let yielded = || stay.iter().any(|of| yields(generics, of, name));
            !stay.contains(name) && yielded()
        });
        match more {
            Some(name) => stay.push(name),
            None => break,
        }
    }
    let names_moved = |tokens: &dyn ToTokens| {
        let mut moved = parameter_names(generics).filter(|name| !stay.contains(name));
        moved.any(|name| spells(tokens.to_token_stream(), &name.to_string()))
    };
    let is_moved = |param: &syn::GenericParam| match param {
        syn::GenericParam::Lifetime(_) => false,
        syn::GenericParam::Type(t) => !stay.contains(&&t.ident),
        syn::GenericParam::Const(c) => !stay.contains(&&c.ident),
    };
    if !generics.params.iter().any(is_moved) {
        return None;
    }
    let (mut kept, mut moved) = (generics.clone(), syn::Generics::default());
    let (those, others) = generics.params.iter().cloned().partition(|p| is_moved(p));
    (moved.params, kept.params) = (those, others);
    if let Some(clause) = &generics.where_clause {
        let predicates = clause.predicates.iter().cloned();
        let (those, others) = predicates.partition(|p| names_moved(p));
        moved.make_where_clause().predicates = those;
        kept.make_where_clause().predicates = others;
    }
    Some((kept, moved))
}

/// Writes constants among the arguments of the trait as such: `Layer<N>` of an `impl<const N: usize>` reads as if `N`
/// were a type.
pub(crate) fn say_constants(block: &mut syn::ItemImpl) {
    let constants: Vec<Ident> = block
        .generics
        .const_params()
        .map(|c| c.ident.clone())
        .collect();
    let last = block
        .trait_
        .as_mut()
        .and_then(|(_, of, _)| of.segments.last_mut());
    let Some(syn::PathArguments::AngleBracketed(arguments)) = last.map(|last| &mut last.arguments)
    else {
        return;
    };
    for argument in &mut arguments.args {
        if let syn::GenericArgument::Type(syn::Type::Path(path)) = argument
            && let Some(name) = path.path.get_ident()
            && constants.contains(name)
        {
            *argument = syn::GenericArgument::Const(syn::parse_quote!({ #name }));
        }
    }
}

/// Whether a bound of one parameter says what the other one is.
fn yields(generics: &syn::Generics, of: &Ident, name: &Ident) -> bool {
    let says_so = |tokens: &dyn ToTokens| {
        let text = tokens.to_token_stream().to_string();
        text.contains(&format!("= {name}"))
    };
    let in_list = generics.type_params().filter(|t| t.ident == *of);
    let clauses = generics.where_clause.iter().flat_map(|w| &w.predicates);
    in_list.into_iter().any(|t| says_so(&t.bounds))
        || clauses.into_iter().any(|predicate| match predicate {
            syn::WherePredicate::Type(p) => {
                spells(p.bounded_ty.to_token_stream(), &of.to_string()) && says_so(&p.bounds)
            }
            _ => false,
        })
}
