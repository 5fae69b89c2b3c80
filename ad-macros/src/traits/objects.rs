//! `dyn Model`: calls by the type of the value behind it.
//!
//! Such a type has a tangent that is a flat list of numbers (`DynTangent`). Beside the trait stands a hidden one, whose
//! methods rustc can dispatch and which every `Model` has: the sweeps with flat tangents, and copies into a box. What
//! callers look for they find on `dyn Model` itself: a witness. It makes of a receiver one of a type that stands beside
//! the trait, and that one has the sweeps, as methods of those names on `dyn Model` are ambiguous with the trait's.
//!
//! A method with a body in the trait has sweeps of its own on `dyn Model`, where `self` is dispatched.

mod safety;

pub(super) use safety::can_be_object;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::method::{Method, argument_tuple, sweep_names};
use super::overridden;
use super::provided;
use crate::block;
use crate::diag::Diagnostics;
use crate::emit;
use crate::interface::{self, MethodTypes};
use crate::lower::Owner;
use crate::options::Options;

/// The four objects of a trait: what stands behind it, and how the functions of the hidden trait that need it end.
fn kinds() -> [(TokenStream, &'static str); 4] {
    [
        (TokenStream::new(), ""),
        (quote!(+ ::core::marker::Send), "_send"),
        (quote!(+ ::core::marker::Sync), "_sync"),
        (
            quote!(+ ::core::marker::Send + ::core::marker::Sync),
            "_send_sync",
        ),
    ]
}

/// A trait of which there are objects.
pub(super) struct Objects<'t> {
    item: &'t syn::ItemTrait,
    rt: TokenStream,
    /// The trait's own arguments, as a tuple.
    arguments: TokenStream,
    key: u64,
    /// The methods without a body, and with one.
    methods: Vec<(Method<'t>, bool)>,
    /// The sweeps of those with one.
    of_bodies: TokenStream,
    /// Methods with `&self` that carry no derivative.
    zero: Vec<&'t syn::Signature>,
}

impl<'t> Objects<'t> {
    pub(super) fn of(item: &'t syn::ItemTrait, key: u64, krate: &syn::Path) -> Self {
        Objects {
            item,
            rt: quote!(#krate::__rt),
            arguments: argument_tuple(&item.generics),
            key,
            methods: Vec::new(),
            of_bodies: TokenStream::new(),
            zero: Vec::new(),
        }
    }

    pub(super) fn add_zero(&mut self, sig: &'t syn::Signature) {
        self.zero.push(sig);
    }

    pub(super) fn add(&mut self, method: Method<'t>) {
        self.methods.push((method, false));
    }

    /// Adds a method with a body.
    pub(super) fn add_provided(
        &mut self,
        method: Method<'t>,
        function: &syn::TraitItemFn,
        owner: &Owner,
        options: &Options,
        diags: &mut Diagnostics,
    ) {
        self.of_bodies.extend(provided::on_object(
            function,
            &of_object(&function.sig.ident),
            owner,
            options,
            diags,
        ));
        self.methods.push((method, true));
    }

    /// What stands in the trait for a method with a body that an `impl` may write again: it leads to the sweeps of the
    /// body on objects.
    pub(super) fn leading_to_body(&self, method: &Method<'_>) -> Vec<syn::TraitItem> {
        let (rt, hidden) = (&self.rt, self.hidden());
        let (_, arguments, _) = self.item.generics.split_for_impl();
        let name = &self.item.ident;
        let [names, of_bars] = method.names();
        let [forward, reverse] = sweep_names(&of_object(&method.sig.ident))
            .map(|to| quote!(<dyn #name #arguments + '_>::#to));
        let this = quote!(<Self as #hidden #arguments>::__object(self));
        let bodies = [
            quote!(#forward(#this, #(#names,)* tape)),
            quote!(#reverse(#this, #(#names,)* bar, #(#of_bars,)* seed, tape);),
        ];
        let items = overridden::functions_of_object(method, bodies, rt);
        let parsed = syn::parse2::<syn::ItemTrait>(quote!(trait Generated { #items }));
        parsed.map(|generated| generated.items).unwrap_or_default()
    }

    /// The hidden trait's path, and what stands beside the trait.
    pub(super) fn finish(&self) -> (TokenStream, TokenStream) {
        let (_, names, _) = self.item.generics.split_for_impl();
        let hidden = self.hidden();
        let beside = [self.dispatched(), self.receivers(), self.objects()];
        (quote!(#hidden #names), beside.into_iter().collect())
    }

    fn hidden(&self) -> Ident {
        format_ident!("__object_of_{}", self.item.ident)
    }

    /// The names of witness and receiver of methods with `&self`, or with `&mut self`.
    fn names(&self, exclusive: bool) -> [Ident; 2] {
        let (kind, of) = (
            if exclusive { "exclusive" } else { "shared" },
            &self.item.ident,
        );
        ["witness", "receiver"].map(|what| format_ident!("__{kind}_{what}_of_{of}"))
    }

    /// `dyn Model + '__dynamic`, of one kind.
    fn object(&self, kind: &TokenStream) -> TokenStream {
        let (_, arguments, _) = self.item.generics.split_for_impl();
        let name = &self.item.ident;
        quote!((dyn #name #arguments #kind + '__dynamic))
    }

    fn head(&self) -> TokenStream {
        let (cfgs, allow) = (block::cfgs(&self.item.attrs), interface::allowed());
        quote!(#(#cfgs)* #allow)
    }

    /// The hidden trait, which everything has that has the trait.
    fn dispatched(&self) -> TokenStream {
        let Objects {
            item,
            rt,
            key,
            arguments,
            ..
        } = self;
        let (hidden, name, vis, head) = (self.hidden(), &item.ident, &item.vis, self.head());
        let (params, names, where_clause) = item.generics.split_for_impl();
        let mut of_this = item.generics.clone();
        of_this.params.push(syn::parse_quote!(__This: #name #names));
        let (this_params, _, _) = of_this.split_for_impl();
        let copy = quote!(<__This as #rt::HasGradient<#key, #arguments>>::__copy(self));
        let (mut declared, mut defined) = (Vec::new(), Vec::new());
        for (kind, end) in kinds() {
            let [boxed, kept] = ["boxed", "kept"].map(|what| format_ident!("__{what}{end}"));
            let object = self.object(&kind);
            let boxed = quote! {
                fn #boxed<'__dynamic>(&self) -> ::std::boxed::Box<#object> where Self: '__dynamic #kind
            };
            let kept = quote! {
                fn #kept<'__dynamic>(&mut self, run: &mut dyn ::core::ops::FnMut(&mut #object))
                where
                    Self: '__dynamic #kind
            };
            declared.push(quote!(#boxed; #kept;));
            defined.push(quote! {
                #boxed { ::std::boxed::Box::new(#copy) }
                #kept {
                    let out = #copy;
                    run(self);
                    *self = out;
                }
            });
        }
        let object = self.object(&TokenStream::new());
        let [shared, exclusive] = [
            quote!(fn __object<'__dynamic>(&'__dynamic self) -> &'__dynamic #object),
            quote!(fn __object_mut<'__dynamic>(&'__dynamic mut self) -> &'__dynamic mut #object),
        ];
        let required = || self.methods.iter().filter(|(_, has_body)| !has_body);
        let sweeps = required().map(|(method, _)| self.sweeps_of(method));
        let [heads, bodies]: [Vec<_>; 2] = {
            let (heads, bodies) = sweeps.unzip();
            [heads, bodies]
        };
        quote! {
            #head
            #[doc(hidden)]
            #vis trait #hidden #params #where_clause {
                #(#declared)*
                #shared;
                #exclusive;
                #(#heads)*
            }

            #head
            impl #this_params #hidden #names for __This #where_clause {
                #(#defined)*
                #shared { self }
                #exclusive { self }
                #(#bodies)*
            }
        }
    }

    /// The sweeps of a method as methods of the hidden trait: declared, and defined.
    fn sweeps_of(&self, method: &Method<'_>) -> (TokenStream, TokenStream) {
        let rt = &self.rt;
        let MethodTypes {
            args,
            bars,
            result,
            seed,
            lifetimes,
            ..
        } = &method.types;
        let [names, of_bars] = method.names();
        let [forward, reverse] = dispatched_names(&method.sig.ident);
        let (ident, sweeps, this) = (&method.sig.ident, method.sweeps_here(rt), method.this());
        let (_, arguments, _) = self.item.generics.split_for_impl();
        let of = &self.item.ident;
        let forward = quote! {
            fn #forward<#(#lifetimes),*>(#this, #(#names: #args,)* tape: &mut #rt::Tape) -> #result
        };
        let reverse = quote! {
            fn #reverse<#(#lifetimes),*>(
                #this,
                #(#names: #args,)*
                bar: &mut #rt::dynamic::DynTangent,
                #(#of_bars: #bars,)*
                seed: ::core::option::Option<&#seed>,
                tape: &mut #rt::Tape,
            )
        };
        let bodies = quote! {
            #forward {
                #rt::check_method(
                    #rt::name_of(&<__This as #of #arguments>::#ident),
                    <__This as #sweeps>::__name(),
                );
                <__This as #sweeps>::__forward(self, (#(#names,)*), tape)
            }

            #reverse {
                <__This as #sweeps>::__reverse_erased(self, (#(#names,)*), bar, (#(#of_bars,)*), seed, tape);
            }
        };
        (quote!(#forward; #reverse;), bodies)
    }

    /// What the witnesses make of receivers.
    fn receivers(&self) -> TokenStream {
        let (rt, vis, head) = (&self.rt, &self.item.vis, self.head());
        let cfgs = block::cfgs(&self.item.attrs);
        let of = |exclusive: bool| {
            let mut methods = self
                .methods
                .iter()
                .filter(|(m, _)| m.is_exclusive() == exclusive)
                .peekable();
            let zero: &[_] = if exclusive { &[] } else { &self.zero };
            if methods.peek().is_none() && zero.is_empty() {
                return None;
            }
            let [witness, receiver] = self.names(exclusive);
            let (mutability, kind) = if exclusive {
                (quote!(mut), quote!(Exclusive))
            } else {
                (quote!(), quote!(Shared))
            };
            let mut generics = self.item.generics.clone();
            let (name, arguments) = (&self.item.ident, &self.arguments);
            let names = self.item.generics.split_for_impl().1.to_token_stream();
            generics.params.insert(0, syn::parse_quote!('__this));
            generics
                .params
                .push(syn::parse_quote!(__This: #name #names + ?::core::marker::Sized));
            let (params, _, where_clause) = generics.split_for_impl();
            let methods = methods.map(|(method, has_body)| self.shims(method, *has_body));
            let methods = methods.chain(zero.iter().map(|sig| self.zero_shims(sig)));
            Some(quote! {
                #(#cfgs)*
                #rt::receivers! { #vis #witness #receiver [&#mutability] #kind }

                #head
                impl #params #receiver<'__this, __This, #arguments> #where_clause { #(#methods)* }
            })
        };
        [of(false), of(true)].into_iter().flatten().collect()
    }

    /// The sweeps of a method, of a receiver.
    fn shims(&self, method: &Method<'_>, has_body: bool) -> TokenStream {
        let (rt, hidden) = (&self.rt, self.hidden());
        let MethodTypes {
            args,
            bars,
            result,
            seed,
            lifetimes,
            ..
        } = &method.types;
        let [names, of_bars] = method.names();
        let (_, arguments, _) = self.item.generics.split_for_impl();
        let (name, ident) = (&self.item.ident, &method.sig.ident);
        let [forward, reverse] = sweep_names(ident);
        let (to, this) = if has_body && overridden::may_be(method.sig) {
            let to = overridden::chosen_of_object(ident);
            let to = to.map(|to| quote!(<__This as #name #arguments>::#to));
            (to, quote!(self.0))
        } else if has_body {
            let object = if method.is_exclusive() {
                quote!(__object_mut)
            } else {
                quote!(__object)
            };
            let to =
                sweep_names(&of_object(ident)).map(|to| quote!(<dyn #name #arguments + '_>::#to));
            (to, quote!(<__This as #hidden #arguments>::#object(self.0)))
        } else {
            let to = dispatched_names(ident).map(|to| quote!(<__This as #hidden #arguments>::#to));
            (to, quote!(self.0))
        };
        let [to_forward, to_reverse] = to;
        quote! {
            #[inline]
            pub fn #forward<#(#lifetimes),*>(self, #(#names: #args,)* tape: &mut #rt::Tape) -> #result {
                #to_forward(#this, #(#names,)* tape)
            }

            #[inline]
            pub fn #reverse<#(#lifetimes),*>(
                self,
                #(#names: #args,)*
                bar: &mut #rt::dynamic::DynTangent,
                #(#of_bars: #bars,)*
                seed: ::core::option::Option<&#seed>,
                tape: &mut #rt::Tape,
            ) {
                #to_reverse(#this, #(#names,)* bar, #(#of_bars,)* seed, tape);
            }
        }
    }

    /// The same of a method that carries no derivative.
    fn zero_shims(&self, sig: &syn::Signature) -> TokenStream {
        let rt = &self.rt;
        let (_, arguments, _) = self.item.generics.split_for_impl();
        let (name, ident, output) = (&self.item.ident, &sig.ident, &sig.output);
        let types = sig.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Receiver(_) => None,
            syn::FnArg::Typed(typed) => Some(&typed.ty),
        });
        let types: Vec<_> = types.collect();
        let names: Vec<_> = (0..types.len())
            .map(|n| emit::own(&format!("arg{n}")))
            .collect();
        let bars = sig
            .inputs
            .iter()
            .map(|_| quote!(_: impl ::core::marker::Sized));
        let [forward, reverse] = sweep_names(ident);
        quote! {
            #[inline]
            pub fn #forward(self, #(#names: #types,)* _: &mut #rt::Tape) #output {
                <__This as #name #arguments>::#ident(self.0, #(#names),*)
            }

            #[inline]
            pub fn #reverse(
                self,
                #(#names: #types,)*
                #(#bars,)*
                _: ::core::option::Option<&()>,
                _: &mut #rt::Tape,
            ) {
            }
        }
    }

    /// What the objects are themselves.
    fn objects(&self) -> TokenStream {
        let Objects {
            item,
            rt,
            key,
            arguments,
            of_bodies,
            ..
        } = self;
        let (hidden, head) = (self.hidden(), self.head());
        let generics = of_objects(&item.generics);
        let (params, _, where_clause) = generics.split_for_impl();
        let names = item.generics.split_for_impl().1.to_token_stream();
        let text = format!("dyn {}", item.ident);
        let methods = self
            .methods
            .iter()
            .map(|(method, _)| (&method.sig.ident, method.is_exclusive()));
        let methods = methods.chain(self.zero.iter().map(|sig| (&sig.ident, false)));
        let witnesses = methods.map(|(ident, exclusive)| {
            let witness = format_ident!("__derivative_of_{ident}");
            let [ty, _] = self.names(exclusive);
            quote! {
                #[doc(hidden)]
                #[inline]
                pub fn #witness(&self) -> #ty<Self, #arguments> { <#ty<Self, #arguments> as #rt::Witness>::NEW }
            }
        });
        let witnesses: TokenStream = witnesses.collect();
        let gradient = quote!(#rt::HasGradient<#key, #arguments>);
        let objects = kinds().into_iter().map(|(kind, end)| {
            let object = self.object(&kind);
            let [boxed, kept] = ["boxed", "kept"].map(|what| format_ident!("__{what}{end}"));
            quote! {
                #head
                impl #params #object #where_clause { #witnesses }
                #rt::object! {
                    [#head] [#params] [#object] [#where_clause] [#gradient] [#hidden #names] #boxed #kept #text
                }
            }
        });
        let objects: TokenStream = objects.collect();
        let object = self.object(&TokenStream::new());
        let of_bodies = (!of_bodies.is_empty()).then(|| {
            quote! {
                #head
                impl #params #object #where_clause { #of_bodies }
            }
        });
        quote!(#objects #of_bodies)
    }
}

/// The parameters of the trait, and the lifetime of an object: what the trait speaks of lives as long.
fn of_objects(generics: &syn::Generics) -> syn::Generics {
    let mut all = generics.clone();
    all.params.insert(0, syn::parse_quote!('__dynamic));
    for param in &generics.params {
        let predicate = match param {
            syn::GenericParam::Lifetime(p) => {
                let name = &p.lifetime;
                syn::parse_quote!(#name: '__dynamic)
            }
            syn::GenericParam::Type(p) => {
                let name = &p.ident;
                syn::parse_quote!(#name: '__dynamic)
            }
            syn::GenericParam::Const(_) => continue,
        };
        all.make_where_clause().predicates.push(predicate);
    }
    all
}

/// The name under which a method with a body has its sweeps on objects.
fn of_object(method: &Ident) -> Ident {
    format_ident!("__dyn_{method}", span = method.span())
}

/// The sweeps of a method in the hidden trait.
fn dispatched_names(method: &Ident) -> [Ident; 2] {
    ["forward", "reverse"].map(|sweep| format_ident!("__{sweep}_of_{method}"))
}
