//! The items of a chain, and how many there are.

use proc_macro2::Span;

use super::iterate::{Access, Iter};
use super::opaque::Builder;
use super::value::{Value, View};
use super::{Lowerer, Obligation};
use crate::diag::catalog;
use crate::ir::{BinOp, Expr, OpaqueKind, Place, Proj, Ty};

impl Lowerer<'_> {
    /// A method of `usize` on pure operands.
    pub(super) fn usize_method(&mut self, name: &str, a: Expr, b: Expr, span: Span) -> Expr {
        let mut builder = Builder::default();
        let method = syn::Ident::new(name, Span::call_site());
        let a = super::opaque::atom(builder.scalar(self, a));
        let b = builder.scalar(self, b);
        builder.finish(
            self,
            syn::parse_quote!(#a.#method(#b)),
            OpaqueKind::Method(method),
            Ty::USIZE,
            span,
        )
    }

    /// The end of an inclusive range plus one is the length, which a `usize` has to hold. With overflow checks the
    /// addition panics; without, `0..=x.len() - 1` of an empty `x` would be taken for a range without items.
    fn has_a_next(&mut self, hi: &Expr, span: Span) {
        if hi.int_literal().is_some() {
            return;
        }
        let code = syn::parse_quote!(::core::primitive::usize::MAX);
        let last = Builder::default().finish(self, code, OpaqueKind::Const, Ty::USIZE, span);
        let holds = self.binop(BinOp::Ne, hi.clone(), last);
        let message = "a chain over an inclusive range that ends at `usize::MAX` has no gradient: write an open one, \
                       `0..`";
        self.require(holds, message, span);
    }

    /// The number of items, in a variable or literal; `None` for an open range.
    pub(super) fn length(&mut self, iter: &Iter, span: Span) -> Option<Expr> {
        let len = match iter {
            Iter::Range { lo, hi, inclusive } => {
                let hi = hi.clone()?;
                self.obligations.push(Obligation::Usize(
                    lo.ty.clone(),
                    lo.span,
                    catalog::range_type(),
                ));
                let hi = if *inclusive {
                    self.has_a_next(&hi, span);
                    let one = Expr::usize_literal(1, span);
                    self.binop(BinOp::Add, hi, one)
                } else {
                    hi
                };
                if lo.is_zero_literal() {
                    hi
                } else {
                    self.usize_method("saturating_sub", hi, lo.clone(), span)
                }
            }
            Iter::Counter => return None,
            Iter::Single(_, times) => return times.clone(),
            Iter::Cycle(_, len) => {
                let mut builder = Builder::default();
                let len = builder.scalar(self, len.clone());
                let code = syn::parse_quote!(if #len == 0 { 0 } else { usize::MAX });
                let kind = OpaqueKind::Other("a length");
                builder.finish(self, code, kind, Ty::USIZE, span)
            }
            Iter::Elements { place, .. } => self.len_of(place.clone()),
            Iter::Windows { place, size, .. } => {
                let len = self.len_of(place.clone());
                let one = Expr::usize_literal(1, span);
                let more = self.binop(BinOp::Add, len, one);
                self.usize_method("saturating_sub", more, size.clone(), span)
            }
            Iter::Chunks {
                size,
                exact: true,
                len,
                ..
            } => self.binop(BinOp::Div, len.clone(), size.clone()),
            Iter::Chunks { size, len, .. } => {
                self.usize_method("div_ceil", len.clone(), size.clone(), span)
            }
            Iter::Enumerate(inner)
            | Iter::Copied(inner)
            | Iter::Cloned(inner)
            | Iter::Map(inner, _)
            | Iter::Rev(inner, _) => return self.length(inner, span),
            Iter::Zip(a, b) => match (self.length(a, span), self.length(b, span)) {
                (Some(a), Some(b)) => self.usize_method("min", a, b, span),
                (a, b) => return a.or(b),
            },
            Iter::Skip(inner, n) => {
                let len = self.length(inner, span)?;
                self.usize_method("saturating_sub", len, n.clone(), span)
            }
            Iter::Take(inner, n) => match self.length(inner, span) {
                Some(len) => self.usize_method("min", len, n.clone(), span),
                None => return Some(n.clone()),
            },
            Iter::StepBy(inner, n) => {
                let len = self.length(inner, span)?;
                self.usize_method("div_ceil", len, n.clone(), span)
            }
        };
        Some(self.freeze("len", len))
    }

    /// Computes, in front of a loop, the lengths that items of ranges which run backwards are counted from.
    pub(super) fn count_backwards(&mut self, iter: &mut Iter, span: Span) {
        match iter {
            Iter::Rev(inner, len) => {
                if len.is_none() {
                    *len = self.length(inner, span);
                }
                self.count_backwards(inner, span);
            }
            Iter::Zip(a, b) => {
                self.count_backwards(a, span);
                self.count_backwards(b, span);
            }
            Iter::Enumerate(inner)
            | Iter::Skip(inner, _)
            | Iter::Take(inner, _)
            | Iter::StepBy(inner, _)
            | Iter::Copied(inner)
            | Iter::Cycle(inner, _)
            | Iter::Cloned(inner)
            | Iter::Map(inner, _) => self.count_backwards(inner, span),
            Iter::Range { .. }
            | Iter::Counter
            | Iter::Elements { .. }
            | Iter::Windows { .. }
            | Iter::Single(..)
            | Iter::Chunks { .. } => {}
        }
    }

    /// The item at position `k`.
    #[expect(clippy::too_many_lines, reason = "an arm for each adapter")]
    pub(super) fn item(&mut self, iter: &Iter, k: &Expr) -> Value {
        let span = k.span;
        match iter {
            Iter::Counter => Value::Expr(k.clone()),
            Iter::Single(value, _) => (**value).clone(),
            Iter::Cycle(inner, len) => {
                let index = self.binop(BinOp::Rem, k.clone(), len.clone());
                let index = self.in_temp("index", index);
                self.item(inner, &index)
            }
            Iter::Chunks {
                place,
                element,
                size,
                exact,
                from_end: true,
                mutable,
                len,
            } => {
                let before = self.binop(BinOp::Mul, k.clone(), size.clone());
                let to = self.binop(BinOp::Sub, len.clone(), before);
                let to = self.in_temp("to", to);
                let from = if *exact {
                    self.binop(BinOp::Sub, to.clone(), size.clone())
                } else {
                    self.usize_method("saturating_sub", to.clone(), size.clone(), span)
                };
                let from = self.in_temp("from", from);
                self.sub_slice(place, element, from, to, *mutable)
            }
            Iter::Range { lo, .. } if lo.is_zero_literal() => Value::Expr(k.clone()),
            Iter::Range { lo, .. } => Value::Expr(self.binop(BinOp::Add, lo.clone(), k.clone())),
            Iter::Elements {
                place,
                element,
                access,
            } => {
                let part = place.then(Proj::index(k.clone()));
                match access {
                    Access::Shared => Value::Ref(View::new(part, element.clone(), false)),
                    Access::Mutable => Value::Ref(View::new(part, element.clone(), true)),
                    Access::Value => Value::Place(part, element.clone()),
                }
            }
            Iter::Windows {
                place,
                element,
                size,
            } => {
                let end = self.binop(BinOp::Add, k.clone(), size.clone());
                let end = self.in_temp("to", end);
                self.sub_slice(place, element, k.clone(), end, false)
            }
            Iter::Chunks {
                place,
                element,
                size,
                exact,
                from_end: false,
                mutable,
                len,
            } => {
                let from = self.binop(BinOp::Mul, k.clone(), size.clone());
                let from = self.in_temp("from", from);
                let to = if *exact {
                    self.binop(BinOp::Add, from.clone(), size.clone())
                } else {
                    let to = self.usize_method("saturating_add", from.clone(), size.clone(), span);
                    self.usize_method("min", to, len.clone(), span)
                };
                let to = self.in_temp("to", to);
                self.sub_slice(place, element, from, to, *mutable)
            }
            Iter::Enumerate(inner) => {
                let item = self.item(inner, k);
                Value::Tuple(vec![Value::Expr(k.clone()), item], span)
            }
            Iter::Zip(a, b) => {
                let a = self.item(a, k);
                let mark = self.mark();
                let b = self.item(b, k);
                let mut pending = [a];
                self.protect(&mut pending, mark);
                let [a] = pending;
                Value::Tuple(vec![a, b], span)
            }
            Iter::Rev(inner, len) => {
                let len = len.clone().or_else(|| self.length(inner, span));
                let Some(len) = len else {
                    self.diags.at(
                        span,
                        catalog::unsupported_iterator("`rev` of an open range"),
                    );
                    return Value::Error;
                };
                let one = Expr::usize_literal(1, span);
                let last = self.binop(BinOp::Sub, len, one);
                let index = self.binop(BinOp::Sub, last, k.clone());
                let index = self.in_temp("index", index);
                self.item(inner, &index)
            }
            Iter::Skip(inner, n) => {
                let index = self.binop(BinOp::Add, k.clone(), n.clone());
                let index = self.in_temp("index", index);
                self.item(inner, &index)
            }
            Iter::StepBy(inner, n) => {
                let index = self.binop(BinOp::Mul, k.clone(), n.clone());
                let index = self.in_temp("index", index);
                self.item(inner, &index)
            }
            Iter::Take(inner, _) => self.item(inner, k),
            Iter::Copied(inner) => super::stages::copy_of(self.item(inner, k)),
            Iter::Cloned(inner) => {
                let item = self.item(inner, k);
                self.clone_of_item(item, span)
            }
            Iter::Map(inner, f) => {
                let item = self.item(inner, k);
                self.mapped(f, item, span)
            }
        }
    }

    /// `cloned`
    pub(super) fn clone_of_item(&mut self, item: Value, span: Span) -> Value {
        if let Value::Ref(view) = &item
            && self.has_unknown_clone(&view.ty)
        {
            self.check_clone_of(&view.place, span);
        }
        super::stages::copy_of(item)
    }

    fn sub_slice(
        &mut self,
        place: &Place,
        element: &Ty,
        lo: Expr,
        hi: Expr,
        mutable: bool,
    ) -> Value {
        let part = Proj::Range {
            lo: Some(Box::new(lo)),
            hi: Some(Box::new(hi)),
            inclusive: false,
        };
        self.note_end(&part);
        let part = place.then(part);
        Value::Ref(View::new(
            part,
            Ty::Slice(Box::new(element.clone())),
            mutable,
        ))
    }

    /// The item of a chain that is asked for one item after another, by one consumer: closures run when and as often as
    /// std's do, and may write to variables outside themselves.
    pub(super) fn item_in_order(&mut self, iter: &Iter, k: &Expr) -> Value {
        let span = k.span;
        if self.eager > 0 {
            return self.item(iter, k);
        }
        match iter {
            Iter::Enumerate(inner) => {
                let item = self.item_in_order(inner, k);
                Value::Tuple(vec![Value::Expr(k.clone()), item], span)
            }
            Iter::Take(inner, _) => self.item_in_order(inner, k),
            Iter::Copied(inner) => super::stages::copy_of(self.item_in_order(inner, k)),
            Iter::Map(inner, f) => {
                let item = self.item_in_order(inner, k);
                self.apply(f, vec![item], span)
            }
            Iter::Range { .. }
            | Iter::Counter
            | Iter::Elements { .. }
            | Iter::Windows { .. }
            | Iter::Chunks { .. }
            | Iter::Single(..)
            | Iter::Cycle(..)
            | Iter::Zip(..)
            | Iter::Rev(..)
            | Iter::Skip(..)
            | Iter::StepBy(..)
            | Iter::Cloned(_) => self.item(iter, k),
        }
    }

    /// A closure of `map`: it may run for items that the inlined code skips, so it must not write outside itself.
    fn mapped(&mut self, f: &syn::Expr, item: Value, span: Span) -> Value {
        let declared = self.func.vars.len();
        let mark = self.mark();
        let value = self.apply(f, vec![item], span);
        let writes = crate::ir::effects_of(&self.frame().stmts[mark..]).writes;
        if writes.iter().any(|var| (var.0 as usize) < declared) {
            return self.refuse(f, catalog::closure_effect());
        }
        value
    }
}
