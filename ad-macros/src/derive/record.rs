//! `#[derive(Record)]`: the fields as a list, for `__rt::fields`, which makes a record of it without unsafe code here.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::Visit;

use super::generics::Used;
use super::{at, facade, is_phantom_path};
use crate::diag::{Diagnostics, catalog};
use crate::ir::literal;

/// The implementation for a struct or an enum; an error for a union.
pub(crate) fn record(item: TokenStream) -> TokenStream {
    let mut input: syn::DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let krate = match facade(&input.attrs, "record") {
        Ok(path) => path,
        Err(error) => return error.to_compile_error(),
    };
    let rt = quote!(#krate::__rt);
    let body = match &input.data {
        syn::Data::Struct(data) => of_struct(&rt, &data.fields, is_packed(&input.attrs)),
        syn::Data::Enum(data) => of_enum(&rt, data),
        syn::Data::Union(data) => {
            let mut diags = Diagnostics::new();
            diags.at(data.union_token.span, catalog::record_union());
            return diags.into_tokens();
        }
    };
    let fields: Vec<syn::Type> = types(&input.data).cloned().collect();
    let fixed = if fields.iter().any(|ty| is_within(&input.ident, ty)) {
        // Otherwise its size would depend on itself. What holds a value of its own type is of variable size.
        quote!(::core::option::Option::None)
    } else {
        let sizes = body.sizes;
        quote!(#rt::fields::widest(&[#(&[#sizes]),*]))
    };
    let used = Used::of(&input.generics, &fields);
    used.bound(&mut input.generics, &quote!(#rt::Record));
    let (generics, arguments, where_clause) = input.generics.split_for_impl();
    let name = &input.ident;
    let (write, read) = (body.write, body.read);
    quote! {
        #[automatically_derived]
        #[allow(deprecated)]
        impl #generics #rt::Record for #name #arguments #where_clause {
            type Encoding = #rt::fields::ByFields;
        }

        #[automatically_derived]
        #[allow(deprecated)]
        impl #generics #rt::fields::Fields for #name #arguments #where_clause {
            const FIXED: ::core::option::Option<::core::primitive::usize> = #fixed;

            #[inline]
            fn write<__Sink: #rt::fields::Sink>(&self, __sink: &mut __Sink) {
                #write
            }

            #[inline]
            fn read<__Source: #rt::fields::Source>(__source: &mut __Source) -> Self {
                #read
            }
        }
    }
}

/// What the implementation is made of.
struct Body {
    /// The sizes of the fields, separated by commas, for each variant.
    sizes: Vec<TokenStream>,
    write: TokenStream,
    read: TokenStream,
}

