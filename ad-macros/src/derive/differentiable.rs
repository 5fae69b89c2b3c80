//! `#[derive(Differentiable)]`: the type of the tangent, and what value and tangent implement.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;

use super::arguments::{Arguments, Asked};
use super::field::{self, Field, Variant};
use super::generics::{Used, mentioned_in};
use super::{definition, duplicate, flat, impls, parts, vector_space};
use crate::diag::{Diagnostics, catalog};

/// A type and its tangent.
pub(super) struct Derived<'a> {
    pub(super) input: &'a syn::DeriveInput,
    pub(super) krate: syn::Path,
    pub(super) variants: Vec<Variant<'a>>,
    /// The type parameters in the numbers.
    pub(super) used: Used,
    /// Parameters of the type, with the bounds of the derive.
    pub(super) generics: syn::Generics,
    pub(super) tangent: Tangent,
}

/// The type of the tangent.
pub(super) struct Tangent {
    pub(super) name: Ident,
    pub(super) generics: syn::Generics,
    /// Whether it is the type itself.
    pub(super) own: bool,
}

/// All of it; the mistakes instead, if there are any.
pub(crate) fn differentiable(item: TokenStream) -> TokenStream {
    let mut input: syn::DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let check = crate::known_types::marked_fields(&mut input);
    let mut diags = Diagnostics::new();
    let arguments = Arguments::of(&input.attrs, &mut diags);
    if let syn::Data::Union(data) = &input.data {
        diags.at(data.union_token.span, catalog::derive_union());
    }
    let own = matches!(arguments.tangent, Some(Asked::Own(_)));
    let variants = field::variants(&input, own, &mut diags);
    let no_data = matches!(input.data, syn::Data::Enum(_))
        && variants.iter().all(|variant| variant.fields.is_empty());
    if let (true, Some(asked)) = (no_data, &arguments.tangent) {
        match asked {
            Asked::Own(token) => diags.at(token.span, catalog::derive_without_data()),
            Asked::Named(name) => diags.at(name.span(), catalog::derive_without_data()),
        }
    }
    if !diags.is_empty() {
        return diags.into_tokens();
    }
    if no_data {
        let flat = arguments
            .flat
            .then(|| flat::without_numbers(&input, &arguments.krate));
        let without_data = impls::without_data(&input, &arguments.krate);
        let duplicate = duplicate::without_data(&input, &arguments.krate);
        return quote!(#without_data #duplicate #flat);
    }
    let name = match arguments.tangent {
        Some(Asked::Own(_)) => input.ident.clone(),
        Some(Asked::Named(name)) => name,
        None => format_ident!("{}Tangent", input.ident.unraw(), span = input.ident.span()),
    };
    let schema = arguments
        .schema
        .then(|| crate::schema::define(&input, &arguments.krate));
    let derived = Derived::new(&input, arguments.krate, variants, name, own);
    let definition = (!own).then(|| definition::definition(&derived));
    let (impls, vector_space) = (impls::impls(&derived), vector_space::impls(&derived));
    let parts = parts::impls(&derived);
    let flat = arguments.flat.then(|| flat::impls(&derived));
    let duplicate = derived.duplicate_impls();
    quote!(#check #definition #impls #duplicate #vector_space #parts #flat #schema)
}

impl<'a> Derived<'a> {
    fn new(
        input: &'a syn::DeriveInput,
        krate: syn::Path,
        variants: Vec<Variant<'a>>,
        name: Ident,
        own: bool,
    ) -> Self {
        let fields = || variants.iter().flat_map(|variant| &variant.fields);
        let with_tangent = fields().filter(|field| field.kind.has_tangent());
        let used = Used::of(&input.generics, with_tangent.map(|field| &field.referent));
        let mut generics = input.generics.clone();
        used.bound_by(&mut generics, |ty| {
            let ty = ty.to_token_stream();
            if own {
                quote!(#krate::Differentiable<Tangent = #ty> + #krate::Tangent + ::core::clone::Clone)
            } else {
                quote!(#krate::Differentiable)
            }
        });
        let of_tangent = if own {
            if generics.type_params().next().is_some() {
                // Of its parameters, what its own `Clone` asks of them.
                let clause = generics.make_where_clause();
                clause
                    .predicates
                    .push(syn::parse_quote!(Self: ::core::clone::Clone));
            }
            generics.clone()
        } else {
            let tangents: Vec<TokenStream> = fields().map(|field| field.tangent(&krate)).collect();
            mentioned_in(&generics, &tangents)
        };
        Derived {
            input,
            krate,
            variants,
            used,
            generics,
            tangent: Tangent {
                name,
                generics: of_tangent,
                own,
            },
        }
    }

    pub(super) fn is_struct(&self) -> bool {
        matches!(self.input.data, syn::Data::Struct(_))
    }

    pub(super) fn fields(&self) -> impl Iterator<Item = &Field<'a>> {
        self.variants.iter().flat_map(|variant| &variant.fields)
    }

    /// The tangent with its arguments, as a type.
    pub(super) fn tangent_type(&self) -> TokenStream {
        let name = &self.tangent.name;
        let (_, arguments, _) = self.tangent.generics.split_for_impl();
        quote!(#name #arguments)
    }

    /// The type of a field of the tangent.
    pub(super) fn tangent_of(&self, field: &Field<'_>) -> TokenStream {
        if self.tangent.own {
            field.ty.to_token_stream()
        } else {
            field.tangent(&self.krate)
        }
    }

    /// The last arm of a match over two values of an enum, which have different variants: `otherwise` with their names.
    pub(super) fn mismatch(
        &self,
        types: [&Ident; 2],
        otherwise: impl FnOnce(&TokenStream, &TokenStream) -> TokenStream,
    ) -> Option<TokenStream> {
        if self.variants.len() < 2 {
            return None;
        }
        let [left, right] = ["left", "right"].map(|name| format_ident!("__{name}"));
        let name = |value: &Ident, ty: &Ident| {
            let arms = self.variants.iter().map(|variant| {
                let (pattern, name) = (variant.pattern(ty, "", |_| false), variant.name());
                quote!(#pattern => #name)
            });
            quote!(match #value { #(#arms,)* })
        };
        let otherwise = otherwise(&name(&left, types[0]), &name(&right, types[1]));
        Some(quote!((#left, #right) => #otherwise,))
    }

    /// What all generated items are allowed to do.
    pub(super) fn attributes() -> TokenStream {
        let allowed = crate::interface::allowed();
        quote! {
            #[automatically_derived]
            #allowed
        }
    }
}
