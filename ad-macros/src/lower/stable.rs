//! Places and references that keep their meaning while the code goes on.

use proc_macro2::Span;

use super::Lowerer;
use super::value::View;
use crate::diag::catalog;
use crate::ir::{BinOp, Expr, ExprKind, OpaqueKind, Place, Proj, StmtKind, Ty, VarId};

impl Lowerer<'_> {
    /// Whether `e` has the same value wherever it is evaluated.
    fn is_stable(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Lit(_) => true,
            ExprKind::Read(p) => p.is_var() && !self.unstable.contains(&p.root),
            _ => false,
        }
    }

    pub(super) fn freeze(&mut self, base: &str, e: Expr) -> Expr {
        if self.is_stable(&e) {
            e
        } else {
            self.in_temp(base, e)
        }
    }

    /// The place with its indices fixed as they are now.
    pub(super) fn freeze_place(&mut self, mut place: Place) -> Place {
        for proj in &mut place.proj {
            match proj {
                Proj::Index(e) => **e = self.freeze("index", (**e).clone()),
                Proj::Range { lo, hi, .. } => {
                    *lo = lo.take().map(|e| Box::new(self.freeze("from", *e)));
                    *hi = hi.take().map(|e| Box::new(self.freeze("to", *e)));
                }
                Proj::Deref | Proj::Field(_) | Proj::Payload | Proj::Variant(_) | Proj::Unbox => {}
            }
        }
        place
    }

    /// The place as a target of a write: its indices read no memory (rule 5).
    pub(super) fn writable(&mut self, mut place: Place) -> Place {
        for proj in &mut place.proj {
            match proj {
                Proj::Index(e) => **e = self.memory_free("index", (**e).clone()),
                Proj::Range { lo, hi, .. } => {
                    *lo = lo.take().map(|e| Box::new(self.memory_free("from", *e)));
                    *hi = hi.take().map(|e| Box::new(self.memory_free("to", *e)));
                }
                Proj::Deref | Proj::Field(_) | Proj::Payload | Proj::Variant(_) | Proj::Unbox => {}
            }
        }
        place
    }

    fn memory_free(&mut self, base: &str, e: Expr) -> Expr {
        if is_memory_free(&e) {
            e
        } else {
            self.in_temp(base, e)
        }
    }

    /// The view as it is now: indices fixed, and a reference variable that it goes through copied.
    pub(super) fn freeze_view(&mut self, view: View) -> View {
        let View {
            place,
            ty,
            mutable,
            depth,
        } = view;
        let place = self.freeze_place(place);
        if self.references.contains(&place.root) {
            let var = self.reference_variable(None, &ty, mutable, place.span);
            self.emit_let(var, None, place.span);
            let frozen = View::new(place, ty, mutable);
            self.point(var, &frozen, true);
            return View {
                depth,
                ..self.view_of_reference(var, &frozen)
            };
        }
        View {
            place,
            ty,
            mutable,
            depth,
        }
    }

    /// A variable that holds a reference until `dynamic` replaces it.
    pub(super) fn reference_variable(
        &mut self,
        name: Option<VarId>,
        ty: &Ty,
        mutable: bool,
        span: Span,
    ) -> VarId {
        let var = name.unwrap_or_else(|| self.temp("reference", Ty::Unknown, span));
        self.func.var_mut(var).ty = Ty::Ref(mutable, Box::new(ty.clone()));
        self.references.insert(var);
        var
    }

    pub(super) fn view_of_reference(&self, var: VarId, like: &View) -> View {
        View::new(
            Place::var(var, like.place.span).then(Proj::Deref),
            like.ty.clone(),
            like.mutable,
        )
    }

    /// Lets a reference variable point to a place.
    pub(super) fn point(&mut self, var: VarId, view: &View, init: bool) {
        let span = view.place.span;
        if view.depth > 0 {
            self.diags.at(span, catalog::reference_too_dynamic());
            return;
        }
        let place = self.freeze_place(view.place.clone());
        let ty = Ty::Ref(view.mutable, Box::new(view.ty.clone()));
        let value = Expr::new(ExprKind::Read(place), ty, span);
        self.emit(
            StmtKind::Assign {
                place: Place::var(var, span),
                value,
                init,
            },
            span,
        );
    }
}

fn is_memory_free(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(_) => true,
        ExprKind::Read(p) => p.is_var(),
        ExprKind::Unary(_, a) | ExprKind::Cast(a, _) => is_memory_free(a),
        ExprKind::Binary(op, a, b) => {
            !matches!(op, BinOp::And | BinOp::Or) && is_memory_free(a) && is_memory_free(b)
        }
        ExprKind::Opaque(o) => matches!(o.kind, OpaqueKind::Const) && o.args.is_empty(),
        _ => false,
    }
}
