//! The types of gradients as written in signatures.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;

use crate::ir::{Ty, Written, without_reference};

use super::Runtime;

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

/// The type of the error of a `Result` as written.
pub(super) fn error(written: &syn::Type, rt: &Runtime) -> TokenStream {
    let second = || {
        let syn::Type::Path(p) = without_reference(written) else {
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

/// The owned tangent type of a parameter or result type (shapes as in the table of the crate's docs).
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "types that are not named are treated alike"
)]
pub(super) fn tangent(
    written: &syn::Type,
    ty: &Ty,
    lengths: &Written,
    rt: &Runtime,
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
        Ty::Slice(t) | Ty::Vec(t) | Ty::Queue(t) => {
            let t = nested(t);
            quote!(::std::vec::Vec<#t>)
        }
        Ty::Option(t) => {
            let t = nested(t);
            quote!(::core::option::Option<#t>)
        }
        Ty::Tuple(parts) => match without_reference(written) {
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
        _ => differentiable(without_reference(written), rt),
    }
}

/// The tangent of a type that the macro does not know, so that rustc's errors stand at the type.
///
/// Tangents own. So that of a `View<'_>` is that of any `View`, and rustc need not ask which `'_` it is in a result.
fn differentiable(written: &syn::Type, rt: &Runtime) -> TokenStream {
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
pub(super) fn buffer(
    written: &syn::Type,
    ty: &Ty,
    owned: bool,
    lengths: &Written,
    rt: &Runtime,
) -> TokenStream {
    let slice_of = |t: &Ty| {
        let t = tangent(inner(written).unwrap_or(written), t, lengths, rt);
        quote!([#t])
    };
    match ty {
        Ty::Slice(t) => slice_of(t),
        Ty::Vec(t) | Ty::Queue(t) if !owned => slice_of(t),
        other => tangent(written, other, lengths, rt),
    }
}
