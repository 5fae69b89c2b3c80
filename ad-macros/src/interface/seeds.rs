//! What a function has for several seeds at once, if its attribute asks for it: `f_vjp_n` and its fallible form, and
//! the sweeps that callers of the same kind call.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};

use crate::ir::{Param, Sweeps, spells};

use super::companion::{callee, given_bars};
use super::item::{Portion, attributes, bar_name, forward};
use super::shape::{Home, Shape};
use super::sweeps::{calls, joint_call, sweeps as sweeps_of};
use super::{Emitter, Sibling, adj, count, docs, own};

/// The sweeps and the public functions. `sweeps`: `None` for a function with errors, or one of which they stand
/// elsewhere.
pub(super) fn for_seeds(
    shape: &Shape<'_>,
    e: &Emitter<'_>,
    sweeps: Option<&Sweeps>,
) -> TokenStream {
    let public = public(shape, e, sweeps);
    let sweeps = match shape.portion {
        Portion::Outside => return public,
        Portion::Whole | Portion::Inside => functions(shape, e, sweeps),
    };
    match (shape.home, shape.portion) {
        (Home::Companion(name), Portion::Inside) => {
            let attributes = attributes(shape);
            quote!(#attributes #[automatically_derived] impl #name { #sweeps #public })
        }
        (Home::Companion(name), _) => {
            let attributes = attributes(shape);
            quote!(#attributes #[automatically_derived] impl #name { #sweeps } #public)
        }
        (Home::Impl, _) => quote!(#sweeps #public),
    }
}

/// Both sweeps for callers, and the functions whose bodies they are.
fn functions(shape: &Shape<'_>, e: &Emitter<'_>, sweeps: Option<&Sweeps>) -> TokenStream {
    let (rt, tape, seed) = (e.rt(), own("tape"), own("seed"));
    let (generics, where_clause) = shape.generics();
    let (generics_for_seeds, _) = generics_with(shape, &count());
    let (ret, seed_ty, count) = (shape.ret(), shape.seed_ty(rt), count());
    let bars = given_bars(shape, rt, &|ty| quote!(impl #rt::seeds::Lend<#ty, #count>));
    let lent = shape.differentiable().map(|p| {
        let adjoint = adj(p);
        quote!(let mut #adjoint = #adjoint; let #adjoint = #rt::seeds::Lend::lend(&mut #adjoint);)
    });
    let lent: TokenStream = lent.collect();
    let (forward, reverse, body) = match sweeps {
        None => {
            let nothing = quote!(::core::unreachable!());
            (nothing.clone(), nothing, TokenStream::new())
        }
        Some(s) => {
            let (forward, reverse) = calls(shape, e, s);
            (
                quote!(#forward.unwrap()),
                quote!(#lent #reverse;),
                sweeps_of(shape, e, s),
            )
        }
    };
    let [forward_name, reverse_name] =
        [Sibling::Forward, Sibling::Reverse].map(|s| shape.sweeps_name(s.for_seeds()));
    let seeds = quote!(#seed: ::core::option::Option<[&#seed_ty; #count]>);
    match shape.home {
        Home::Companion(_) => {
            let (accept, check, arguments) = callee(shape, e, !body.is_empty());
            quote! {
                #[doc(hidden)]
                #[inline]
                pub fn #forward_name #generics (#accept, #tape: &mut #rt::Tape #(, #arguments)*) -> #ret #where_clause {
                    #check #forward
                }

                #[doc(hidden)]
                #[inline]
                pub fn #reverse_name #generics_for_seeds (
                    #accept, #tape: &mut #rt::Tape #(, #arguments)* #(, #bars)*, #seeds,
                ) #where_clause {
                    #check #reverse
                }

                #body
            }
        }
        Home::Impl => {
            let (attributes, vis) = (attributes(shape), &shape.item.vis);
            let (receiver, prologue) = shape.receiver(e).unzip();
            let args = arguments(shape, e);
            let first = receiver.as_ref().map(|receiver| quote!(#receiver,));
            quote! {
                #attributes
                #[doc(hidden)]
                #[inline]
                #vis fn #forward_name #generics (#first #(#args,)* #tape: &mut #rt::Tape) -> #ret #where_clause {
                    #prologue #forward
                }

                #attributes
                #[doc(hidden)]
                #[inline]
                #vis fn #reverse_name #generics_for_seeds (
                    #first #(#args,)* #(#bars,)* #seeds, #tape: &mut #rt::Tape,
                ) #where_clause {
                    #prologue #reverse
                }

                #body
            }
        }
    }
}

/// The arguments behind the receiver.
fn arguments(shape: &Shape<'_>, e: &Emitter<'_>) -> Vec<TokenStream> {
    let named = usize::from(shape.item.sig.receiver().is_some());
    let params = shape.func.signature().iter().skip(named);
    let argument = |p: &Param| {
        let (name, ty) = (e.name(p.var), &p.written);
        quote!(#name: #ty)
    };
    params.map(argument).collect()
}

/// The user's generics, and the number of seeds.
fn generics_with(shape: &Shape<'_>, count: &Ident) -> (TokenStream, TokenStream) {
    let params = shape.item.sig.generics.params.iter();
    let where_clause = &shape.item.sig.generics.where_clause;
    (
        quote!(<#(#params,)* const #count: usize>),
        quote!(#where_clause),
    )
}

/// The name of the number of seeds in a public signature, in which nothing else is called so.
fn public_count(shape: &Shape<'_>) -> Ident {
    let signature = shape.item.sig.to_token_stream();
    let taken = ["K", "SEEDS"]
        .into_iter()
        .find(|name| !spells(signature.clone(), name));
    taken.map_or_else(count, |name| Ident::new(name, Span::call_site()))
}

/// `f_vjp_n` and its fallible form.
fn public(shape: &Shape<'_>, e: &Emitter<'_>, sweeps: Option<&Sweeps>) -> TokenStream {
    let (attributes, vis, rt) = (attributes(shape), &shape.item.vis, e.rt());
    let count = public_count(shape);
    let (generics, where_clause) = generics_with(shape, &count);
    let (name, try_name) = (
        format_ident!("{}_vjp_n", shape.base()),
        format_ident!("{}_try_vjp_n", shape.base()),
    );
    let (tape, seeds, guard, value) = (own("tape"), own("seeds"), own("guard"), own("value"));
    let bars_name = |p: &Param| bar_name(p, "bars");
    let receiver = shape.receiver(e);
    let first = receiver.as_ref().map(|(receiver, _)| quote!(#receiver,));
    let (args, seed_ty) = (arguments(shape, e), shape.public_seed_ty(rt));
    let bars = shape.differentiable().map(|p| {
        let (name, ty) = (bars_name(p), shape.buffer(p, rt));
        quote!(#name: [&mut #ty; #count])
    });
    let bars: Vec<TokenStream> = bars.collect();
    let names: Vec<Ident> = shape.differentiable().map(bars_name).collect();
    let mut passed: Vec<TokenStream> = {
        let params = shape.func.signature().iter();
        params.map(|p| e.name(p.var).to_token_stream()).collect()
    };
    passed.insert(usize::from(receiver.is_some()), tape.to_token_stream());
    passed.push(seeds.to_token_stream());
    passed.extend(names.iter().map(ToTokens::to_token_stream));
    let prologue = receiver.map(|(_, prologue)| prologue);
    let ret = shape.ret();
    let (body, try_body) = match sweeps {
        None if shape.portion == Portion::Outside => (
            forward(shape, &name, &passed),
            forward(shape, &try_name, &passed),
        ),
        None => (
            quote!(::core::unreachable!()),
            quote!(::core::unreachable!()),
        ),
        Some(s) => {
            let checks = shape.differentiable().map(|p| {
                let name = bars_name(p);
                let check = e.shape_check(p.buffer_compared(false), p, "adjoint", &name);
                e.for_each_seed(&name, &check)
            });
            let lent: Vec<TokenStream> = names.iter().map(ToTokens::to_token_stream).collect();
            let wrapped = shape
                .func
                .failure
                .map(|_| quote!(let #seeds = #seeds.map(::core::option::Option::Some);));
            let call = joint_call(
                shape,
                e,
                s,
                quote!(#guard.tape()),
                &lent,
                quote!(#seeds.each_ref()),
                quote!(JOINT),
            );
            let path = shape.path_to(&name);
            (
                quote! {
                    #prologue
                    #(#checks)*
                    #wrapped
                    let mut #guard = #rt::Rewind::new(#tape);
                    let #value = #call;
                    #guard.disarm();
                    #value
                },
                quote!(#prologue #rt::catch_tape_error(move || #path(#(#passed),*))),
            )
        }
    };
    let (doc, try_doc) = (docs::for_seeds(shape, &count), docs::fallible(shape, &name));
    quote! {
        #attributes
        #[doc = #doc]
        #[track_caller]
        #vis fn #name #generics (
            #first #tape: &mut #rt::Tape, #(#args,)* #seeds: [#seed_ty; #count] #(, #bars)*
        ) -> #ret #where_clause { #body }

        #attributes
        #[doc = #try_doc]
        #[track_caller]
        #vis fn #try_name #generics (
            #first #tape: &mut #rt::Tape, #(#args,)* #seeds: [#seed_ty; #count] #(, #bars)*
        ) -> ::core::result::Result<#ret, #rt::TapeError> #where_clause { #try_body }
    }
}
