//! Types: annotations of variables, and zeros.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::{Code, Emitter};
use crate::ir::{Ty, Written};

impl Emitter<'_> {
    /// An annotation, with `_` for what is not known; `None` if nothing is.
    pub(super) fn annotation(&self, ty: &Ty) -> Option<Code> {
        annotation(ty, &self.func.written)
    }

    /// A type that the text shows in full.
    pub(super) fn known(&self, ty: &Ty) -> Option<TokenStream> {
        let known = self.annotation(ty).filter(|_| ty.is_spelled_out());
        known.map(TokenStream::from)
    }

    /// The zero of a type whose shape the type gives.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "types that are not named are treated alike"
    )]
    pub(crate) fn zero(&self, ty: &Ty) -> TokenStream {
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
fn annotation(ty: &Ty, written: &Written) -> Option<Code> {
    let inner = |ty: &Ty| annotation(ty, written).unwrap_or_else(|| quote!(_).into());
    let name = match ty {
        Ty::F32 => Some("f32"),
        Ty::F64 => Some("f64"),
        Ty::Int(Some(ty)) => Some(ty.name()),
        Ty::Bool => Some("bool"),
        Ty::Char => Some("char"),
        _ => None,
    };
    if let Some(name) = name {
        return Some(Code::token(Ident::new(name, Span::call_site())));
    }
    let code = match ty {
        Ty::Unit => quote!(()),
        Ty::Array(t, Some(len)) => {
            let (t, len) = (inner(t), written.len_tokens(len));
            quote!([#t; #len])
        }
        Ty::Vec(t) => {
            let t = inner(t);
            quote!(::std::vec::Vec<#t>)
        }
        Ty::Queue(t) => {
            let t = inner(t);
            quote!(::std::collections::VecDeque<#t>)
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
    };
    Some(code.into())
}

/// Whether a type is one of the language that can have no functions of the user's.
pub(super) fn is_of_language(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Array(_) | syn::Type::Tuple(_))
        || matches!(ty, syn::Type::Path(path)
            if ["f32", "f64"].iter().any(|float| path.path.is_ident(float)))
}
