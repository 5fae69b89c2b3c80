//! Sums: `#[gradient] impl Sum for V { … }`.
//!
//! Callers that see the text of the package write the body in place of the call (`lower/own_sums`). A function
//! beside the `impl`, which nothing runs, tells them that the body is that of the type.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::interface;
use crate::lower::{items_are_references, operators, sum_marker};

/// The function, if the `impl` is one of a sum or product of the type's own values.
pub(super) fn function(block: &syn::ItemImpl) -> Option<&syn::ImplItemFn> {
    let (_, path, _) = block.trait_.as_ref()?;
    let last = path.segments.last()?;
    let name = match last.ident.to_string().as_str() {
        "Sum" => "sum",
        "Product" => "product",
        _ => return None,
    };
    block.items.iter().find_map(|item| match item {
        syn::ImplItem::Fn(function) if function.sig.ident == name => Some(function),
        _ => None,
    })
}

/// What stands beside the `impl`.
pub(super) fn differentiate(block: &syn::ItemImpl) -> TokenStream {
    let Some((function, by_reference)) = function(block).zip(items_are_references(block)) else {
        return TokenStream::new();
    };
    let marker = sum_marker(&function.sig, &function.block, by_reference);
    let same = operators(&function.block).into_iter().map(|(path, of)| {
        let (of, name) = (
            Ident::new(of, function.sig.ident.span()),
            Ident::new(&of.to_lowercase(), function.sig.ident.span()),
        );
        quote! {
            let mut function = <Self as ::core::ops::#of>::#name;
            function = #path;
            let _ = function;
        }
    });
    let (generics, _, where_clause) = block.generics.split_for_impl();
    let (cfgs, allow, ty) = (
        crate::block::cfgs(&block.attrs),
        interface::allowed(),
        &block.self_ty,
    );
    quote! {
        #(#cfgs)*
        #allow
        #[automatically_derived]
        impl #generics #ty #where_clause {
            #[doc(hidden)]
            pub fn #marker() {
                #(#same)*
            }
        }
    }
}
