//! Which statements and expressions have consequences beyond the variables they name.

use crate::ir::{
    BinOp, Expr, ExprKind, Loop, Opaque, OpaqueArg, OpaqueKind, Place, Proj, Stmt, StmtKind,
};

/// Whether the statement does something that must not happen after an earlier panic: runs unknown code, jumps, loops.
pub(super) fn acts(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Opaque(_)
        | StmtKind::Call { .. }
        | StmtKind::Jump(_)
        | StmtKind::Loop(Loop { .. }) => true,
        StmtKind::Let { init: Some(e), .. } => is_impure(e),
        other => other
            .blocks()
            .iter()
            .any(|block| block.stmts.iter().any(acts)),
    }
}

fn is_impure(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Opaque(o) => !is_pure(o),
        _ => false,
    }
}

/// Whether opaque code may be evaluated at any time and any number of times.
pub(super) fn is_pure(o: &Opaque) -> bool {
    let reads_only = o
        .args
        .iter()
        .all(|(_, arg)| !matches!(arg, OpaqueArg::RefMut(_)));
    reads_only
        && match &o.kind {
            OpaqueKind::Const | OpaqueKind::Other(_) => true,
            // Of integers; unknown receivers are passed as places.
            OpaqueKind::Method(name) => {
                crate::ir::only_reads(&name.to_string())
                    && o.args
                        .iter()
                        .all(|(_, arg)| matches!(arg, OpaqueArg::Value(_)))
            }
            OpaqueKind::Call(_) | OpaqueKind::Macro(_) => false,
        }
}

/// Whether evaluating `e` may panic.
pub(super) fn may_panic(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(_) | ExprKind::None | ExprKind::VecNew(None) => false,
        ExprKind::Read(p) | ExprKind::Len(p) | ExprKind::ToVec(p) => place_may_panic(p),
        ExprKind::Unary(_, a) => may_panic(a) || !e.ty.is_float(),
        ExprKind::Binary(op, a, b) => {
            may_panic(a)
                || may_panic(b)
                || (!op.is_logical() && !a.ty.is_float() && *op != BinOp::BitAnd)
        }
        ExprKind::Cast(a, _)
        | ExprKind::Repeat(a, _)
        | ExprKind::Some(a)
        | ExprKind::NoGradient(a) => may_panic(a),
        ExprKind::Math(_, args)
        | ExprKind::Tuple(args)
        | ExprKind::Struct(_, args)
        | ExprKind::Array(args)
        | ExprKind::VecLit(args) => args.iter().any(may_panic),
        ExprKind::VecNew(Some(a)) => may_panic(a),
        ExprKind::VecRepeat(a, b) => may_panic(a) || may_panic(b),
        ExprKind::Opaque(o) => !(matches!(o.kind, OpaqueKind::Const) && o.args.is_empty()),
        ExprKind::Rule(..)
        | ExprKind::Function(..)
        | ExprKind::ZeroLike(_)
        | ExprKind::Zero
        | ExprKind::SumOf(_) => false,
    }
}

pub(super) fn place_may_panic(p: &Place) -> bool {
    p.proj
        .iter()
        .any(|proj| matches!(proj, Proj::Index(_) | Proj::Range { .. }))
}
