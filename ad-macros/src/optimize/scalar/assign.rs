//! Gradients that are assigned where they would be cleared and added to.
//!
//! For each gradient that a statement of the reverse sweep covers (`analysis::coverage`), that statement begins it, and
//! what it leaves out is cleared in front of it. Legal because nothing touched the gradient before. Only where the
//! caller asks for the gradient does this differ from adding (the mode `GRADIENT`); an adjoint is added to.

use crate::analysis::coverage::{Covered, Range, Uncovered, coverage};
use crate::ir::Transform;
use crate::ir::edit::blocks_mut;
use crate::ir::{BinOp, Expr, ExprKind, Stmt, StmtKind, UnOp};
use crate::optimize::Cx;
use crate::optimize::pass::Rewrite;

use crate::ir::Sweeps;

/// Finds which gradients need no clearing before, and which statements begin them.
pub(in crate::optimize) fn plan(sweeps: &Sweeps, cx: &mut Cx<'_>) -> Rewrite {
    let mut plan = Vec::new();
    if sweeps.func.has_gradient() {
        let stmts = run_for_gradients(sweeps);
        for covered in coverage(&sweeps.func, stmts, &sweeps.param_bars) {
            match covered {
                Ok(covered) => {
                    if let [top, _, ..] = covered.path.as_slice() {
                        let how = "the gradient is assigned by the first pass over it";
                        let span = stmts[*top].span;
                        cx.remarks.applied(span, Transform::Assign, how);
                    }
                    plan.push(covered);
                }
                Err(Uncovered { param, span, why }) => {
                    let func = &sweeps.func;
                    let why = format!("`{}`: {why}", func.var(func.params[param].var).name);
                    cx.remarks.refused(span, Transform::Assign, why);
                }
            }
        }
    }
    Box::new(move |sweeps| assign_gradients(plan, sweeps))
}

/// Where there is a list of both sweeps, it is what the caller runs who asks for the gradient.
fn run_for_gradients(sweeps: &Sweeps) -> &[Stmt] {
    let joint = sweeps.joint.as_ref();
    joint.map_or(&sweeps.reverse, |joint| &joint.stmts)
}

fn assign_gradients(plan: Vec<Covered>, sweeps: &mut Sweeps) {
    let joint = sweeps.joint.as_mut();
    let stmts = joint.map_or(&mut sweeps.reverse, |joint| &mut joint.stmts);
    let mut clears = Vec::new();
    for covered in plan {
        let [top, inner @ ..] = covered.path.as_slice() else {
            continue;
        };
        let stmt = inner.iter().try_fold(&mut stmts[*top], |stmt, at| {
            blocks_mut(stmt).into_iter().next()?.stmts.get_mut(*at)
        });
        let Some(stmt) = stmt else {
            continue;
        };
        begin(stmt);
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
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the verifier finds what does not begin"
)]
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
