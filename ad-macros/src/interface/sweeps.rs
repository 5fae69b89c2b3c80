//! The functions whose bodies are the sweeps, and calls of them.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use crate::ir::Sweeps;

use super::companion::argument_names;
use super::item::attributes;
use super::shape::{Home, Shape};
use super::{Emitter, Sibling, adj, own};

/// `fn sweeps`, and `fn joint` where some loops run in both directions at once.
pub(super) fn sweeps(shape: &Shape<'_>, e: &Emitter<'_>, sweeps: &Sweeps) -> TokenStream {
    let apart = function(
        shape,
        e,
        e.sibling(Sibling::Sweeps),
        sweeps.use_tape(),
        &e.body(sweeps),
    );
    let together = sweeps.joint.as_ref().map(|joint| {
        let body = e.joint_body(sweeps, joint);
        function(
            shape,
            e,
            e.sibling(Sibling::Joint),
            sweeps.joint_uses_tape(),
            &body,
        )
    });
    quote!(#apart #together)
}

/// What the forward and the reverse sweep are.
pub(super) fn calls(
    shape: &Shape<'_>,
    e: &Emitter<'_>,
    sweeps: &Sweeps,
) -> (TokenStream, TokenStream) {
    let (rt, tape, seed) = (e.rt(), own("tape"), own("seed"));
    let names = argument_names(shape, e);
    let turbofish = shape.generic_names();
    let nones = shape
        .differentiable()
        .map(|_| quote!(::core::option::Option::None));
    let somes = shape.differentiable().map(|p| {
        let adj = adj(p);
        quote!(::core::option::Option::Some(#adj))
    });
    let lend = if sweeps.use_tape() {
        quote!(#tape)
    } else {
        quote!(::core::option::Option::Some(#tape))
    };
    let own = match shape.home {
        Home::Companion(_) => {
            let name = shape.sweeps_name(e.sibling(Sibling::Sweeps));
            quote!(Self::#name)
        }
        Home::Impl => shape.sweeps_path(e.sibling(Sibling::Sweeps)),
    };
    // The forward sweep is the same for any number of seeds.
    let [none, all] = match e.seed_count() {
        Some(count) => [quote!(0,), quote!({#count},)],
        None => [TokenStream::new(), TokenStream::new()],
    };
    let call = |count: TokenStream, mode: TokenStream, bars: TokenStream, seed: TokenStream| {
        let arguments = quote!(#lend #(, #names)* #bars, #seed);
        quote!(#own::<#(#turbofish,)* #count {#rt::#mode}>(#arguments))
    };
    let forward = call(
        none,
        quote!(FORWARD),
        quote!(#(, #nones)*),
        quote!(::core::option::Option::None),
    );
    let reverse = call(all, quote!(REVERSE), quote!(#(, #somes)*), quote!(#seed));
    (forward, reverse)
}

fn function(
    shape: &Shape<'_>,
    e: &Emitter<'_>,
    which: Sibling,
    uses_tape: bool,
    body: &TokenStream,
) -> TokenStream {
    let (rt, name) = (e.rt(), shape.sweeps_name(which));
    // Beside the user's functions, not in a type of its own.
    let attributes = matches!(shape.home, Home::Impl).then(|| {
        let attributes = attributes(shape);
        quote!(#attributes #[doc(hidden)])
    });
    let (tape, seed) = (own("__tape"), own("__seed"));
    let (generics, where_clause) = shape.generics_with_mode(e);
    let (lifetimes_and_consts, ret, seed_ty) = (generics, shape.ret(), shape.seed_ty(rt));
    let args = shape.func.signature().iter().map(|p| {
        let (name, ty) = (e.name(p.var), &p.written);
        quote!(#name: #ty)
    });
    let fields = e.borrowed_fields();
    let bars = shape.differentiable().map(|p| {
        let (name, ty) = (adj(p), shape.buffer(p, rt));
        let adjoint = per_seed(e, quote!(&mut #ty));
        quote!(#name: ::core::option::Option<#adjoint>)
    });
    let given = per_seed(e, quote!(&#seed_ty));
    let tape_ty = if uses_tape {
        quote!(&mut #rt::Tape)
    } else {
        quote!(::core::option::Option<&mut #rt::Tape>)
    };
    quote! {
        #attributes
        #[inline]
        fn #name #lifetimes_and_consts (
            #tape: #tape_ty #(, #args)* #(, #bars)*, #seed: ::core::option::Option<#given>,
        ) -> ::core::option::Option<#ret> #where_clause {
            #fields
            #body
        }
    }
}

/// A call of `sweeps` in `mode`, in which both run.
pub(super) fn joint_call(
    shape: &Shape<'_>,
    e: &Emitter<'_>,
    sweeps: &Sweeps,
    tape: TokenStream,
    bars: &[TokenStream],
    seed: TokenStream,
    mode: TokenStream,
) -> TokenStream {
    let (rt, turbofish) = (e.rt(), shape.generic_names());
    let names = shape.func.signature().iter().map(|p| e.name(p.var));
    let mut bars = bars.iter();
    let bars = shape.differentiable().map(|p| {
        if p.function {
            quote!(&mut ())
        } else {
            bars.next()
                .map_or_else(TokenStream::new, ToTokens::to_token_stream)
        }
    });
    let both = shape.sweeps_path(e.sibling(match sweeps.joint {
        Some(_) => Sibling::Joint,
        None => Sibling::Sweeps,
    }));
    let (count, seed) = match e.seed_count() {
        Some(_) => (Some(quote!(_,)), seed),
        None => (None, quote!(&#seed)),
    };
    let lend = if sweeps.joint_uses_tape() {
        tape
    } else {
        quote!(::core::option::Option::None)
    };
    quote! {
        #both::<#(#turbofish,)* #count {#rt::#mode}>(
            #lend #(, #names)* #(, ::core::option::Option::Some(#bars))*, ::core::option::Option::Some(#seed),
        ).unwrap()
    }
}

/// A type, or an array of it with one for each seed.
pub(super) fn per_seed(e: &Emitter<'_>, ty: TokenStream) -> TokenStream {
    match e.seed_count() {
        Some(count) => quote!([#ty; #count]),
        None => ty,
    }
}
