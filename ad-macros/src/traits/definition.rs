//! `#[gradient] trait Model { … }`: whoever is generic over `M: Model` has the derivatives of its methods.
//!
//! The trait asks, as a supertrait, for the sweeps of each of its methods (`Sweeps` in the runtime, by a number that
//! the names of trait and method give), and `#[gradient]` above an `impl` gives them, whatever the trait. In the
//! trait stand methods of the names that callers look for. A method with a body in the trait has its sweeps in
//! another one (`provided`).

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};

use crate::block;
use crate::diag::Diagnostics;
use crate::emit::Sibling;
use crate::interface::{self, MethodTypes};
use crate::ir::{Passing, spells};
use crate::lower::{Derivative, Member, Owner};
use crate::options::Options;

use super::functions;
use super::method::{self, Kind, Method, argument_tuple, is_left, number};
use super::objects::{self, Objects};
use super::overridden;
use super::provided;

/// Whether whoever has the trait has the derivatives. Where nothing says that a parameter is `Differentiable`, it is a
/// trait like those of others: methods have derivatives on types that are known.
pub(super) fn has_derivatives(item: &syn::ItemTrait) -> bool {
    undifferentiable(item).is_none()
}

/// A parameter of which nothing says so.
pub(super) fn undifferentiable(item: &syn::ItemTrait) -> Option<&syn::TypeParam> {
    let mut parameters = item.generics.type_params();
    parameters.find(|parameter| !is_differentiable(&item.generics, parameter))
}

