//! What the report says of calls in loops.

use proc_macro2::Span;

use crate::ir::{
    Block, CalleeKind, Expr, Func, Loop, Remarks, Stmt, StmtKind, Transform, stmt_exprs,
};

/// Tells of each loop which functions are inlined in it, and which calls stay.
pub(crate) fn remark(func: &Func, remarks: &mut Remarks) {
    in_loops(func, &func.body, None, remarks);
}

/// `around`: the innermost loop.
fn in_loops(func: &Func, block: &Block, around: Option<Span>, remarks: &mut Remarks) {
    for stmt in &block.stmts {
        if let Some(around) = around {
            of_stmt(func, stmt, around, remarks);
        }
        let is_loop = matches!(stmt.kind, StmtKind::Loop(Loop { .. }));
        let inner = if is_loop { Some(stmt.span) } else { around };
        for block in stmt.kind.blocks() {
            in_loops(func, block, inner, remarks);
        }
    }
}

fn of_stmt(func: &Func, stmt: &Stmt, around: Span, remarks: &mut Remarks) {
    for inlined in &func.inlined {
        let here = inlined.name.span();
        let mut exprs = stmt_exprs(stmt).into_iter();
        if is(stmt.span, here) || exprs.any(|e| stands(e, here)) {
            remarks.applied(around, Transform::Inline, format!("`{}`", inlined.name));
        }
    }
    if let StmtKind::Call { callee, .. } = &stmt.kind
        && callee.kind == CalleeKind::Function
        && let Some(why) = func.not_inlined.get(&callee.name())
    {
        remarks.refused(around, Transform::Inline, why);
    }
}

/// Whether a part of the expression stands there.
fn stands(e: &Expr, there: Span) -> bool {
    let mut found = is(e.span, there);
    e.each_child(&mut |child| found |= stands(child, there));
    found
}

fn is(one: Span, other: Span) -> bool {
    let key = |span: Span| (span.start().line, span.start().column, span.end().column);
    key(one) == key(other)
}
