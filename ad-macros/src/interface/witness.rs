//! What says that a function of a block has sweeps, and that its name means the one that has them.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use crate::ir::Passing;

use super::Sibling;
use super::item::attributes;
use super::shape::Shape;
use super::signature::name_arguments;

/// Says that an associated function has sweeps, of which type, and how they take the receiver.
pub(super) fn witness(shape: &Shape<'_>, rt: &TokenStream) -> TokenStream {
    let (vis, name) = (&shape.item.vis, shape.sweeps_name(Sibling::Witness));
    let passing = shape
        .item
        .sig
        .receiver()
        .and(shape.func.signature().first());
    match passing.map(|p| p.passing) {
        None => quote!(#[doc(hidden)] #vis fn #name() {}),
        Some(passing) => {
            let kind = match passing {
                Passing::Shared => quote!(Shared),
                Passing::InOut => quote!(Exclusive),
                Passing::Value => quote!(Owned),
            };
            let witness = witness_type(&kind, shape.of_trait.is_some(), rt);
            quote! {
                #[doc(hidden)]
                #[inline]
                #vis fn #name(&self) -> #witness { <#witness>::new() }
            }
        }
    }
}

/// The type of a witness. `provided`: of a method of a trait.
pub(super) fn witness_type(kind: &TokenStream, provided: bool, rt: &TokenStream) -> TokenStream {
    if provided {
        quote!(#rt::Provided<#rt::#kind<Self>>)
    } else {
        quote!(#rt::#kind<Self>)
    }
}

/// Methods of the traits that a type with a derivative implements. Where these are in scope, a method of another trait
/// with such a name is ambiguous on the type.
pub(super) const OURS: [&str; 17] = [
    "accumulate",
    "check_shape",
    "dot",
    "duplicate",
    "is_duplicate",
    "len_flat",
    "name_parts",
    "names_flat",
    "norm",
    "scale",
    "set_flat",
    "set_zero",
    "step",
    "to_flat",
    "write_flat",
    "zero",
    "zero_tangent",
];

/// The trait's function as one of the type's own, so that its name means it whatever traits are in scope. It compiles
/// only if the type has no other function of its own of that name.
pub(super) fn forwarder(shape: &Shape<'_>, of: &syn::Path) -> TokenStream {
    let mut sig = shape.item.sig.clone();
    let names = name_arguments(&mut sig.inputs);
    let (attributes, vis, name) = (attributes(shape), &shape.item.vis, &sig.ident);
    let none = shape.turbofish.is_none() && shape.generic_names().is_empty();
    let arguments = (!none).then(|| shape.public_arguments());
    quote! {
        #attributes
        #[doc(hidden)]
        #[inline]
        #vis #sig { <Self as #of>::#name #arguments (#(#names),*) }
    }
}

/// Compiles only if the type has no function of its own of the name of the trait's.
pub(super) fn means_the_trait(shape: &Shape<'_>, of: &syn::Path, rt: &TokenStream) -> TokenStream {
    let name = &shape.item.sig.ident;
    let none = shape.turbofish.is_none() && shape.generic_names().is_empty();
    let arguments = (!none).then(|| shape.public_arguments());
    let import = import(of);
    let of_trait = quote_spanned!(name.span()=> &(<Self as #of>::#name #arguments));
    quote! {
        if false {
            #import
            #rt::same_method(&<Self>::#name #arguments, #of_trait);
        }
    }
}

/// Brings the functions of the trait of this path into scope.
pub(crate) fn import(of: &syn::Path) -> Option<TokenStream> {
    let mut import = of.clone();
    if let Some(last) = import.segments.last_mut() {
        last.arguments = syn::PathArguments::None;
    }
    (import.segments.len() > 1).then(|| quote!(use #import as _;))
}
