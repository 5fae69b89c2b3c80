//! `impl Flat` of the type and of its tangent: the numbers of the fields, in order.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::at;
use super::differentiable::Derived;
use super::field::{Field, Kind, Variant};

pub(super) fn impls(derived: &Derived<'_>) -> TokenStream {
    let krate = &derived.krate;
    let used = &derived.used;
    let of_value = |field: &Field<'_>| {
        let referent = &field.referent;
        quote!(#referent)
    };
    let mut generics = derived.generics.clone();
    used.bound(&mut generics, &quote!(#krate::Flat));
    let value = derived.flat(&derived.input.ident, &generics, &of_value, true);
    if derived.tangent.own {
        return value;
    }
    let mut generics = derived.tangent.generics.clone();
    let parameters: Vec<TokenStream> = used.types().collect();
    for ty in parameters {
        let clause = generics.make_where_clause();
        let predicate = syn::parse_quote!(<#ty as #krate::Differentiable>::Tangent: #krate::Flat);
        clause.predicates.push(predicate);
    }
    let of_tangent = |field: &Field<'_>| derived.tangent_of(field);
    let tangent = derived.flat(&derived.tangent.name, &generics, &of_tangent, false);
    quote!(#value #tangent)
}

/// `impl Flat` of a type without numbers.
pub(super) fn without_numbers(input: &syn::DeriveInput, krate: &syn::Path) -> TokenStream {
    let body = Body {
        krate,
        name: &input.ident,
        generics: &input.generics,
        len: quote!(0),
        write: quote!(__out),
        read: quote!(__numbers),
        names: quote!(),
    };
    body.implementation()
}

struct Body<'a> {
    krate: &'a syn::Path,
    name: &'a Ident,
    generics: &'a syn::Generics,
    len: TokenStream,
    write: TokenStream,
    read: TokenStream,
    names: TokenStream,
}

impl Derived<'_> {
    /// `of`: the type of a field, without the reference.
    fn flat(
        &self,
        name: &Ident,
        generics: &syn::Generics,
        of: &dyn Fn(&Field<'_>) -> TokenStream,
        is_value: bool,
    ) -> TokenStream {
        let krate = &self.krate;
        let method = |field: &Field<'_>, method: &str| {
            let (at, ty) = (at(&field.syntax.ty), of(field));
            let method = Ident::new(method, at);
            quote_spanned!(at=> <#ty as #krate::Flat>::#method)
        };
        let each = |part: &dyn Fn(&Field<'_>, &Ident) -> TokenStream| {
            let arms = self.variants.iter().map(|variant| arm(variant, name, part));
            quote!(match self { #(#arms,)* })
        };
        let len = each(&|field, part| {
            let len = method(field, "len_flat");
            quote_spanned!(at(&field.syntax.ty)=> __len += #len(#part);)
        });
        let write = each(&|field, part| {
            let write = method(field, "write_front");
            quote_spanned!(at(&field.syntax.ty)=> __out = #write(#part, __out);)
        });
        let read = each(&|field, part| {
            let at = at(&field.syntax.ty);
            if is_value && field.kind == Kind::Borrowed {
                let (name, ty) = (field.name(), of(field));
                return quote_spanned! {at=>
                    __numbers = #krate::__rt::derived::unchanged::<#ty>(#name, #part, __numbers);
                };
            }
            let read = method(field, "read_front");
            quote_spanned!(at=> __numbers = #read(#part, __numbers);)
        });
        let names = each(&|field, part| {
            let (name, name_parts) = (field.name(), method(field, "name_parts"));
            quote_spanned! {at(&field.syntax.ty)=>
                #krate::FlatNames::within(__names, #name, |__names| #name_parts(#part, __names));
            }
        });
        let body = Body {
            krate,
            name,
            generics,
            len: quote!({ let mut __len = 0; #len __len }),
            write: quote!({ let mut __out = __out; #write __out }),
            read: quote!({ let mut __numbers = __numbers; #read __numbers }),
            names,
        };
        body.implementation()
    }
}

fn arm(
    variant: &Variant<'_>,
    name: &Ident,
    part: &dyn Fn(&Field<'_>, &Ident) -> TokenStream,
) -> TokenStream {
    let wanted = |field: &Field<'_>| field.kind.has_tangent();
    let pattern = variant.pattern(name, "part", wanted);
    let fields = variant.fields.iter().enumerate();
    let parts = fields
        .filter(|(_, field)| wanted(field))
        .map(|(k, field)| part(field, &field.binding("part", k)));
    quote!(#pattern => { #(#parts)* })
}

impl Body<'_> {
    fn implementation(&self) -> TokenStream {
        let Body {
            krate,
            name,
            generics,
            len,
            write,
            read,
            names,
        } = self;
        let (generics, arguments, clause) = generics.split_for_impl();
        let attributes = Derived::attributes();
        let (usize, f64) = (
            quote!(::core::primitive::usize),
            quote!(::core::primitive::f64),
        );
        let front = syn::Lifetime::new("'__front", Span::call_site());
        quote! {
            #attributes
            impl #generics #krate::Flat for #name #arguments #clause {
                #[inline]
                fn len_flat(&self) -> #usize {
                    #len
                }

                #[inline]
                fn write_front<#front>(&self, __out: &#front mut [#f64]) -> &#front mut [#f64] {
                    #write
                }

                #[inline]
                fn read_front<#front>(&mut self, __numbers: &#front [#f64]) -> &#front [#f64] {
                    #read
                }

                fn name_parts(&self, __names: &mut #krate::FlatNames) {
                    #names
                }
            }
        }
    }
}
