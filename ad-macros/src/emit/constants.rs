//! Parts of constants, and statics, as values of variables.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};

use super::Emitter;
use crate::ir::{Expr, ExprKind, OpaqueKind, Ty};

impl Emitter<'_> {
    /// A part of a constant, or a static: what is not `Copy` cannot be moved out of it.
    pub(super) fn part_of_constant(&self, e: &Expr) -> Option<TokenStream> {
        let ExprKind::Opaque(opaque) = &e.kind else {
            return None;
        };
        let unknown = matches!(opaque.kind, OpaqueKind::Const) && e.ty == Ty::Unknown;
        let part = unknown.then(|| in_place(&opaque.code)).flatten()?;
        let (rt, part) = (
            self.rt_at(e.span),
            self.fill(part.to_token_stream(), opaque),
        );
        Some(quote_spanned!(e.span=> #rt::kept!(#part)))
    }
}

/// A field or an element of a constant, or the content of a static, behind a reference that lasts.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]
fn in_place(code: &syn::Expr) -> Option<syn::Expr> {
    fn base(e: &syn::Expr) -> Option<syn::Expr> {
        Some(match e {
            syn::Expr::Path(_) => syn::parse_quote!((&#e)),
            other => in_place(other)?,
        })
    }
    let mut code = code.clone();
    match &mut code {
        syn::Expr::Field(field) => *field.base = base(&field.base)?,
        syn::Expr::Index(index) => *index.expr = base(&index.expr)?,
        syn::Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {}
        syn::Expr::Paren(paren) => return in_place(&paren.expr),
        _ => return None,
    }
    Some(code)
}
