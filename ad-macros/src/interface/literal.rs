//! A closure in plain code, as an argument of functions that differentiate it: both of its sweeps, each a closure that
//! captures what the user's does.

use std::cell::OnceCell;

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::Sweeps;

use super::lints::allowed;
use super::shape::{Home, Shape};
use super::{Emitter, Portion, adj, mode, own};

/// An expression for the closure whose sweeps these are. `moves`: the `move` in front of it.
pub(crate) fn literal(
    function: &syn::ItemFn,
    sweeps: &Sweeps,
    krate: &syn::Path,
    moves: Option<syn::Token![move]>,
) -> TokenStream {
    let e = Emitter::new(&sweeps.func, &sweeps.owned, krate, false);
    let shape = Shape {
        item: function,
        turbofish: None,
        func: &sweeps.func,
        base: &function.sig.ident,
        home: Home::Companion(&function.sig.ident),
        of_trait: None,
        portion: Portion::Whole,
        compared: None,
        captures: None,
        definition: None,
        lends: None,
        report: "",
        attributes: OnceCell::new(),
        public_attributes: OnceCell::new(),
    };
    let (rt, mode, tape, seed) = (e.rt(), mode(), own("__tape"), own("__seed"));
    let params = shape.func.signature();
    let names: Vec<_> = params.iter().map(|p| e.name(p.var)).collect();
    let types: Vec<_> = params.iter().map(|p| &p.written).collect();
    let buffers: Vec<_> = params.iter().map(|p| shape.buffer(p, rt)).collect();
    let given: Vec<_> = params.iter().map(adj).collect();
    let carrying: Vec<_> = shape.differentiable().map(adj).collect();
    let carried = shape.differentiable().map(|p| shape.buffer(p, rt));
    let (ret, seed_ty) = (shape.ret(), shape.seed_ty(rt));
    let (body, again) = (e.body(sweeps), e.body(sweeps));
    let lend =
        (!sweeps.use_tape()).then(|| quote!(let mut #tape = ::core::option::Option::Some(#tape);));
    let (allow, make) = (allowed(), own("make"));
    quote! {{
        #allow
        fn #make<
            Forward: ::core::ops::Fn(&mut #rt::Tape, (#(#types,)*)) -> ::core::option::Option<#ret>
                + ::core::marker::Copy,
            Reverse: ::core::ops::Fn(
                &mut #rt::Tape, (#(#types,)*), (#(&mut #buffers,)*), ::core::option::Option<&#seed_ty>
            ) + ::core::marker::Copy,
        >(forward: Forward, reverse: Reverse) -> #rt::functions::Sweeps<Forward, Reverse> {
            #rt::functions::Sweeps::new(forward, reverse)
        }
        #allow
        let both = #make(
            #moves |#tape, (#(#names,)*)| {
                const #mode: u8 = #rt::FORWARD;
                #lend
                #(let mut #carrying = ::core::option::Option::<&mut #carried>::None;)*
                let #seed = ::core::option::Option::<&#seed_ty>::None;
                #body
            },
            #moves |#tape, (#(#names,)*), (#(#given,)*), #seed| {
                const #mode: u8 = #rt::REVERSE;
                #lend
                #(let #carrying = ::core::option::Option::Some(#carrying);)*
                let _ = (#moves || -> ::core::option::Option<#ret> { #again })();
            },
        );
        both
    }}
}
