//! A function as an argument of others: the runtime's `Text` for its companion type, and the functions that give the
//! argument, and where the adjoints go of what a closure has captured.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::visit_mut::VisitMut;

use crate::emit::carrier;
use crate::ir::{Param, spells};

use super::item::attributes;
use super::shape::Shape;
use super::signature::Lifetimes;
use super::{Emitter, Runtime, own};

/// What makes an argument of a function.
#[derive(Default)]
pub(super) struct Argument {
    /// Functions of the companion type.
    pub(super) functions: TokenStream,
    /// What stands beside it.
    pub(super) items: TokenStream,
}

/// What makes an argument of the function; nothing if it cannot be one: it has type parameters, or functions among its
/// own arguments. `accept` and `check`: the parameter that the callee is, and its comparison.
pub(super) fn of(
    shape: &Shape<'_>,
    e: &Emitter<'_>,
    name: &Ident,
    [accept, check]: [&TokenStream; 2],
) -> Argument {
    let params = shape.func.signature();
    let generics = &shape.item.sig.generics;
    let mentioned = |c: &syn::ConstParam| {
        let mut params = params.iter();
        params.any(|p| spells(p.written.to_token_stream(), &c.ident.to_string()))
    };
    let plain = generics.type_params().next().is_none()
        && generics.const_params().all(mentioned)
        && shape.turbofish.is_none();
    let objects = params.iter().any(|p| p.is_object() && !p.constant);
    match shape.captures {
        None if !plain || objects => Argument::default(),
        None => named(shape, e, name, [accept, check]),
        Some(captures) => closure(shape, e, name, captures),
    }
}

/// The types of some parameters, and of references to their adjoints.
struct Types {
    args: Vec<syn::Type>,
    bars: Vec<TokenStream>,
    /// Type parameters of the `impl`: the adjoint of a constant is taken whatever it is.
    any: Vec<Ident>,
}

