//! The companion type, which carries the sweeps to callers.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::Param;
use crate::ir::Sweeps;

use super::Emitter;
use super::item::attributes;
use super::shape::Shape;
use super::sweeps::uses_tape;

pub(super) fn companion(
    shape: &Shape<'_>,
    e: &Emitter<'_>,
    sweeps: Option<&Sweeps>,
) -> TokenStream {
    let (attributes, vis, name) = (attributes(shape), &shape.item.vis, shape.companion());
    let (function, rt) = (&shape.item.sig.ident, e.rt());
    let (generics, where_clause) = shape.generics();
    let (tape, seed, callee) = (super::own("tape"), super::own("seed"), super::own("callee"));
    let (ret, seed_ty) = (shape.ret(), shape.seed_ty(&rt));
    let arg_types: Vec<_> = shape.func.params.iter().map(|p| &p.written).collect();
    let names: Vec<_> = shape
        .func
        .params
        .iter()
        .map(|p| match e.name(p.var) {
            // The check of the callee names the function.
            name if name == function => super::own("argument"),
            name => name.clone(),
        })
        .collect();
    let formal_bars: Vec<TokenStream> = shape
        .func
        .params
        .iter()
        .map(|p| formal_bar(shape, p, &rt))
        .collect();
    let turbofish = shape.generic_names();
    let own = match shape.turbofish {
        Some(arguments) => quote!(#function::<#arguments>),
        None if turbofish.is_empty() => quote!(#function),
        None => quote!(#function::<#(#turbofish),*>),
    };
    let check = quote!(#rt::check_callee(&#callee, &#own););
    let (forward, reverse, body) = match sweeps {
        None => (
            quote!(::core::unreachable!()),
            quote!(::core::unreachable!()),
            TokenStream::new(),
        ),
        Some(s) => {
            let nones = e
                .differentiable()
                .map(|_| quote!(::core::option::Option::None));
            let somes = e.differentiable().map(|p| {
                let adj = super::sweeps::adj(p);
                quote!(::core::option::Option::Some(#adj))
            });
            let lend = if uses_tape(s) {
                quote!(#tape)
            } else {
                quote!(::core::option::Option::Some(#tape))
            };
            let call = |mode: TokenStream, bars: TokenStream, seed: TokenStream| {
                let arguments = quote!(#lend #(, #names)* #bars, #seed);
                quote!(Self::sweeps::<#(#turbofish,)* {#rt::#mode}>(#arguments))
            };
            let forward = call(
                quote!(FORWARD),
                quote!(#(, #nones)*),
                quote!(::core::option::Option::None),
            );
            let reverse = call(quote!(REVERSE), quote!(#(, #somes)*), quote!(#seed));
            (
                quote!(#check #forward.unwrap()),
                quote!(#check #reverse;),
                e.sweeps(shape, s),
            )
        }
    };
    let accept = quote!(#callee: impl ::core::ops::Fn(#(#arg_types),*) -> #ret + 'static);
    quote! {
        #attributes
        #[doc(hidden)]
        #vis enum #name {}

        #attributes
        #[automatically_derived]
        impl #name {
            #[doc(hidden)]
            #[inline]
            pub fn forward #generics (#accept, #tape: &mut #rt::Tape #(, #names: #arg_types)*) -> #ret #where_clause {
                #forward
            }

            #[doc(hidden)]
            #[inline]
            pub fn reverse #generics (
                #accept, #tape: &mut #rt::Tape #(, #names: #arg_types)* #(, #formal_bars)*,
                #seed: ::core::option::Option<&#seed_ty>,
            ) #where_clause {
                #reverse
            }

            #body
        }
    }
}

/// What a caller passes as the adjoint of an argument.
fn formal_bar(shape: &Shape<'_>, param: &Param, rt: &TokenStream) -> TokenStream {
    if param.constant {
        return quote!(_: impl ::core::marker::Sized);
    }
    let buffer = shape.buffer(param, rt);
    if param.differentiable() {
        let name = super::sweeps::adj(param);
        quote!(#name: &mut #buffer)
    } else {
        quote!(_: &mut #buffer)
    }
}
