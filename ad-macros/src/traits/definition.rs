//! `#[gradient] trait Model { … }`: whoever is generic over `M: Model` has the derivatives of its methods.
//!
//! The trait asks, as a supertrait, for the sweeps of each of its methods (`Sweeps` in the runtime, by a number that
//! the names of trait and method give), and `#[gradient]` above an `impl` gives them, whatever the trait. In the
//! trait stand methods of the names that callers look for. A method with a body in the trait has its sweeps in
//! another one (`provided`).

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::diag::{Diagnostics, catalog};
use crate::emit::{self, MethodTypes};
use crate::ir::Passing;
use crate::lower::{Derivative, Member, Owner, passing};
use crate::options::Options;
use crate::pipeline;

use super::provided;

/// A method that is called through its trait.
pub(super) struct Method<'m> {
    pub(super) sig: &'m syn::Signature,
    /// `&mut self`
    pub(super) exclusive: bool,
    pub(super) types: MethodTypes,
    /// The number of trait and method.
    pub(super) key: u64,
}

impl<'m> Method<'m> {
    /// The method, if its derivative can be had through the trait.
    pub(super) fn of(
        sig: &'m syn::Signature,
        attrs: &[syn::Attribute],
        of_trait: &syn::Ident,
        owner: &Owner,
        options: &Options,
    ) -> Option<Self> {
        let left = is_left(attrs);
        let exclusive = match passing(sig.receiver()?)? {
            Passing::Shared => false,
            Passing::InOut => true,
            Passing::Value => return None,
        };
        let plain = sig.generics.params.is_empty() && sig.generics.where_clause.is_none();
        if !plain || Member::of(sig, left).derivative != Derivative::Own {
            return None;
        }
        let function = syn::ItemFn {
            attrs: Vec::new(),
            vis: syn::Visibility::Inherited,
            sig: sig.clone(),
            block: syn::parse_quote!({ ::core::panic!() }),
        };
        let func = pipeline::signature_only(&function, owner)?;
        let types = emit::method_types(&func, &options.krate);
        let key = number(&format!("{of_trait}::{}", sig.ident));
        Some(Method {
            sig,
            exclusive,
            types,
            key,
        })
    }

    /// The runtime's trait, with its arguments.
    pub(super) fn sweeps(&self, rt: &TokenStream) -> TokenStream {
        let MethodTypes {
            args,
            bars,
            result,
            seed,
            ..
        } = &self.types;
        let (name, key) = (
            if self.exclusive {
                quote!(SweepsMut)
            } else {
                quote!(Sweeps)
            },
            self.key,
        );
        quote!(#rt::#name<#key, (#(#args,)*), (#(#bars,)*), #result, #seed>)
    }

    /// Names of the arguments, and of their adjoints.
    pub(super) fn names(&self) -> [Vec<syn::Ident>; 2] {
        let of = |name: &str| {
            let count = self.types.args.len();
            (0..count)
                .map(|n| emit::own(&format!("{name}{n}")))
                .collect()
        };
        [of("arg"), of("bar")]
    }
}

fn is_left(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|a| a.path().is_ident("no_gradient"))
}

