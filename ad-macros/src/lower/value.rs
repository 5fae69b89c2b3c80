//! What an expression evaluates to during lowering, and how evaluation order is kept.

use std::collections::HashSet;

use proc_macro2::Span;

use super::Lowerer;
use super::effects::{acts, may_panic};
use super::infer::Kind;
use crate::diag::catalog;
use crate::ir::{
    BinOp, Expr, ExprKind, Opaque, OpaqueKind, Place, Proj, Stmt, StmtKind, Ty, VarId, VarKind,
    effects_of, expr_reads, place_index_reads,
};

/// A reference: the place it points to.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub(super) place: Place,
    /// The type behind the reference.
    pub(super) ty: Ty,
    pub(super) mutable: bool,
    /// References to this reference: `&&x` has depth 1.
    pub(super) depth: u8,
}

impl View {
    pub(super) fn new(place: Place, ty: Ty, mutable: bool) -> Self {
        View {
            place,
            ty,
            mutable,
            depth: 0,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) enum Value {
    /// A pure expression, not evaluated yet.
    Expr(Expr),
    /// A place, not read yet.
    Place(Place, Ty),
    Ref(View),
    /// A tuple; only as expression keep those whose parts hold no references.
    Tuple(Vec<Value>, Span),
    /// Code kept as written that may have an effect: must become a statement before anything else happens.
    Opaque(Box<Opaque>, Ty, Span),
    Unit,
    /// Evaluation does not come back.
    Never,
    /// Something was wrong, and that was reported.
    Error,
}

/// What the surroundings do with a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Want {
    Discard,
    Value,
    /// It initialises this variable, declared by whoever produces the value.
    Into(VarId),
}

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
    // Values to expressions.

    /// A stand-in after an error or where evaluation does not arrive.
    pub(super) fn dummy(&mut self, span: Span) -> Expr {
        let ty = self.types.fresh(Kind::General);
        let opaque = Opaque {
            code: syn::parse_quote!(::core::unreachable!()),
            args: Vec::new(),
            kind: OpaqueKind::Other("unreachable code"),
        };
        Expr::new(ExprKind::Opaque(Box::new(opaque)), ty, span)
    }

    /// The read of a place. Where the place depends on a reference variable, the read is a statement of its own.
    pub(super) fn read(&mut self, place: Place, ty: Ty) -> Expr {
        let span = place.span;
        self.settle(Expr::new(ExprKind::Read(place), ty, span))
    }

    /// Expressions that go through a reference variable stand alone, so that `dynamic` can make a choice of them.
    pub(super) fn settle(&mut self, e: Expr) -> Expr {
        let mut found = false;
        expr_reads(&e, &mut |p| found |= self.references.contains(&p.root));
        if found { self.in_temp("picked", e) } else { e }
    }

    /// The value as an expression; references stand for what they point to, as operators and methods see them.
    pub(super) fn operand_raw(&mut self, value: Value, span: Span) -> Expr {
        match value {
            Value::Ref(view) => self.read(view.place, view.ty),
            other => self.stored_raw(other, span),
        }
    }

    /// As `operand_raw`, with expensive functions in a variable of their own (rule 7).
    pub(super) fn operand(&mut self, value: Value, span: Span) -> Expr {
        let e = self.operand_raw(value, span);
        self.hoist(e)
    }

    pub(super) fn hoist(&mut self, e: Expr) -> Expr {
        match &e.kind {
            ExprKind::Math(f, _) if f.is_expensive() && self.passive == 0 && self.lenient == 0 => {
                let name = f.name();
                self.in_temp(name, e)
            }
            _ => e,
        }
    }

