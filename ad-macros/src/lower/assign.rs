//! Assignments: plain, compound, destructuring, and those of references.

use proc_macro2::Span;
use syn::punctuated::Punctuated;

use super::opaque::Builder;
use super::operator::strip;
use super::scope::{Binding, name_of};
use super::value::{Value, View, Want, span_of};
use super::variants::names_a_constructor;
use super::{Lowerer, Obligation};
use crate::diag::catalog;
use crate::ir::{
    BinOp, Expr, ExprKind, Field, Opaque, OpaqueKind, Place, StmtKind, effects_of,
    place_index_reads,
};

impl Lowerer<'_> {
    pub(super) fn assign(&mut self, assign: &syn::ExprAssign) -> Value {
        let span = span_of(assign);
        match strip(&assign.left) {
            syn::Expr::Infer(_) => {
                let value = self.value(&assign.right, Want::Value);
                self.discard(value, span);
            }
            syn::Expr::Tuple(_)
            | syn::Expr::Array(_)
            | syn::Expr::Struct(_)
            | syn::Expr::Call(_) => self.destructure(&assign.left, &assign.right, span),
            _ => {
                let typed = self.assigned_from_fn(&assign.left, &assign.right);
                let right = typed.as_ref().unwrap_or(&assign.right);
                let value = self.value(right, Want::Value);
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
            syn::Expr::Tuple(tuple) => self.assign_parts(&tuple.elems, None, &value, span),
            syn::Expr::Call(call) => match strip(&call.func) {
                syn::Expr::Path(path) if names_a_constructor(&path.path) => {
                    self.assign_parts(&call.args, Some(&path.path), &value, span);
                }
                func => self.diags.over(func, catalog::assignment_target()),
            },
            syn::Expr::Struct(pattern) => {
                for field in &pattern.fields {
                    let proj = self.field_of(&pattern.path, (&field.member).into());
                    let part = self.projected(&value, proj, span_of(field));
                    self.assign_pattern(&field.expr, part, span);
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

    /// The targets of a tuple, or of the fields of what `path` makes.
    fn assign_parts(
        &mut self,
        targets: &Punctuated<syn::Expr, syn::Token![,]>,
        path: Option<&syn::Path>,
        value: &Value,
        span: Span,
    ) {
        let rest = targets.iter().find(|e| matches!(e, syn::Expr::Range(_)));
        if let Some(rest) = rest {
            self.diags.over(rest, catalog::unsupported_pattern());
            return;
        }
        for (n, target) in targets.iter().enumerate() {
            let part = match path {
                Some(path) => {
                    let field = Field::at(u32::try_from(n).unwrap_or(u32::MAX), span);
                    let proj = self.field_of(path, field);
                    self.projected(value, proj, span)
                }
                None => self.part(value, n, span),
            };
            self.assign_pattern(target, part, span);
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
                Some(Binding::Outcome(_)) => {
                    self.diags.over(left, catalog::result_value());
                    return;
                }
                Some(
                    Binding::Var(_)
                    | Binding::Closure(_)
                    | Binding::Walk(_)
                    | Binding::Captured(..)
                    | Binding::Function(_)
                    | Binding::Poisoned,
                )
                | None => {}
            }
        }
        let mark = self.mark();
        let target = match self.assigned_to(left) {
            Ok(target) => target,
            Err(opaque) => {
                let mut pending = [value];
                self.protect(&mut pending, mark);
                let [value] = pending;
                self.assign_through(
                    *opaque,
                    value,
                    |to, value| syn::parse_quote!(*#to = #value),
                    span,
                );
                return;
            }
        };
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

    /// What is assigned to. Of what a method without a derivative refers to, `*counts.entry(k).or_insert(0)`, the
    /// method.
    fn assigned_to(&mut self, left: &syn::Expr) -> Result<Value, Box<Opaque>> {
        match strip(left) {
            syn::Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
                match self.pointee(&unary.expr) {
                    Value::Opaque(opaque, ..) if matches!(opaque.kind, OpaqueKind::Method(_)) => {
                        Err(opaque)
                    }
                    value => Ok(self.deref_of(value, unary, true)),
                }
            }
            _ => Ok(self.value(left, Want::Value)),
        }
    }

    /// An assignment to what a method refers to, kept as written. A derivative that goes into either is refused as one
    /// that goes into the method.
    fn assign_through(
        &mut self,
        opaque: Opaque,
        value: Value,
        code: impl FnOnce(syn::Expr, syn::Expr) -> syn::Expr,
        span: Span,
    ) {
        let kind = opaque.kind.clone();
        let mut builder = Builder::default();
        let to = builder.inline(opaque);
        let value = builder.operand(self, value, span);
        let opaque = builder.build(self, code(to, value), kind);
        self.emit(StmtKind::Opaque(Box::new(opaque)), span);
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
                let place = self.freeze_place(view.place.clone());
                self.check_bounds(&place);
                let view = View { place, ..view };
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
    pub(super) fn compound(&mut self, binary: &syn::ExprBinary, op: BinOp, span: Span) -> Value {
        let mark = self.mark();
        let right = self.arithmetic_operand(&binary.right);
        let written = effects_of(&self.frame().stmts[mark..]).writes;
        if self.diverged() {
            return Value::Unit;
        }
        let second = self.mark();
        let target = self.assigned_to(&binary.left);
        let mut pending = [Value::Expr(right)];
        self.protect(&mut pending, second);
        let [right] = pending;
        let target = match target {
            Ok(target) => target,
            Err(opaque) => {
                let op = &binary.op;
                self.assign_through(
                    *opaque,
                    right,
                    |to, value| syn::parse_quote!(*#to #op #value),
                    span,
                );
                return Value::Unit;
            }
        };
        let right = self.stored_raw(right, span);
        let (place, ty) = match target {
            Value::Place(place, ty) => (place, ty),
            Value::Error => return Value::Error,
            _ => {
                self.refuse_target(&binary.left);
                return Value::Error;
            }
        };
        // What a field that nothing else leads to is, the right side cannot change, or it did not compile.
        let fixed = place.is_path() && !self.references.contains(&place.root);
        let mut disturbed = written.contains(&place.root) && !fixed;
        place_index_reads(&place, &mut |p| disturbed |= written.contains(&p.root));
        if disturbed {
            self.obligations.push(Obligation::Primitive(
                ty.clone(),
                span,
                catalog::compound_order(),
            ));
        }
        if !matches!(op, BinOp::Shl | BinOp::Shr) {
            let result = self.types.arithmetic(op, &ty, &right.ty);
            self.types.unify(&ty, &result);
        }
        let place = self.writable(place);
        // Which of the forms it takes is decided when the type is known (`finish`).
        let kind = match op {
            BinOp::Add | BinOp::Sub => StmtKind::Update {
                place,
                op,
                value: right,
            },
            _ => {
                let old = self.read(place.clone(), ty.clone());
                let op = op.assigning().unwrap_or(op);
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
}
