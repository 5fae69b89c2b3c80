//! Iterators: a chain is a position that counts, and a way to the item at a position.
//!
//! All adapters here allow random access, so that item `k` of the chain is an expression of `k` and nothing is
//! kept between items. A closure in the chain is inlined where its item is needed.

use proc_macro2::Span;

use super::infer::Kind;
use super::opaque::Builder;
use super::operator::strip;
use super::scope::{Binding, name_of};
use super::value::{Value, View, Want, span_of};
use super::{Lowerer, Obligation};
use crate::diag::catalog;
use crate::ir::{
    BinOp, Block, Expr, ExprKind, LoopId, LoopKind, OpaqueKind, Place, Proj, RangeIter, StmtKind,
    Ty, VarId, VarKind,
};

/// A chain, its bounds and lengths evaluated.
#[derive(Clone)]
pub(super) enum Iter {
    Range {
        lo: Expr,
        hi: Option<Expr>,
        inclusive: bool,
    },
    /// The items are the values of the loop's counter.
    Counter,
    Elements {
        place: Place,
        element: Ty,
        access: Access,
    },
    Windows {
        place: Place,
        element: Ty,
        size: Expr,
    },
    Chunks {
        place: Place,
        element: Ty,
        size: Expr,
        exact: bool,
        mutable: bool,
        len: Expr,
    },
    Enumerate(Box<Iter>),
    Zip(Box<Iter>, Box<Iter>),
    Rev(Box<Iter>, Expr),
    Skip(Box<Iter>, Expr),
    Take(Box<Iter>, Expr),
    StepBy(Box<Iter>, Expr),
    Copied(Box<Iter>),
    Map(Box<Iter>, syn::Expr),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Shared,
    Mutable,
    Value,
}

/// A counted loop over a chain.
pub(super) struct Drive {
    range: RangeIter,
    counter: VarId,
    /// The user's name of the counter, where the pattern is that plain name.
    pub(super) named: bool,
    pub(super) items: Iter,
    /// The counter's value, as the position of an item.
    pub(super) position: Expr,
}

/// Methods that begin a chain over a container.
fn begins(name: &str, args: usize) -> bool {
    matches!(
        (name, args),
        ("iter" | "iter_mut" | "into_iter", 0)
            | (
                "windows" | "chunks" | "chunks_exact" | "chunks_mut" | "chunks_exact_mut",
                1
            )
    )
}

/// Whether the expression is a chain of supported adapters, by its text.
pub(super) fn is_chain(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Range(r) => r.start.is_some(),
        syn::Expr::MethodCall(call) => {
            let name = call.method.to_string();
            match (name.as_str(), call.args.len()) {
                ("into_iter", 0) if is_chain(&call.receiver) => true,
                (name, n) if begins(name, n) => true,
                ("enumerate" | "rev" | "copied" | "cloned", 0)
                | ("skip" | "take" | "step_by" | "zip", 1) => is_chain(&call.receiver),
                ("map", 1) => {
                    is_chain(&call.receiver)
                        && matches!(
                            strip(&call.args[0]),
                            syn::Expr::Closure(_) | syn::Expr::Path(_)
                        )
                }
                _ => false,
            }
        }
        _ => false,
    }
}

