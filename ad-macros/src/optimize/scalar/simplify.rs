//! Zero-then-add becomes a definition.
//!
//! An adjoint that is declared as zero and whose first use adds to all of it is declared with that
//! contribution. Legal because nothing can read it in between: the declaration stands right in front.

use crate::ir::{BinOp, Expr, ExprKind, Stmt, StmtKind, UnOp};

pub(crate) fn simplify(stmts: &mut Vec<Stmt>) {
    let mut k = 0;
    while k < stmts.len() {
        if let Some(merged) = k
            .checked_add(1)
            .and_then(|next| merge(&stmts[k], stmts.get(next)?))
        {
            stmts[k] = merged;
            stmts.remove(k + 1);
        }
        for block in crate::ir::edit::blocks_mut(&mut stmts[k]) {
            simplify(&mut block.stmts);
        }
        k += 1;
    }
}

fn merge(first: &Stmt, second: &Stmt) -> Option<Stmt> {
    let StmtKind::Let {
        var,
        init: Some(Expr {
            kind: ExprKind::Zero,
            ..
        }),
    } = &first.kind
    else {
        return None;
    };
    let StmtKind::Update { place, op, value } = &second.kind else {
        return None;
    };
    if place.root != *var || !place.is_var() {
        return None;
    }
    if value.reads(*var) {
        return None;
    }
    let value = if *op == BinOp::Sub {
        Expr::new(
            ExprKind::Unary(UnOp::Neg, Box::new(value.clone())),
            value.ty.clone(),
            value.span,
        )
    } else {
        value.clone()
    };
    Some(Stmt::new(
        StmtKind::Let {
            var: *var,
            init: Some(value),
        },
        second.span,
    ))
}