fn types(shape: &Shape<'_>, params: &[Param], names: &mut Lifetimes, rt: &Runtime) -> Types {
    let (mut args, mut bars, mut any) = (Vec::new(), Vec::new(), Vec::new());
    for (n, param) in params.iter().enumerate() {
        let mut ty = param.written.clone();
        names.visit_type_mut(&mut ty);
        args.push(ty);
        if param.constant {
            let name = format_ident!("__Any{n}");
            bars.push(quote!(#name));
            any.push(name);
        } else {
            let (lifetime, buffer) = (names.fresh(), shape.buffer(param, rt));
            bars.push(quote!(&#lifetime mut #buffer));
        }
    }
    Types { args, bars, any }
}

fn named(
    shape: &Shape<'_>,
    e: &Emitter<'_>,
    name: &Ident,
    [accept, check]: [&TokenStream; 2],
) -> Argument {
    let rt = e.rt();
    let mut lifetimes = Lifetimes::called("__f");
    let types = types(shape, shape.func.signature(), &mut lifetimes, rt);
    let given = &shape.item.sig.generics.params;
    let (generics, where_clause) = shape.generics();
    let function = &shape.item.sig.ident;
    let all = shape.generic_names();
    let turbofish = (!all.is_empty()).then(|| quote!(::<#(#all),*>));
    let item = text(
        shape,
        e,
        (
            &quote!(#name),
            &quote!(<#name>),
            &turbofish.to_token_stream(),
        ),
        (given.to_token_stream(), &lifetimes),
        (
            &Types {
                args: Vec::new(),
                bars: Vec::new(),
                any: Vec::new(),
            },
            &types,
        ),
        &quote!(#function #turbofish,),
    );
    let functions = quote! {
        #[doc(hidden)]
        #[inline]
        pub fn argument #generics (#accept) -> #rt::functions::Bound<Self, (), ()> #where_clause {
            #check
            #rt::functions::Bound::new(())
        }
    };
    Argument {
        functions,
        items: item,
    }
}

fn closure(shape: &Shape<'_>, e: &Emitter<'_>, name: &Ident, captures: usize) -> Argument {
    let (rt, attributes, carrier) = (e.rt(), attributes(shape), carrier(name));
    let mut lifetimes = Lifetimes::called("__f");
    let (captured, params) = shape.func.signature().split_at(captures);
    let of_captures = types(shape, captured, &mut lifetimes, rt);
    let given_of_captures = lifetimes.given.clone();
    let of_params = types(shape, params, &mut lifetimes, rt);
    let generics = &shape.item.sig.generics;
    let (_, arguments, where_clause) = generics.split_for_impl();
    let all = shape.generic_names();
    let turbofish = (!all.is_empty()).then(|| quote!(::<#(#all),*>));
    let held = generics.type_params().map(|t| &t.ident);
    let params = generics.params.iter();
    let item = text(
        shape,
        e,
        (
            &quote!(#carrier #arguments),
            &quote!(<#name>),
            &turbofish.to_token_stream(),
        ),
        (generics.params.to_token_stream(), &lifetimes),
        (&of_captures, &of_params),
        &TokenStream::new(),
    );
    let names: Vec<Ident> = (0..captures)
        .map(|n| own(&format!("captured{n}")))
        .collect();
    let (args, bars) = (&of_captures.args, &of_captures.bars);
    let given: Vec<_> = params.clone().collect();
    let functions = quote! {
        #[doc(hidden)]
        #[inline]
        pub fn argument<#(#given_of_captures,)* #(#params),*>(#(#names: #args),*)
            -> #rt::functions::Bound<#carrier #arguments, (#(#args,)*), (#(#bars,)*)> #where_clause
        {
            #rt::functions::Bound::new((#(#names,)*))
        }

        #[doc(hidden)]
        #[inline]
        pub fn adjoints<#(#given_of_captures,)* #(#given),*>(#(#names: #bars),*) -> (#(#bars,)*) #where_clause {
            (#(#names,)*)
        }
    };
    let items = quote! {
        #attributes
        struct #carrier<#(#given),*>(::core::marker::PhantomData<(#(#held,)*)>);

        #item
    };
    Argument { functions, items }
}

/// The `impl` of the runtime's trait. `of`: the type, where its sweeps stand, and with which generic arguments.
fn text(
    shape: &Shape<'_>,
    e: &Emitter<'_>,
    (of, sweeps, turbofish): (&TokenStream, &TokenStream, &TokenStream),
    (generics, lifetimes): (TokenStream, &Lifetimes),
    (of_captures, of_params): (&Types, &Types),
    callee: &TokenStream,
) -> TokenStream {
    let (rt, attributes) = (e.rt(), attributes(shape));
    let (ret, seed_ty) = (shape.ret(), shape.seed_ty(rt));
    let (_, where_clause) = shape.generics();
    let numbered = |count: usize| (0..count).map(syn::Index::from);
    let captured: Vec<_> = numbered(of_captures.args.len()).collect();
    let args: Vec<_> = numbered(of_params.args.len()).collect();
    let bars = numbered(of_params.bars.len());
    let own_bars = numbered(of_captures.bars.len());
    let given = &lifetimes.given;
    let any = of_captures.any.iter().chain(&of_params.any);
    let (captured_ty, captured_bars) = (&of_captures.args, &of_captures.bars);
    let (arg_ty, bar_ty) = (&of_params.args, &of_params.bars);
    let [tape, all_captured, all_args, adjoint, all_bars, seed] =
        ["tape", "captured", "args", "adjoint", "bars", "seed"].map(own);
    let generics = if generics.is_empty() {
        generics
    } else {
        quote!(#generics,)
    };
    quote! {
        #attributes
        #[automatically_derived]
        impl<#(#given,)* #generics #(#any),*>
            #rt::functions::Text<
                (#(#captured_ty,)*), (#(#captured_bars,)*), (#(#arg_ty,)*), (#(#bar_ty,)*), #ret, #seed_ty
            > for #of #where_clause
        {
            #[inline]
            fn forward(#tape: &mut #rt::Tape, #all_captured: (#(#captured_ty,)*), #all_args: (#(#arg_ty,)*)) -> #ret {
                #sweeps::forward #turbofish(
                    #callee #rt::outputs::Returned::<true>, #tape #(, #all_captured.#captured)* #(, #all_args.#args)*
                )
            }

            #[inline]
            fn reverse(
                #tape: &mut #rt::Tape,
                #all_captured: (#(#captured_ty,)*),
                #all_args: (#(#arg_ty,)*),
                #adjoint: &mut (#(#captured_bars,)*),
                #all_bars: (#(#bar_ty,)*),
                #seed: ::core::option::Option<&#seed_ty>,
            ) {
                #sweeps::reverse #turbofish(
                    #callee #rt::outputs::Returned::<true>, #tape #(, #all_captured.#captured)* #(, #all_args.#args)*
                    #(, &mut *#adjoint.#own_bars)* #(, #all_bars.#bars)*, #seed,
                );
            }
        }
    }
}