/// FNV-1a.
pub(super) fn number(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The trait with what is added to it, and what stands beside it.
pub(crate) fn define(
    item: &syn::ItemTrait,
    options: &Options,
    diags: &mut Diagnostics,
) -> (syn::ItemTrait, TokenStream) {
    let mut defined = item.clone();
    if let Some(parameter) = item.generics.type_params().next() {
        diags.at(parameter.ident.span(), catalog::trait_parameter());
        return (defined, TokenStream::new());
    }
    let krate = &options.krate;
    let rt = quote!(#krate::__rt);
    let (name, (_, arguments, _)) = (&item.ident, item.generics.split_for_impl());
    let owner = Owner {
        stands_in_block: true,
        generics: item.generics.clone(),
        of_trait: Some(syn::parse_quote!(#name #arguments)),
        ..Owner::default()
    };
    let functions = || {
        item.items.iter().filter_map(|member| match member {
            syn::TraitItem::Fn(function) => Some(function),
            _ => None,
        })
    };
    let members = functions().map(|function| {
        let name = syn::ext::IdentExt::unraw(&function.sig.ident).to_string();
        (name, Member::of(&function.sig, is_left(&function.attrs)))
    });
    let owner = Owner {
        members: members.collect(),
        ..owner
    };
    let key = number(&item.ident.to_string());
    defined.colon_token.get_or_insert_with(Default::default);
    defined
        .supertraits
        .push(syn::parse_quote!(#rt::HasGradient<#key>));
    let mut of_bodies = Vec::new();
    for function in functions() {
        if function.default.is_some() {
            let items = provided::items(function, &owner, &item.ident, options, diags);
            if !items.is_empty() {
                defined.items.push(provided::mark_of(function, krate));
            }
            of_bodies.extend(items);
            continue;
        }
        let inputs = function.sig.inputs.iter().skip(1);
        if inputs.into_iter().any(mentions_self) || mentions_self(&function.sig.output) {
            continue;
        }
        let method = Method::of(&function.sig, &function.attrs, &item.ident, &owner, options);
        let Some(method) = method else {
            continue;
        };
        let (lifetimes, sweeps) = (&method.types.lifetimes, method.sweeps(&rt));
        defined
            .supertraits
            .push(syn::parse_quote!(for<#(#lifetimes),*> #sweeps));
        defined
            .items
            .extend(hidden(&method, &quote!(#name #arguments), &rt));
    }
    if of_bodies.is_empty() {
        return (defined, TokenStream::new());
    }
    let (module, path) = provided::supertrait(item, &of_bodies);
    defined.supertraits.push(syn::parse_quote!(#path));
    (defined, module)
}

fn mentions_self(tokens: &impl quote::ToTokens) -> bool {
    fn within(tokens: TokenStream) -> bool {
        tokens.into_iter().any(|tree| match tree {
            proc_macro2::TokenTree::Ident(ident) => ident == "Self",
            proc_macro2::TokenTree::Group(group) => within(group.stream()),
            proc_macro2::TokenTree::Punct(_) | proc_macro2::TokenTree::Literal(_) => false,
        })
    }
    within(tokens.to_token_stream())
}

/// What callers look for: the witness and both sweeps, by the names that they have beside methods of types.
fn hidden(method: &Method<'_>, of: &TokenStream, rt: &TokenStream) -> [syn::TraitItem; 3] {
    let MethodTypes {
        args,
        bars,
        result,
        seed,
        lifetimes,
    } = &method.types;
    let [names, of_bars] = method.names();
    let ident = &method.sig.ident;
    let [witness, forward, reverse] = ["", "_forward", "_reverse"]
        .map(|sweep| format_ident!("__derivative_of_{ident}{sweep}", span = ident.span()));
    let (this, kind) = if method.exclusive {
        (
            quote!(&mut self),
            quote!(#rt::Provided<#rt::Exclusive<Self>>),
        )
    } else {
        (quote!(&self), quote!(#rt::Provided<#rt::Shared<Self>>))
    };
    let sweeps = method.sweeps(rt);
    let allow = emit::allowed();
    let head = quote!(#allow #[doc(hidden)] #[inline]);
    [
        syn::parse_quote! {
            #head
            fn #witness(&self) -> #kind
            where
                Self: ::core::marker::Sized,
            {
                <#kind>::new()
            }
        },
        syn::parse_quote! {
            #head
            fn #forward<#(#lifetimes),*>(#this, #(#names: #args,)* tape: &mut #rt::Tape) -> #result
            where
                Self: ::core::marker::Sized,
            {
                #rt::check_method(
                    #rt::name_of(&<Self as #of>::#ident),
                    <Self as #sweeps>::name(),
                );
                <Self as #sweeps>::forward(self, (#(#names,)*), tape)
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
                <Self as #sweeps>::reverse(self, (#(#names,)*), bar, (#(#of_bars,)*), seed, tape)
            }
        },
    ]
}
