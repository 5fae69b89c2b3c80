//! Adjoints that divide by the same root several times multiply by its inverse.
//!
//! The adjoint of `(l - 1.0) / l` with `l = d.sqrt()` divides by `l` three times. One division and three products take a third of the
//! time, and less than that in vectors. A root is what it is for: its inverse can neither overflow nor become subnormal, so
//! zero, infinity and NaN give what they gave, and everything else the same up to rounding.
//!
//! Legal for a root that a block declares and the statements of the same block divide by; it is for adjoints alone.

use crate::ir::edit::{blocks_mut, each_expr};
use crate::ir::{Expr, ExprKind, Func, MathFn, Stmt, StmtKind, Ty, VarId, VarInfo, VarKind};

/// As many divisions as one inverse replaces, at least.
const WORTH: usize = 2;

/// Changes the adjoints of a sweep.
pub(super) fn share_inverses(func: &mut Func, stmts: &mut Vec<Stmt>) {
    let mut at = 0;
    while at < stmts.len() {
        for block in blocks_mut(&mut stmts[at]) {
            share_inverses(func, &mut block.stmts);
        }
        let (before, after) = stmts.split_at_mut(at + 1);
        if let Some((root, ty)) = root(func, &before[at])
            && divisions(after, root, None) >= WORTH
        {
            let span = before[at].span;
            let name = func.fresh_name("inverse", span);
            let inverse = func.add(VarInfo {
                name,
                ty: ty.clone(),
                mutable: false,
                kind: VarKind::Temp,
                constant: true,
            });
            divisions(after, root, Some(inverse));
            let read = Expr::read_var(root, ty.clone(), span);
            let init = Expr::new(ExprKind::Rule("inverse", vec![read]), ty, span);
            let declare = StmtKind::Let {
                var: inverse,
                init: Some(init),
            };
            at += 1;
            stmts.insert(at, Stmt::new(declare, span));
        }
        at += 1;
    }
}

/// The variable, if the statement declares one that holds a root and never changes.
fn root(func: &Func, stmt: &Stmt) -> Option<(VarId, Ty)> {
    let StmtKind::Let {
        var,
        init: Some(init),
    } = &stmt.kind
    else {
        return None;
    };
    let is_root = matches!(init.kind, ExprKind::Math(MathFn::Sqrt, _));
    let ty = &func.var(*var).ty;
    (is_root && matches!(ty, Ty::F32 | Ty::F64) && !func.var(*var).mutable)
        .then(|| (*var, ty.clone()))
}

/// How often adjoints are divided by the variable; with an inverse, they are multiplied by that instead.
fn divisions(stmts: &mut [Stmt], root: VarId, inverse: Option<VarId>) -> usize {
    let mut found = 0;
    for stmt in stmts {
        each_expr(stmt, &mut |e| found += in_expr(e, root, inverse));
    }
    found
}

fn in_expr(e: &mut Expr, root: VarId, inverse: Option<VarId>) -> usize {
    let mut found = 0;
    for child in e.children_mut() {
        found += in_expr(child, root, inverse);
    }
    let ExprKind::Rule(name, args) = &mut e.kind else {
        return found;
    };
    let by_inverse = match *name {
        "div_lhs" => "div_lhs_by",
        "div_rhs" => "div_rhs_by",
        "sqrt" => "sqrt_by",
        _ => return found,
    };
    let divisor = &mut args[1];
    let is_root = matches!(&divisor.kind, ExprKind::Read(p) if p.is_var() && p.root == root);
    if !is_root {
        return found;
    }
    if let Some(inverse) = inverse {
        *divisor = Expr::read_var(inverse, divisor.ty.clone(), divisor.span);
        *name = by_inverse;
    }
    found + 1
}