/// The trait with what is added to it, and what stands beside it.
pub(crate) fn define(
    item: &syn::ItemTrait,
    options: &Options,
    diags: &mut Diagnostics,
) -> (syn::ItemTrait, TokenStream) {
    let mut defined = item.clone();
    let krate = &options.krate;
    let rt = quote!(#krate::__rt);
    if !has_derivatives(item) {
        defined.items.extend(of_types_of_std(item, options, &rt));
        return (defined, TokenStream::new());
    }
    let (name, (_, arguments, _)) = (&item.ident, item.generics.split_for_impl());
    let owner = owner_of(item);
    let key = number(&item.ident.to_string());
    let of = argument_tuple(&item.generics);
    defined.colon_token.get_or_insert_with(Default::default);
    let gradient = syn::parse_quote!(#rt::HasGradient<#key, #of>);
    defined.supertraits.push(gradient);
    let explicit: Vec<_> = method::functions_of(item)
        .map(|function| functions::explicit(&function.sig, item))
        .collect();
    // What takes `self` by value asks for a size, which objects do not have: a trait of such methods alone is none, and
    // in others they stand apart.
    let by_reference_at_all = method::functions_of(item).any(|f| method::takes_reference(&f.sig));
    let is_object = by_reference_at_all && objects::can_be_object(item, options.objects.is_some());
    let may_be_object = by_reference_at_all && objects::can_be_object(item, true);
    let of_trait = (name, &of);
    let mut objects = is_object.then(|| Objects::of(item, key, krate));
    let mut of_bodies = Vec::new();
    let (mut asks_for_tangents, mut asks_for_records) = (false, false);
    for (function, (sig, associated)) in method::functions_of(item).zip(&explicit) {
        if let Some(objects) = &mut objects
            && is_zero(&function.sig, &owner)
        {
            objects.add_zero(&function.sig);
        }
        if function.default.is_some() {
            let items = with_body(
                function,
                item,
                &owner,
                options,
                (&mut defined, objects.as_mut()),
                diags,
            );
            of_bodies.extend(items);
            continue;
        }
        let of_all = || {
            let named = !functions::may_have(item) || functions::names_others(sig);
            let method = || Method::function(sig, &function.attrs, of_trait, &owner, options);
            (!named).then(method).flatten()
        };
        let method = by_reference(function, of_trait, &owner, options).or_else(of_all);
        let Some(method) = method else {
            if is_zero(&function.sig, &owner) {
                defined.items.extend(zero(function, &owner, options));
            }
            continue;
        };
        let of_this = quote!(#name #arguments);
        let of_objects = method.kind == Kind::Function && may_be_object;
        if of_objects || !associated.is_empty() {
            let items = functions::hidden_for_language(&method, &of_this, associated, &[], &rt);
            defined.items.extend(items);
            continue;
        }
        let (lifetimes, sweeps) = (&method.types.lifetimes, method.sweeps(&rt));
        defined
            .supertraits
            .push(syn::parse_quote!(for<#(#lifetimes),*> #sweeps));
        if method.kind == Kind::Function {
            asks_for_tangents = true;
            asks_for_records |= functions::has_values(&function.sig);
            defined
                .items
                .extend(functions::hidden(&method, &of_this, &rt));
            continue;
        }
        defined.items.extend(hidden(&method, &of_this, &rt));
        if let Some(objects) = &mut objects {
            objects.add(method);
        }
    }
    if asks_for_tangents {
        ask_for_tangents(&mut defined, asks_for_records, &rt);
    }
    let receivers = method::functions_of(item).filter(|function| {
        let member = owner.member(&function.sig.ident);
        member.is_some_and(|m| m.receiver.is_some())
    });
    let found = receivers.map(|function| in_scope(&function.sig.ident, &rt));
    defined.items.extend(found.collect::<Vec<_>>());
    let objects = objects.map(|objects| objects.finish());
    let bodies = (!of_bodies.is_empty()).then(|| provided::supertrait(item, &of_bodies));
    let mut beside = TokenStream::new();
    for (path, items) in objects.into_iter().chain(bodies) {
        defined.supertraits.push(syn::parse_quote!(#path));
        beside.extend(items);
    }
    (defined, beside)
}

/// What an `impl` for a type of the language or of std writes again, of a trait of whose parameters nothing says that
/// they have derivatives.
fn of_types_of_std(
    item: &syn::ItemTrait,
    options: &Options,
    rt: &TokenStream,
) -> Vec<syn::TraitItem> {
    let (name, (_, arguments, _)) = (&item.ident, item.generics.split_for_impl());
    let (of, owner) = (argument_tuple(&item.generics), owner_of(item));
    let parameters: Vec<_> = item.generics.type_params().map(|t| &t.ident).collect();
    let items = method::functions_of(item).flat_map(|function| {
        let (sig, associated) = functions::explicit(&function.sig, item);
        let named = functions::names_others(&sig);
        let method = || Method::function(&sig, &function.attrs, (name, &of), &owner, options);
        let method = (!named).then(method).flatten();
        let hidden = method.map(|method| {
            let of_this = quote!(#name #arguments);
            functions::hidden_for_language(&method, &of_this, &associated, &parameters, rt)
        });
        hidden.unwrap_or_default()
    });
    items.collect()
}

/// The sweeps of a method with a body, for the trait that holds those, after what has to stand in this one and in its
/// objects.
fn with_body<'m>(
    function: &'m syn::TraitItemFn,
    item: &syn::ItemTrait,
    owner: &Owner,
    options: &Options,
    (defined, objects): (&mut syn::ItemTrait, Option<&mut Objects<'m>>),
    diags: &mut Diagnostics,
) -> Vec<syn::TraitItem> {
    let krate = &options.krate;
    let (name, (_, arguments, _)) = (&item.ident, item.generics.split_for_impl());
    let (of, arguments) = (argument_tuple(&item.generics), quote!(#arguments));
    let may_be_overridden = overridden::may_be(&function.sig);
    let options = &overridden::options(&function.sig, options);
    let mut items = provided::items(function, owner, (name, &arguments), options, diags);
    if items.is_empty() {
        return items;
    }
    defined.items.push(provided::mark_of(function, krate));
    if may_be_overridden {
        let (place, of_this) = (provided::path(item), quote!(#name #arguments));
        let (method, rt) = (&function.sig.ident, quote!(#krate::__rt));
        let begin = overridden::begin_with(&mut items, method, &of_this, &place, &rt);
        defined.items.extend(begin);
    }
    if let (Some(objects), Some(method)) =
        (objects, by_reference(function, (name, &of), owner, options))
    {
        if may_be_overridden {
            defined.items.extend(objects.leading_to_body(&method));
        }
        objects.add_provided(method, function, owner, options, diags);
    }
    items
}

/// The method by its receiver, if that is a reference and no other type is one of the implementor's.
fn by_reference<'m>(
    function: &'m syn::TraitItemFn,
    of_trait: (&syn::Ident, &TokenStream),
    owner: &Owner,
    options: &Options,
) -> Option<Method<'m>> {
    let sig = &function.sig;
    if sig.inputs.iter().skip(1).any(mentions_self) || mentions_self(&sig.output) {
        return None;
    }
    Method::of(sig, &function.attrs, of_trait, owner, options)
}

/// Asks of all that has the trait for what its functions of all their arguments take.
fn ask_for_tangents(defined: &mut syn::ItemTrait, records: bool, rt: &TokenStream) {
    let mut bounds: Vec<syn::TypeParamBound> = vec![
        syn::parse_quote!(::core::marker::Sized),
        syn::parse_quote!(#rt::Differentiable),
    ];
    if records {
        bounds.push(syn::parse_quote!(#rt::Record));
    }
    defined.supertraits.extend(bounds);
}

/// The trait as what its methods stand in.
fn owner_of(item: &syn::ItemTrait) -> Owner {
    let (name, (_, arguments, _)) = (&item.ident, item.generics.split_for_impl());
    let members = method::functions_of(item).map(|function| {
        let name = syn::ext::IdentExt::unraw(&function.sig.ident).to_string();
        (name, Member::of(&function.sig, is_left(&function.attrs)))
    });
    Owner {
        stands_in_block: true,
        generics: item.generics.clone(),
        of_trait: Some(syn::parse_quote!(#name #arguments)),
        members: members.collect(),
        ..Owner::default()
    }
}

/// Whether a method with `&self` gives back nothing that carries a derivative.
fn is_zero(sig: &syn::Signature, owner: &Owner) -> bool {
    let member = owner.member(&sig.ident);
    let plain = sig.generics.params.is_empty() && sig.generics.where_clause.is_none();
    plain
        && member.is_some_and(|member| {
            member.derivative == Derivative::Zero && member.receiver == Some(Passing::Shared)
        })
}

/// Its sweeps, where only the trait is known: it runs forward, and does nothing in reverse. One with a body has none,
/// as a type may have a function of its own of that name, and none of the trait's in its `impl`.
fn zero(function: &syn::TraitItemFn, owner: &Owner, options: &Options) -> Vec<syn::TraitItem> {
    let sig = &function.sig;
    let inherited = syn::Visibility::Inherited;
    let of_trait = owner.of_trait.as_ref().map(|path| interface::OfTrait {
        path,
        number: method::number_of_trait(path),
        written: None,
    });
    let generated = block::zero_of(sig, &function.attrs, &inherited, of_trait, options);
    let parsed = syn::parse2::<syn::ItemTrait>(quote!(trait Generated { #generated }));
    let mut items = parsed.map(|generated| generated.items).unwrap_or_default();
    let witness = format_ident!("__derivative_of_{}", sig.ident);
    for item in &mut items {
        if let syn::TraitItem::Fn(function) = item {
            if function.sig.ident == witness {
                function.sig.inputs[0] = syn::parse_quote!(&mut self);
            }
            let clause = function.sig.generics.make_where_clause();
            clause
                .predicates
                .push(syn::parse_quote!(Self: ::core::marker::Sized));
        }
    }
    items
}

/// Whether a type parameter is bound by `Differentiable`.
fn is_differentiable(generics: &syn::Generics, parameter: &syn::TypeParam) -> bool {
    crate::generic::bounds_of(generics, parameter).any(|path| {
        let last = path.segments.last();
        last.is_some_and(|last| last.ident == "Differentiable")
    })
}

pub(super) fn mentions_self(tokens: &impl ToTokens) -> bool {
    spells(tokens.to_token_stream(), "Self")
}

/// What callers find only where the trait is in scope.
fn in_scope(method: &syn::Ident, rt: &TokenStream) -> syn::TraitItem {
    let (name, allow) = (Sibling::InScope.name(method), interface::allowed());
    syn::parse_quote! {
        #allow
        #[doc(hidden)]
        #[cold]
        fn #name(&self) -> #rt::InScope
        where
            Self: ::core::marker::Sized,
        {
            #rt::InScope
        }
    }
}

/// What callers look for: the witness and both sweeps, by the names that they have beside methods of types. The witness
/// takes its receiver in the way that Rust tries last, so that `dyn` of the trait can have another one of its name.
fn hidden(method: &Method<'_>, of: &TokenStream, rt: &TokenStream) -> [syn::TraitItem; 4] {
    let MethodTypes {
        args,
        bars,
        result,
        seed,
        lifetimes,
        ..
    } = &method.types;
    let [names, of_bars] = method.names();
    let ident = &method.sig.ident;
    let [witness, name, forward, reverse] = method::hidden_names(ident);
    let this = method.this();
    let kind = if method.is_exclusive() {
        quote!(#rt::Provided<#rt::Exclusive<Self>>)
    } else {
        quote!(#rt::Provided<#rt::Shared<Self>>)
    };
    let sweeps = method.sweeps_here(rt);
    let allow = interface::allowed();
    let head = quote!(#allow #[doc(hidden)] #[inline]);
    [
        syn::parse_quote! {
            #head
            fn #witness(&mut self) -> #kind
            where
                Self: ::core::marker::Sized,
            {
                <#kind>::new()
            }
        },
        syn::parse_quote! {
            #head
            fn #name() -> &'static str
            where
                Self: ::core::marker::Sized,
            {
                <Self as #sweeps>::__there();
                <Self as #sweeps>::__name()
            }
        },
        syn::parse_quote! {
            #head
            fn #forward<#(#lifetimes),*>(#this, #(#names: #args,)* tape: &mut #rt::Tape) -> #result
            where
                Self: ::core::marker::Sized,
            {
                <Self as #sweeps>::__there();
                #rt::check_method(
                    #rt::name_of(&<Self as #of>::#ident),
                    <Self as #sweeps>::__name(),
                );
                <Self as #sweeps>::__forward(self, (#(#names,)*), tape)
            }
        },
        syn::parse_quote! {
            #head
            fn #reverse<#(#lifetimes),*>(
                #this,
                #(#names: #args,)*
                bar: &mut <Self as #rt::Differentiable>::Tangent,
                #(#of_bars: #bars,)*
                seed: ::core::option::Option<&#seed>,
                tape: &mut #rt::Tape,
            )
            where
                Self: ::core::marker::Sized + #rt::Differentiable,
            {
                <Self as #sweeps>::__reverse(self, (#(#names,)*), bar, (#(#of_bars,)*), seed, tape)
            }
        },
    ]
}