fn of_struct(rt: &TokenStream, fields: &syn::Fields, packed: bool) -> Body {
    let parts = fields.iter().zip(fields.members()).map(|(field, member)| {
        let at = at(&field.ty);
        let value = if packed {
            quote_spanned!(at=> &{ self.#member }) // a copy, which is aligned
        } else {
            quote_spanned!(at=> &self.#member)
        };
        (&field.ty, value)
    });
    let put = put(rt, parts.collect());
    let taken = taken(rt, fields);
    Body {
        sizes: vec![sizes(rt, fields)],
        write: put,
        read: quote!(Self { #taken }),
    }
}

/// The number of the variant is the first field.
fn of_enum(rt: &TokenStream, data: &syn::DataEnum) -> Body {
    let suffix = match data.variants.len() {
        0..=0xFF => "u8",
        0x100..=0xFFFF => "u16",
        _ => "u32",
    };
    let primitive = format_ident!("{suffix}");
    let number: syn::Type = syn::parse_quote!(::core::primitive::#primitive);
    let size_of_number = of_type(rt, &number, "FIXED");
    let (mut all_sizes, mut writes, mut reads) = (Vec::new(), Vec::new(), Vec::new());
    for (k, variant) in data.variants.iter().enumerate() {
        let k = literal::in_code(k, suffix, Span::call_site());
        let name = &variant.ident;
        let sizes = sizes(rt, &variant.fields);
        all_sizes.push(quote!(#size_of_number, #sizes));
        let (mut bindings, mut parts) = (Vec::new(), vec![(&number, quote!(&#k))]);
        let fields = variant.fields.iter().zip(variant.fields.members());
        for (i, (field, member)) in fields.enumerate() {
            let binding = Ident::new(&format!("__field_{i}"), Span::mixed_site());
            bindings.push(quote!(#member: #binding));
            let mut there = binding;
            there.set_span(there.span().located_at(field.ty.span()));
            parts.push((&field.ty, quote!(#there)));
        }
        let put = put(rt, parts);
        writes.push(quote!(Self::#name { #(#bindings),* } => #put));
        let taken = taken(rt, &variant.fields);
        reads.push(quote!(#k => Self::#name { #taken }));
    }
    if data.variants.is_empty() {
        return Body {
            sizes: Vec::new(),
            write: quote!(match *self {}),
            read: quote!(#rt::fields::no_variant()),
        };
    }
    let take_number = of_type(rt, &number, "take");
    Body {
        sizes: all_sizes,
        write: quote!(match self { #(#writes),* }),
        read: quote! {
            match #take_number(__source) {
                #(#reads,)*
                _ => #rt::fields::no_variant(),
            }
        },
    }
}

/// `put(&a, sink, |sink| put(&b, sink, |_| ()))`.
fn put(rt: &TokenStream, parts: Vec<(&syn::Type, TokenStream)>) -> TokenStream {
    let nothing = (quote!(_), quote!({}));
    let (_, put) = parts
        .into_iter()
        .rev()
        .fold(nothing, |(sink, rest), (ty, value)| {
            let put = of_type(rt, ty, "put");
            let put = quote_spanned!(at(ty)=> #put(#value, __sink, |#sink| #rest));
            (quote!(__sink), put)
        });
    put
}

fn sizes(rt: &TokenStream, fields: &syn::Fields) -> TokenStream {
    let sizes = fields.iter().map(|field| of_type(rt, &field.ty, "FIXED"));
    quote!(#(#sizes),*)
}

/// The fields in a struct literal. They are evaluated in the order in which they stand there.
fn taken(rt: &TokenStream, fields: &syn::Fields) -> TokenStream {
    let fields = fields.iter().zip(fields.members()).map(|(field, member)| {
        let take = of_type(rt, &field.ty, "take");
        quote_spanned!(at(&field.ty)=> #member: #take(__source))
    });
    quote!(#(#fields),*)
}

/// `<ty as Field>::name`. An error is shown at the type, always the same one, which rustc then shows once.
fn of_type(rt: &TokenStream, ty: &syn::Type, name: &str) -> TokenStream {
    let at = at(ty);
    let name = Ident::new(name, at);
    quote_spanned!(at=> <#ty as #rt::fields::Field>::#name)
}

fn types(data: &syn::Data) -> impl Iterator<Item = &syn::Type> {
    let (one, many) = match data {
        syn::Data::Struct(data) => (Some(&data.fields), None),
        syn::Data::Enum(data) => (None, Some(data.variants.iter().map(|v| &v.fields))),
        syn::Data::Union(_) => (None, None),
    };
    let all = one.into_iter().chain(many.into_iter().flatten());
    all.flatten().map(|field| &field.ty)
}

/// Whether a type holds values of the type `name`, behind a pointer then.
fn is_within(name: &Ident, ty: &syn::Type) -> bool {
    struct Search<'a>(&'a Ident, bool);
    impl<'ast> Visit<'ast> for Search<'_> {
        fn visit_type_path(&mut self, ty: &'ast syn::TypePath) {
            let itself = |ident: &Ident| ident == self.0 || ident == "Self";
            let mut segments = ty.path.segments.iter();
            let only = segments
                .next()
                .filter(|_| ty.qself.is_none() && segments.next().is_none());
            self.1 |= only.is_some_and(|only| itself(&only.ident));
            if !is_phantom_path(ty) {
                syn::visit::visit_type_path(self, ty);
            }
        }
    }
    let mut search = Search(name, false);
    search.visit_type(ty);
    search.1
}

fn is_packed(attrs: &[syn::Attribute]) -> bool {
    let mut packed = false;
    for attr in attrs.iter().filter(|a| a.path().is_ident("repr")) {
        // What cannot be read is an error of rustc.
        let _ = attr.parse_nested_meta(|meta| {
            packed |= meta.path.is_ident("packed");
            if meta.input.peek(syn::token::Paren) {
                let alignment;
                syn::parenthesized!(alignment in meta.input);
                alignment.parse::<TokenStream>()?;
            }
            Ok(())
        });
    }
    packed
}