    /// The value as it is stored in a variable or another value, where references cannot be.
    pub(super) fn stored_raw(&mut self, value: Value, span: Span) -> Expr {
        match value {
            Value::Expr(e) => e,
            Value::Place(place, ty) => self.read(place, ty),
            Value::Ref(_) => {
                self.diags.at(span, catalog::reference_in_value());
                self.dummy(span)
            }
            Value::Tuple(values, span) => {
                let parts: Vec<Expr> = values.into_iter().map(|v| self.stored(v, span)).collect();
                let ty = Ty::Tuple(parts.iter().map(|e| e.ty.clone()).collect());
                Expr::new(ExprKind::Tuple(parts), ty, span)
            }
            Value::Opaque(opaque, ty, span) => {
                self.in_temp("value", Expr::new(ExprKind::Opaque(opaque), ty, span))
            }
            Value::Unit => Expr::new(ExprKind::Tuple(Vec::new()), Ty::Unit, span),
            Value::Never | Value::Error => self.dummy(span),
        }
    }

    pub(super) fn stored(&mut self, value: Value, span: Span) -> Expr {
        let e = self.stored_raw(value, span);
        self.hoist(e)
    }

    pub(super) fn type_of(&mut self, value: &Value) -> Ty {
        match value {
            Value::Expr(e) => e.ty.clone(),
            Value::Place(_, ty) | Value::Opaque(_, ty, _) => ty.clone(),
            Value::Ref(view) => view.ty.clone(),
            Value::Tuple(values, _) => Ty::Tuple(values.iter().map(|v| self.type_of(v)).collect()),
            Value::Unit => Ty::Unit,
            Value::Never | Value::Error => self.types.fresh(Kind::General),
        }
    }

    // Several operands.

