//! Gradients that are assigned where they would be cleared and added to.
//!
//! For each gradient that a statement of the reverse sweep covers (`analysis::coverage`), that statement begins it, and what it leaves
//! out is cleared in front of it. Legal because nothing touched the gradient before. Only where the caller asks for the gradient
//! does this differ from adding (the mode `GRADIENT`); an adjoint is added to.

use crate::analysis::coverage::{Range, Uncovered, coverage};
use crate::ir::Transform;
use crate::ir::edit::blocks_mut;
use crate::ir::{BinOp, Expr, ExprKind, Stmt, StmtKind, UnOp};
use crate::optimize::Cx;

use crate::ir::Sweeps;

/// Changes the reverse sweep, and notes which gradients need no clearing before.
pub(in crate::optimize) fn assign_gradients(sweeps: &mut Sweeps, cx: &mut Cx<'_>) {
    if !sweeps.func.has_gradient() {
        return;
    }
    let mut clears = Vec::new();
    // Where there is a list of both sweeps, it is what the caller runs who asks for the gradient.
    let stmts = match &mut sweeps.joint {
        Some(joint) => &mut joint.stmts,
        None => &mut sweeps.reverse,
    };
    for covered in coverage(&sweeps.func, stmts, &sweeps.param_bars) {
        let covered = match covered {
            Ok(covered) => covered,
            Err(Uncovered { param, span, why }) => {
                let func = &sweeps.func;
                let why = format!("`{}`: {why}", func.var(func.params[param].var).name);
                cx.remarks.refused(span, Transform::Assign, why);
                continue;
            }
        };
        let [top, inner @ ..] = covered.path.as_slice() else {
            continue;
        };
        let loop_span = stmts[*top].span;
        let stmt = inner.iter().try_fold(&mut stmts[*top], |stmt, at| {
            blocks_mut(stmt).into_iter().next()?.stmts.get_mut(*at)
        });
        let Some(stmt) = stmt else {
            continue;
        };
        begin(stmt);
        if !inner.is_empty() {
            let how = "the gradient is assigned by the first pass over it";
            cx.remarks.applied(loop_span, Transform::Assign, how);
        }
        sweeps.begun.insert(covered.param);
        if let Range::Part { bar, start, trips } = covered.range {
            let span = stmt.span;
            let slice = bar;
            let kind = StmtKind::ClearAround {
                slice,
                start,
                trips,
            };
            clears.push((*top, Stmt::new(kind, span)));
        }
    }
    // From the last, so that positions stay what they are.
    clears.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    for (at, clear) in clears {
        stmts.insert(at, clear);
    }
}

/// An addition becomes the first.
fn begin(stmt: &mut Stmt) {
    let kind = match stmt.kind.clone() {
        StmtKind::Update { place, op, value } => StmtKind::Begin {
            place,
            value: if op == BinOp::Sub {
                negated(value)
            } else {
                value
            },
        },
        StmtKind::Accumulate { dst, src } => StmtKind::BeginAll { dst, src },
        other => other,
    };
    stmt.kind = kind;
}

fn negated(e: Expr) -> Expr {
    let (ty, span) = (e.ty.clone(), e.span);
    Expr::new(ExprKind::Unary(UnOp::Neg, Box::new(e)), ty, span)
}
