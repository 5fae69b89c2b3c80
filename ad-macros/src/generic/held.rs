//! Type parameters of blocks whose values are only held, moved and compared: `impl<T: Copy> Grid<T>`.
//!
//! They stand for whatever has a derivative, so the sweeps ask for that, and for values that the tape can keep, beside
//! what the user asks for. A parameter of which the block says so itself is left as it is.

use proc_macro2::Ident;
use quote::quote;

use super::bounds::{COMPARING, bounds_of};
use super::rewrite;
use crate::ir::spells;
use crate::surroundings::with_text;

/// Traits that say that there is no number in the values, or what the user asks for.
const OTHERS: [&str; 7] = [
    "Differentiable",
    "Duplicate",
    "Eq",
    "FixedShape",
    "Hash",
    "Ord",
    "Record",
];

/// Whether nothing is known of the values of a parameter but that they are moved and compared.
fn is_held(generics: &syn::Generics, parameter: &syn::TypeParam) -> bool {
    bounds_of(generics, parameter).all(|path| {
        path.segments.last().is_some_and(|last| {
            let is = |known: &str| last.ident == known;
            COMPARING.iter().any(|known| is(known)) && !OTHERS.iter().any(|other| is(other))
        })
    })
}

/// Adds what the sweeps of the functions of a block of a type ask of such parameters.
pub(super) fn ask(block: &mut syn::ItemImpl, krate: &syn::Path) {
    if block.trait_.is_some() {
        return;
    }
    let held = block.generics.type_params().filter(|t| {
        is_held(&block.generics, t)
            && rewrite::names(&block.self_ty, &t.ident)
            && carries(block, &t.ident)
    });
    let asked: Vec<syn::WherePredicate> = held
        .map(|t| {
            let name = &t.ident;
            syn::parse_quote!(#name: #krate::__rt::Differentiable + #krate::__rt::Record)
        })
        .collect();
    if !asked.is_empty() {
        block.generics.make_where_clause().predicates.extend(asked);
    }
}

/// Whether values of the type may hold some of the parameter's: it may be a mark alone, where the file has any.
fn carries(block: &syn::ItemImpl, parameter: &Ident) -> bool {
    let marks = with_text(parameter.span(), |text| text.contains("PhantomData"));
    let named = block.items.iter().any(|item| match item {
        syn::ImplItem::Fn(function) => {
            let output = match &function.sig.output {
                syn::ReturnType::Type(_, ty) => Some(&**ty),
                syn::ReturnType::Default => None,
            };
            let inputs = function.sig.inputs.iter().filter_map(|input| match input {
                syn::FnArg::Typed(input) => Some(&*input.ty),
                syn::FnArg::Receiver(_) => None,
            });
            inputs.chain(output).any(|ty| is_value(ty, parameter))
        }
        _ => false,
    });
    named || marks == Some(false)
}

/// Whether the type is the parameter, or one of the language or of std that holds some.
fn is_value(ty: &syn::Type, parameter: &Ident) -> bool {
    match ty {
        syn::Type::Reference(ty) => is_value(&ty.elem, parameter),
        syn::Type::Slice(ty) => is_value(&ty.elem, parameter),
        syn::Type::Array(ty) => is_value(&ty.elem, parameter),
        syn::Type::Paren(ty) => is_value(&ty.elem, parameter),
        syn::Type::Group(ty) => is_value(&ty.elem, parameter),
        syn::Type::Tuple(ty) => ty.elems.iter().any(|ty| is_value(ty, parameter)),
        syn::Type::Path(ty) => {
            let Some(last) = ty.path.segments.last() else {
                return false;
            };
            let holds = ["Vec", "Option", "Box", "Result"]
                .iter()
                .any(|of| last.ident == of);
            ty.path.is_ident(parameter)
                || holds
                    && matches!(&last.arguments, syn::PathArguments::AngleBracketed(of)
                    if of.args.iter().any(|of| {
                        matches!(of, syn::GenericArgument::Type(ty) if is_value(ty, parameter))
                    }))
        }
        _ => false,
    }
}

/// Whether the tape keeps values of a parameter of a function: where something is changed, what was there is restored.
pub(super) fn is_kept(function: &syn::ItemFn, parameter: &syn::TypeParam) -> bool {
    let (generics, block) = (&function.sig.generics, &function.block);
    let copied = bounds_of(generics, parameter).any(|path| {
        let last = path.segments.last();
        last.is_some_and(|last| last.ident == "Copy")
    });
    let inputs = &function.sig.inputs;
    copied && is_held(generics, parameter) && spells(quote!(#inputs #block), "mut")
}