    /// Lowers operands in execution order.
    pub(super) fn operands<'e>(
        &mut self,
        exprs: impl IntoIterator<Item = &'e syn::Expr>,
    ) -> Vec<Expr> {
        let values = self.sequence(exprs, |l, e| {
            let value = l.value(e, Want::Value);
            Value::Expr(l.operand(value, span_of(e)))
        });
        values
            .into_iter()
            .map(|v| self.stored_raw(v, Span::call_site()))
            .collect()
    }

    /// Lowers expressions in execution order; what a later one would disturb in an earlier one is copied before.
    pub(super) fn sequence<'e>(
        &mut self,
        exprs: impl IntoIterator<Item = &'e syn::Expr>,
        mut lower: impl FnMut(&mut Self, &syn::Expr) -> Value,
    ) -> Vec<Value> {
        let mut done: Vec<Value> = Vec::new();
        for e in exprs {
            let mark = self.mark();
            let value = lower(self, e);
            self.protect(&mut done, mark);
            done.push(value);
        }
        done
    }

    /// Copies those pending values that the statements after `mark` disturb; the copies go before `mark`.
    pub(super) fn protect(&mut self, pending: &mut [Value], mark: usize) {
        let stmts = &self.frame().stmts[mark..];
        if stmts.is_empty() {
            return;
        }
        let disturbance = Disturbance {
            writes: effects_of(stmts).writes,
            acts: stmts.iter().any(acts),
        };
        let mut copies = Vec::new();
        for value in pending {
            self.protect_one(value, &disturbance, &mut copies);
        }
        self.frame().stmts.splice(mark..mark, copies);
    }

    fn protect_one(&mut self, value: &mut Value, by: &Disturbance, copies: &mut Vec<Stmt>) {
        match value {
            Value::Expr(e) => {
                if by.disturbs(e) {
                    *e = self.copy_before(e.clone(), copies);
                }
            }
            Value::Place(place, ty) => {
                let e = Expr::new(ExprKind::Read(place.clone()), ty.clone(), place.span);
                if by.disturbs(&e) {
                    *value = Value::Expr(self.copy_before(e, copies));
                }
            }
            Value::Ref(view) => self.protect_index(&mut view.place, by, copies),
            Value::Tuple(values, _) => {
                for value in values {
                    self.protect_one(value, by, copies);
                }
            }
            Value::Opaque(opaque, ty, span) => {
                let e = Expr::new(ExprKind::Opaque(opaque.clone()), ty.clone(), *span);
                *value = Value::Expr(self.copy_before(e, copies));
            }
            Value::Unit | Value::Never | Value::Error => {}
        }
    }

    fn protect_index(&mut self, place: &mut Place, by: &Disturbance, copies: &mut Vec<Stmt>) {
        for proj in &mut place.proj {
            match proj {
                Proj::Index(e) if by.disturbs(e) => *e = self.copy_before(e.clone(), copies),
                Proj::Range { lo, hi, .. } => {
                    for e in lo.iter_mut().chain(hi) {
                        if by.disturbs(e) {
                            *e = self.copy_before(e.clone(), copies);
                        }
                    }
                }
                Proj::Index(_) | Proj::Deref | Proj::Field(_) | Proj::Payload => {}
            }
        }
    }

    /// Keeps a place (not its value) meaning the same across the statements after `mark`.
    pub(super) fn protect_place(&mut self, place: &mut Place, mark: usize) {
        let view = View::new(place.clone(), Ty::Unknown, true);
        let mut pending = [Value::Ref(view)];
        self.protect(&mut pending, mark);
        if let [Value::Ref(view)] = pending {
            *place = view.place;
        }
    }

    fn copy_before(&mut self, e: Expr, copies: &mut Vec<Stmt>) -> Expr {
        let (ty, span) = (e.ty.clone(), e.span);
        let var = self.temp("before", ty.clone(), span);
        copies.push(Stmt::new(StmtKind::Let { var, init: Some(e) }, span));
        Expr::read_var(var, ty, span)
    }

    // Places that keep their meaning.

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
                Proj::Index(e) => *e = self.freeze("index", e.clone()),
                Proj::Range { lo, hi, .. } => {
                    *lo = lo.take().map(|e| self.freeze("from", e));
                    *hi = hi.take().map(|e| self.freeze("to", e));
                }
                Proj::Deref | Proj::Field(_) | Proj::Payload => {}
            }
        }
        place
    }

    /// The place as a target of a write: its indices read no memory (rule 5).
    pub(super) fn writable(&mut self, mut place: Place) -> Place {
        for proj in &mut place.proj {
            match proj {
                Proj::Index(e) => *e = self.memory_free("index", e.clone()),
                Proj::Range { lo, hi, .. } => {
                    *lo = lo.take().map(|e| self.memory_free("from", e));
                    *hi = hi.take().map(|e| self.memory_free("to", e));
                }
                Proj::Deref | Proj::Field(_) | Proj::Payload => {}
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

    // Reference variables.

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

    // Joins.

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
        self.point(var, view, true);
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

/// What later statements do that earlier values must not see.
struct Disturbance {
    writes: HashSet<VarId>,
    acts: bool,
}

impl Disturbance {
    fn disturbs(&self, e: &Expr) -> bool {
        let mut read = false;
        expr_reads(e, &mut |p| {
            read |= self.writes.contains(&p.root);
            place_index_reads(p, &mut |q| read |= self.writes.contains(&q.root));
        });
        read || (self.acts && may_panic(e))
    }
}

/// Turns the first assignments of `from` into those of `to`.
fn redirect(stmt: &mut Stmt, from: VarId, to: VarId) {
    if let StmtKind::Assign {
        place, init: true, ..
    } = &mut stmt.kind
    {
        if place.root == from {
            place.root = to;
        }
    }
    for block in super::finish::blocks_mut(stmt) {
        block
            .stmts
            .iter_mut()
            .for_each(|inner| redirect(inner, from, to));
    }
}

/// Whether `value` is a reference or a tuple with one in it.
pub(super) fn holds_reference(value: &Value) -> bool {
    match value {
        Value::Ref(_) => true,
        Value::Tuple(values, _) => values.iter().any(holds_reference),
        _ => false,
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

pub(super) fn span_of(node: &impl syn::spanned::Spanned) -> Span {
    node.span()
}
