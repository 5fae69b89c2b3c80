//! Methods of containers that yield parts of them, or a copy of an element.

use super::Lowerer;
use super::rearrange::Elements;
use super::sequence::{Sequence, Stage};
use super::value::{Value, View};
use crate::ir::{BinOp, Expr, ExprKind, Place, Proj, StmtKind, Ty, VarId};

impl Lowerer<'_> {
    /// Views of both parts.
    pub(super) fn split_at(&mut self, vec: Elements, at: &syn::Expr, mutable: bool) -> Value {
        let span = vec.span;
        let (vec, at) = self.fixed_at(vec, at);
        if mutable {
            self.split.insert(vec.place.root);
        }
        let len = self.count_of(&vec);
        let inside = self.binop(BinOp::Le, at.clone(), len.clone());
        self.require(inside, "mid > len", span);
        let zero = Expr::usize_literal(0, span);
        let parts = [(zero, at.clone()), (at, len)].map(|(lo, hi)| {
            let part = vec.place.then(Proj::range(lo, hi));
            let ty = Ty::Slice(Box::new(vec.element.clone()));
            Value::Ref(View::new(part, ty, mutable))
        });
        Value::Tuple(parts.into(), span)
    }

    /// The elements from `lo` to `hi` in a vector, or a queue if they are in one, which has no slices.
    pub(super) fn taken_out(&mut self, vec: &Elements, (lo, hi): (Expr, Expr)) -> (VarId, Ty) {
        let span = vec.span;
        let Ty::Queue(_) = self.list_of(vec) else {
            let taken = ExprKind::ToVec(vec.place.then(Proj::range(lo, hi)));
            let ty = Ty::Vec(Box::new(vec.element.clone()));
            let taken = self.temp_let("taken", Expr::new(taken, ty.clone(), span));
            return (taken, ty);
        };
        let ty = self.list_of(vec);
        let taken = self.collecting_into(ty.clone(), vec.element.clone(), span);
        self.over((lo, hi), false, span, |l, k| {
            let item = Value::Place(vec.place.then(Proj::index(k)), vec.element.clone());
            l.push_item(&taken, item, span);
        });
        (taken.0, ty)
    }

    /// The type of a vector, or of a queue, of the elements.
    pub(super) fn list_of(&self, vec: &Elements) -> Ty {
        let own = super::finish::place_type(&self.func, &vec.place, &|ty| self.types.shallow(ty));
        let element = Box::new(vec.element.clone());
        match own.peel() {
            Ty::Queue(_) => Ty::Queue(element),
            _ => Ty::Vec(element),
        }
    }

    pub(super) fn split_off(&mut self, vec: Elements, at: &syn::Expr) -> Value {
        let span = vec.span;
        let (vec, at) = self.fixed_at(vec, at);
        let len = self.count_of(&vec);
        let inside = self.binop(BinOp::Le, at.clone(), len.clone());
        self.require(inside, "`at` split index should be <= len", span);
        let (tail, ty) = self.taken_out(&vec, (at.clone(), len));
        let place = vec.place.clone();
        self.emit(
            StmtKind::Truncate {
                vec: place,
                len: at,
            },
            span,
        );
        Value::Expr(Expr::read_var(tail, ty, span))
    }

    /// The elements of the elements.
    pub(super) fn concat(&mut self, vec: Elements) -> Value {
        let span = vec.span;
        let outer = Value::Ref(View::new(
            vec.place,
            Ty::Slice(Box::new(vec.element)),
            false,
        ));
        let Some(rows) = self.element_iter(outer, super::iterate::Access::Shared, span) else {
            return Value::Error;
        };
        let rows = Box::new(Sequence::Items(rows));
        let sequence = Sequence::Staged(rows, Stage::Flatten);
        let collected = self.collecting(span);
        let id = self.fresh_loop();
        self.run(&sequence, id, span, &mut |l, item, _| {
            let item = l.clone_of_item(item, span);
            l.push_item(&collected, item, span);
        });
        let (vec, element) = collected;
        Value::Expr(Expr::read_var(vec, Ty::Vec(Box::new(element)), span))
    }

    /// An option of an element, behind a reference.
    pub(super) fn get(&mut self, vec: Elements, name: &str, at: Option<&syn::Expr>) -> Value {
        let span = vec.span;
        let at = at.map(|at| self.fixed_index(at));
        let place = self.freeze_place(vec.place.clone());
        let vec = Elements { place, ..vec };
        let len = self.count_of(&vec);
        let zero = Expr::usize_literal(0, span);
        let selector = match &at {
            Some(at) => self.binop(BinOp::Lt, at.clone(), len.clone()),
            None => self.binop(BinOp::Ne, len.clone(), zero.clone()),
        };
        let (got, ty) = self.no_item("got", &vec.element, span);
        self.open();
        let at = match (at, name) {
            (Some(at), _) => at,
            (None, "first" | "front") => zero,
            (None, _) => self.usize_of(BinOp::Sub, &len, &Expr::usize_literal(1, span)),
        };
        let element = Value::Place(vec.place.then(Proj::index(at)), vec.element.clone());
        self.keep_item(got, &vec.element, element, span);
        let (inside, _) = self.close();
        self.emit_if(selector, inside, span);
        Value::Ref(View::new(Place::var(got, span), ty, false))
    }
}
