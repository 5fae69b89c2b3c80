//! The counted loop over a chain.

use proc_macro2::Span;

use super::Lowerer;
use super::iterate::{Iter, is_range};
use super::scope::Binding;
use super::value::Value;
use crate::diag::catalog;
use crate::ir::{Block, Domain, Expr, Loop, LoopId, RangeIter, StmtKind, Ty, VarId, VarKind};

/// A counted loop over a chain.
#[derive(Clone)]
pub(super) struct Drive {
    range: RangeIter,
    counter: VarId,
    /// The user's name of the counter, where the pattern is that plain name.
    pub(super) named: bool,
    pub(super) items: Iter,
    /// The counter's value, as the position of an item.
    pub(super) position: Expr,
}

impl Lowerer<'_> {
    /// A counted loop over the chain. Ranges count in their own type; everything else counts positions.
    pub(super) fn drive(
        &mut self,
        iter: Iter,
        pat: Option<&syn::Pat>,
        span: Span,
    ) -> Option<Drive> {
        if let Some((range, items)) = direct(&iter) {
            let Some(range) = range else {
                self.diags
                    .at(span, catalog::unsupported_iterator("an open range"));
                return None;
            };
            let ty = range.lo.ty.clone();
            let plain = match (&items, pat) {
                (Iter::Counter, Some(syn::Pat::Ident(p)))
                    if p.by_ref.is_none() && p.mutability.is_none() && p.subpat.is_none() =>
                {
                    Some(&p.ident)
                }
                _ => None,
            };
            let counter = self.counter(plain, pat, ty.clone(), span);
            return Some(Drive {
                range,
                counter,
                named: plain.is_some(),
                items,
                position: Expr::read_var(counter, ty, span),
            });
        }
        let (mut iter, rev, step) = peel(iter);
        self.count_backwards(&mut iter, span);
        let Some(len) = self.length(&iter, span) else {
            self.diags
                .at(span, catalog::unsupported_iterator("an open range"));
            return None;
        };
        let usize = Ty::USIZE;
        let counter = self.counter(None, pat, usize.clone(), span);
        let range = RangeIter {
            lo: Expr::usize_literal(0, span),
            hi: len,
            inclusive: false,
            step,
            rev,
            rev_first: false,
        };
        Some(Drive {
            range,
            counter,
            named: false,
            items: iter,
            position: Expr::read_var(counter, usize, span),
        })
    }

    fn counter(
        &mut self,
        plain: Option<&proc_macro2::Ident>,
        pat: Option<&syn::Pat>,
        ty: Ty,
        span: Span,
    ) -> VarId {
        match (plain, pat) {
            (Some(ident), _) => self.declare(ident, ty, VarKind::Counter, false),
            (None, Some(syn::Pat::Tuple(t))) => match t.elems.first() {
                Some(syn::Pat::Ident(p)) if t.elems.len() == 2 && p.mutability.is_none() => {
                    let base = syn::ext::IdentExt::unraw(&p.ident).to_string();
                    let name = self.func.fresh_name(&format!("{base}_at"), p.ident.span());
                    self.func.add(crate::ir::VarInfo {
                        name,
                        ty,
                        mutable: false,
                        kind: VarKind::Counter,
                        constant: false,
                        class: crate::ir::Class::Primal,
                        type_of: None,
                    })
                }
                _ => self.plain_counter(ty, span),
            },
            _ => self.plain_counter(ty, span),
        }
    }

    fn plain_counter(&mut self, ty: Ty, span: Span) -> VarId {
        let name = self
            .func
            .fresh_name("k", Span::mixed_site().located_at(span));
        self.func.add(crate::ir::VarInfo {
            name,
            ty,
            mutable: false,
            kind: VarKind::Counter,
            constant: false,
            class: crate::ir::Class::Primal,
            type_of: None,
        })
    }

    pub(super) fn bind_item(&mut self, pat: &syn::Pat, item: Value, drive: &Drive) {
        match pat {
            syn::Pat::Ident(p) if drive.named => self.bind(&p.ident, Binding::Var(drive.counter)),
            syn::Pat::Wild(_)
                if matches!(item, Value::Expr(_) | Value::Ref(_) | Value::Place(..)) => {}
            _ => self.bind_pattern(pat, item),
        }
    }

    pub(super) fn emit_drive(&mut self, drive: Drive, id: LoopId, body: Block, span: Span) {
        let kind = Domain::Range {
            var: drive.counter,
            range: drive.range,
        };
        self.emit(StmtKind::Loop(Loop::forward(id, kind, body, None)), span);
    }
}

/// A chain over a range alone: the range, and the chain over its counter. The range is missing if it is open.
pub(super) fn direct(iter: &Iter) -> Option<(Option<RangeIter>, Iter)> {
    match iter {
        Iter::Range { lo, hi, inclusive } => {
            let range = hi.clone().map(|hi| RangeIter {
                lo: lo.clone(),
                hi,
                inclusive: *inclusive,
                step: None,
                rev: false,
                rev_first: false,
            });
            Some((range, Iter::Counter))
        }
        Iter::StepBy(inner, n) if matches!(**inner, Iter::Range { .. }) => {
            let (range, items) = direct(inner)?;
            Some((
                range.map(|range| RangeIter {
                    step: Some(n.clone()),
                    ..range
                }),
                items,
            ))
        }
        Iter::StepBy(inner, n) if matches!(&**inner, Iter::Rev(range, _) if matches!(**range, Iter::Range { .. })) =>
        {
            let (range, items) = direct(inner)?;
            Some((
                range.map(|range| RangeIter {
                    step: Some(n.clone()),
                    rev: false,
                    rev_first: true,
                    ..range
                }),
                items,
            ))
        }
        Iter::Rev(inner, _) if is_range(inner) => {
            let (range, items) = direct(inner)?;
            Some((range.map(|range| RangeIter { rev: true, ..range }), items))
        }
        Iter::Map(inner, f) => {
            let (range, items) = direct(inner)?;
            Some((range, Iter::Map(Box::new(items), f.clone())))
        }
        _ => None,
    }
}

/// `rev` and `step_by` at the end of a chain are those of the counter.
fn peel(iter: Iter) -> (Iter, bool, Option<Expr>) {
    match iter {
        Iter::Map(inner, f) => {
            let (inner, rev, step) = peel(*inner);
            (Iter::Map(Box::new(inner), f), rev, step)
        }
        Iter::Rev(inner, len) => match *inner {
            Iter::StepBy(inner, n) => (*inner, true, Some(n)),
            // A range counts in its own type and was found before.
            other if is_range(&other) => (Iter::Rev(Box::new(other), len), false, None),
            other => (other, true, None),
        },
        Iter::StepBy(inner, n) => (*inner, false, Some(n)),
        other => (other, false, None),
    }
}
