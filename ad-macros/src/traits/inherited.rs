//! Methods that an `impl` leaves to the body in its trait, where the module of the `impl` declares the trait: the type
//! has them as if they were written in the `impl`.
//!
//! The names in such a body mean the same in the trait and beside it, as both stand in one module. The body is read from
//! the text of the file; generated code compares it with the one that the trait's attribute saw.

use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned;

use super::{method, provided};
use crate::block::is_named;
use crate::lower::{Derivative, Member};
use crate::surroundings::{trait_beside, with_text};

/// The methods.
pub(super) fn of(block: &syn::ItemImpl) -> Vec<syn::ImplItemFn> {
    declaration(block).map_or_else(Vec::new, |declared| {
        let functions = declared.items.into_iter().filter_map(|item| match item {
            syn::TraitItem::Fn(function) => Some(function),
            _ => None,
        });
        functions.filter_map(|f| inherited(f, block)).collect()
    })
}

/// Compiles only if the methods have these bodies in the trait.
pub(super) fn checks(methods: &[syn::ImplItemFn], of: &syn::Path, rt: &TokenStream) -> TokenStream {
    let checks = methods.iter().map(|m| provided::is_inherited(m, of, rt));
    quote!(#(#checks)*)
}

/// The trait, if it has `#[gradient]`, no parameters, and nothing else that could change it.
fn declaration(block: &syn::ItemImpl) -> Option<syn::ItemTrait> {
    let (_, path, _) = block.trait_.as_ref()?;
    let name = path.get_ident()?;
    let declared = trait_beside(block.impl_token.span(), name)?;
    let is_plain = declared.generics.params.is_empty() && declared.generics.where_clause.is_none();
    let gradient = |a: &&syn::Attribute| is_named(a, "gradient");
    let (gradient, others): (Vec<_>, Vec<_>) = declared.attrs.iter().partition(gradient);
    let without_options = |a: &&syn::Attribute| matches!(a.meta, syn::Meta::Path(_));
    let is_differentiated = gradient.len() == 1 && gradient.iter().all(without_options);
    (is_plain && is_differentiated && others.into_iter().all(is_inert)).then_some(declared)
}

/// The method as the `impl` would write it, if that leaves it to the trait, and it has a derivative.
fn inherited(function: syn::TraitItemFn, block: &syn::ItemImpl) -> Option<syn::ImplItemFn> {
    let name = &function.sig.ident;
    let is_written = block.items.iter().any(|item| match item {
        syn::ImplItem::Fn(method) => method.sig.ident == *name,
        // It may stand for anything.
        syn::ImplItem::Macro(_) | syn::ImplItem::Verbatim(_) => true,
        _ => false,
    });
    let member = Member::of(&function.sig, method::is_left(&function.attrs));
    let is_taken = member.derivative == Derivative::Own
        && member.receiver.is_some()
        && method::is_plain(&function.sig)
        && function.attrs.iter().all(is_inert);
    // Another one of the name may be the type's own.
    let declared = format!("fn {name}");
    let once = |text: &str| text.matches(&declared).nth(1).is_none();
    if is_written || !is_taken || !with_text(block.impl_token.span(), once)? {
        return None;
    }
    Some(syn::ImplItemFn {
        attrs: Vec::new(),
        vis: syn::Visibility::Inherited,
        defaultness: None,
        block: function.default?,
        sig: function.sig,
    })
}

/// Whether an attribute leaves an item as it is.
fn is_inert(attribute: &syn::Attribute) -> bool {
    ["doc", "inline", "must_use", "allow", "expect", "warn"]
        .iter()
        .any(|name| attribute.path().is_ident(name))
}
