//! `no_gradient(e)`.

use proc_macro2::Span;

use super::Lowerer;
use super::value::{Value, Want, holds_reference};
use crate::diag::catalog;
use crate::ir::{Access, Expr, ExprKind, StmtKind, shallow_accesses};

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
        let mut outside = false;
        for stmt in &self.frame().stmts[mark..] {
            visit(stmt, &mut |var, access| {
                outside |= (var as usize) < declared && access
            });
        }
        outside
    }
}

/// Reports each written variable; what unknown code writes is left to the activity analysis.
fn visit(stmt: &crate::ir::Stmt, f: &mut dyn FnMut(u32, bool)) {
    if !matches!(stmt.kind, StmtKind::Opaque(_)) {
        shallow_accesses(stmt, &mut |var, access| {
            f(
                var.0,
                matches!(access, Access::WriteAll | Access::WritePart),
            )
        });
    }
    for block in stmt.kind.blocks() {
        block.stmts.iter().for_each(|inner| visit(inner, f));
    }
}
