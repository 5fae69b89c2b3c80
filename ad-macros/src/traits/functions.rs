//! Functions of a trait whose types mention `Self`, or that take `self` by value or not at all: `fn lerp(self, to:
//! Self, t: f64) -> Self`, `fn area(a: &Self, b: &Self) -> f64`.
//!
//! Those who know the trait alone call them as functions of all their arguments (`SweepsOf` in the runtime), by the
//! adjoints that the type has. So what has the trait is `Differentiable`.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::visit_mut::VisitMut as _;

use super::definition::mentions_self;
use super::method::{Method, hidden_names, sweep_names, takes_reference, types_mut};
use crate::interface::{self, MethodTypes, name_arguments};
use crate::ir::{Passing, spells};
use crate::lower::passing;

/// Functions of `Differentiable` and what it asks for. A trait with one of these names would be ambiguous with it.
const OURS: [&str; 5] = [
    "check_shape",
    "duplicate",
    "is_duplicate",
    "step",
    "zero_tangent",
];

/// Whether functions of this trait can be called so.
pub(super) fn may_have(item: &syn::ItemTrait) -> bool {
    !item.items.iter().any(|item| match item {
        syn::TraitItem::Fn(function) => OURS.iter().any(|ours| function.sig.ident == ours),
        _ => false,
    })
}

/// The signature of a function of the trait, with its own associated types by their full paths: a supertrait can name
/// them so alone. And which those are.
pub(super) fn explicit(
    sig: &syn::Signature,
    item: &syn::ItemTrait,
) -> (syn::Signature, Vec<Ident>) {
    struct Explicit<'i> {
        item: &'i syn::ItemTrait,
        found: Vec<Ident>,
    }
    impl syn::visit_mut::VisitMut for Explicit<'_> {
        fn visit_type_mut(&mut self, ty: &mut syn::Type) {
            let (name, (_, arguments, _)) = (&self.item.ident, self.item.generics.split_for_impl());
            if let syn::Type::Path(path) = ty
                && let Some(of) = associated(path)
                && self.item.items.iter().any(|item| {
                    matches!(item, syn::TraitItem::Type(t) if t.ident == of && t.generics.params.is_empty())
                })
            {
                *ty = syn::parse_quote!(<Self as #name #arguments>::#of);
                self.found.push(of);
                return;
            }
            syn::visit_mut::visit_type_mut(self, ty);
        }
    }
    let mut sig = sig.clone();
    let mut explicit = Explicit {
        item,
        found: Vec::new(),
    };
    types_mut(&mut sig).for_each(|ty| explicit.visit_type_mut(ty));
    (sig, explicit.found)
}

/// `X` of `Self::X`.
fn associated(path: &syn::TypePath) -> Option<Ident> {
    let mut segments = path.path.segments.iter();
    let (first, second) = (segments.next()?, segments.next()?);
    let alone = path.qself.is_none() && segments.next().is_none() && second.arguments.is_none();
    (alone && first.ident == "Self").then(|| second.ident.clone())
}

/// Whether the types of a function name an associated type that is none of the trait's own.
pub(super) fn names_others(sig: &syn::Signature) -> bool {
    struct Finder(bool);
    impl syn::visit::Visit<'_> for Finder {
        fn visit_type_path(&mut self, ty: &syn::TypePath) {
            let first = ty.path.segments.first();
            let begins = first.is_some_and(|first| first.ident == "Self");
            self.0 |= ty.qself.is_none() && ty.path.segments.len() > 1 && begins;
            syn::visit::visit_type_path(self, ty);
        }
    }
    let mut finder = Finder(false);
    syn::visit::Visit::visit_signature(&mut finder, sig);
    finder.0
}

/// Whether the function takes or gives back values of the type, so that those who know the trait alone have some of
/// their own, which the tape keeps.
pub(super) fn has_values(sig: &syn::Signature) -> bool {
    let by_value = sig.receiver().and_then(passing) == Some(Passing::Value);
    let given = sig.inputs.iter().any(|input| match input {
        syn::FnArg::Typed(input) => {
            !matches!(&*input.ty, syn::Type::Reference(_)) && mentions_self(&input.ty)
        }
        syn::FnArg::Receiver(_) => false,
    });
    by_value || given || mentions_self(&sig.output)
}

/// Whether the function of an `impl` may be one of those: its receiver, or its types, say so. Where the trait has
/// associated types, the `impl` can write others for them.
pub(super) fn may_be_one(sig: &syn::Signature, block: &syn::ItemImpl) -> bool {
    let itself = &block.self_ty;
    let has_types = |item: &syn::ImplItem| matches!(item, syn::ImplItem::Type(_));
    if block.items.iter().any(has_types) {
        return true;
    }
    let named = match super::peeled(itself) {
        syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        _ => None,
    };
    let mentions = |tokens: &dyn quote::ToTokens| {
        let tokens = tokens.to_token_stream();
        spells(tokens.clone(), "Self") || named.as_ref().is_some_and(|name| spells(tokens, name))
    };
    let inputs = sig
        .inputs
        .iter()
        .filter(|input| matches!(input, syn::FnArg::Typed(_)));
    !takes_reference(sig)
        || mentions(&sig.output)
        || inputs.into_iter().any(|input| mentions(input))
}

