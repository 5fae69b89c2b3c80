//! Types: annotations of variables, and the types of gradients as written in signatures.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use crate::ir::Ty;

/// An annotation, with `_` for what is not known; `None` if nothing is.
pub(crate) fn annotation(ty: &Ty) -> Option<TokenStream> {
    Some(match ty {
        Ty::F32 => quote!(f32),
        Ty::F64 => quote!(f64),
        Ty::Int(Some(ty)) => {
            let name = format_ident!("{}", ty.name());
            quote!(#name)
        }
        Ty::Bool => quote!(bool),
        Ty::Char => quote!(char),
        Ty::Unit => quote!(()),
        Ty::Array(t, Some(len)) => {
            let t = annotation(t).unwrap_or_else(|| quote!(_));
            quote!([#t; #len])
        }
        Ty::Vec(t) => {
            let t = annotation(t).unwrap_or_else(|| quote!(_));
            quote!(::std::vec::Vec<#t>)
        }
        Ty::Tuple(parts) => {
            let parts = parts
                .iter()
                .map(|t| annotation(t).unwrap_or_else(|| quote!(_)));
            quote!((#(#parts,)*))
        }
        Ty::Option(t) => {
            let t = annotation(t).unwrap_or_else(|| quote!(_));
            quote!(::core::option::Option<#t>)
        }
        _ => return None,
    })
}

/// The type inside `&T`, `[T]`, `[T; N]`, `Vec<T>`, `Option<T>` as written.
fn inner(written: &syn::Type) -> Option<&syn::Type> {
    match written {
        syn::Type::Reference(r) => inner(&r.elem),
        syn::Type::Paren(p) => inner(&p.elem),
        syn::Type::Group(g) => inner(&g.elem),
        syn::Type::Slice(s) => Some(&s.elem),
        syn::Type::Array(a) => Some(&a.elem),
        syn::Type::Path(p) => match &p.path.segments.last()?.arguments {
            syn::PathArguments::AngleBracketed(args) => args.args.iter().find_map(|a| match a {
                syn::GenericArgument::Type(t) => Some(t),
                _ => None,
            }),
            _ => None,
        },
        _ => None,
    }
}

fn peel(written: &syn::Type) -> &syn::Type {
    match written {
        syn::Type::Reference(r) => peel(&r.elem),
        syn::Type::Paren(p) => peel(&p.elem),
        syn::Type::Group(g) => peel(&g.elem),
        other => other,
    }
}

/// The owned tangent type of a parameter or result type (shapes as in the table of the crate's docs).
pub(crate) fn tangent(written: &syn::Type, ty: &Ty, rt: &TokenStream) -> TokenStream {
    let nested = |t: &Ty| match inner(written) {
        Some(w) => tangent(w, t, rt),
        None => tangent(written, t, rt),
    };
    match ty {
        Ty::F32 => quote!(f32),
        Ty::F64 => quote!(f64),
        Ty::Int(_) | Ty::Bool | Ty::Char | Ty::Unit | Ty::Str | Ty::Passive => quote!(()),
        Ty::Array(t, len) => {
            let (t, len) = (nested(t), len.as_ref());
            quote!([#t; #len])
        }
        Ty::Slice(t) | Ty::Vec(t) => {
            let t = nested(t);
            quote!(::std::vec::Vec<#t>)
        }
        Ty::Option(t) => {
            let t = nested(t);
            quote!(::core::option::Option<#t>)
        }
        Ty::Tuple(parts) => match peel(written) {
            syn::Type::Tuple(tuple) => {
                let parts = parts
                    .iter()
                    .zip(&tuple.elems)
                    .map(|(t, w)| tangent(w, t, rt));
                quote!((#(#parts,)*))
            }
            other => differentiable(other, rt),
        },
        Ty::Ref(_, t) => tangent(written, t, rt),
        _ => differentiable(peel(written), rt),
    }
}

/// The tangent of a type that the macro does not know, so that rustc's errors stand at the type.
fn differentiable(written: &syn::Type, rt: &TokenStream) -> TokenStream {
    quote_spanned!(written.span()=> <#written as #rt::Differentiable>::Tangent)
}

/// The type behind `&mut` of a gradient buffer or adjoint.
pub(crate) fn buffer(written: &syn::Type, ty: &Ty, owned: bool, rt: &TokenStream) -> TokenStream {
    match ty {
        Ty::Slice(t) => slice_of(written, t, rt),
        Ty::Vec(t) if !owned => slice_of(written, t, rt),
        other => tangent(written, other, rt),
    }
}

fn slice_of(written: &syn::Type, element: &Ty, rt: &TokenStream) -> TokenStream {
    let t = match inner(written) {
        Some(w) => tangent(w, element, rt),
        None => tangent(written, element, rt),
    };
    quote!([#t])
}
