//! What carries the sweeps to callers: the companion type of a function, or what stands beside it in its `impl`.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;

use crate::ir::{Param, Sweeps};

use super::arguments::Argument;
use super::item::{Portion, attributes};
use super::lints::{self, allowed};
use super::outputs::{Constants, Leaving, either};
use super::shape::{Home, Shape, Turbofish};
use super::sweeps::{calls, sweeps as sweeps_of};
use super::witness::{
    OfTrait, forwarder, has_forwarder, import, is_of_many, means_the_trait, says_so, witness,
};
use super::{Emitter, Runtime, Sibling, adj, arguments, own};

/// The sweeps as callers reach them: in a type of the function's name, or beside an associated function.
pub(super) fn companion(
    shape: &Shape<'_>,
    e: &Emitter<'_>,
    sweeps: Option<&Sweeps>,
    leaving: Option<&Leaving<'_>>,
) -> TokenStream {
    let (mut forward, mut reverse, mut body) = match sweeps {
        None => (
            quote!(::core::unreachable!()),
            quote!(::core::unreachable!()),
            TokenStream::new(),
        ),
        Some(s) => {
            let (forward, reverse) = calls(shape, e, s);
            (
                quote!(#forward.unwrap()),
                of_objects(shape, e, &quote!(#reverse;)),
                sweeps_of(shape, e, s),
            )
        }
    };
    if let Some(leaving) = leaving {
        [forward, reverse] = either(shape, e, [&forward, &reverse], leaving);
        body.extend(sweeps_of(&leaving.shape, &leaving.emitter, leaving.sweeps));
    }
    match shape.home {
        Home::Companion(name) => {
            let constants = &Constants::of(sweeps, leaving);
            beside(shape, e, name, [&forward, &reverse, &body], constants)
        }
        Home::Impl => within(shape, e, [&forward, &reverse, &body]),
    }
}

/// The reverse sweep where the adjoints of `dyn` arguments may be those of the types that callers know.
fn of_objects(shape: &Shape<'_>, e: &Emitter<'_>, reverse: &TokenStream) -> TokenStream {
    let rt = e.rt();
    let params = shape.func.signature().iter();
    let objects = params.filter(|p| p.differentiable() && p.is_object());
    let names = argument_names(shape, e);
    objects.fold(reverse.clone(), |reverse, param| {
        let at = shape
            .func
            .signature()
            .iter()
            .position(|p| p.var == param.var);
        let (name, adjoint) = (at.map(|at| &names[at]), adj(param));
        let (given, own) = (given(param), format_ident!("{adjoint}_opened"));
        quote! {
            let mut #own = #rt::dynamic::opened(&*#name, &*#given);
            let #adjoint = &mut #own;
            #reverse
            #rt::dynamic::closed(&#own, #given);
        }
    })
}

/// The name of the adjoint that a caller gives.
fn given(param: &Param) -> Ident {
    format_ident!("{}_given", adj(param))
}

/// The names of the parameters of both sweeps.
pub(super) fn argument_names(shape: &Shape<'_>, e: &Emitter<'_>) -> Vec<Ident> {
    let function = &shape.item.sig.ident;
    let name = |p: &Param| match (e.name(p.var), shape.home) {
        // The check of the callee names the function.
        (name, Home::Companion(_)) if name == function => own("argument"),
        (name, _) => name.clone(),
    };
    shape.func.signature().iter().map(name).collect()
}

/// The companion type beside a function. Each sweep takes the callee as well, and compares it with its own function.
fn beside(
    shape: &Shape<'_>,
    e: &Emitter<'_>,
    name: &Ident,
    [forward, reverse, body]: [&TokenStream; 3],
    constants: &Constants,
) -> TokenStream {
    let (attributes, vis, rt) = (attributes(shape), &shape.item.vis, e.rt());
    let (generics, where_clause) = shape.generics();
    let (tape, seed) = (own("tape"), own("seed"));
    let (ret, seed_ty) = (shape.ret(), shape.seed_ty(rt));
    let bars = given_bars(shape, rt, &|ty| quote!(&mut #ty));
    let (accept, check, arguments) = callee(shape, e, !body.is_empty());
    let Argument { functions, items } =
        arguments::of(shape, e, name, [&accept, &check.to_token_stream()]);
    let names = argument_names(shape, e);
    let returned = quote!(#rt::outputs::Returned::<true>);
    let value = shape.captures.map(|_| {
        quote! {
            #[doc(hidden)]
            #[inline]
            pub fn value #generics (#(#arguments),*) -> #ret #where_clause {
                #rt::with_tape(|#tape| Self::forward(#returned, #rt::Rewind::new(#tape).tape() #(, #names)*))
            }
        }
    });
    let definition = definition(shape, rt, [&accept, &check.to_token_stream()]);
    // Nothing else has the name of a closure.
    let (accept, check) = match shape.captures {
        Some(_) => (TokenStream::new(), None),
        None => (quote!(#accept,), check),
    };
    let derives = lints::companion(vis);
    let (constants, how) = (constants.constants(shape), constants.how(rt));
    let declared = quote! {
        #attributes
        #[doc(hidden)]
        #derives
        #vis enum #name {}
    };
    let declared = match shape.portion {
        Portion::Outside => return declared,
        Portion::Whole => Some(declared),
        Portion::Inside => None,
    };
    // Nothing else names the type of a closure, and what instances for one type share has a place of its own.
    let placed = match shape.turbofish {
        None => placed(&attributes, rt, name, &shape.item.sig.ident),
        Some(_) => None,
    };
    quote! {
        #declared

        #attributes
        #[automatically_derived]
        impl #name {
            #constants
            #definition
            #value

            #[doc(hidden)]
            #[inline]
            pub fn forward #generics (#accept #how, #tape: &mut #rt::Tape #(, #arguments)*) -> #ret #where_clause {
                #check #forward
            }

            #[doc(hidden)]
            #[inline]
            pub fn reverse #generics (
                #accept #how, #tape: &mut #rt::Tape #(, #arguments)* #(, #bars)*,
                #seed: ::core::option::Option<&#seed_ty>,
            ) #where_clause {
                #check #reverse
            }

            #body

            #functions
        }

        #placed

        #items
    }
}

/// Where the companion is, for callers to whom its module is private: it has the function's name, and is left behind
/// where the function is re-exported.
pub(crate) fn placed(
    attributes: &impl ToTokens,
    rt: &impl ToTokens,
    name: &Ident,
    function: &Ident,
) -> Option<TokenStream> {
    let function = function.unraw().to_string();
    (*name == format!("__{function}_sweeps")).then(|| {
        quote! {
            #attributes
            #[automatically_derived]
            impl #rt::Reveals<#name> for #rt::Place<{ #rt::place(::core::module_path!(), #function) }> {
                type Sweeps = #name;
            }
        }
    })
}

/// What callers that inline the function compare: its definition, and the function that they name.
fn definition(
    shape: &Shape<'_>,
    rt: &Runtime,
    [accept, check]: [&TokenStream; 2],
) -> Option<TokenStream> {
    let of_function = shape.captures.is_none() && shape.turbofish.is_none();
    let number = shape.definition.filter(|_| of_function)?;
    Some(quote! {
        #[doc(hidden)]
        pub const DEFINITION: u64 = #rt::definition(::core::module_path!(), #number);

        #[doc(hidden)]
        #[inline]
        pub fn is_called(#accept) {
            #check
        }
    })
}

/// The callee as the sweeps in a companion type take it, the check that it is the function they belong to, and the
/// arguments. A stub has nothing to compare.
pub(super) fn callee(
    shape: &Shape<'_>,
    e: &Emitter<'_>,
    compared: bool,
) -> (TokenStream, Option<TokenStream>, Vec<TokenStream>) {
    let (rt, callee, ret) = (e.rt(), own("callee"), shape.yields());
    let arg_types: Vec<_> = shape.func.signature().iter().map(|p| &p.written).collect();
    let of_callee = match shape.compared {
        Some(types) => types.iter().collect(),
        None => arg_types.clone(),
    };
    let own = own_function(shape, &of_callee);
    // A type parameter may stand for what borrows, and so may what a callee is compared by.
    let generics = &shape.item.sig.generics;
    let borrows = shape.compared.is_some() && generics.lifetimes().next().is_some();
    let (compare, lives) = if borrows || generics.type_params().next().is_some() {
        (quote!(check_callee_by_name), TokenStream::new())
    } else {
        (quote!(check_callee), quote!(+ 'static))
    };
    let check = compared.then(|| quote!(#rt::#compare(&#callee, &#own);));
    let accept = quote!(#callee: impl ::core::ops::Fn(#(#of_callee),*) -> #ret #lives);
    let names = argument_names(shape, e);
    let arguments = names.iter().zip(&arg_types);
    let arguments = arguments.map(|(name, ty)| quote!(#name: #ty));
    (accept, check, arguments.collect())
}

/// The function as written, with its generic arguments.
fn own_function(shape: &Shape<'_>, arg_types: &[&syn::Type]) -> TokenStream {
    let function = &shape.item.sig.ident;
    let all = shape.generic_names();
    let given: Vec<_> = all
        .iter()
        .filter(|name| !crate::ir::is_of_impl(name))
        .collect();
    let own = match shape.turbofish {
        // What a function among the arguments is compared as gives its type.
        _ if shape.compared.is_some() => quote!(#function),
        Some(Turbofish { given, .. }) => quote!(#function::<#given>),
        None if given.is_empty() => quote!(#function),
        None => quote!(#function::<#(#given),*>),
    };
    let written = shape.turbofish.is_none_or(|turbofish| !turbofish.infers);
    if written && given.len() == all.len() && shape.compared.is_none() {
        return own;
    }
    // What an `impl Trait` stands for cannot be written: the types of the arguments give it.
    let (params, ret) = (shape.item.sig.generics.params.iter(), shape.yields());
    let (_, where_clause) = shape.generics();
    quote! {{
        fn own<#(#params,)* OwnFunction: ::core::ops::Fn(#(#arg_types),*) -> #ret>(f: OwnFunction) -> OwnFunction
        #where_clause
        {
            f
        }
        own::<#(#all,)* _>(#own)
    }}
}

/// The sweeps beside an associated function, and the witness that there are any.
fn within(
    shape: &Shape<'_>,
    e: &Emitter<'_>,
    [forward, reverse, body]: [&TokenStream; 3],
) -> TokenStream {
    let (attributes, vis, rt) = (attributes(shape), &shape.item.vis, e.rt());
    let (generics, where_clause) = shape.generics();
    let (tape, seed) = (own("tape"), own("seed"));
    let (ret, seed_ty) = (shape.ret(), shape.seed_ty(rt));
    let (receiver, prologue) = shape.receiver(e).unzip();
    let args: Vec<TokenStream> = shape
        .func
        .signature()
        .iter()
        .skip(usize::from(receiver.is_some()))
        .map(|p| {
            let (name, ty) = (e.name(p.var), &p.written);
            quote!(#name: #ty)
        })
        .collect();
    let bars = given_bars(shape, rt, &|ty| quote!(&mut #ty));
    let first = receiver.as_ref().map(|receiver| quote!(#receiver,));
    let [forward_name, reverse_name] =
        [Sibling::Forward, Sibling::Reverse].map(|s| shape.sweeps_name(s));
    let witness = witness(shape, rt);
    let ambiguous = has_forwarder(shape);
    let check = shape
        .of_trait
        .filter(|_| !ambiguous)
        .map(|of| means_the_trait(shape, of.path, rt));
    let forwarder = shape
        .of_trait
        .filter(|_| ambiguous)
        .map(|of| forwarder(shape, of.path));
    let name = shape
        .of_trait
        .filter(|_| shape.generic_names().is_empty())
        .map(|of| {
            let (name, function) = (shape.sweeps_name(Sibling::Name), &shape.item.sig.ident);
            let of = of.path;
            quote! {
                #attributes
                #[doc(hidden)]
                #vis fn #name() -> &'static str { #rt::name_of(&<Self as #of>::#function) }
            }
        });
    let (called, of_called) = shape
        .of_trait
        .map(|of| called(shape, of.path, ambiguous, rt))
        .unzip();
    let tape_ty = called.unwrap_or_else(|| quote!(#rt::Tape));
    quote! {
        #attributes
        #witness

        #forwarder

        #name

        #attributes
        #[doc(hidden)]
        #[inline]
        #vis fn #forward_name #generics (#first #(#args,)* #tape: &mut #tape_ty) -> #ret #where_clause {
            #of_called #check #prologue #forward
        }

        #attributes
        #[doc(hidden)]
        #[inline]
        #vis fn #reverse_name #generics (
            #first #(#args,)* #(#bars,)* #seed: ::core::option::Option<&#seed_ty>, #tape: &mut #rt::Tape,
        ) #where_clause {
            #prologue #reverse
        }

        #body
    }
}

/// What takes the place of the tape in the forward sweep of a function of a trait, and the check that callers mean this
/// function.
fn called(
    shape: &Shape<'_>,
    of: &syn::Path,
    forwarded: bool,
    rt: &Runtime,
) -> (TokenStream, TokenStream) {
    let (tape, function) = (own("tape"), &shape.item.sig.ident);
    let arguments = shape.arguments_of_function(of);
    let own = if forwarded {
        let arguments = (!shape.generic_names().is_empty() || shape.turbofish.is_some())
            .then(|| shape.public_arguments());
        quote!(<Self>::#function #arguments)
    } else {
        quote!(<Self as #of>::#function #arguments)
    };
    let check = quote!(let #tape = #rt::Called::tape_of(#tape, &#own););
    (quote!(#rt::Called<'_>), check)
}

/// A function of a block that carries no derivative.
pub(crate) struct Zero<'a> {
    pub(crate) attrs: Vec<&'a syn::Attribute>,
    pub(crate) vis: &'a syn::Visibility,
    pub(crate) sig: &'a syn::Signature,
    /// Its parameters, each a plain name, and the names.
    pub(crate) inputs: &'a syn::punctuated::Punctuated<syn::FnArg, syn::Token![,]>,
    pub(crate) names: &'a [TokenStream],
    pub(crate) krate: &'a syn::Path,
    /// The trait whose method it is.
    pub(crate) of_trait: Option<OfTrait<'a>>,
}

/// The sweeps of a function that carries no derivative.
pub(crate) fn zero(of: Zero<'_>) -> TokenStream {
    let Zero {
        attrs,
        vis,
        sig,
        inputs,
        names,
        krate,
        of_trait,
    } = of;
    let rt = Runtime::of(krate);
    let (function, output) = (&sig.ident, &sig.output);
    let (generics, _, where_clause) = sig.generics.split_for_impl();
    let allowed = allowed();
    let head = quote!(#(#attrs)* #allowed #[doc(hidden)] #[inline]);
    let [witness, forward, reverse] =
        [Sibling::Witness, Sibling::Forward, Sibling::Reverse].map(|s| s.name(function));
    let import = of_trait.and_then(|of| import(of.path));
    let plain = of_trait.is_some() && sig.generics.params.is_empty();
    // Of what runs forward: the type may have a function of its own of this name.
    let name = plain.then(|| {
        let name = Sibling::Name.name(function);
        quote!(#head #vis fn #name() -> &'static str { #import #rt::name_of(&Self::#function) })
    });
    let of_many = of_trait.is_some_and(|of| is_of_many(of.path, sig));
    let witness = match sig.receiver() {
        _ if of_many => TokenStream::new(),
        None => quote!(#vis fn #witness() {}),
        Some(r) => {
            let kind = if r.reference.is_some() {
                quote!(Shared)
            } else {
                quote!(Owned)
            };
            says_so(&quote!(#vis), &witness, &kind, of_trait, &rt)
        }
    };
    let (tape, tape_ty) = (
        own("tape"),
        if plain {
            quote!(#rt::Called<'_>)
        } else {
            quote!(#rt::Tape)
        },
    );
    let check = plain.then(|| quote!(#rt::Called::tape_of(#tape, &Self::#function);));
    let bars = names.iter().map(|_| quote!(_: impl ::core::marker::Sized));
    let inputs: Vec<_> = inputs.iter().collect();
    quote! {
        #head #witness

        #name

        #head
        #vis fn #forward #generics (#(#inputs,)* #tape: &mut #tape_ty) #output #where_clause {
            #import
            #check
            Self::#function(#(#names),*)
        }

        #head
        #vis fn #reverse #generics (
            #(#inputs,)* #(#bars,)* _: ::core::option::Option<&()>, _: &mut #rt::Tape,
        ) #where_clause {}
    }
}

/// What a caller passes as the adjoints of the arguments. `of`: how those of a type are passed.
pub(super) fn given_bars(
    shape: &Shape<'_>,
    rt: &Runtime,
    of: &dyn Fn(TokenStream) -> TokenStream,
) -> Vec<TokenStream> {
    let params = shape.func.signature().iter();
    params.map(|p| formal_bar(shape, p, rt, of)).collect()
}

fn formal_bar(
    shape: &Shape<'_>,
    param: &Param,
    rt: &Runtime,
    of: &dyn Fn(TokenStream) -> TokenStream,
) -> TokenStream {
    if param.constant {
        return quote!(_: impl ::core::marker::Sized);
    }
    if param.differentiable() && param.is_object() {
        let name = given(param);
        return quote!(#name: &mut impl #rt::Flat);
    }
    let buffer = shape.buffer(param, rt);
    let adjoint = of(buffer);
    if param.differentiable() {
        let name = adj(param);
        quote!(#name: #adjoint)
    } else {
        quote!(_: #adjoint)
    }
}
