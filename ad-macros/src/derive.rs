//! `#[derive(Differentiable)]`.

use proc_macro2::TokenStream;
use quote::quote;

use crate::diag::{Diagnostics, catalog};

/// The implementation for a field-less enum; an error for anything else.
pub(crate) fn differentiable(item: TokenStream) -> TokenStream {
    let input: syn::DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let field_less = match &input.data {
        syn::Data::Enum(data) => data.variants.iter().all(|v| v.fields.is_empty()),
        syn::Data::Struct(_) | syn::Data::Union(_) => false,
    };
    if !field_less {
        let mut diags = Diagnostics::new();
        diags.at(input.ident.span(), catalog::derive_fields());
        return diags.into_tokens();
    }
    let name = &input.ident;
    let (generics, arguments, where_clause) = input.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #generics ::retrograde::Differentiable for #name #arguments #where_clause {
            type Tangent = ();
            fn zero_tangent(&self) {}
            fn step(&mut self, _: f64, (): &()) {}
        }
    }
}
