//! `#[derive(Differentiable)]`, and what it shares with `#[derive(Record)]`.

mod record;

use proc_macro2::TokenStream;
use quote::quote;

use crate::diag::{Diagnostics, catalog};
pub(crate) use record::record;

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
    let krate = match facade(&input.attrs, "differentiable") {
        Ok(path) => path,
        Err(error) => return error.to_compile_error(),
    };
    let name = &input.ident;
    let (generics, arguments, where_clause) = input.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #generics #krate::Differentiable for #name #arguments #where_clause {
            type Tangent = ();
            fn zero_tangent(&self) {}
            fn step(&mut self, _: f64, (): &()) {}
        }
    }
}

/// `#[helper(crate = path)]`, else `::retrograde`.
fn facade(attrs: &[syn::Attribute], helper: &str) -> syn::Result<syn::Path> {
    let mut path: syn::Path = syn::parse_quote!(::retrograde);
    for attr in attrs.iter().filter(|a| a.path().is_ident(helper)) {
        attr.parse_nested_meta(|meta| {
            if !meta.path.is_ident("crate") {
                return Err(meta.error("the only argument is `crate = path`"));
            }
            path = meta.value()?.call(syn::Path::parse_mod_style)?;
            Ok(())
        })?;
    }
    Ok(path)
}
