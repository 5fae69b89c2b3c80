//! What says that a function of a block has sweeps, and that its name means the one that has them.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use crate::ir::{Passing, parameter_names, spells};

use super::Runtime;
use super::Sibling;
use super::item::attributes;
use super::shape::{Shape, is_given};
use super::signature::name_arguments;

/// The trait whose method something is.
#[derive(Clone, Copy)]
pub(crate) struct OfTrait<'a> {
    pub(crate) path: &'a syn::Path,
    /// The number of its name.
    pub(crate) number: u64,
    /// The method as an `impl` of the trait has it, if it stands in one.
    pub(crate) written: Option<&'a syn::Signature>,
}

/// Says that an associated function has sweeps, of which type, and how they take the receiver.
pub(super) fn witness(shape: &Shape<'_>, rt: &Runtime) -> TokenStream {
    if shape
        .of_trait
        .is_some_and(|of| is_of_many(of.path, &shape.item.sig))
    {
        return TokenStream::new();
    }
    let (vis, name) = (&shape.item.vis, shape.sweeps_name(Sibling::Witness));
    let passing = shape
        .item
        .sig
        .receiver()
        .and(shape.func.signature().first());
    match passing.map(|p| p.passing) {
        None => quote!(#[doc(hidden)] #vis fn #name() {}),
        Some(passing) => {
            let kind = match passing {
                Passing::Shared => quote!(Shared),
                Passing::InOut => quote!(Exclusive),
                Passing::Value => quote!(Owned),
            };
            let head = quote!(#[doc(hidden)] #[inline] #vis);
            // What forwards to the trait's is found wherever the witness is.
            let of_trait = shape.of_trait.map(|of| OfTrait {
                written: of.written.filter(|_| !has_forwarder(shape)),
                ..of
            });
            says_so(&head, &name, &kind, of_trait, rt)
        }
    }
}

/// Whether the function is one of an `impl` for many arguments of its trait. A witness would have to say for which.
/// Where the trait is in scope, there is its own, and elsewhere calls behind a dot are errors.
pub(super) fn is_of_many(of: &syn::Path, sig: &syn::Signature) -> bool {
    parameter_names(&sig.generics).any(|name| is_given(of, name))
}

/// The function that gives a witness.
pub(super) fn says_so(
    head: &TokenStream,
    name: &Ident,
    kind: &TokenStream,
    of_trait: Option<OfTrait<'_>>,
    rt: &Runtime,
) -> TokenStream {
    let Some(of_trait) = of_trait else {
        return quote!(#head fn #name(&self) -> #rt::#kind<Self> { #rt::#kind::new() });
    };
    let arguments = of_trait
        .written
        .and_then(|sig| Some((sig, arguments(sig, rt)?)));
    match arguments {
        // What stands in the trait itself is found where that is in scope.
        None => {
            quote!(#head fn #name(&self) -> #rt::Provided<#rt::#kind<Self>> { #rt::Provided::new() })
        }
        Some((sig, arguments)) => {
            let (of, bounds) = (of_trait.path, bounds_of_self(sig));
            let (key, its) = (of_trait.number, arguments_of_trait(of));
            let scope = quote!(#arguments, #key, #its);
            quote! {
                #head fn #name(&self)
                    -> #rt::Provided<#rt::#kind<Self>, #rt::WithTrait<impl #of #(+ #bounds)*, #scope>>
                {
                    #rt::Provided::<#rt::#kind<Self>, #rt::WithTrait<Self, #scope>>::new()
                }
            }
        }
    }
}

/// What the arguments of a method are, where it is called on a type of which the trait alone is known: of what types,
/// the method says, except of those that name its own parameters. `None` if it cannot be called so.
fn arguments(sig: &syn::Signature, rt: &Runtime) -> Option<TokenStream> {
    let own: Vec<String> = parameter_names(&sig.generics)
        .map(Ident::to_string)
        .collect();
    let inputs = || {
        sig.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(input) => Some(input.ty.to_token_stream()),
            syn::FnArg::Receiver(_) => None,
        })
    };
    let predicates = || {
        sig.generics
            .where_clause
            .iter()
            .flat_map(|clause| &clause.predicates)
    };
    let bounds = || {
        let of_params = sig
            .generics
            .type_params()
            .map(|t| t.bounds.to_token_stream());
        let others = predicates()
            .filter(|p| !is_of_self(p))
            .map(ToTokens::to_token_stream);
        of_params.chain(others)
    };
    // What the type is asked for says nothing of the opaque one, and what only the result names, nothing gives.
    let known = bounds().all(|bound| !spells(bound, "Self"))
        && own
            .iter()
            .all(|name| inputs().chain(bounds()).any(|tokens| spells(tokens, name)));
    if !known {
        return None;
    }
    let is_given = |ty: &TokenStream| {
        own.iter().any(|name| spells(ty.clone(), name)) || spells(ty.clone(), "impl")
    };
    if !inputs().any(|ty| is_given(&ty)) {
        return Some(quote!(#rt::Asked));
    }
    let list = inputs().collect::<Vec<_>>().into_iter().rev();
    Some(list.fold(quote!(#rt::Asked), |rest, ty| {
        if is_given(&ty) {
            quote!((#rt::Given, #rest))
        } else {
            quote!((#rt::Asked, #rest))
        }
    }))
}

/// The arguments of a trait, by its path, as a tuple type.
pub(crate) fn arguments_of_trait(path: &syn::Path) -> TokenStream {
    let last = path.segments.last().map(|last| &last.arguments);
    let Some(syn::PathArguments::AngleBracketed(arguments)) = last else {
        return quote!(());
    };
    let arguments = arguments.args.iter().map(|argument| match argument {
        syn::GenericArgument::Lifetime(lifetime) => type_of_lifetime(lifetime),
        syn::GenericArgument::Type(ty) => ty.to_token_stream(),
        syn::GenericArgument::Const(syn::Expr::Block(value)) => quote!([(); #value]),
        value => type_of_const(value),
    });
    quote!((#(#arguments,)*))
}

/// A lifetime as a type, for where only types can stand.
pub(crate) fn type_of_lifetime(lifetime: &syn::Lifetime) -> TokenStream {
    quote!(&#lifetime ())
}

/// The same of a const argument.
pub(crate) fn type_of_const(value: &impl ToTokens) -> TokenStream {
    quote!([(); {#value}])
}

/// What the method asks of `Self`.
fn bounds_of_self(sig: &syn::Signature) -> Vec<&syn::TypeParamBound> {
    let predicates = sig
        .generics
        .where_clause
        .iter()
        .flat_map(|clause| &clause.predicates);
    let of_self = predicates
        .filter(|p| is_of_self(p))
        .filter_map(|predicate| match predicate {
            syn::WherePredicate::Type(of) => Some(&of.bounds),
            _ => None,
        });
    of_self.flatten().collect()
}

/// `Self: …`
fn is_of_self(predicate: &syn::WherePredicate) -> bool {
    match predicate {
        syn::WherePredicate::Type(of) => {
            matches!(&of.bounded_ty, syn::Type::Path(p) if p.path.is_ident("Self"))
                && of.lifetimes.is_none()
        }
        _ => false,
    }
}

/// Methods of the traits that a type with a derivative implements. Where these are in scope, a method of another trait
/// with such a name is ambiguous on the type.
const OURS: [&str; 17] = [
    "accumulate",
    "check_shape",
    "dot",
    "duplicate",
    "is_duplicate",
    "len_flat",
    "name_parts",
    "names_flat",
    "norm",
    "scale",
    "set_flat",
    "set_zero",
    "step",
    "to_flat",
    "write_flat",
    "zero",
    "zero_tangent",
];

/// Whether the trait's function has another one beside it that forwards to it.
pub(super) fn has_forwarder(shape: &Shape<'_>) -> bool {
    shape.of_trait.is_some() && is_forwarded(&shape.item.sig.ident)
}

/// Whether a trait's function of this name has one.
pub(crate) fn is_forwarded(name: &Ident) -> bool {
    OURS.iter().any(|ours| name == ours)
}

/// The trait's function as one of the type's own, so that its name means it whatever traits are in scope. It compiles
/// only if the type has no other function of its own of that name.
pub(super) fn forwarder(shape: &Shape<'_>, of: &syn::Path) -> TokenStream {
    let mut sig = shape.item.sig.clone();
    let names = name_arguments(&mut sig.inputs);
    let (attributes, vis, name) = (attributes(shape), &shape.item.vis, &sig.ident);
    let arguments = shape.arguments_of_function(of);
    quote! {
        #attributes
        #[doc(hidden)]
        #[inline]
        #vis #sig { <Self as #of>::#name #arguments (#(#names),*) }
    }
}

/// Compiles only if the type has no function of its own of the name of the trait's.
pub(super) fn means_the_trait(shape: &Shape<'_>, of: &syn::Path, rt: &Runtime) -> TokenStream {
    let name = &shape.item.sig.ident;
    let arguments = shape.arguments_of_function(of);
    let import = import(of);
    let of_trait = quote_spanned!(name.span()=> &(<Self as #of>::#name #arguments));
    quote! {
        if false {
            #import
            #rt::same_method(&<Self>::#name #arguments, #of_trait);
        }
    }
}

/// Brings the functions of the trait of this path into scope.
pub(crate) fn import(of: &syn::Path) -> Option<TokenStream> {
    let mut import = of.clone();
    if let Some(last) = import.segments.last_mut() {
        last.arguments = syn::PathArguments::None;
    }
    (import.segments.len() > 1).then(|| quote!(use #import as _;))
}
