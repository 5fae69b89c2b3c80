//! Methods that put elements of a container in another order, or take several of them out: sorts, `select_nth`,
//! `dedup`, `drain`, `append`.

use proc_macro2::Span;
use syn::visit_mut::{self, VisitMut};

use super::Lowerer;
use super::infer::Class;
use super::lawful::lawful;
use super::opaque::Builder;
use super::rearrange::Elements;
use super::value::{Value, View, Want, span_of};
use crate::diag::catalog;
use crate::ir::{BinOp, Expr, ExprKind, OpaqueArg, OpaqueKind, Place, Proj, StmtKind, Ty, VarId};

impl Lowerer<'_> {
    /// A sort: the order is that of std's on the positions, and the elements are taken in this order. What a comparison
    /// that is no order makes of elements depends on their size, so that it has to be one for what are not numbers.
    ///
    /// What std leaves open, the order of equal elements of an unstable sort, is found out by running it: elements of
    /// the same bits are the same. Of floats alone, as others have no bits to compare.
    pub(super) fn reorder(&mut self, vec: Elements, call: &syn::ExprMethodCall) {
        let name = call.method.to_string();
        let span = vec.span;
        let (vec, ()) = self.fixed_elements(vec, |_| ());
        let unstable = name.contains("unstable");
        self.types.solve();
        let float = matches!(self.types.class(&vec.element), Class::Float | Class::Number);
        if unstable && !float {
            self.diags
                .at(call.method.span(), catalog::vec_method(&name));
            return;
        }
        let whole = Proj::Range {
            lo: None,
            hi: None,
            inclusive: false,
        };
        let mut builder = Builder::default();
        let elements = builder.arg(self, OpaqueArg::Ref(vec.place.then(whole)), span);
        let parts = match self.types.shallow(&vec.element) {
            Ty::Tuple(parts) => parts.iter().all(|part| self.is_number(part)),
            _ => false,
        };
        let mut args: Vec<syn::Expr> = call.args.iter().cloned().collect();
        if parts {
            args.iter_mut()
                .for_each(|arg| ByReference.visit_expr_mut(arg));
        }
        if name == "sort_by"
            && !self.is_copied_whole(&vec.element)
            && let Some(order) = args.first().and_then(lawful)
        {
            args = vec![order];
        }
        let args: Vec<syn::Expr> = args.iter().map(|arg| builder.verbatim(self, arg)).collect();
        let method = &call.method;
        let code = match (unstable, name.as_str()) {
            (true, _) => syn::parse_quote!({
                fn __retrograde_order<T: ::core::marker::Copy>(
                    elements: &[T],
                    sort: impl ::core::ops::FnOnce(&mut [T]),
                    bits: impl ::core::ops::Fn(T) -> u64,
                ) -> ::std::vec::Vec<usize> {
                    let mut sorted = elements.to_vec();
                    sort(&mut sorted);
                    let by_bits = |of: &[T]| {
                        let mut order: ::std::vec::Vec<usize> = (0..of.len()).collect();
                        order.sort_by_key(|&at| bits(of[at]));
                        order
                    };
                    let (from, to) = (by_bits(elements), by_bits(&sorted));
                    let mut order = ::std::vec![0; elements.len()];
                    to.into_iter().zip(from).for_each(|(to, from)| order[to] = from);
                    order
                }
                __retrograde_order(
                    #elements,
                    |__elements| { __elements.#method(#(#args),*); },
                    |__element| u64::from(__element.to_bits()),
                )
            }),
            (false, "sort_by") => syn::parse_quote!({
                fn __retrograde_order<T>(
                    elements: &[T],
                    mut compare: impl ::core::ops::FnMut(&T, &T) -> ::core::cmp::Ordering,
                ) -> ::std::vec::Vec<usize> {
                    let mut order: ::std::vec::Vec<usize> = (0..elements.len()).collect();
                    order.sort_by(|&a, &b| compare(&elements[a], &elements[b]));
                    order
                }
                __retrograde_order(#elements, #(#args)*)
            }),
            (false, _) => syn::parse_quote!({
                fn __retrograde_order<T, K: ::core::cmp::Ord>(
                    elements: &[T],
                    mut key: impl ::core::ops::FnMut(&T) -> K,
                ) -> ::std::vec::Vec<usize> {
                    let mut order: ::std::vec::Vec<usize> = (0..elements.len()).collect();
                    order.#method(|&at| key(&elements[at]));
                    order
                }
                __retrograde_order(#elements, #(#args)*)
            }),
        };
        let positions = Ty::Vec(Box::new(Ty::USIZE));
        let kind = OpaqueKind::Other("a sort");
        let order = builder.finish(self, code, kind, positions, span);
        let order = self.temp_let("order", order);
        self.take_in_order(&vec, order);
    }

    /// `vec[k] = old[order[k]]` for all `k`.
    fn take_in_order(&mut self, vec: &Elements, order: VarId) {
        let span = vec.span;
        let old = ExprKind::ToVec(vec.place.clone());
        let ty = Ty::Vec(Box::new(vec.element.clone()));
        let old = self.temp_let("unsorted", Expr::new(old, ty, span));
        let len = self.count_of(vec);
        let zero = Expr::usize_literal(0, span);
        self.over((zero, len), false, span, |l, k| {
            let from = Place::var(order, span).then(Proj::index(k.clone()));
            let from = Expr::new(ExprKind::Read(from), Ty::USIZE, span);
            let from = l.in_temp("from", from);
            let value = l.read(
                Place::var(old, span).then(Proj::index(from)),
                vec.element.clone(),
            );
            let place = l.writable(vec.place.then(Proj::index(k)));
            let init = false;
            l.emit(StmtKind::Assign { place, value, init }, span);
        });
    }

    /// `select_nth_unstable_by(n, f)`: what is less, the element, what is greater.
    pub(super) fn select_nth(
        &mut self,
        vec: Elements,
        n: &syn::Expr,
        call: &syn::ExprMethodCall,
    ) -> Value {
        let span = vec.span;
        let place = self.freeze_place(vec.place.clone());
        let n = self.fixed_index(n);
        let (place, element) = (self.writable(place), vec.element.clone());
        let vec = Elements { place, ..vec };
        self.reorder(
            Elements {
                place: vec.place.clone(),
                element: vec.element.clone(),
                span,
            },
            call,
        );
        let len = self.count_of(&vec);
        let behind = self.usize_of(BinOp::Add, &n, &Expr::usize_literal(1, span));
        let zero = Expr::usize_literal(0, span);
        let slice = |lo: Expr, hi: Expr| {
            let part = vec.place.then(Proj::range(lo, hi));
            let ty = Ty::Slice(Box::new(element.clone()));
            Value::Ref(View::new(part, ty, true))
        };
        let at = vec.place.then(Proj::index(n.clone()));
        let at = Value::Ref(View::new(at, element.clone(), true));
        Value::Tuple(vec![slice(zero, n), at, slice(behind, len)], span)
    }

    /// `dedup`: the first of equal neighbours stays.
    pub(super) fn dedup(&mut self, vec: Elements) -> Value {
        self.compacted(vec, |l, vec, at, k| {
            let span = vec.span;
            let mut builder = Builder::default();
            let elements = builder.arg(l, OpaqueArg::Ref(vec.place.clone()), span);
            let (a, b) = (builder.scalar(l, k.clone()), builder.scalar(l, at.clone()));
            let code = syn::parse_quote!(#b == 0 || #elements[#a] != #elements[#b - 1]);
            let kind = OpaqueKind::Other("a comparison");
            let differs = builder.finish(l, code, kind, Ty::Bool, span);
            l.in_temp("differs", differs)
        })
    }

    /// Elements that stay move to the front, where so many have stayed before. Whether one stays, `stays` says of that
    /// number and the element's.
    pub(super) fn compacted(
        &mut self,
        vec: Elements,
        stays: impl FnOnce(&mut Self, &Elements, &Expr, &Expr) -> Expr,
    ) -> Value {
        let span = vec.span;
        let (vec, ()) = self.fixed_elements(vec, |_| ());
        let zero = Expr::usize_literal(0, span);
        let kept = self.accumulator("kept", Ty::USIZE, span);
        self.emit_let(kept, Some(zero.clone()), span);
        let len = self.count_of(&vec);
        self.over((zero, len), false, span, |l, k| {
            let at = Expr::read_var(kept, Ty::USIZE, span);
            let at = l.in_temp("at", at);
            let stays = stays(l, &vec, &at, &k);
            l.open();
            l.swap(&vec, at, k);
            l.count_up(kept, span);
            let (body, _) = l.close();
            l.emit_if(stays, body, span);
        });
        let (place, len) = (vec.place, Expr::read_var(kept, Ty::USIZE, span));
        let len = self.in_temp("len", len);
        self.emit(StmtKind::Truncate { vec: place, len }, span);
        Value::Unit
    }

    /// `append(&mut other)`
    pub(super) fn append(&mut self, vec: Elements, other: &syn::Expr) -> Value {
        let span = vec.span;
        let (vec, other) = match self.beside_another(vec, other, "append") {
            Ok((vec, view)) => {
                let ty = Ty::Vec(Box::new(vec.element.clone()));
                self.types.unify(&view.ty, &ty);
                let other = self.elements_behind(&vec, view);
                (vec, other)
            }
            Err(refused) => return refused,
        };
        let zero = Expr::usize_literal(0, span);
        let len = self.count_of(&other);
        self.over((zero.clone(), len), false, span, |l, k| {
            let value = l.read(other.place.then(Proj::index(k)), other.element.clone());
            l.push(&vec, value);
        });
        let (place, len) = (other.place, zero);
        self.emit(StmtKind::Truncate { vec: place, len }, span);
        Value::Unit
    }

    /// A container, and the reference to another one that its method takes.
    pub(super) fn beside_another(
        &mut self,
        vec: Elements,
        other: &syn::Expr,
        method: &str,
    ) -> Result<(Elements, View), Value> {
        let span = vec.span;
        let (vec, other) = self.fixed_elements(vec, |l| l.value(other, Want::Value));
        match other {
            Value::Ref(view) => {
                let view = self.freeze_view(view);
                Ok((vec, view))
            }
            Value::Error | Value::Never => Err(other),
            _ => {
                self.diags.at(span, catalog::vec_method(method));
                Err(Value::Error)
            }
        }
    }

    /// What a reference leads to that can be written, with elements as those of the container beside it.
    pub(super) fn elements_behind(&mut self, beside: &Elements, view: View) -> Elements {
        Elements {
            place: self.writable(view.place),
            element: beside.element.clone(),
            span: beside.span,
        }
    }

    /// The ends of a range that says which elements are meant, as far as they are written.
    pub(super) fn written_ends(&mut self, range: &syn::ExprRange) -> [Option<Expr>; 2] {
        let lo = range.start.as_ref();
        let lo = lo.map(|e| self.usize_argument("from", e));
        let hi = range.end.as_ref();
        let hi = hi.map(|e| self.usize_argument("to", e));
        [lo, hi]
    }

    /// The first element of a range, and the one behind the last.
    pub(super) fn ends(
        &mut self,
        range: &syn::ExprRange,
        [lo, hi]: [Option<Expr>; 2],
        len: &Expr,
    ) -> (Expr, Expr) {
        let span = len.span;
        let lo = lo.unwrap_or_else(|| Expr::usize_literal(0, span));
        let hi = match hi {
            Some(hi) if matches!(range.limits, syn::RangeLimits::Closed(_)) => {
                self.usize_of(BinOp::Add, &hi, &Expr::usize_literal(1, span))
            }
            Some(hi) => hi,
            None => len.clone(),
        };
        (lo, hi)
    }

    /// What `drain` takes out, in a vector of its own, and its type. Std takes it out at the end, when nobody looks.
    pub(super) fn drained(&mut self, vec: Elements, at: &syn::Expr) -> Option<(VarId, Ty)> {
        let span = vec.span;
        let syn::Expr::Range(written) = super::operator::strip(at) else {
            self.diags.over(at, catalog::vec_method("drain"));
            return None;
        };
        let (vec, ends) = self.fixed_elements(vec, |l| l.written_ends(written));
        let len = self.count_of(&vec);
        let (lo, hi) = self.ends(written, ends, &len);
        let (taken, ty) = self.taken_out(&vec, (lo.clone(), hi.clone()));
        let gap = self.usize_of(BinOp::Sub, &hi, &lo);
        self.over((hi, len.clone()), false, span, |l, k| {
            let to = l.usize_of(BinOp::Sub, &k, &gap);
            l.swap(&vec, to, k);
        });
        let len = self.usize_of(BinOp::Sub, &len, &gap);
        let place = vec.place;
        self.emit(StmtKind::Truncate { vec: place, len }, span);
        Some((taken, ty))
    }

    /// `v.drain(range)` where a chain begins.
    pub(super) fn drain_of(
        &mut self,
        call: &syn::ExprMethodCall,
        span: Span,
    ) -> Option<(VarId, Ty)> {
        let base = self.pointee(&call.receiver);
        if matches!(base, Value::Error | Value::Never) {
            return None;
        }
        self.note_std_method(&base, &call.method);
        let ty = self.type_of(&base);
        let Some(element) = self.types.element(&ty) else {
            self.diags
                .at(call.method.span(), catalog::vec_method("drain"));
            return None;
        };
        let (place, _) = self.place_of(base, span)?;
        let vec = Elements {
            place,
            element,
            span: span_of(call),
        };
        self.drained(vec, &call.args[0])
    }
}

/// `a.1.total_cmp(b.1)`, where the text has references in tuples and the numbers are stored: `a.1.total_cmp(&b.1)`.
struct ByReference;

impl VisitMut for ByReference {
    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        visit_mut::visit_expr_method_call_mut(self, call);
        let name = call.method.to_string();
        if let Some(arg) = call.args.first_mut()
            && (super::method_names::compares(&name) || name == "total_cmp")
            && matches!(super::operator::strip(arg), syn::Expr::Field(_))
        {
            *arg = syn::parse_quote!(&#arg);
        }
    }
}
