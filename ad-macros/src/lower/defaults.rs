//! Values for variables that an early exit leaves without one.

use proc_macro2::Span;

use crate::ir::{Block, Expr, ExprKind, Func, Lit, Loop, StmtKind, Ty, VarId};

use super::exits::truth;

/// Gives every variable declared without initialiser the default of its type.
pub(super) fn give_defaults(func: &mut Func, block: &mut Block, without: &mut Vec<VarId>) {
    for stmt in &mut block.stmts {
        match &mut stmt.kind {
            StmtKind::Let {
                var,
                init: init @ None,
            } => match default_of(&func.var(*var).ty, stmt.span) {
                Some(value) => {
                    *init = Some(value);
                    func.var_mut(*var).mutable = true;
                }
                None => without.push(*var),
            },
            StmtKind::Switch { arms, .. } => arms
                .iter_mut()
                .for_each(|arm| give_defaults(func, arm, without)),
            StmtKind::Loop(Loop { body, .. }) | StmtKind::Checkpoint(body) => {
                give_defaults(func, body, without)
            }
            _ => {}
        }
    }
}

/// A value of the type that costs nothing, where the macro can name one.
pub(super) fn default_of(ty: &Ty, span: Span) -> Option<Expr> {
    match ty {
        Ty::F32 | Ty::F64 | Ty::Float => Some(Expr::float(0.0, ty, span)),
        Ty::Int(_) => Some(Expr::integer(0, ty, span)),
        Ty::Bool => Some(truth(false)),
        Ty::Char => {
            let space = ExprKind::Lit(Lit::char(' '));
            Some(Expr::new(space, ty.clone(), span))
        }
        Ty::Unit => Some(Expr::new(ExprKind::Tuple(Vec::new()), Ty::Unit, span)),
        Ty::Tuple(parts) => {
            let parts = parts
                .iter()
                .map(|t| default_of(t, span))
                .collect::<Option<Vec<_>>>()?;
            Some(Expr::new(ExprKind::Tuple(parts), ty.clone(), span))
        }
        Ty::Array(element, Some(len)) if element.is_copy() => {
            let value = default_of(element, span)?;
            Some(Expr::new(
                ExprKind::Repeat(Box::new(value), len.clone()),
                ty.clone(),
                span,
            ))
        }
        Ty::Vec(_) => Some(Expr::new(ExprKind::VecNew(None), ty.clone(), span)),
        Ty::Option(_) => Some(Expr::new(ExprKind::None, ty.clone(), span)),
        // The results of calls, for the most part. What has no default value is rustc's to say.
        Ty::Unknown => Some(Expr::default_value(ty.clone(), span)),
        Ty::Array(..) | Ty::Slice(_) | Ty::Str | Ty::Ref(..) | Ty::Passive | Ty::Infer(_) => None,
    }
}
