//! `impl Duplicate`: field by field, of a type and of its tangent.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::punctuated::Punctuated;

use super::at;
use super::differentiable::Derived;
use super::field::{self, Field, Kind, Variant};
use super::generics::Used;
use crate::diag::{Diagnostics, catalog};

/// The implementation alone, for a type that implements `Differentiable` by hand.
pub(crate) fn duplicate(item: TokenStream) -> TokenStream {
    let input: syn::DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let krate = match super::facade(&input.attrs, "duplicate") {
        Ok(path) => path,
        Err(error) => return error.to_compile_error(),
    };
    let mut diags = Diagnostics::new();
    if let syn::Data::Union(data) = &input.data {
        diags.at(data.union_token.span, catalog::derive_union());
    }
    let variants = field::variants(&input, false, &mut diags);
    if !diags.is_empty() {
        return diags.into_tokens();
    }
    let fields = variants.iter().flat_map(|variant| &variant.fields);
    let owned = fields.filter(|field| field.kind == Kind::Plain);
    let used = Used::of(&input.generics, owned.map(|field| &field.ty));
    let mut generics = input.generics.clone();
    used.bound(&mut generics, &quote!(#krate::Duplicate));
    of_value(&krate, &input, &generics, &variants)
}

/// Of an enum without data, whose variants are not looked into otherwise.
pub(super) fn without_data(input: &syn::DeriveInput, krate: &syn::Path) -> TokenStream {
    let variants = field::variants(input, false, &mut Diagnostics::new());
    of_value(krate, input, &input.generics, &variants)
}

impl Derived<'_> {
    /// Of the type, and of the tangent if that is another one.
    pub(super) fn duplicate_impls(&self) -> TokenStream {
        let value = of_value(&self.krate, self.input, &self.generics, &self.variants);
        let tangent = (!self.tangent.own).then(|| {
            let name = &self.tangent.name;
            let by_type = |field: &Field<'_>| Some(field.tangent(&self.krate));
            implementation(
                &self.krate,
                name,
                &self.tangent.generics,
                &self.variants,
                by_type,
            )
        });
        quote!(#value #tangent)
    }
}

fn of_value(
    krate: &syn::Path,
    input: &syn::DeriveInput,
    generics: &syn::Generics,
    variants: &[Variant<'_>],
) -> TokenStream {
    let by_type = |field: &Field<'_>| match field.kind {
        Kind::Plain | Kind::Borrowed | Kind::Phantom => Some(field.ty.to_token_stream()),
        Kind::Constant => None,
    };
    implementation(krate, &input.ident, generics, variants, by_type)
}

/// `type_of` a field says as what it is copied; of a field without, the compiler looks for a way.
fn implementation(
    krate: &syn::Path,
    name: &Ident,
    generics: &syn::Generics,
    variants: &[Variant<'_>],
    type_of: impl Fn(&Field<'_>) -> Option<TokenStream>,
) -> TokenStream {
    let all = |_: &Field<'_>| true;
    let copies = variants.iter().map(|variant| {
        let (pattern, whole) = (variant.pattern(name, "a", all), variant.path(name));
        let fields = variant.fields.iter().enumerate().map(|(k, field)| {
            let (at, member, a) = (at(&field.syntax.ty), field.member(), field.binding("a", k));
            match type_of(field) {
                Some(ty) => {
                    quote_spanned!(at=> #member: <#ty as #krate::Duplicate>::duplicate(#a))
                }
                None => quote_spanned!(at=> #member: #krate::__rt::copy_field!(#a)),
            }
        });
        quote!(#pattern => #whole { #(#fields),* })
    });
    let comparisons = variants.iter().map(|variant| {
        let [left, right] = ["a", "b"].map(|prefix| variant.pattern(name, prefix, all));
        let fields = variant.fields.iter().enumerate().map(|(k, field)| {
            let at = at(&field.syntax.ty);
            let (a, b) = (field.binding("a", k), field.binding("b", k));
            match type_of(field) {
                Some(ty) => {
                    quote_spanned!(at=> && <#ty as #krate::Duplicate>::is_duplicate(#a, #b))
                }
                None => quote_spanned!(at=> && #krate::__rt::same_field!(#a, #b)),
            }
        });
        quote!((#left, #right) => true #(#fields)*)
    });
    let tail = variants.iter().flat_map(|variant| &variant.fields).last();
    let (copy, same) = if tail.is_some_and(|field| may_be_unsized(&field.ty, generics)) {
        (
            quote!(#krate::__rt::derived::may_be_unsized()),
            quote!(match (self, __of) { #(#comparisons,)* }),
        )
    } else if variants.is_empty() {
        (quote!(match *self {}), quote!(match *self {}))
    } else {
        let others = (variants.len() > 1).then(|| quote!(_ => false,));
        (
            quote!(match self { #(#copies,)* }),
            quote!(match (self, __of) { #(#comparisons,)* #others }),
        )
    };
    let attributes = Derived::attributes();
    let (generics, arguments, clause) = generics.split_for_impl();
    quote! {
        #attributes
        impl #generics #krate::Duplicate for #name #arguments #clause {
            #[inline]
            fn duplicate(&self) -> Self
            where
                Self: ::core::marker::Sized,
            {
                #copy
            }

            #[inline]
            fn is_duplicate(&self, __of: &Self) -> ::core::primitive::bool {
                #same
            }
        }
    }
}

/// Whether the type is a parameter of which the definition says `?Sized`.
fn may_be_unsized(ty: &syn::Type, generics: &syn::Generics) -> bool {
    let relaxed = |bounds: &Punctuated<syn::TypeParamBound, syn::Token![+]>| {
        bounds.iter().any(|bound| {
            matches!(bound, syn::TypeParamBound::Trait(t) if matches!(t.modifier, syn::TraitBoundModifier::Maybe(_)))
        })
    };
    let is_it = |param: &syn::TypeParam| {
        let name = &param.ident;
        matches!(ty, syn::Type::Path(path) if path.path.is_ident(name))
    };
    let clause = generics
        .where_clause
        .iter()
        .flat_map(|clause| &clause.predicates);
    let in_clause = clause.into_iter().any(|predicate| {
        matches!(predicate, syn::WherePredicate::Type(of) if of.bounded_ty == *ty && relaxed(&of.bounds))
    });
    let mut params = generics.type_params();
    params.any(|param| is_it(param) && (relaxed(&param.bounds) || in_clause))
}
