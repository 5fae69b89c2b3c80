//! A method of a trait, as those see it who know the trait alone: by a number, and the types of what goes in and out.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use crate::emit;
use crate::interface::{self, MethodTypes};
use crate::ir::Passing;
use crate::lower::{Derivative, Member, Owner, passing};
use crate::options::Options;
use crate::pipeline;

/// A method that is called through its trait.
pub(super) struct Method<'m> {
    pub(super) sig: &'m syn::Signature,
    /// `&mut self`
    pub(super) exclusive: bool,
    pub(super) types: MethodTypes,
    /// The number of trait and method.
    pub(super) key: u64,
    /// The arguments of the trait, as a tuple.
    pub(super) of: TokenStream,
}

impl<'m> Method<'m> {
    /// The method, if its derivative can be had through the trait.
    pub(super) fn of(
        sig: &'m syn::Signature,
        attrs: &[syn::Attribute],
        of_trait: (&syn::Ident, &TokenStream),
        owner: &Owner,
        options: &Options,
    ) -> Option<Self> {
        let (of_trait, of) = of_trait;
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
        let types = interface::method_types(&func, &options.krate);
        let key = number(&format!("{of_trait}::{}", sig.ident));
        Some(Method {
            sig,
            exclusive,
            types,
            key,
            of: of.clone(),
        })
    }

    /// The runtime's trait, with its arguments.
    pub(super) fn sweeps(&self, rt: &TokenStream) -> TokenStream {
        self.sweeps_with(&self.types.args, &self.types.bars, rt)
    }

    /// The same in the body of a function, whose signature need not have adjoints.
    pub(super) fn sweeps_here(&self, rt: &TokenStream) -> TokenStream {
        let (args, bars) = &self.types.here;
        self.sweeps_with(args, bars, rt)
    }

    fn sweeps_with(
        &self,
        args: &[syn::Type],
        bars: &[TokenStream],
        rt: &TokenStream,
    ) -> TokenStream {
        let MethodTypes { result, seed, .. } = &self.types;
        let name = if self.exclusive {
            quote!(SweepsMut)
        } else {
            quote!(Sweeps)
        };
        let (key, of) = (self.key, &self.of);
        quote!(#rt::#name<#key, #of, (#(#args,)*), (#(#bars,)*), #result, #seed>)
    }

    /// The receiver.
    pub(super) fn this(&self) -> TokenStream {
        if self.exclusive {
            quote!(&mut self)
        } else {
            quote!(&self)
        }
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

/// The arguments of a trait, by its parameters, as a tuple type.
pub(super) fn argument_tuple(generics: &syn::Generics) -> TokenStream {
    let arguments = generics.params.iter().map(|param| match param {
        syn::GenericParam::Lifetime(p) => of_lifetime(&p.lifetime),
        syn::GenericParam::Type(p) => p.ident.to_token_stream(),
        syn::GenericParam::Const(p) => of_const(&p.ident),
    });
    quote!((#(#arguments,)*))
}

/// The same by its path.
pub(super) fn tuple_of_path(path: &syn::Path) -> TokenStream {
    let last = path.segments.last().map(|last| &last.arguments);
    let Some(syn::PathArguments::AngleBracketed(arguments)) = last else {
        return quote!(());
    };
    let arguments = arguments.args.iter().map(|argument| match argument {
        syn::GenericArgument::Lifetime(lifetime) => of_lifetime(lifetime),
        syn::GenericArgument::Type(ty) => ty.to_token_stream(),
        other => of_const(other),
    });
    quote!((#(#arguments,)*))
}

fn of_lifetime(lifetime: &syn::Lifetime) -> TokenStream {
    quote!(&#lifetime ())
}

fn of_const(value: &impl ToTokens) -> TokenStream {
    quote!([(); {#value}])
}

pub(super) fn is_left(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|a| a.path().is_ident("no_gradient"))
}

/// FNV-1a.
pub(super) fn number(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
