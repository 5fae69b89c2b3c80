//! Methods with a body in the trait: their sweeps are those of whatever implements the trait.
//!
//! They stand in a hidden supertrait, which is found through `M: Model` and not on a type that is known: that may
//! have a function of its own of the same name, which calls would mean. (A type whose `impl` sees the body has sweeps
//! of its own: `inherited`.) An `impl` that writes such a method itself would have those sweeps nonetheless, wherever
//! it is called through the trait. So that is an error: a mark stands in the trait, and `#[gradient]` above an `impl`
//! looks whether there is one of the name of each of its methods.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::block;
use crate::diag::Diagnostics;
use crate::inlining::number_of;
use crate::interface;
use crate::ir::Passing;
use crate::lower::{Derivative, Owner};
use crate::options::Options;

/// The sweeps of the method, and what stands with them. `of`: the trait, with its arguments.
pub(super) fn items(
    function: &syn::TraitItemFn,
    owner: &Owner,
    of: (&Ident, &TokenStream),
    options: &Options,
    diags: &mut Diagnostics,
) -> Vec<syn::TraitItem> {
    let Some(member) = owner.member(&function.sig.ident) else {
        return Vec::new();
    };
    if member.derivative != Derivative::Own {
        return Vec::new();
    }
    let generated = sweeps(function, &function.sig.ident, owner, options, diags);
    let krate = &options.krate;
    let parsed = syn::parse2::<syn::ItemTrait>(quote!(trait Generated { #generated }));
    let mut items = parsed.map(|generated| generated.items).unwrap_or_default();
    // What the sweeps restore, or take by value, they copy.
    let shared = matches!(member.receiver, None | Some(Passing::Shared));
    let copied = (!shared).then(|| quote!(+ ::core::clone::Clone));
    let (of, arguments) = of;
    let witness = format_ident!("__derivative_of_{}", function.sig.ident);
    for item in &mut items {
        if let syn::TraitItem::Fn(function) = item {
            if function.sig.ident == witness
                && let Some(receiver) = function.sig.inputs.first_mut()
            {
                // As that of a method without a body.
                *receiver = syn::parse_quote!(&mut self);
            }
            let clause = function.sig.generics.make_where_clause();
            clause.predicates.push(syn::parse_quote! {
                Self: #of #arguments + ::core::marker::Sized + #krate::__rt::Differentiable #copied
            });
        }
    }
    items
}

/// The sweeps of the method where `self` is a `dyn` of the trait, under another name.
pub(super) fn on_object(
    function: &syn::TraitItemFn,
    name: &Ident,
    owner: &Owner,
    options: &Options,
    diags: &mut Diagnostics,
) -> TokenStream {
    if !diags.is_empty() {
        // The same mistakes once more.
        return TokenStream::new();
    }
    let owner = Owner {
        stands_in_block: true,
        of_trait: None,
        sweeps_only: true,
        generics: owner.generics.clone(),
        members: owner.members.clone(),
        ..Owner::default()
    };
    sweeps(function, name, &owner, options, diags)
}

/// What is generated for the body, as that of a method of this name.
fn sweeps(
    function: &syn::TraitItemFn,
    name: &Ident,
    owner: &Owner,
    options: &Options,
    diags: &mut Diagnostics,
) -> TokenStream {
    let Some(body) = &function.default else {
        return TokenStream::new();
    };
    let mut method = syn::ImplItemFn {
        attrs: function.attrs.clone(),
        vis: syn::Visibility::Inherited,
        defaultness: None,
        sig: function.sig.clone(),
        block: body.clone(),
    };
    if owner.sweeps_only {
        method.vis = syn::parse_quote!(pub);
    }
    method.sig.ident = name.clone();
    diags.in_block(true);
    let generated = block::own(&method, owner, None, options, diags);
    diags.in_block(false);
    generated
}

/// The mark that stands in the trait.
pub(super) fn mark_of(function: &syn::TraitItemFn, krate: &syn::Path) -> syn::TraitItem {
    let (mark, allow) = (mark(&function.sig.ident), interface::allowed());
    let number = function
        .default
        .as_ref()
        .map(|body| number_of(&function.sig, body));
    syn::parse_quote! {
        #allow
        #[doc(hidden)]
        fn #mark(&self) -> #krate::__rt::OfTheTrait<#number>
        where
            Self: ::core::marker::Sized,
        {
            #krate::__rt::OfTheTrait
        }
    }
}

/// The path of the hidden supertrait, and the supertrait.
pub(super) fn supertrait(
    of: &syn::ItemTrait,
    items: &[syn::TraitItem],
) -> (TokenStream, TokenStream) {
    let (module, path) = (module(of), path(of));
    let (allow, cfgs) = (interface::allowed(), block::cfgs(&of.attrs));
    let (params, names, where_clause) = of.generics.split_for_impl();
    let mut of_all = of.generics.clone();
    of_all
        .params
        .push(syn::parse_quote!(__All: ?::core::marker::Sized));
    let (all, _, _) = of_all.split_for_impl();
    let generated = quote! {
        #(#cfgs)*
        #allow
        #[doc(hidden)]
        mod #module {
            use super::*;

            pub trait Provided #params #where_clause {
                #(#items)*
            }

            impl #all Provided #names for __All #where_clause {}
        }
    };
    (path, generated)
}

fn module(of: &syn::ItemTrait) -> Ident {
    format_ident!("__provided_by_{}", of.ident)
}

/// The path of the hidden supertrait, with its arguments.
pub(super) fn path(of: &syn::ItemTrait) -> TokenStream {
    let (module, (_, names, _)) = (module(of), of.generics.split_for_impl());
    quote!(#module::Provided #names)
}

/// The name of the mark beside a method with a body in its trait.
fn mark(method: &Ident) -> Ident {
    format_ident!(
        "__derivative_of_{method}_is_of_the_trait",
        span = method.span()
    )
}

/// Compiles only if the trait has no body for the method.
pub(super) fn is_required(method: &Ident, of: &syn::Path, rt: &TokenStream) -> TokenStream {
    let (mark, import) = (mark(method), interface::import(of));
    // rustc's error stands at the user's method.
    let found = Ident::new("found", method.span());
    quote! {{
        #import
        // The trait's takes its receiver in a way that is tried first.
        trait Otherwise {
            fn #mark(&mut self) -> #rt::OfTheType {
                #rt::OfTheType
            }
        }
        impl<T: ?::core::marker::Sized> Otherwise for T {}
        let #found = #rt::never::<Self>().#mark();
        #rt::written_by_the_type(#found);
    }}
}

/// Compiles only if the trait has the body of this number for the method.
pub(super) fn is_inherited(
    method: &Ident,
    number: u64,
    of: &syn::Path,
    rt: &TokenStream,
) -> TokenStream {
    let (mark, import) = (mark(method), interface::import(of));
    quote! {{
        #import
        #rt::written_by_the_trait::<#number>(#rt::never::<Self>().#mark());
    }}
}