impl Lowerer<'_> {
    /// What a `for` runs over.
    pub(super) fn iterated(&mut self, e: &syn::Expr, body: &syn::Block) -> Option<Iter> {
        let e = strip(e);
        if is_chain(e) {
            return self.chain(e, Some(body));
        }
        if let syn::Expr::MethodCall(call) = e {
            let name = call.method.to_string();
            if crate::diag::catalog::is_iterator_method(&name) {
                self.diags.at(
                    call.method.span(),
                    catalog::unsupported_iterator(&format!("`{name}`")),
                );
                return None;
            }
        }
        self.into_iter(e, Some(body))
    }

    /// `e.into_iter()`: by value or by reference, by the type of `e`.
    fn into_iter(&mut self, e: &syn::Expr, body: Option<&syn::Block>) -> Option<Iter> {
        let span = span_of(e);
        let value = self.value(e, Want::Value);
        match value {
            Value::Ref(view) => {
                let access = if view.mutable {
                    Access::Mutable
                } else {
                    Access::Shared
                };
                self.element_iter(Value::Ref(view), access, span)
            }
            Value::Error | Value::Never => None,
            other => {
                let ty = self.type_of(&other);
                if self.types.element(&ty).is_none() {
                    self.diags.over(e, catalog::iterate_unknown());
                    return None;
                }
                // The loop owns the elements: a variable that the body names could change under it.
                let owned = match (&other, name_of(e), body) {
                    (Value::Place(place, _), Some(name), Some(body))
                        if !super::prescan::mentions(body, &name.to_string()) =>
                    {
                        Value::Place(place.clone(), ty)
                    }
                    _ => {
                        let e = self.stored_raw(other, span);
                        let var = self.temp_let("items", e);
                        Value::Place(Place::var(var, span), ty)
                    }
                };
                self.element_iter(owned, Access::Value, span)
            }
        }
    }

    fn element_iter(&mut self, value: Value, access: Access, span: Span) -> Option<Iter> {
        let (place, element) = self.container(value, access, span)?;
        Some(Iter::Elements {
            place,
            element,
            access,
        })
    }

    fn container(&mut self, value: Value, access: Access, span: Span) -> Option<(Place, Ty)> {
        if matches!(value, Value::Error | Value::Never) {
            return None;
        }
        let (place, ty) = self.place_of(value, span)?;
        self.check_bounds(&place);
        let view = self.freeze_view(View::new(place, ty, access == Access::Mutable));
        let zero = self.usize_literal(0, span);
        let element = match self.types.element(&view.ty) {
            Some(element) => element,
            None => self.part_type(&view.ty, &Proj::Index(zero)),
        };
        Some((view.place, element))
    }

    /// Evaluates the parts of a chain, in execution order.
    pub(super) fn chain(&mut self, e: &syn::Expr, body: Option<&syn::Block>) -> Option<Iter> {
        match strip(e) {
            syn::Expr::Range(range) => self.range_iter(range),
            syn::Expr::MethodCall(call) => self.adapter(call, body),
            other => self.into_iter(other, body),
        }
    }

    fn range_iter(&mut self, range: &syn::ExprRange) -> Option<Iter> {
        let span = span_of(range);
        let Some(start) = &range.start else {
            self.diags.over(
                range,
                catalog::unsupported_iterator("a range without a beginning"),
            );
            return None;
        };
        self.passive += 1;
        let mut bounds = self.operands(std::iter::once(&**start).chain(range.end.as_deref()));
        self.passive -= 1;
        let hi = range.end.as_ref().and_then(|_| bounds.pop());
        let lo = bounds.pop()?;
        if let Some(hi) = &hi {
            self.types.unify(&lo.ty, &hi.ty);
        }
        let lo = self.freeze("from", lo);
        let hi = hi.map(|hi| self.freeze("to", hi));
        let _ = span;
        Some(Iter::Range {
            lo,
            hi,
            inclusive: matches!(range.limits, syn::RangeLimits::Closed(_)),
        })
    }

    fn adapter(&mut self, call: &syn::ExprMethodCall, body: Option<&syn::Block>) -> Option<Iter> {
        let span = span_of(call);
        let name = call.method.to_string();
        if name == "into_iter" && is_chain(&call.receiver) {
            return self.chain(&call.receiver, body);
        }
        if begins(&name, call.args.len()) {
            return self.beginning(call, &name, body, span);
        }
        let inner = self.chain(&call.receiver, body)?;
        let boxed = Box::new(inner);
        match name.as_str() {
            "enumerate" => Some(Iter::Enumerate(boxed)),
            "copied" | "cloned" => Some(Iter::Copied(boxed)),
            "map" => Some(Iter::Map(boxed, call.args[0].clone())),
            _ if has_map(&boxed) && name != "zip" => {
                self.diags.at(
                    call.method.span(),
                    catalog::unsupported_iterator(&format!("`{name}` after `map`")),
                );
                None
            }
            "rev" => self.reversed(boxed, call, span),
            "zip" => {
                let other = if is_chain(&call.args[0]) {
                    self.chain(&call.args[0], body)?
                } else {
                    self.into_iter(strip(&call.args[0]), body)?
                };
                Some(Iter::Zip(boxed, Box::new(other)))
            }
            "skip" | "take" | "step_by" => {
                let n = self.passive_expr(&call.args[0]);
                self.types.unify(&n.ty, &Ty::Int(Some("usize")));
                let n = self.freeze("count", n);
                Some(match name.as_str() {
                    "skip" => Iter::Skip(boxed, n),
                    "take" => Iter::Take(boxed, n),
                    _ => Iter::StepBy(boxed, n),
                })
            }
            _ => {
                self.diags.at(
                    call.method.span(),
                    catalog::unsupported_iterator(&format!("`{name}`")),
                );
                None
            }
        }
    }

    fn beginning(
        &mut self,
        call: &syn::ExprMethodCall,
        name: &str,
        body: Option<&syn::Block>,
        span: Span,
    ) -> Option<Iter> {
        if name == "into_iter" {
            return self.into_iter(&call.receiver, body);
        }
        let receiver = self.value(&call.receiver, Want::Value);
        let access = if name.ends_with("_mut") {
            Access::Mutable
        } else {
            Access::Shared
        };
        if call.args.is_empty() {
            return self.element_iter(receiver, access, span);
        }
        let (place, element) = self.container(receiver, access, span)?;
        let size = self.passive_expr(&call.args[0]);
        self.types.unify(&size.ty, &Ty::Int(Some("usize")));
        let size = self.freeze("size", size);
        self.require_positive(&size, span);
        if name == "windows" {
            return Some(Iter::Windows {
                place,
                element,
                size,
            });
        }
        let len = self.len_of(place.clone());
        let len = self.in_temp("len", len);
        Some(Iter::Chunks {
            place,
            element,
            size,
            exact: name.starts_with("chunks_exact"),
            mutable: access == Access::Mutable,
            len,
        })
    }

    /// `windows(0)` and `chunks(0)` panic.
    fn require_positive(&mut self, size: &Expr, span: Span) {
        if matches!(&size.kind, ExprKind::Lit(syn::Lit::Int(n)) if n.base10_digits() != "0") {
            return;
        }
        let mut builder = Builder::default();
        let code = builder.value(self, size.clone());
        let code = syn::parse_quote!(
            ::core::assert!(#code != 0, "chunk and window sizes must be non-zero")
        );
        let opaque = builder.build(self, code, OpaqueKind::Macro("assert".to_owned()));
        self.emit(StmtKind::Opaque(Box::new(opaque)), span);
    }

    fn reversed(
        &mut self,
        inner: Box<Iter>,
        call: &syn::ExprMethodCall,
        span: Span,
    ) -> Option<Iter> {
        if is_range(&inner) {
            // The counter itself runs backwards.
            let unused = self.usize_literal(0, span);
            return Some(Iter::Rev(inner, unused));
        }
        match self.length(&inner, span) {
            Some(len) => Some(Iter::Rev(inner, len)),
            None => {
                self.diags.at(
                    call.method.span(),
                    catalog::unsupported_iterator("`rev` of an open range"),
                );
                None
            }
        }
    }

    // Lengths.

    /// A method of `usize` on pure operands.
    fn usize_method(&mut self, name: &str, a: Expr, b: Expr, span: Span) -> Expr {
        let mut builder = Builder::default();
        let method = syn::Ident::new(name, Span::call_site());
        let a = super::opaque::atom(builder.scalar(self, a));
        let a: syn::Expr = if let syn::Expr::Lit(lit) = &a {
            syn::parse_quote!((#lit as usize))
        } else {
            a
        };
        let b = builder.scalar(self, b);
        builder.finish(
            self,
            syn::parse_quote!(#a.#method(#b)),
            OpaqueKind::Method(method),
            Ty::Int(Some("usize")),
            span,
        )
    }

    /// The number of items, in a variable or literal; `None` for an open range.
    fn length(&mut self, iter: &Iter, span: Span) -> Option<Expr> {
        let len = match iter {
            Iter::Range { lo, hi, inclusive } => {
                let hi = hi.clone()?;
                self.obligations.push(Obligation::Usize(
                    lo.ty.clone(),
                    lo.span,
                    catalog::range_type(),
                ));
                let hi = if *inclusive {
                    let one = self.usize_literal(1, span);
                    self.binop(BinOp::Add, hi, one)
                } else {
                    hi
                };
                if is_zero(lo) {
                    hi
                } else {
                    self.usize_method("saturating_sub", hi, lo.clone(), span)
                }
            }
            Iter::Counter => return None,
            Iter::Elements { place, .. } => self.len_of(place.clone()),
            Iter::Windows { place, size, .. } => {
                let len = self.len_of(place.clone());
                let one = self.usize_literal(1, span);
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

    // Items.

    /// The item at position `k`.
    pub(super) fn item(&mut self, iter: &Iter, k: &Expr) -> Value {
        let span = k.span;
        match iter {
            Iter::Counter => Value::Expr(k.clone()),
            Iter::Range { lo, .. } if is_zero(lo) => Value::Expr(k.clone()),
            Iter::Range { lo, .. } => Value::Expr(self.binop(BinOp::Add, lo.clone(), k.clone())),
            Iter::Elements {
                place,
                element,
                access,
            } => {
                let part = place.then(Proj::Index(k.clone()));
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
                let one = self.usize_literal(1, span);
                let last = self.binop(BinOp::Sub, len.clone(), one);
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
            Iter::Copied(inner) => match self.item(inner, k) {
                Value::Ref(view) => Value::Place(view.place, view.ty),
                other => other,
            },
            Iter::Map(inner, f) => {
                let item = self.item(inner, k);
                self.mapped(f, item, span)
            }
        }
    }

    fn sub_slice(
        &mut self,
        place: &Place,
        element: &Ty,
        lo: Expr,
        hi: Expr,
        mutable: bool,
    ) -> Value {
        let part = place.then(Proj::Range {
            lo: Some(lo),
            hi: Some(hi),
            inclusive: false,
        });
        Value::Ref(View::new(
            part,
            Ty::Slice(Box::new(element.clone())),
            mutable,
        ))
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

    // The loop.

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
        let (iter, rev, step) = peel(iter);
        let Some(len) = self.length(&iter, span) else {
            self.diags
                .at(span, catalog::unsupported_iterator("an open range"));
            return None;
        };
        let usize = Ty::Int(Some("usize"));
        let counter = self.counter(None, pat, usize.clone(), span);
        let range = RangeIter {
            lo: self.usize_literal(0, span),
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
        let kind = LoopKind::For {
            var: drive.counter,
            range: drive.range,
        };
        self.emit(
            StmtKind::Loop {
                id,
                kind,
                body,
                exit: None,
            },
            span,
        );
    }

    /// An expected type of a whole chain's items, for reductions.
    pub(super) fn fresh_number(&mut self) -> Ty {
        self.types.fresh(Kind::General)
    }
}

fn is_zero(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Lit(syn::Lit::Int(n)) if n.base10_digits() == "0")
}

fn is_range(iter: &Iter) -> bool {
    match iter {
        Iter::Range { .. } => true,
        Iter::StepBy(inner, _) => matches!(**inner, Iter::Range { .. }),
        _ => false,
    }
}

fn has_map(iter: &Iter) -> bool {
    match iter {
        Iter::Map(..) => true,
        Iter::Enumerate(i)
        | Iter::Rev(i, _)
        | Iter::Skip(i, _)
        | Iter::Take(i, _)
        | Iter::StepBy(i, _)
        | Iter::Copied(i) => has_map(i),
        Iter::Zip(a, b) => has_map(a) || has_map(b),
        Iter::Range { .. }
        | Iter::Counter
        | Iter::Elements { .. }
        | Iter::Windows { .. }
        | Iter::Chunks { .. } => false,
    }
}

/// A chain over a range alone: the range, and the chain over its counter. The range is missing if it is open.
fn direct(iter: &Iter) -> Option<(Option<RangeIter>, Iter)> {
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