/// What callers look for in the trait, `of`: the witness and both sweeps, by the names that they have beside functions
/// of types.
pub(super) fn hidden(
    method: &Method<'_>,
    of: &TokenStream,
    rt: &TokenStream,
) -> Vec<syn::TraitItem> {
    let ident = &method.sig.ident;
    let sweeps = method.sweeps_here(rt);
    let heads = Heads::of(method, rt);
    let (names, bars) = (&heads.names, &heads.bars);
    let name = quote!(<Self as #sweeps>::__name());
    let forward = quote! {
        #rt::check_method(#rt::name_of(&<Self as #of>::#ident), <Self as #sweeps>::__name());
        <Self as #sweeps>::__forward((#(#names,)*), tape)
    };
    let reverse = quote!(<Self as #sweeps>::__reverse((#(#names,)*), (#(#bars,)*), seed, tape));
    heads.items([&name, &forward, &reverse], &TokenStream::new())
}

/// The same of a function whose types name associated types of the trait: these are other ones for each type, and so
/// nothing can be asked of all that has the trait. Types of the user's have the derivative where they are known.
/// `parameters`: those of the trait of which nothing can be asked, either.
pub(super) fn hidden_for_language(
    method: &Method<'_>,
    of: &TokenStream,
    associated: &[Ident],
    parameters: &[&Ident],
    rt: &TokenStream,
) -> Vec<syn::TraitItem> {
    let of_language = (!parameters.is_empty()).then(|| quote!(Self: #rt::OfLanguage,));
    let known = quote! {
        , #of_language Self: #rt::Differentiable,
        #(<Self as #of>::#associated: #rt::Differentiable,)*
        #(#parameters: #rt::Differentiable,)*
    };
    let name = quote!(#rt::known_types_alone::<Self>());
    Heads::of(method, rt).items([&name, &name, &name], &known)
}

/// The sweeps of one function of an `impl`, for callers that know the trait alone.
pub(super) fn implement(
    method: &Method<'_>,
    block: &syn::ItemImpl,
    of: &syn::Path,
    rt: &TokenStream,
) -> TokenStream {
    let MethodTypes {
        args,
        bars,
        result,
        seed,
        ..
    } = &method.types;
    let [names, of_bars] = method.names();
    let [forward, reverse] = sweep_names(&method.sig.ident);
    let ty = &block.self_ty;
    let sweeps = quote! {
        #[inline]
        fn __forward((#(#names,)*): (#(#args,)*), tape: &mut #rt::Tape) -> #result {
            <#ty>::#forward(#(#names,)* &mut #rt::Called::new(tape))
        }

        #[inline]
        fn __reverse(
            (#(#names,)*): (#(#args,)*),
            (#(#of_bars,)*): (#(#bars,)*),
            seed: ::core::option::Option<&#seed>,
            tape: &mut #rt::Tape,
        ) {
            <#ty>::#reverse(#(#names,)* #(#of_bars,)* seed, tape);
        }
    };
    method.implementation(block, of, rt, &sweeps)
}

/// The signatures of what stands in a trait, and in the `impl`s that write it themselves.
pub(super) struct Heads {
    /// The witness, with its body.
    pub(super) witness: TokenStream,
    pub(super) name: TokenStream,
    pub(super) forward: TokenStream,
    pub(super) reverse: TokenStream,
    /// What a call passes on, the receiver first.
    pub(super) names: Vec<TokenStream>,
    pub(super) bars: Vec<Ident>,
}

impl Heads {
    /// Items of a trait with these bodies of all but the witness. `known`: what else they ask for.
    fn items(&self, bodies: [&TokenStream; 3], known: &TokenStream) -> Vec<syn::TraitItem> {
        let Heads {
            name,
            forward,
            reverse,
            witness,
            ..
        } = self;
        let (allow, head) = (interface::allowed(), quote!(#[doc(hidden)] #[inline]));
        let sized = quote!(where Self: ::core::marker::Sized);
        let [of_name, of_forward, of_reverse] = bodies;
        let items = [
            quote!(#allow #head #witness),
            quote!(#allow #head #name #sized { #of_name }),
            quote!(#allow #head #forward #sized #known { #of_forward }),
            quote!(#allow #head #reverse #sized #known { #of_reverse }),
        ];
        items
            .into_iter()
            .filter_map(|item| syn::parse2(item).ok())
            .collect()
    }

    /// Of a function whose types are those of all its arguments.
    pub(super) fn of(method: &Method<'_>, rt: &TokenStream) -> Self {
        let sig = method.sig;
        let mut inputs = sig.inputs.clone();
        let names = name_arguments(&mut inputs);
        let [_, bars] = method.names();
        let (_, of_bars) = &method.types.here;
        let MethodTypes { result, seed, .. } = &method.types;
        let [witness, name, forward, reverse] = hidden_names(&sig.ident);
        let inputs: Vec<_> = inputs.iter().collect();
        let kind = sig
            .receiver()
            .and_then(passing)
            .map(|passing| match passing {
                Passing::Value => quote!(#rt::Provided<#rt::Owned<Self>>),
                Passing::Shared => quote!(#rt::Provided<#rt::Shared<Self>>),
                Passing::InOut => quote!(#rt::Provided<#rt::Exclusive<Self>>),
            });
        let sized = quote!(where Self: ::core::marker::Sized);
        let witness = match kind {
            Some(kind) => quote!(fn #witness(&mut self) -> #kind #sized { <#kind>::new() }),
            None => quote!(fn #witness() #sized {}),
        };
        Heads {
            witness,
            name: quote!(fn #name() -> &'static str),
            forward: quote!(fn #forward(#(#inputs,)* tape: &mut #rt::Tape) -> #result),
            reverse: quote! {
                fn #reverse(
                    #(#inputs,)* #(#bars: #of_bars,)* seed: ::core::option::Option<&#seed>, tape: &mut #rt::Tape,
                )
            },
            names,
            bars,
        }
    }
}
