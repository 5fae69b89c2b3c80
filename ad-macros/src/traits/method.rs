//! A method of a trait, as those see it who know the trait alone: by a number, and the types of what goes in and out.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use crate::block;
use crate::emit;
use crate::hash::hash;
use crate::interface::{self, MethodTypes};
use crate::ir::Passing;
use crate::lower::{Derivative, Member, Owner, passing};
use crate::options::Options;
use crate::pipeline;

/// How those who know the trait alone call a function of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// With `&self`, and without `Self` in its types.
    Shared,
    /// The same with `&mut self`.
    Exclusive,
    /// As a function of all its arguments.
    Function,
}

/// A function that is called through its trait.
pub(super) struct Method<'m> {
    pub(super) sig: &'m syn::Signature,
    pub(super) kind: Kind,
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
        of_trait: (&Ident, &TokenStream),
        owner: &Owner,
        options: &Options,
    ) -> Option<Self> {
        let kind = match passing(sig.receiver()?)? {
            Passing::Shared => Kind::Shared,
            Passing::InOut => Kind::Exclusive,
            Passing::Value => return None,
        };
        Self::new(sig, attrs, of_trait, kind, owner, options)
    }

    /// The function as one of all its arguments, if its derivative can be had so.
    pub(super) fn function(
        sig: &'m syn::Signature,
        attrs: &[syn::Attribute],
        of_trait: (&Ident, &TokenStream),
        owner: &Owner,
        options: &Options,
    ) -> Option<Self> {
        if let Some(receiver) = sig.receiver() {
            passing(receiver)?;
        }
        Self::new(sig, attrs, of_trait, Kind::Function, owner, options)
    }

    fn new(
        sig: &'m syn::Signature,
        attrs: &[syn::Attribute],
        (of_trait, of): (&Ident, &TokenStream),
        kind: Kind,
        owner: &Owner,
        options: &Options,
    ) -> Option<Self> {
        if !is_plain(sig) || Member::of(sig, is_left(attrs)).derivative != Derivative::Own {
            return None;
        }
        let function = syn::ItemFn {
            attrs: Vec::new(),
            vis: syn::Visibility::Inherited,
            sig: sig.clone(),
            block: syn::parse_quote!({ ::core::panic!() }),
        };
        let func = pipeline::signature_only(&function, owner)?;
        let types = interface::method_types(&func, kind == Kind::Function, &options.krate);
        let key = number(&format!("{of_trait}::{}", sig.ident));
        Some(Method {
            sig,
            kind,
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
        let name = match self.kind {
            Kind::Shared => quote!(Sweeps),
            Kind::Exclusive => quote!(SweepsMut),
            Kind::Function => quote!(SweepsOf),
        };
        let (key, of) = (self.key, &self.of);
        quote!(#rt::#name<#key, #of, (#(#args,)*), (#(#bars,)*), #result, #seed>)
    }

    /// What those who know the trait alone find of an `impl` of it, `of`: the name of the function, and these sweeps.
    pub(super) fn implementation(
        &self,
        block: &syn::ItemImpl,
        of: &syn::Path,
        rt: &TokenStream,
        sweeps: &TokenStream,
    ) -> TokenStream {
        let mut generics = block.generics.clone();
        for (n, lifetime) in self.types.lifetimes.iter().enumerate() {
            let parameter = syn::LifetimeParam::new(lifetime.clone());
            generics
                .params
                .insert(n, syn::GenericParam::Lifetime(parameter));
        }
        let (generics, _, where_clause) = generics.split_for_impl();
        let (cfgs, ty, of_trait) = (block::cfgs(&block.attrs), &block.self_ty, self.sweeps(rt));
        let (allow, ident) = (interface::allowed(), &self.sig.ident);
        quote! {
            #(#cfgs)*
            #allow
            #[automatically_derived]
            impl #generics #of_trait for #ty #where_clause {
                #[inline]
                fn __name() -> &'static str {
                    #rt::name_of(&<Self as #of>::#ident)
                }

                #sweeps
            }
        }
    }

    /// The receiver.
    pub(super) fn this(&self) -> TokenStream {
        if self.is_exclusive() {
            quote!(&mut self)
        } else {
            quote!(&self)
        }
    }

    /// Whether it takes `&mut self`, and knows how.
    pub(super) fn is_exclusive(&self) -> bool {
        self.kind == Kind::Exclusive
    }

    /// Names of the arguments, and of their adjoints.
    pub(super) fn names(&self) -> [Vec<Ident>; 2] {
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
        syn::GenericParam::Lifetime(p) => interface::type_of_lifetime(&p.lifetime),
        syn::GenericParam::Type(p) => p.ident.to_token_stream(),
        syn::GenericParam::Const(p) => interface::type_of_const(&p.ident),
    });
    quote!((#(#arguments,)*))
}

/// What stands beside a method of a type, and hidden in a trait: both sweeps.
pub(super) fn sweep_names(method: &Ident) -> [Ident; 2] {
    ["forward", "reverse"]
        .map(|sweep| format_ident!("__derivative_of_{method}_{sweep}", span = method.span()))
}

/// The witness, the function with the name, and both sweeps.
pub(super) fn hidden_names(method: &Ident) -> [Ident; 4] {
    let of = |what: &str| format_ident!("__derivative_of_{method}{what}", span = method.span());
    let [forward, reverse] = sweep_names(method);
    [of(""), of("_name"), forward, reverse]
}

/// The functions of a trait.
pub(super) fn functions_of(item: &syn::ItemTrait) -> impl Iterator<Item = &syn::TraitItemFn> {
    item.items.iter().filter_map(|member| match member {
        syn::TraitItem::Fn(function) => Some(function),
        _ => None,
    })
}

/// The types in a signature, the receiver's apart.
pub(super) fn types_mut(sig: &mut syn::Signature) -> impl Iterator<Item = &mut syn::Type> {
    let inputs = sig.inputs.iter_mut().filter_map(|input| match input {
        syn::FnArg::Typed(input) => Some(&mut *input.ty),
        syn::FnArg::Receiver(_) => None,
    });
    let output = match &mut sig.output {
        syn::ReturnType::Type(_, ty) => Some(&mut **ty),
        syn::ReturnType::Default => None,
    };
    inputs.chain(output)
}

/// Whether the receiver is a reference.
pub(super) fn takes_reference(sig: &syn::Signature) -> bool {
    sig.receiver()
        .and_then(passing)
        .is_some_and(|passing| passing != Passing::Value)
}

/// Whether the function has no parameters of its own.
pub(super) fn is_plain(sig: &syn::Signature) -> bool {
    sig.generics.params.is_empty() && sig.generics.where_clause.is_none()
}

pub(super) fn is_left(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|a| a.path().is_ident("no_gradient"))
}

/// The number of a trait, by the name that its path ends with.
pub(crate) fn number_of_trait(path: &syn::Path) -> u64 {
    let name = path.segments.last().map(|last| last.ident.to_string());
    number(&name.unwrap_or_default())
}

/// The number of a text.
pub(super) fn number(text: &str) -> u64 {
    hash(text.bytes())
}
