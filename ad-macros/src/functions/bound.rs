//! The bound of a type parameter that stands for a function: `F: for<'x> Function<(&'x [f64],), (&'x mut [f64],), f64,
//! f64>`.

use proc_macro2::Ident;
use quote::format_ident;
use syn::visit_mut::VisitMut;

use super::Signature;
use crate::generic::bounds_of;
use crate::interface;
use crate::lower::Owner;
use crate::pipeline;

/// The bound for functions with this signature; `None` if its types are not supported.
pub(crate) fn bound_of_signature(
    signature: &Signature,
    generics: &syn::Generics,
    krate: &syn::Path,
) -> Option<syn::TypeParamBound> {
    let (inputs, output) = (&signature.inputs, &signature.output);
    let names = (0..inputs.len()).map(|n| format_ident!("arg{n}"));
    let consts = generics.const_params();
    // The first parameter stands for what is called.
    let function: syn::ItemFn = syn::parse_quote! {
        fn called<#(#consts),*>(called: (), #(#names: #inputs),*) -> #output { ::core::panic!() }
    };
    let func = pipeline::signature_only(&function, &Owner::default())?;
    let types = interface::method_types(&func, false, krate);
    let (lifetimes, args, bars) = (&types.lifetimes, &types.args, &types.bars);
    let (result, seed) = (&types.result, &types.seed);
    Some(syn::parse_quote! {
        for<#(#lifetimes),*> #krate::__rt::functions::Function<(#(#args,)*), (#(#bars,)*), #result, #seed>
    })
}

/// Whether a bound is of this kind.
fn is_bound(path: &syn::Path) -> bool {
    let mut last = path.segments.iter().rev();
    let mut next = || last.next().map(|segment| segment.ident.to_string());
    next().as_deref() == Some("Function")
        && next().as_deref() == Some("functions")
        && next().as_deref() == Some("__rt")
}

/// The bound of a type parameter, if that stands for a function.
pub(crate) fn bound_of<'g>(generics: &'g syn::Generics, name: &Ident) -> Option<&'g syn::Path> {
    let parameter = generics.type_params().find(|p| p.ident == *name)?;
    // The iterator borrows both for as long.
    bounds_of(generics, parameter).find(|path| is_bound(path))
}

/// The types of the arguments of functions that are bound so.
pub(crate) fn inputs(bound: &syn::Path) -> Vec<syn::Type> {
    let arguments = bound.segments.last().map(|last| &last.arguments);
    let Some(syn::PathArguments::AngleBracketed(arguments)) = arguments else {
        return Vec::new();
    };
    match arguments.args.first() {
        Some(syn::GenericArgument::Type(syn::Type::Tuple(inputs))) => {
            inputs.elems.iter().cloned().collect()
        }
        _ => Vec::new(),
    }
}

/// What functions return that are bound so.
pub(crate) fn output(bound: &syn::Path) -> Option<syn::Type> {
    let syn::PathArguments::AngleBracketed(arguments) = &bound.segments.last()?.arguments else {
        return None;
    };
    match arguments.args.iter().nth(2)? {
        syn::GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    }
}

/// The bound where rustc finds the lifetimes.
pub(crate) fn here(bound: &syn::Path) -> syn::Path {
    struct Elided;
    impl VisitMut for Elided {
        fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
            if lifetime.ident != "static" {
                *lifetime = syn::Lifetime::new("'_", lifetime.span());
            }
        }
    }
    let mut bound = bound.clone();
    Elided.visit_path_mut(&mut bound);
    bound
}
