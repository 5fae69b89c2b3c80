//! Tuple, array and slice patterns.

use proc_macro2::Span;
use syn::ext::IdentExt;

use super::Lowerer;
use super::pattern::Reading;
use super::prescan::mentions;
use super::value::Value;
use crate::diag::catalog;
use crate::ir::{BinOp, Expr, Proj, Ty};

impl Lowerer<'_> {
    pub(super) fn tuple_pattern(
        &mut self,
        pats: Vec<&syn::Pat>,
        value: Value,
        span: Span,
        reading: Reading<'_>,
    ) {
        let value = self.destructurable(value);
        let rest = pats.iter().position(|p| matches!(p, syn::Pat::Rest(_)));
        let length = match &value {
            Value::Tuple(values, _) => Some(values.len()),
            other => {
                let ty = self.type_of(other);
                match self.types.shallow(&ty) {
                    Ty::Tuple(ts) => Some(ts.len()),
                    _ => None,
                }
            }
        };
        if rest.is_none() && !matches!(value, Value::Tuple(..)) {
            self.shape_tuple(&value, pats.len());
        }
        for (n, pat) in pats.iter().enumerate() {
            let at = match (rest, length) {
                (Some(rest), _) if n == rest => {
                    if let Value::Tuple(values, _) = &value {
                        let end = (values.len() + rest + 1).saturating_sub(pats.len());
                        for value in values.get(rest..end).unwrap_or_default() {
                            self.discard(value.clone(), span);
                        }
                    }
                    continue;
                }
                (Some(rest), Some(length)) if n > rest => length - (pats.len() - n),
                (Some(rest), None) if n > rest => {
                    self.diags.over(pat, catalog::pattern_of_unknown());
                    continue;
                }
                _ => n,
            };
            let part = self.part(&value, at, span);
            self.pattern(pat, part, reading);
        }
    }

    /// A value taken apart by a tuple pattern is a tuple, also where its type was not known.
    fn shape_tuple(&mut self, value: &Value, len: usize) {
        let ty = self.type_of(value);
        if let open @ Ty::Infer(_) = self.types.shallow(&ty) {
            let parts = (0..len)
                .map(|_| self.types.fresh(super::infer::Kind::General))
                .collect();
            self.types.unify(&open, &Ty::Tuple(parts));
        }
    }

    pub(super) fn slice_pattern(
        &mut self,
        pats: Vec<&syn::Pat>,
        value: Value,
        span: Span,
        reading: Reading<'_>,
    ) {
        let value = match value {
            Value::Expr(e) => self.destructurable(Value::Expr(e)),
            Value::Opaque(..) => self.destructurable(value),
            other => other,
        };
        let is_rest = |pat: &syn::Pat| match pat {
            syn::Pat::Rest(_) => true,
            syn::Pat::Ident(p) => p
                .subpat
                .as_ref()
                .is_some_and(|(_, sub)| matches!(**sub, syn::Pat::Rest(_))),
            _ => false,
        };
        let rest = pats.iter().position(|p| is_rest(p));
        for (n, pat) in pats.iter().enumerate() {
            let behind = pats.len() - n;
            match rest {
                Some(at) if at == n => self.rest_pattern(pat, &value, n, behind - 1, reading),
                Some(at) if n > at => {
                    let Some(index) = self.index_from_end(&value, behind, span) else {
                        return;
                    };
                    let part = self.projected(&value, Proj::index(index), span);
                    self.pattern(pat, part, reading);
                }
                _ => {
                    let part = self.element_at(&value, n, span);
                    self.pattern(pat, part, reading);
                }
            }
        }
    }

    fn index_from_end(&mut self, value: &Value, behind: usize, span: Span) -> Option<Expr> {
        let (place, _) = self.place_of(value.clone(), span)?;
        let len = self.len_of(place);
        let behind = Expr::usize_literal(behind, span);
        let index = self.binop(BinOp::Sub, len, behind);
        Some(self.in_temp("index", index))
    }

    /// `rest @ ..`: a sub-slice of what a reference points to.
    fn rest_pattern(
        &mut self,
        pat: &syn::Pat,
        value: &Value,
        before: usize,
        after: usize,
        reading: Reading<'_>,
    ) {
        let syn::Pat::Ident(p) = pat else { return };
        if reading
            .users
            .is_some_and(|users| !mentions(users, &p.ident.unraw().to_string()))
        {
            return;
        }
        let span = p.ident.span();
        let Value::Ref(_) = value else {
            self.diags.over(pat, catalog::unsupported_pattern());
            self.poison(pat);
            return;
        };
        let lo = Expr::usize_literal(before, span);
        let hi = if after == 0 {
            None
        } else {
            self.index_from_end(value, after, span)
        };
        let part = self.projected(
            value,
            Proj::Range {
                lo: Some(Box::new(lo)),
                hi: hi.map(Box::new),
                inclusive: false,
            },
            span,
        );
        self.bind_name(&p.ident, p.mutability.is_some(), part);
    }
}
