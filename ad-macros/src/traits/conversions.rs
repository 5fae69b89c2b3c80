//! Conversions: `#[gradient] impl From<(f64, f64)> for Point { … }`.
//!
//! A type may have several, and so may types of others (`impl From<Point> for (f64, f64)`). So their sweeps stand in an
//! `impl` of the runtime's trait, which callers reach by the types.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::carrier::{Carrier, peeled};
use crate::diag::{Diagnostics, catalog};
use crate::interface;
use crate::lower::{Derivative, Member};
use crate::options::Options;

/// The type that is converted, and the function, if the `impl` is one of `From`.
fn parts(block: &syn::ItemImpl) -> Option<(&syn::Type, &syn::ImplItemFn)> {
    let (_, path, _) = block.trait_.as_ref()?;
    let last = path.segments.last().filter(|last| last.ident == "From")?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    let source = arguments.args.iter().find_map(|argument| match argument {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })?;
    let function = block.items.iter().find_map(|item| match item {
        syn::ImplItem::Fn(function) if function.sig.ident == "from" => Some(function),
        _ => None,
    })?;
    Some((source, function))
}

/// Whether the `impl` is one of a conversion.
pub(super) fn is_conversion(block: &syn::ItemImpl) -> bool {
    parts(block).is_some()
}

/// What stands beside the `impl`.
pub(super) fn differentiate(
    block: &syn::ItemImpl,
    options: &Options,
    diags: &mut Diagnostics,
) -> TokenStream {
    let Some((source, function)) = parts(block) else {
        return TokenStream::new();
    };
    for name in options.name.iter().chain(&options.companion) {
        diags.at(name.span(), catalog::option_of_block());
    }
    // Of one that carries none, callers keep the call.
    let left = super::method::is_left(&function.attrs);
    if Member::of(&function.sig, left).derivative != Derivative::Own {
        return TokenStream::new();
    }
    let carrier = Carrier::of(block);
    let sweeps = carrier.sweeps(function, options, diags);
    if !diags.is_empty() {
        return TokenStream::new();
    }
    let (krate, of) = (&options.krate, carrier.path());
    let rt = quote!(#krate::__rt);
    let (generics, _, where_clause) = block.generics.split_for_impl();
    let (cfgs, allow, ty) = (
        crate::block::cfgs(&block.attrs),
        interface::allowed(),
        &block.self_ty,
    );
    let source = carrier.written_out(source);
    let bar = bar(&source, &rt);
    let seed = quote!(<#ty as #rt::Differentiable>::Tangent);
    let [forward, reverse] =
        ["forward", "reverse"].map(|sweep| format_ident!("__derivative_of_from_{sweep}"));
    let own = super::is_of_a_type(block).then(
        || quote!(#rt::same_method(&<#ty>::from, &<#ty as ::core::convert::From<#source>>::from);),
    );
    quote! {
        #(#cfgs)*
        const _: () = {
            #sweeps

            #allow
            #[automatically_derived]
            impl #generics #rt::Conversion<#source> for #ty #where_clause {
                type Bar = #bar;
                type Seed = #seed;

                #[inline]
                fn #forward(source: #source, tape: &mut #rt::Tape) -> Self {
                    #own
                    #of::#forward(source, tape)
                }

                #[inline]
                fn #reverse(
                    source: #source,
                    bar: &mut Self::Bar,
                    seed: ::core::option::Option<&Self::Seed>,
                    tape: &mut #rt::Tape,
                ) {
                    if let ::core::option::Option::Some(seed) = seed {
                        #of::#reverse(source, bar, ::core::option::Option::Some(seed), tape);
                    }
                }
            }
        };
    }
}

/// The type of the adjoint of the source.
fn bar(source: &TokenStream, rt: &TokenStream) -> TokenStream {
    let slice = syn::parse2::<syn::Type>(source.clone())
        .ok()
        .and_then(|ty| {
            let syn::Type::Reference(reference) = peeled(&ty) else {
                return None;
            };
            match peeled(&reference.elem) {
                syn::Type::Slice(slice) => Some((*slice.elem).clone()),
                _ => None,
            }
        });
    match slice {
        Some(element) => quote!([<#element as #rt::Differentiable>::Tangent]),
        None => quote!(<#source as #rt::Differentiable>::Tangent),
    }
}
