//! What `#[gradient]` calls on the tangent of an enum: for each field of each variant the way to it. Functions name the
//! variants of the enum; the paths of those of its tangent they cannot know.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::at;
use super::differentiable::Derived;
use super::field::{Field, Variant};
use crate::ir::accessor;

pub(super) fn impls(derived: &Derived<'_>) -> TokenStream {
    let variants = derived.variants.iter().filter(|v| v.of_enum.is_some());
    let accessors: TokenStream = variants
        .flat_map(|variant| variant.fields.iter().map(move |field| (variant, field)))
        .map(|(variant, field)| one(derived, variant, field))
        .collect();
    if accessors.is_empty() {
        return accessors;
    }
    let attributes = Derived::attributes();
    let (generics, _, clause) = derived.tangent.generics.split_for_impl();
    let ty = derived.tangent_type();
    quote! {
        #attributes
        #[doc(hidden)]
        impl #generics #ty #clause {
            #accessors
        }
    }
}

/// `fn __variant4_Quad_a(&self) -> &T` and its `&mut` twin.
fn one(derived: &Derived<'_>, variant: &Variant<'_>, field: &Field<'_>) -> TokenStream {
    let (krate, vis) = (&derived.krate, &derived.input.vis);
    let at = at(&field.syntax.ty);
    let [name, name_mut] = [false, true]
        .map(|writes| accessor(&variant.name(), &field.name(), writes, Span::call_site()));
    let (ty, member) = (derived.tangent_of(field), field.member());
    let path = variant.path(&derived.tangent.name);
    let part = Ident::new("__part", Span::mixed_site());
    let variant = variant.name();
    let body = quote_spanned! {at=>
        match self {
            #path { #member: #part, .. } => #part,
            _ => #krate::__rt::derived::other_variant(#variant),
        }
    };
    quote! {
        #[doc(hidden)]
        #[inline]
        #[track_caller]
        #vis fn #name(&self) -> &#ty { #body }

        #[doc(hidden)]
        #[inline]
        #[track_caller]
        #vis fn #name_mut(&mut self) -> &mut #ty { #body }
    }
}
