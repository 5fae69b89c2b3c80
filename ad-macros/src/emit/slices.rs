//! Indices and parts of arrays of jammed loops, and where a fast version is left.

use proc_macro2::{Span, TokenStream};
use quote::quote;

use crate::ir::is_constant;
use crate::ir::{BinOp, Expr, ExprKind, Part, Proj, RangeIter, VarId};

use super::Emitter;
use super::expr::Use;

impl Emitter<'_> {
    pub(super) fn trips(&self, range: &RangeIter) -> TokenStream {
        let (rt, lo, hi) = (self.rt(), self.bare(&range.lo), self.expr(&range.hi));
        if range.inclusive {
            quote!(#rt::trips(#lo, #hi))
        } else {
            quote!(<usize>::saturating_sub(#hi, #lo))
        }
    }

    /// Whether a part of an array exists, for an iteration whose indices `ix` tells.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "passes put nothing else here, and what they do stops the compiler"
    )]
    pub(super) fn part(&self, part: &Part, ix: &dyn Fn(&Expr) -> TokenStream) -> TokenStream {
        let (rt, of) = (self.rt(), self.place(&part.of, Use::Read));
        match &part.which {
            Proj::Range { lo, hi, .. } => {
                let lo = lo.as_deref().map_or_else(|| quote!(#rt::Ix::of(0)), ix);
                let hi = hi
                    .as_deref()
                    .map_or_else(|| quote!(#rt::Ix::of(#of.len())), ix);
                quote!(#rt::exists(#of.len(), #lo, #hi))
            }
            Proj::Index(e) => {
                let at = ix(e);
                quote!(#rt::element(&#of, #at).is_some())
            }
            _ => quote!(true),
        }
    }

    /// An index without overflow; `named` tells for what variables there is an `Ix` already.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "passes put nothing else here, and what they do stops the compiler"
    )]
    pub(super) fn checked_index(
        &self,
        e: &Expr,
        named: &dyn Fn(VarId) -> Option<TokenStream>,
    ) -> TokenStream {
        let rt = self.rt();
        match &e.kind {
            ExprKind::Read(p) if let Some(name) = named(p.root) => name,
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.checked_index(a, named), self.checked_index(b, named));
                match op {
                    BinOp::Add => quote!((#a + #b)),
                    BinOp::Sub => quote!((#a - #b)),
                    BinOp::Mul => quote!((#a * #b)),
                    _ => unreachable!("indices are sums and products"),
                }
            }
            _ => {
                let value = self.leaf(e);
                quote!(#rt::Ix::of(#value))
            }
        }
    }

    /// What an index is computed from.
    fn leaf(&self, e: &Expr) -> TokenStream {
        if let ExprKind::Opaque(o) = &e.kind
            && is_constant(o)
        {
            self.opaque(o)
        } else {
            self.bare(e)
        }
    }
}

/// What a loop with records adds to the loop on slices.
#[derive(Default)]
pub(super) struct Around {
    /// At the start of each iteration.
    pub(super) each: TokenStream,
    /// At its end.
    pub(super) after: TokenStream,
}

/// The block that ends where the slices do not fit.
pub(super) fn label() -> syn::Lifetime {
    syn::Lifetime::new("'__sliced", Span::mixed_site())
}
