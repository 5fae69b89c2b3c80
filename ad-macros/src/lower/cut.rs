//! `no_gradient(e)`.

use proc_macro2::Span;
use quote::ToTokens;
use syn::ext::IdentExt;

use super::Lowerer;
use super::operator::strip;
use super::prescan::names_in;
use super::scope::Binding;
use super::value::{Value, Want, holds_reference};
use crate::diag::catalog;
use crate::ir::{Access, Expr, ExprKind, Passing, StmtKind, Ty, VarId, shallow_accesses};

impl Lowerer<'_> {
    pub(super) fn no_gradient(&mut self, arg: &syn::Expr, span: Span) -> Value {
        let declared = self.func.vars.len();
        let mark = self.mark();
        self.lenient += 1;
        let value = self.value(arg, Want::Value);
        if holds_reference(&value) && !matches!(value, Value::Ref(_)) {
            self.lenient -= 1;
            return self.refuse(&arg, catalog::reference_in_value());
        }
        let e = self.operand_raw(value, span);
        self.lenient -= 1;
        if self.writes_outside(declared, mark) {
            return self.refuse(&arg, catalog::no_gradient_effect());
        }
        let ty = e.ty.clone();
        Value::Expr(Expr::new(ExprKind::NoGradient(Box::new(e)), ty, span))
    }

    /// Whether the statements from `mark` on write to one of the first variables.
    pub(super) fn writes_outside(&mut self, declared: usize, mark: usize) -> bool {
        let written = self.written(mark, false);
        written.iter().any(|var| (var.0 as usize) < declared)
    }

    /// Refuses a `move` closure, inlined from `mark` on, that writes to a variable outside: it has a copy of it.
    pub(super) fn no_lost_writes(&mut self, closure: &syn::Expr, mark: usize) {
        let syn::Expr::Closure(closure) = strip(closure) else {
            return;
        };
        let Some(moves) = &closure.capture else {
            return;
        };
        let mut written = self.written(mark, true);
        let behind_reference = |var: &VarId| {
            let mut params = self.func.params.iter();
            matches!(self.func.var(*var).ty, Ty::Ref(..))
                || params.any(|param| param.var == *var && param.passing == Passing::InOut)
        };
        written.retain(|var| !behind_reference(var));
        let names = names_in(&closure.to_token_stream());
        let lost = names.iter().any(|name| match self.lookup(&name.unraw()) {
            Some(Binding::Var(var) | Binding::Deferred { var, .. }) => written.contains(&var),
            Some(Binding::Tuple(parts)) => parts.iter().any(|part| lies_in(part, &written)),
            // What is behind a reference is written to.
            Some(
                Binding::View { .. }
                | Binding::Closure(_)
                | Binding::Walk(_)
                | Binding::Outcome(_)
                | Binding::Captured(..)
                | Binding::Function(_)
                | Binding::Poisoned,
            )
            | None => false,
        });
        if lost {
            self.diags.over(moves, catalog::move_closure());
        }
    }

    /// What the statements from `mark` on write to. `unknown`: unknown code too.
    pub(super) fn written(&mut self, mark: usize, unknown: bool) -> Vec<VarId> {
        let mut written = Vec::new();
        for stmt in &self.frame().stmts[mark..] {
            visit(stmt, unknown, &mut |var| written.push(var));
        }
        written
    }
}

/// Whether a part of a tuple lies in one of the variables.
fn lies_in(part: &Value, vars: &[VarId]) -> bool {
    match part {
        Value::Place(place, _) => vars.contains(&place.root),
        Value::Tuple(parts, _) => parts.iter().any(|part| lies_in(part, vars)),
        Value::Expr(_)
        | Value::Ref(_)
        | Value::Opaque(..)
        | Value::Unit
        | Value::Never
        | Value::Error => false,
    }
}

/// Reports each written variable; what unknown code writes is left to the activity analysis, but for those who ask.
fn visit(stmt: &crate::ir::Stmt, unknown: bool, f: &mut dyn FnMut(VarId)) {
    if unknown || !matches!(stmt.kind, StmtKind::Opaque(_)) {
        shallow_accesses(stmt, &mut |var, access| {
            if matches!(access, Access::WriteAll | Access::WritePart) {
                f(var);
            }
        });
    }
    for block in stmt.kind.blocks() {
        let inner = block.stmts.iter();
        inner.for_each(|stmt| visit(stmt, unknown, f));
    }
}
