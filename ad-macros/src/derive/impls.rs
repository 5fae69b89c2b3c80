//! `impl Differentiable` of the type.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::at;
use super::differentiable::Derived;
use super::field::{Field, Kind, Variant};

/// An enum without data: its tangent is `()`.
pub(super) fn without_data(input: &syn::DeriveInput, krate: &syn::Path) -> TokenStream {
    let name = &input.ident;
    let (generics, arguments, where_clause) = input.generics.split_for_impl();
    let attributes = Derived::attributes();
    quote! {
        #attributes
        impl #generics #krate::Differentiable for #name #arguments #where_clause {
            type Tangent = ();
            fn zero_tangent(&self) {}
            fn step(&mut self, _: ::core::primitive::f64, (): &()) {}
        }
    }
}

pub(super) fn impls(derived: &Derived<'_>) -> TokenStream {
    let krate = &derived.krate;
    let name = &derived.input.ident;
    let (generics, arguments, where_clause) = derived.generics.split_for_impl();
    let attributes = Derived::attributes();
    let tangent = derived.tangent_type();
    let zero = derived.zero_tangent();
    let step = derived.step();
    let check = derived.check_shape();
    quote! {
        #attributes
        impl #generics #krate::Differentiable for #name #arguments #where_clause {
            type Tangent = #tangent;

            #[inline]
            fn zero_tangent(&self) -> #tangent {
                #zero
            }

            #[inline]
            fn step(&mut self, __scale: ::core::primitive::f64, __tangent: &#tangent) {
                #step
            }

            #[inline]
            fn check_shape(
                &self,
                __tangent: &#tangent,
            ) -> ::core::result::Result<(), #krate::ShapeError> {
                #check
            }
        }
    }
}

impl Derived<'_> {
    fn zero_tangent(&self) -> TokenStream {
        let arms = self.variants.iter().map(|variant| {
            let pattern = variant.pattern(&self.input.ident, "value", |f| f.kind != Kind::Constant);
            let path = variant.path(&self.tangent.name);
            let fields = variant.fields.iter().enumerate().map(|(k, field)| {
                let (member, zero) = (field.member(), self.zero_of(field, k));
                quote_spanned!(at(&field.syntax.ty)=> #member: #zero)
            });
            quote!(#pattern => #path { #(#fields),* })
        });
        quote!(match self { #(#arms,)* })
    }

    fn zero_of(&self, field: &Field<'_>, k: usize) -> TokenStream {
        let (krate, at) = (&self.krate, at(&field.syntax.ty));
        let (zero, value) = (
            field.method(krate, "zero_tangent"),
            field.binding("value", k),
        );
        match field.kind {
            Kind::Constant => quote!(()),
            Kind::Phantom if self.tangent.own => quote!(::core::marker::PhantomData),
            Kind::Plain if self.tangent.own => {
                let ty = &field.ty;
                quote_spanned!(at=> #krate::__rt::derived::own::<#ty>(#zero(#value)))
            }
            Kind::Plain | Kind::Borrowed | Kind::Phantom => quote_spanned!(at=> #zero(#value)),
        }
    }

    fn step(&self) -> TokenStream {
        let krate = &self.krate;
        let otherwise = |value: &TokenStream, tangent: &TokenStream| {
            let what = "step of a value by a tangent";
            quote!(#krate::__rt::derived::variants_differ(#what, #value, #tangent))
        };
        self.with_tangent(otherwise, |field, k| {
            let (at, step) = (at(&field.syntax.ty), field.method(krate, "step"));
            let value = field.binding("value", k);
            let tangent = self.as_tangent(field, field.binding("tangent", k));
            if field.kind == Kind::Borrowed {
                let name = field.name();
                return quote_spanned!(at=> #krate::__rt::derived::stay(#name, #tangent););
            }
            quote_spanned!(at=> #step(#value, __scale, #tangent);)
        })
    }

    fn check_shape(&self) -> TokenStream {
        let krate = &self.krate;
        let otherwise = |value: &TokenStream, tangent: &TokenStream| {
            let compare = quote!(#krate::ShapeError::compare_variants);
            quote!(return #compare(#value, #tangent))
        };
        let parts = self.with_tangent(otherwise, |field, k| {
            let (at, check) = (at(&field.syntax.ty), field.method(krate, "check_shape"));
            let value = field.binding("value", k);
            let tangent = self.as_tangent(field, field.binding("tangent", k));
            let path = field.path();
            quote_spanned! {at=>
                #krate::__rt::derived::within(#path, #check(#value, #tangent))?;
            }
        });
        quote! {
            #parts
            ::core::result::Result::Ok(())
        }
    }

    /// `match (self, tangent)`, with `part` for each field that has a tangent; its value is bound to `__value_k`, its
    /// tangent to `__tangent_k`. `otherwise`: they are different variants of an enum, of these names.
    fn with_tangent(
        &self,
        otherwise: impl FnOnce(&TokenStream, &TokenStream) -> TokenStream,
        part: impl Fn(&Field<'_>, usize) -> TokenStream,
    ) -> TokenStream {
        let arms = self.variants.iter().map(|variant: &Variant<'_>| {
            let wanted = |field: &Field<'_>| field.kind.has_tangent();
            let value = variant.pattern(&self.input.ident, "value", wanted);
            let tangent = variant.pattern(&self.tangent.name, "tangent", wanted);
            let fields = variant.fields.iter().enumerate();
            let parts = fields
                .filter(|(_, f)| wanted(f))
                .map(|(k, field)| part(field, k));
            quote!((#value, #tangent) => { #(#parts)* })
        });
        let mismatch = self.mismatch([&self.input.ident, &self.tangent.name], otherwise);
        quote!(match (self, __tangent) { #(#arms,)* #mismatch })
    }

    /// A reference to a field of the tangent as one to the tangent of the field.
    fn as_tangent(&self, field: &Field<'_>, name: proc_macro2::Ident) -> TokenStream {
        if !self.tangent.own {
            return quote!(#name);
        }
        let (krate, ty) = (&self.krate, &field.ty);
        let at = at(&field.syntax.ty);
        quote_spanned!(at=> #krate::__rt::derived::own_ref::<#ty>(#name))
    }
}
