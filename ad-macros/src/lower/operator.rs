//! Unary, binary, compound and plain assignment operators, casts.

use proc_macro2::Span;

use super::infer::{Class, Kind};
use super::opaque::Builder;
use super::scope::{Binding, name_of};
use super::signature::cast_type;
use super::value::{Value, View, Want, span_of};
use super::{Lowerer, Obligation};
use crate::diag::catalog;
use crate::ir::{
    BinOp, Expr, ExprKind, OpaqueKind, Place, StmtKind, Ty, UnOp, effects_of, place_index_reads,
};

impl Lowerer<'_> {
    pub(super) fn unary(&mut self, unary: &syn::ExprUnary) -> Value {
        let span = span_of(unary);
        let (op, operand) = match unary.op {
            syn::UnOp::Deref(_) => return self.deref(unary),
            syn::UnOp::Neg(_) => (UnOp::Neg, self.expr(&unary.expr)),
            syn::UnOp::Not(_) => (UnOp::Not, self.expr(&unary.expr)),
            _ => return self.refuse(unary, catalog::unsupported_expression("this operator")),
        };
        let ty = operand.ty.clone();
        Value::Expr(Expr::new(ExprKind::Unary(op, Box::new(operand)), ty, span))
    }

    pub(super) fn binary(&mut self, binary: &syn::ExprBinary) -> Value {
        let span = span_of(binary);
        if let Some(op) = compound_operator(&binary.op) {
            return self.compound(binary, op, span);
        }
        let Some(op) = operator(&binary.op) else {
            return self.refuse(&binary.op, catalog::unsupported_expression("this operator"));
        };
        match op {
            BinOp::And | BinOp::Or => {
                Value::Expr(self.short_circuit(op, &binary.left, &binary.right, span))
            }
            op if op.is_logical() => self.comparison(op, binary, span),
            op => {
                let [a, b] = self.two_operands(&binary.left, &binary.right);
                Value::Expr(self.arithmetic(op, a, b, span))
            }
        }
    }

    fn two_operands(&mut self, left: &syn::Expr, right: &syn::Expr) -> [Expr; 2] {
        let mut operands = self.operands([left, right]).into_iter();
        [operands.next(), operands.next()].map(|e| e.expect("two operands"))
    }

    pub(super) fn arithmetic(&mut self, op: BinOp, a: Expr, b: Expr, span: Span) -> Expr {
        let ty = match op {
            BinOp::Shl | BinOp::Shr => a.ty.clone(),
            BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor => {
                self.types.unify(&a.ty, &b.ty);
                a.ty.clone()
            }
            _ => self.types.arithmetic(&a.ty, &b.ty),
        };
        Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span)
    }

    /// Comparisons of scalars are trees; those of anything else are kept as written.
    fn comparison(&mut self, op: BinOp, binary: &syn::ExprBinary, span: Span) -> Value {
        self.passive += 1;
        let values = self.sequence([&*binary.left, &*binary.right], |l, e| {
            match l.value(e, Want::Value) {
                value @ (Value::Opaque(..) | Value::Tuple(..)) => {
                    Value::Expr(l.stored(value, span_of(e)))
                }
                value => value,
            }
        });
        self.passive -= 1;
        let scalars = self.compares_scalars(&values);
        if scalars {
            let mut operands = values
                .into_iter()
                .map(|v| self.operand_raw(v, span))
                .collect::<Vec<_>>();
            let b = operands.pop().expect("two operands");
            let a = operands.pop().expect("two operands");
            self.types.unify(&a.ty, &b.ty);
            return Value::Expr(Expr::new(
                ExprKind::Binary(op, Box::new(a), Box::new(b)),
                Ty::Bool,
                span,
            ));
        }
        let mut builder = Builder::default();
        let mut parts = values
            .into_iter()
            .map(|v| builder.borrowed(self, v, span))
            .collect::<Vec<_>>();
        let right = parts.pop().expect("two operands");
        let left = parts.pop().expect("two operands");
        let op = &binary.op;
        let code = syn::parse_quote!(#left #op #right);
        Value::Expr(builder.finish(
            self,
            code,
            OpaqueKind::Other("a comparison"),
            Ty::Bool,
            span,
        ))
    }

    /// Whether both sides are scalars: neither is known to be anything else, and one is known to be one.
    fn compares_scalars(&mut self, values: &[Value]) -> bool {
        let mut known = false;
        values.iter().all(|value| {
            let ty = self.type_of(value);
            known |= self.types.is_plain(&ty);
            self.types.is_plain(&ty) || self.types.class(&ty) == Class::Open
        }) && known
    }

    /// `&&`/`||`: a tree where the right side needs no statements, else a branch.
    fn short_circuit(
        &mut self,
        op: BinOp,
        left: &syn::Expr,
        right: &syn::Expr,
        span: Span,
    ) -> Expr {
        let left = self.passive_expr(left);
        self.open();
        let right = self.passive_expr(right);
        let (mut block, diverged) = self.close();
        if block.stmts.is_empty() && !diverged {
            return Expr::new(
                ExprKind::Binary(op, Box::new(left), Box::new(right)),
                Ty::Bool,
                span,
            );
        }
        let result = self.temp("condition", Ty::Bool, span);
        let set = |value: Expr| {
            crate::ir::Stmt::new(
                StmtKind::Assign {
                    place: Place::var(result, span),
                    value,
                    init: true,
                },
                span,
            )
        };
        if !diverged {
            block.stmts.push(set(right));
        }
        let shortcut = crate::ir::Block {
            stmts: vec![set(self.bool_literal(op == BinOp::Or, span))],
        };
        let arms = if op == BinOp::And {
            vec![block, shortcut]
        } else {
            vec![shortcut, block]
        };
        self.emit_let(result, None, span);
        self.emit(
            StmtKind::Switch {
                selector: left,
                arms,
            },
            span,
        );
        Expr::read_var(result, Ty::Bool, span)
    }

    // Assignment.

    pub(super) fn assign(&mut self, assign: &syn::ExprAssign) -> Value {
        let span = span_of(assign);
        match strip(&assign.left) {
            syn::Expr::Infer(_) => {
                let value = self.value(&assign.right, Want::Value);
                self.discard(value, span);
            }
            syn::Expr::Tuple(_) | syn::Expr::Array(_) => {
                self.destructure(&assign.left, &assign.right, span)
            }
            syn::Expr::Struct(s) => return self.refuse(&s.path, catalog::struct_pattern()),
            syn::Expr::Call(c) => return self.refuse(&c.func, catalog::assignment_target()),
            _ => {
                let value = self.value(&assign.right, Want::Value);
                if matches!(value, Value::Never) && self.diverged() {
                    return Value::Never;
                }
                let value = match value {
                    Value::Ref(view) => Value::Ref(view),
                    other => Value::Expr(self.stored(other, span_of(&assign.right))),
                };
                self.assign_value(&assign.left, value, span);
            }
        }
        Value::Unit
    }

    /// `(a, b) = (b, a)`: everything on the right is evaluated before anything is written.
    fn destructure(&mut self, left: &syn::Expr, right: &syn::Expr, span: Span) {
        let value = self.value(right, Want::Value);
        let value = self.in_temps(value, span);
        self.assign_pattern(left, value, span);
    }

    /// Evaluates all parts of a tuple into variables.
    fn in_temps(&mut self, value: Value, span: Span) -> Value {
        match value {
            Value::Tuple(values, span) => Value::Tuple(
                values.into_iter().map(|v| self.in_temps(v, span)).collect(),
                span,
            ),
            Value::Ref(view) => Value::Ref(self.freeze_view(view)),
            Value::Expr(e) if matches!(e.kind, ExprKind::Lit(_)) => Value::Expr(e),
            other => {
                let e = self.stored_raw(other, span);
                Value::Expr(self.in_temp("new", e))
            }
        }
    }

    fn assign_pattern(&mut self, left: &syn::Expr, value: Value, span: Span) {
        match strip(left) {
            syn::Expr::Infer(_) => {}
            syn::Expr::Tuple(tuple) => {
                if let Some(rest) = tuple
                    .elems
                    .iter()
                    .find(|e| matches!(e, syn::Expr::Range(_)))
                {
                    self.diags.over(rest, catalog::unsupported_pattern());
                    return;
                }
                for (n, target) in tuple.elems.iter().enumerate() {
                    let part = self.part(&value, n, span);
                    self.assign_pattern(target, part, span);
                }
            }
            syn::Expr::Array(array) => {
                if let Some(rest) = array
                    .elems
                    .iter()
                    .find(|e| matches!(e, syn::Expr::Range(_)))
                {
                    self.diags.over(rest, catalog::unsupported_pattern());
                    return;
                }
                for (n, target) in array.elems.iter().enumerate() {
                    let part = self.element_at(&value, n, span);
                    self.assign_pattern(target, part, span);
                }
            }
            _ => {
                let value = match value {
                    Value::Ref(view) => Value::Ref(view),
                    other => Value::Expr(self.stored(other, span)),
                };
                self.assign_value(left, value, span);
            }
        }
    }

    /// Assigns an evaluated value: the place's own index expressions come after it.
    fn assign_value(&mut self, left: &syn::Expr, value: Value, span: Span) {
        if let Some(ident) = name_of(left) {
            match self.lookup(ident) {
                Some(Binding::Deferred { var, mutable }) => {
                    return self.first_assignment(ident, var, mutable, value, span);
                }
                Some(Binding::View {
                    view,
                    var: Some(var),
                }) => return self.repoint(var, &view, value, span),
                Some(Binding::View { var: None, .. } | Binding::Tuple(_)) => {
                    self.diags.over(left, catalog::reference_too_dynamic());
                    return;
                }
                Some(Binding::Var(_) | Binding::Poisoned) | None => {}
            }
        }
        let mark = self.mark();
        let target = self.value(left, Want::Value);
        let mut pending = [value];
        self.protect(&mut pending, mark);
        let [value] = pending;
        match target {
            Value::Place(place, ty) => {
                let value = self.stored(value, span);
                self.types.unify(&ty, &value.ty);
                let place = self.writable(place);
                self.emit(
                    StmtKind::Assign {
                        place,
                        value,
                        init: false,
                    },
                    span,
                );
            }
            Value::Error => {}
            _ => self.refuse_target(left),
        }
    }

    fn refuse_target(&mut self, left: &syn::Expr) {
        let message = match strip(left) {
            syn::Expr::Unary(_) => catalog::dereference(),
            _ => catalog::assignment_target(),
        };
        self.diags.over(left, message);
    }

    /// `let x;` meets its first assignment: it becomes a variable or a reference.
    fn first_assignment(
        &mut self,
        ident: &proc_macro2::Ident,
        var: crate::ir::VarId,
        mutable: bool,
        value: Value,
        span: Span,
    ) {
        match value {
            Value::Ref(view) => {
                self.reference_variable(Some(var), &view.ty, view.mutable, span);
                self.deferred.remove(&var);
                self.point(var, &view, !mutable);
                let binding = Binding::View {
                    view: self.view_of_reference(var, &view),
                    var: Some(var),
                };
                self.rebind(ident, binding);
            }
            other => {
                let value = self.stored(other, span);
                let ty = self.func.var(var).ty.clone();
                self.types.unify(&ty, &value.ty);
                self.emit(
                    StmtKind::Assign {
                        place: Place::var(var, span),
                        value,
                        init: !mutable,
                    },
                    span,
                );
            }
        }
    }

    fn repoint(&mut self, var: crate::ir::VarId, old: &View, value: Value, span: Span) {
        match value {
            Value::Ref(view) => {
                self.types.unify(&old.ty, &view.ty);
                self.check_bounds(&view.place);
                self.point(var, &view, false);
            }
            Value::Error => {}
            _ => self.diags.at(span, catalog::reference_too_dynamic()),
        }
    }

    /// `place op= value`: on primitive types the right side is evaluated first.
    fn compound(&mut self, binary: &syn::ExprBinary, op: BinOp, span: Span) -> Value {
        let mark = self.mark();
        let right = self.expr(&binary.right);
        let written = effects_of(&self.frame().stmts[mark..]).writes;
        if self.diverged() {
            return Value::Unit;
        }
        let second = self.mark();
        let target = self.value(&binary.left, Want::Value);
        let mut pending = [Value::Expr(right)];
        self.protect(&mut pending, second);
        let [right] = pending;
        let right = self.stored_raw(right, span);
        let (place, ty) = match target {
            Value::Place(place, ty) => (place, ty),
            Value::Error => return Value::Error,
            _ => {
                self.refuse_target(&binary.left);
                return Value::Error;
            }
        };
        let mut disturbed = written.contains(&place.root);
        place_index_reads(&place, &mut |p| disturbed |= written.contains(&p.root));
        if disturbed {
            self.obligations.push(Obligation::Primitive(
                ty.clone(),
                span,
                catalog::compound_order(),
            ));
        }
        if !matches!(op, BinOp::Shl | BinOp::Shr) {
            let result = self.types.arithmetic(&ty, &right.ty);
            self.types.unify(&ty, &result);
        }
        let place = self.writable(place);
        // Which of the two forms it takes is decided when the type is known (`finish`).
        let kind = match op {
            BinOp::Add | BinOp::Sub => StmtKind::Update {
                place,
                op,
                value: right,
            },
            _ => {
                let old = self.read(place.clone(), ty.clone());
                let value = Expr::new(
                    ExprKind::Binary(op, Box::new(old), Box::new(right)),
                    ty,
                    span,
                );
                StmtKind::Assign {
                    place,
                    value,
                    init: false,
                }
            }
        };
        self.emit(kind, span);
        Value::Unit
    }

    /// Evaluates for its effects, and for the panic that it may be.
    pub(super) fn discard(&mut self, value: Value, span: Span) {
        match value {
            Value::Expr(e) if super::effects::may_panic(&e) => {
                self.in_temp("unused", e);
            }
            Value::Place(place, _) => self.check_bounds(&place),
            Value::Ref(view) => self.check_bounds(&view.place),
            Value::Opaque(opaque, _, _) => self.emit(StmtKind::Opaque(opaque), span),
            Value::Tuple(values, _) => values.into_iter().for_each(|v| self.discard(v, span)),
            Value::Expr(_) | Value::Unit | Value::Never | Value::Error => {}
        }
    }

    // Casts.

    pub(super) fn cast(&mut self, cast: &syn::ExprCast) -> Value {
        let span = span_of(cast);
        let target = cast_type(&cast.ty);
        let to_float = target.as_ref().is_none_or(Ty::is_float);
        let operand = if to_float {
            self.expr(&cast.expr)
        } else {
            self.passive_expr(&cast.expr)
        };
        let passive = self.types.is_passive(&operand.ty)
            || matches!(operand.kind, ExprKind::Opaque(_) | ExprKind::NoGradient(_))
            || self.lenient > 0;
        let ty = match target {
            Some(ty) => ty,
            None if passive => self.types.fresh(Kind::General),
            None => return self.refuse(&cast.ty, catalog::cast_target()),
        };
        Value::Expr(Expr::new(
            ExprKind::Cast(Box::new(operand), cast.ty.clone()),
            ty,
            span,
        ))
    }
}

