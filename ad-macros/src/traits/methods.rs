//! Traits that are no operators: `#[gradient] impl System for X { … }`.
//!
//! What is generated stands beside the type's own methods, so it is found wherever a method is called on the type. A
//! check sees to it that the type has no function of the same name, which calls would mean.

use proc_macro2::TokenStream;

use super::carrier::{self, peeled};
use crate::block;
use crate::diag::Diagnostics;
use crate::options::Options;

/// Whether what the `impl` is of can have functions of its own.
pub(crate) fn is_of_a_type(block: &syn::ItemImpl) -> bool {
    let name = match peeled(&block.self_ty) {
        syn::Type::Path(ty) if ty.qself.is_none() => ty.path.segments.last(),
        _ => None,
    };
    name.is_some_and(|name| !crate::lower::is_primitive(&name.ident.to_string()))
}

/// The block that stands beside the `impl`.
pub(crate) fn beside(
    block: &syn::ItemImpl,
    options: &Options,
    diags: &mut Diagnostics,
) -> TokenStream {
    let mut own = block.clone();
    for item in &mut own.items {
        if let syn::ImplItem::Fn(method) = item {
            // Whoever sees the type and the trait calls it.
            method.vis = syn::parse_quote!(pub);
            *method = carrier::with_types(block, method);
        }
    }
    block::differentiate(&own, options, diags)
}
