//! Types: annotations of variables, and the types of gradients as written in signatures.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;

use super::Emitter;
use crate::ir::{Ty, Written};

impl Emitter<'_> {
    /// An annotation, with `_` for what is not known; `None` if nothing is.
    pub(super) fn annotation(&self, ty: &Ty) -> Option<TokenStream> {
        annotation(ty, &self.func.written)
    }

    /// A type that the text shows in full.
    pub(super) fn known(&self, ty: &Ty) -> Option<TokenStream> {
        self.annotation(ty).filter(|_| ty.is_spelled_out())
    }

    /// The zero of a type whose shape the type gives.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "types that are not named are treated alike"
    )]
    pub(super) fn zero(&self, ty: &Ty) -> TokenStream {
        match ty {
            Ty::F32 => quote!(0.0f32),
            Ty::F64 => quote!(0.0f64),
            Ty::Float => quote!(0.0),
            Ty::Array(t, len) => {
                let len = len.as_ref().map(|len| self.func.written.len_tokens(len));
                let t = self.zero(t);
                quote!([#t; #len])
            }
            Ty::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.zero(part));
                quote!((#(#parts,)*))
            }
            _ => quote!(()),
        }
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "types that are not named are treated alike"
)]
fn annotation(ty: &Ty, written: &Written) -> Option<TokenStream> {
    let inner = |ty: &Ty| annotation(ty, written).unwrap_or_else(|| quote!(_));
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
            let (t, len) = (inner(t), written.len_tokens(len));
            quote!([#t; #len])
        }
        Ty::Vec(t) => {
            let t = inner(t);
            quote!(::std::vec::Vec<#t>)
        }
        Ty::Tuple(parts) => {
            let parts = parts.iter().map(inner);
            quote!((#(#parts,)*))
        }
        Ty::Option(t) => {
            let t = inner(t);
            quote!(::core::option::Option<#t>)
        }
        _ => return None,
    })
}

/// The type inside `&T`, `[T]`, `[T; N]`, `Vec<T>`, `Option<T>` as written.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]
pub(super) fn inner(written: &syn::Type) -> Option<&syn::Type> {
    match written {
        syn::Type::Reference(r) => inner(&r.elem),
        syn::Type::Paren(p) => inner(&p.elem),
        syn::Type::Group(g) => inner(&g.elem),
        syn::Type::Slice(s) => Some(&s.elem),
        syn::Type::Array(a) => Some(&a.elem),
        syn::Type::Path(p) => {
            if let syn::PathArguments::AngleBracketed(args) = &p.path.segments.last()?.arguments {
                args.args.iter().find_map(|a| {
                    if let syn::GenericArgument::Type(t) = a {
                        Some(t)
                    } else {
                        None
                    }
                })
            } else {
                None
            }
        }
        _ => None,
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]
fn peel(written: &syn::Type) -> &syn::Type {
    match written {
        syn::Type::Reference(r) => peel(&r.elem),
        syn::Type::Paren(p) => peel(&p.elem),
        syn::Type::Group(g) => peel(&g.elem),
        other => other,
    }
}

/// The type of the error of a `Result` as written.
pub(super) fn error(written: &syn::Type, rt: &TokenStream) -> TokenStream {
    let second = || {
        let syn::Type::Path(p) = peel(written) else {
            return None;
        };
        let last = p.path.segments.last()?;
        let syn::PathArguments::AngleBracketed(args) = &last.arguments else {
            return None;
        };
        args.args.iter().nth(1)
    };
    match second() {
        Some(error) => quote!(#error),
        None => quote!(<#written as #rt::fallible::Fallible>::Error),
    }
}

/// Whether a type is `dyn`, behind references.
pub(super) fn is_object(written: &syn::Type) -> bool {
    matches!(peel(written), syn::Type::TraitObject(_))
}

/// The owned tangent type of a parameter or result type (shapes as in the table of the crate's docs).
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "types that are not named are treated alike"
)]
pub(crate) fn tangent(
    written: &syn::Type,
    ty: &Ty,
    lengths: &Written,
    rt: &TokenStream,
) -> TokenStream {
    let nested = |t: &Ty| tangent(inner(written).unwrap_or(written), t, lengths, rt);
    match ty {
        Ty::F32 => quote!(f32),
        Ty::F64 => quote!(f64),
        Ty::Int(_) | Ty::Index | Ty::Bool | Ty::Char | Ty::Unit | Ty::Str | Ty::Passive => {
            quote!(())
        }
        Ty::Array(t, len) => {
            let len = len.as_ref().map(|len| lengths.len_tokens(len));
            let t = nested(t);
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
                    .map(|(t, w)| tangent(w, t, lengths, rt));
                quote!((#(#parts,)*))
            }
            other => differentiable(other, rt),
        },
        Ty::Ref(_, t) => tangent(written, t, lengths, rt),
        _ => differentiable(peel(written), rt),
    }
}

/// The tangent of a type that the macro does not know, so that rustc's errors stand at the type.
///
/// Tangents own. So that of a `View<'_>` is that of any `View`, and rustc need not ask which `'_` it is in a result.
fn differentiable(written: &syn::Type, rt: &TokenStream) -> TokenStream {
    let mut named = written.clone();
    // Tangents of objects are all of one type.
    let all = matches!(written, syn::Type::TraitObject(_));
    NameLifetimes { all }.visit_type_mut(&mut named);
    if all {
        return quote_spanned!(written.span()=> <#named as #rt::dynamic::Dynamic>::Tangent);
    }
    quote_spanned!(written.span()=> <#named as #rt::Differentiable>::Tangent)
}

/// Writes `'static` for `'_`, or for any lifetime.
struct NameLifetimes {
    all: bool,
}

impl VisitMut for NameLifetimes {
    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        if self.all || lifetime.ident == "_" {
            lifetime.ident = syn::Ident::new("static", lifetime.ident.span());
        }
    }
}

/// The type behind `&mut` of a gradient buffer or adjoint.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "types that are not named are treated alike"
)]
pub(crate) fn buffer(
    written: &syn::Type,
    ty: &Ty,
    owned: bool,
    lengths: &Written,
    rt: &TokenStream,
) -> TokenStream {
    let slice_of = |t: &Ty| {
        let t = tangent(inner(written).unwrap_or(written), t, lengths, rt);
        quote!([#t])
    };
    match ty {
        Ty::Slice(t) => slice_of(t),
        Ty::Vec(t) if !owned => slice_of(t),
        other => tangent(written, other, lengths, rt),
    }
}