pub(super) fn strip(e: &syn::Expr) -> &syn::Expr {
    match e {
        syn::Expr::Paren(p) => strip(&p.expr),
        syn::Expr::Group(g) => strip(&g.expr),
        other => other,
    }
}

fn operator(op: &syn::BinOp) -> Option<BinOp> {
    Some(match op {
        syn::BinOp::Add(_) => BinOp::Add,
        syn::BinOp::Sub(_) => BinOp::Sub,
        syn::BinOp::Mul(_) => BinOp::Mul,
        syn::BinOp::Div(_) => BinOp::Div,
        syn::BinOp::Rem(_) => BinOp::Rem,
        syn::BinOp::And(_) => BinOp::And,
        syn::BinOp::Or(_) => BinOp::Or,
        syn::BinOp::BitXor(_) => BinOp::BitXor,
        syn::BinOp::BitAnd(_) => BinOp::BitAnd,
        syn::BinOp::BitOr(_) => BinOp::BitOr,
        syn::BinOp::Shl(_) => BinOp::Shl,
        syn::BinOp::Shr(_) => BinOp::Shr,
        syn::BinOp::Eq(_) => BinOp::Eq,
        syn::BinOp::Lt(_) => BinOp::Lt,
        syn::BinOp::Le(_) => BinOp::Le,
        syn::BinOp::Ne(_) => BinOp::Ne,
        syn::BinOp::Ge(_) => BinOp::Ge,
        syn::BinOp::Gt(_) => BinOp::Gt,
        _ => return None,
    })
}

pub(super) fn compound_operator(op: &syn::BinOp) -> Option<BinOp> {
    Some(match op {
        syn::BinOp::AddAssign(_) => BinOp::Add,
        syn::BinOp::SubAssign(_) => BinOp::Sub,
        syn::BinOp::MulAssign(_) => BinOp::Mul,
        syn::BinOp::DivAssign(_) => BinOp::Div,
        syn::BinOp::RemAssign(_) => BinOp::Rem,
        syn::BinOp::BitXorAssign(_) => BinOp::BitXor,
        syn::BinOp::BitAndAssign(_) => BinOp::BitAnd,
        syn::BinOp::BitOrAssign(_) => BinOp::BitOr,
        syn::BinOp::ShlAssign(_) => BinOp::Shl,
        syn::BinOp::ShrAssign(_) => BinOp::Shr,
        _ => return None,
    })
}
