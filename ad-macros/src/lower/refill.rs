//! Methods that fill a container by a closure, copy or exchange its parts, or compare its neighbours by a closure.

use super::Lowerer;
use super::operator::strip;
use super::rearrange::Elements;
use super::value::{Value, View, span_of};
use crate::diag::catalog;
use crate::ir::{BinOp, Expr, ExprKind, Place, Proj, StmtKind, Ty};

/// Methods of this file, by name and number of arguments.
pub(super) fn refills(name: &str, args: usize) -> bool {
    matches!(
        (name, args),
        (
            "fill_with" | "dedup_by" | "dedup_by_key" | "swap_with_slice",
            1
        ) | ("resize_with" | "copy_within", 2)
    )
}

impl Lowerer<'_> {
    pub(super) fn refilled(&mut self, vec: Elements, call: &syn::ExprMethodCall) -> Value {
        match call.method.to_string().as_str() {
            "fill_with" => self.fill_with(vec, &call.args[0]),
            "resize_with" => self.resize_with(vec, call),
            "copy_within" => self.copy_within(vec, call),
            "swap_with_slice" => self.swap_with_slice(vec, &call.args[0]),
            name => self.dedup_by(vec, &call.args[0], name == "dedup_by_key"),
        }
    }

    fn fill_with(&mut self, vec: Elements, f: &syn::Expr) -> Value {
        let span = vec.span;
        let (vec, ()) = self.fixed_elements(vec, |_| ());
        let len = self.count_of(&vec);
        let zero = Expr::usize_literal(0, span);
        self.over((zero, len), false, span, |l, k| {
            let value = l.apply(f, Vec::new(), span);
            let value = l.stored(value, span);
            l.set(&vec, k, value);
        });
        Value::Unit
    }

    fn resize_with(&mut self, vec: Elements, call: &syn::ExprMethodCall) -> Value {
        let span = vec.span;
        let (vec, n) = self.fixed_at(vec, &call.args[0]);
        self.resized(&vec, n, |l| {
            let value = l.apply(&call.args[1], Vec::new(), span);
            l.stored(value, span)
        })
    }

    /// By a copy of what is copied: both parts may have elements in common.
    fn copy_within(&mut self, vec: Elements, call: &syn::ExprMethodCall) -> Value {
        let span = vec.span;
        let syn::Expr::Range(written) = strip(&call.args[0]) else {
            return self.refuse(&call.args[0], catalog::vec_method("copy_within"));
        };
        let (vec, (ends, to)) = self.fixed_elements(vec, |l| {
            let ends = l.written_ends(written);
            (ends, l.usize_argument("at", &call.args[1]))
        });
        let len = self.count_of(&vec);
        let (lo, hi) = self.ends(written, ends, &len);
        let part = ExprKind::ToVec(vec.place.then(Proj::range(lo, hi)));
        let ty = Ty::Vec(Box::new(vec.element.clone()));
        let copied = self.temp_let("copied", Expr::new(part, ty, span));
        let src = Place::var(copied, span);
        let count = self.len_of(src.clone());
        let count = self.in_temp("len", count);
        let end = self.usize_of(BinOp::Add, &to, &count);
        let dst = vec.place.then(Proj::range(to, end));
        self.emit(StmtKind::CopyFrom { dst, src }, span);
        Value::Unit
    }

    fn swap_with_slice(&mut self, vec: Elements, other: &syn::Expr) -> Value {
        let span = vec.span;
        let (vec, other) = match self.beside_another(vec, other, "swap_with_slice") {
            Ok((vec, view)) => {
                if let Some(element) = self.types.element(&view.ty) {
                    self.types.unify(&vec.element, &element);
                }
                let other = self.elements_behind(&vec, view);
                (vec, other)
            }
            Err(refused) => return refused,
        };
        let (len, others) = (self.count_of(&vec), self.count_of(&other));
        let same = self.binop(BinOp::Eq, len.clone(), others);
        let message = "destination and source slices have different lengths";
        self.require(same, message, span);
        let zero = Expr::usize_literal(0, span);
        self.over((zero, len), false, span, |l, k| {
            let element = |of: &Elements| of.place.then(Proj::index(k.clone()));
            let old = l.read(element(&vec), vec.element.clone());
            let old = l.in_temp("old", old);
            let new = l.read(element(&other), vec.element.clone());
            l.set(&vec, k.clone(), new);
            l.set(&other, k, old);
        });
        Value::Unit
    }

    /// The first of neighbours that the closure takes for equal, or has one key for, stays.
    fn dedup_by(&mut self, vec: Elements, f: &syn::Expr, by_key: bool) -> Value {
        self.compacted(vec, |l, vec, at, k| {
            let span = vec.span;
            let differs = l.accumulator("differs", Ty::Bool, span);
            l.emit_let(differs, Some(super::exits::truth(true)), span);
            l.open();
            let before = l.usize_of(BinOp::Sub, at, &Expr::usize_literal(1, span));
            let element = |at: Expr| {
                let place = vec.place.then(Proj::index(at));
                Value::Ref(View::new(place, vec.element.clone(), true))
            };
            let (a, b) = (element(k.clone()), element(before));
            if let Some(equal) = l.found_equal(f, a, b, by_key) {
                let answer = l.not(equal);
                l.assign_to(differs, answer, span);
            }
            let (compared, _) = l.close();
            let any = l.binop(BinOp::Ne, at.clone(), Expr::usize_literal(0, span));
            l.emit_if(any, compared, span);
            Expr::read_var(differs, Ty::Bool, span)
        })
    }

    fn found_equal(&mut self, f: &syn::Expr, a: Value, b: Value, by_key: bool) -> Option<Expr> {
        let span = span_of(f);
        self.passive += 1;
        let answer = if by_key {
            let keys = [a, b].map(|item| {
                let key = self.apply(f, vec![item], span);
                let key = self.operand(key, span);
                self.in_temp("key", key)
            });
            let [a, b] = keys;
            self.types.unify(&a.ty, &b.ty);
            Some(self.binop(BinOp::Eq, a, b))
        } else {
            match self.apply(f, vec![a, b], span) {
                Value::Error | Value::Never => None,
                answer => {
                    let answer = self.operand(answer, span);
                    self.types.unify(&answer.ty, &Ty::Bool);
                    Some(answer)
                }
            }
        };
        self.passive -= 1;
        answer
    }

    /// `vec[k] = value;`
    fn set(&mut self, vec: &Elements, k: Expr, value: Expr) {
        self.types.unify(&vec.element, &value.ty);
        let place = self.writable(vec.place.then(Proj::index(k)));
        let init = false;
        self.emit(StmtKind::Assign { place, value, init }, vec.span);
    }
}
