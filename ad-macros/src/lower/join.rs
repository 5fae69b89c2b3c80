//! Where the arms of a branch put their value.

use proc_macro2::Span;

use super::Lowerer;
use super::infer::Kind;
use super::value::{Value, View, Want, holds_reference};
use crate::diag::catalog;
use crate::ir::{Expr, ExprKind, Place, Proj, Stmt, StmtKind, Ty, VarId, VarKind};

/// Where the arms of a branch put their value.
pub(super) struct Join {
    preferred: Option<VarId>,
    ty: Ty,
    shape: Shape,
}

enum Shape {
    Nothing,
    Value(VarId),
    Ref(VarId, bool),
    Tuple(Vec<Join>),
}

impl Lowerer<'_> {
    pub(super) fn join(&mut self, want: Want) -> Join {
        let preferred = match want {
            Want::Into(var) => Some(var),
            Want::Discard | Want::Value => None,
        };
        let ty = match preferred {
            Some(var) => self.func.var(var).ty.clone(),
            None => self.types.fresh(Kind::General),
        };
        Join {
            preferred,
            ty,
            shape: Shape::Nothing,
        }
    }

    /// Puts the value of one arm into the join, in the arm's block.
    pub(super) fn join_value(&mut self, join: &mut Join, value: Value, span: Span) {
        match value {
            Value::Unit | Value::Never | Value::Error => {}
            Value::Ref(view) => self.join_reference(join, &view, span),
            Value::Tuple(values, _) if values.iter().any(holds_reference) => {
                self.join_tuple(join, values, span)
            }
            other => {
                let value = self.stored(other, span);
                self.types.unify(&join.ty, &value.ty);
                if self.types.shallow(&value.ty) == Ty::Unit {
                    return;
                }
                let var = match &join.shape {
                    Shape::Value(var) => *var,
                    Shape::Nothing => {
                        let var = join
                            .preferred
                            .unwrap_or_else(|| self.temp("value", join.ty.clone(), span));
                        join.shape = Shape::Value(var);
                        var
                    }
                    Shape::Ref(..) | Shape::Tuple(_) => {
                        self.diags.at(span, catalog::reference_too_dynamic());
                        return;
                    }
                };
                if !self.absorb(&value, var) {
                    self.emit(
                        StmtKind::Assign {
                            place: Place::var(var, span),
                            value,
                            init: true,
                        },
                        span,
                    );
                }
            }
        }
    }

    /// Where `value` is the result of the branch just emitted, its arms assign `var` themselves.
    fn absorb(&mut self, value: &Expr, var: VarId) -> bool {
        let temp = match &value.kind {
            ExprKind::Read(p) if p.is_var() && self.func.var(p.root).kind == VarKind::Temp => {
                p.root
            }
            _ => return false,
        };
        let frame = self.frame();
        if frame.diverged {
            return false;
        }
        match frame.stmts.as_mut_slice() {
            [.., declaration, branch]
                if matches!(declaration.kind, StmtKind::Let { var, init: None } if var == temp)
                    && matches!(branch.kind, StmtKind::Switch { .. }) =>
            {
                redirect(branch, temp, var);
                let at = frame.stmts.len() - 2;
                frame.stmts.remove(at);
                true
            }
            _ => false,
        }
    }

    fn join_reference(&mut self, join: &mut Join, view: &View, span: Span) {
        self.types.unify(&join.ty, &view.ty);
        let var = match join.shape {
            Shape::Ref(var, _) => var,
            Shape::Nothing => {
                let var =
                    self.reference_variable(join.preferred, &join.ty.clone(), view.mutable, span);
                join.shape = Shape::Ref(var, view.mutable);
                var
            }
            Shape::Value(_) | Shape::Tuple(_) => {
                self.diags.at(span, catalog::reference_too_dynamic());
                return;
            }
        };
        let place = self.freeze_place(view.place.clone());
        self.check_bounds(&place);
        let view = View {
            place,
            ..view.clone()
        };
        self.point(var, &view, true);
    }

    fn join_tuple(&mut self, join: &mut Join, values: Vec<Value>, span: Span) {
        if matches!(join.shape, Shape::Nothing) {
            let parts = values.iter().map(|_| self.join(Want::Value)).collect();
            join.shape = Shape::Tuple(parts);
        }
        match &mut join.shape {
            Shape::Tuple(parts) if parts.len() == values.len() => {
                for (part, value) in parts.iter_mut().zip(values) {
                    self.join_value(part, value, span);
                }
            }
            _ => self.diags.at(span, catalog::reference_too_dynamic()),
        }
    }

    /// Declares the variables of the join; to be called before the branch itself is emitted.
    pub(super) fn join_declare(&mut self, join: &Join, span: Span) {
        match &join.shape {
            Shape::Nothing => {}
            Shape::Value(var) | Shape::Ref(var, _) => self.emit_let(*var, None, span),
            Shape::Tuple(parts) => parts.iter().for_each(|part| self.join_declare(part, span)),
        }
    }

    pub(super) fn join_result(&mut self, join: Join, span: Span) -> Value {
        match join.shape {
            Shape::Nothing => Value::Unit,
            Shape::Value(var) => Value::Expr(Expr::read_var(var, join.ty, span)),
            Shape::Ref(var, mutable) => Value::Ref(View::new(
                Place::var(var, span).then(Proj::Deref),
                join.ty,
                mutable,
            )),
            Shape::Tuple(parts) => {
                let values = parts
                    .into_iter()
                    .map(|part| self.join_result(part, span))
                    .collect();
                Value::Tuple(values, span)
            }
        }
    }
}

/// Turns the first assignments of `from` into those of `to`.
fn redirect(stmt: &mut Stmt, from: VarId, to: VarId) {
    if let StmtKind::Assign {
        place, init: true, ..
    } = &mut stmt.kind
        && place.root == from
    {
        place.root = to;
    }
    for block in crate::ir::edit::blocks_mut(stmt) {
        block
            .stmts
            .iter_mut()
            .for_each(|inner| redirect(inner, from, to));
    }
}
