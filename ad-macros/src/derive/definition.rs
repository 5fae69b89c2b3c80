//! The type of the tangent: the same fields, of the types of their tangents.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;

use super::arguments::allowed;
use super::differentiable::Derived;
use super::field::{Field, Variant};

pub(super) fn definition(derived: &Derived<'_>) -> TokenStream {
    let Derived { input, tangent, .. } = derived;
    let (vis, name) = (&input.vis, &tangent.name);
    let (keyword, body) = if derived.is_struct() {
        (quote!(struct), of_struct(derived))
    } else {
        (quote!(enum), of_enum(derived))
    };
    let generics = &tangent.generics;
    let clause = &generics.where_clause;
    let doc = format!(
        " The tangent of [`{ty}`]({keyword}@{ty}): a gradient with respect to it, an adjoint, a direction.\n\n \
          Written by `#[derive(Differentiable)]`. Each field is the tangent of the field of its name; of what has no \
          numbers, `()`.",
        ty = input.ident.unraw(),
    );
    let kept = ["non_exhaustive", "cfg"];
    let copied = input.attrs.iter().filter(|attr| {
        let hidden = attr.path().is_ident("doc")
            && matches!(&attr.meta, syn::Meta::List(list) if list.tokens.to_string() == "hidden");
        hidden || kept.iter().any(|name| attr.path().is_ident(name))
    });
    let fields = derived.fields().map(|field| &field.syntax.attrs);
    let lints = std::iter::once(&input.attrs)
        .chain(fields)
        .flat_map(|attrs| allowed(attrs));
    let tail = match &input.data {
        syn::Data::Struct(data) if matches!(data.fields, syn::Fields::Named(_)) => {
            quote!(#clause #body)
        }
        syn::Data::Struct(_) => quote!(#body #clause;),
        syn::Data::Enum(_) | syn::Data::Union(_) => quote!(#clause #body),
    };
    // Where it is forbidden an `allow` is an error, and only enums have variants.
    let of_enums = matches!(input.data, syn::Data::Enum(_))
        .then(|| quote!(#[allow(variant_size_differences)]));
    quote! {
        #[doc = #doc]
        #(#copied)*
        #of_enums
        #[allow(
            deprecated, dead_code,
            explicit_outlives_requirements, single_use_lifetimes, unused_qualifications,
            private_interfaces, private_bounds,
            clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction
        )]
        #(#[allow(#lints)])*
        #vis #keyword #name #generics #tail
    }
}

fn of_struct(derived: &Derived<'_>) -> TokenStream {
    derived
        .variants
        .iter()
        .map(|variant| body(derived, variant))
        .collect()
}

fn of_enum(derived: &Derived<'_>) -> TokenStream {
    let variants = derived.variants.iter().map(|variant| {
        let name = variant.of_enum.map(|variant| &variant.ident);
        let doc = name.map(|name| format!(" The tangent of a `{}`.", name.unraw()));
        let body = body(derived, variant);
        quote!(#[doc = #doc] #name #body)
    });
    quote!({ #(#variants),* })
}

/// The fields in their brackets.
fn body(derived: &Derived<'_>, variant: &Variant<'_>) -> TokenStream {
    let fields = variant.fields.iter().map(|field| one(derived, field));
    match variant.syntax {
        syn::Fields::Named(_) => quote!({ #(#fields),* }),
        syn::Fields::Unnamed(_) => quote!((#(#fields),*)),
        syn::Fields::Unit => quote!(),
    }
}

fn one(derived: &Derived<'_>, field: &Field<'_>) -> TokenStream {
    let vis = &field.syntax.vis;
    let ty = derived.tangent_of(field);
    let what = if field.kind.has_tangent() {
        "The tangent of"
    } else {
        "Nothing, in the place of"
    };
    let doc = format!(" {what} `{}`.", field.name());
    let name = field.syntax.ident.as_ref().map(|name| quote!(#name:));
    quote!(#[doc = #doc] #vis #name #ty)
}
