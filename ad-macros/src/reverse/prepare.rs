//! Brings the primal into the shape that the reverse transformation expects.
//!
//! * The selector of every branch is an immutable variable (or a literal), so that the reverse sweep can ask
//!   which arm ran after its operands have changed.
//! * A value that is passed to a call beside an in-out argument, and reads what the call overwrites, is copied first.

use std::collections::HashSet;

use crate::ir::{ArgMode, Block, Expr, ExprKind, Func, Stmt, StmtKind, VarId, expr_reads};

/// Prepares the whole function.
pub(crate) fn prepare(func: &mut Func) {
    let mut body = std::mem::take(&mut func.body);
    block(func, &mut body);
    func.body = body;
}

fn block(func: &mut Func, b: &mut Block) {
    let mut out = Vec::with_capacity(b.stmts.len());
    for mut stmt in std::mem::take(&mut b.stmts) {
        match &mut stmt.kind {
            StmtKind::Switch { selector, arms } => {
                arms.iter_mut().for_each(|arm| block(func, arm));
                name(func, selector, "c", &mut out);
            }
            StmtKind::Loop { body, .. } | StmtKind::Checkpoint(body) => block(func, body),
            StmtKind::Call { args, .. } => {
                let in_out: HashSet<VarId> = args
                    .iter()
                    .filter_map(|a| match &a.mode {
                        ArgMode::InOut(p) => Some(p.root),
                        ArgMode::Value(_) | ArgMode::Shared(_) => None,
                    })
                    .collect();
                for arg in args.iter_mut() {
                    if let ArgMode::Value(e) = &mut arg.mode
                        && reads_any(e, &in_out)
                    {
                        name(func, e, "arg", &mut out);
                    }
                }
            }
            _ => {}
        }
        out.push(stmt);
    }
    b.stmts = out;
}

fn reads_any(e: &Expr, roots: &HashSet<VarId>) -> bool {
    let mut found = false;
    expr_reads(e, &mut |p| found |= roots.contains(&p.root));
    found
}

/// Replaces `e` by an immutable variable that holds its value.
fn name(func: &mut Func, e: &mut Expr, base: &str, out: &mut Vec<Stmt>) {
    let named = match &e.kind {
        ExprKind::Lit(_) => true,
        ExprKind::Read(p) => p.is_var() && !func.var(p.root).mutable,
        _ => false,
    };
    if named {
        return;
    }
    let var = func.temp(base, e.ty.clone(), e.span);
    let read = Expr::read_var(var, e.ty.clone(), e.span);
    let init = std::mem::replace(e, read);
    let span = init.span;
    out.push(Stmt::new(
        StmtKind::Let {
            var,
            init: Some(init),
        },
        span,
    ));
}
