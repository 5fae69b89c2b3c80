//! What expressions and statements read, write and declare.

mod touches;
mod versions;

use super::{
    ArgMode, Block, Expr, ExprKind, OpaqueArg, Operands, Place, Proj, Stmt, StmtKind, VarId,
    control_stmts, sweep_stmts,
};

pub(crate) use touches::{Touch, expr_touches, shallow_touches};

/// How a statement touches a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    Read,
    /// Overwrites all of the variable.
    WriteAll,
    /// Overwrites a part of it.
    WritePart,
    Declare,
}

/// Calls `f` with every place whose value `e` reads, the roots of index expressions included.
pub(crate) fn expr_reads(e: &Expr, f: &mut dyn FnMut(&Place)) {
    if let Some(place) = e.place() {
        place_reads(place, f);
    } else if let ExprKind::Opaque(o) = &e.kind {
        o.args.iter().for_each(|(_, a)| opaque_arg_reads(a, f));
    } else {
        e.each_child(&mut |child| expr_reads(child, f));
    }
}

/// Calls `f` with every place that opaque code in `e` takes by `&mut`.
pub(crate) fn ref_mut_places(e: &Expr, f: &mut dyn FnMut(&Place)) {
    if let ExprKind::Opaque(o) = &e.kind {
        for (_, arg) in &o.args {
            if let OpaqueArg::RefMut(p) = arg {
                f(p);
            }
        }
    }
    e.each_child(&mut |child| ref_mut_places(child, f));
}

fn opaque_arg_reads(arg: &OpaqueArg, f: &mut dyn FnMut(&Place)) {
    match arg {
        OpaqueArg::Place(p) | OpaqueArg::Ref(p) | OpaqueArg::RefMut(p) => place_reads(p, f),
        OpaqueArg::Value(e) => expr_reads(e, f),
    }
}

fn place_reads(p: &Place, f: &mut dyn FnMut(&Place)) {
    f(p);
    place_index_reads(p, f);
}

/// Calls `f` with every place that the index expressions of `p` read.
pub(crate) fn place_index_reads(p: &Place, f: &mut dyn FnMut(&Place)) {
    p.each_index(&mut |e| expr_reads(e, f));
}

/// The expressions directly in a statement of the primal, or in a `Begin`.
pub(crate) fn stmt_exprs(stmt: &Stmt) -> Operands<&Expr> {
    match &stmt.kind {
        StmtKind::Let { init: Some(e), .. } | StmtKind::Switch { selector: e, .. } => vec![e],
        StmtKind::Assign { value: e, .. }
        | StmtKind::Update { value: e, .. }
        | StmtKind::Begin { value: e, .. }
        | StmtKind::Push { value: e, .. }
        | StmtKind::Fill { value: e, .. }
        | StmtKind::Truncate { len: e, .. } => vec![e],
        StmtKind::Loop(this) => this.domain.exprs(),
        StmtKind::Call { args, .. } => args
            .iter()
            .filter_map(|arg| match &arg.mode {
                ArgMode::Value(e) => Some(e),
                ArgMode::Shared(_) | ArgMode::InOut(_) => None,
            })
            .collect(),
        StmtKind::Let { init: None, .. }
        | StmtKind::Swap(..)
        | StmtKind::Pop { .. }
        | StmtKind::CopyFrom { .. }
        | StmtKind::Opaque(_)
        | StmtKind::Checkpoint(_)
        | StmtKind::Jump(_)
        | StmtKind::Labelled(..)
        | StmtKind::Scope(_)
        | sweep_stmts!(tape)
        | sweep_stmts!(adjoints)
        | sweep_stmts!(forms) => Vec::new(),
    }
}

/// The places directly in a statement of the primal.
pub(crate) fn stmt_places(stmt: &Stmt) -> Operands<&Place> {
    match &stmt.kind {
        StmtKind::Assign { place, .. }
        | StmtKind::Update { place, .. }
        | StmtKind::Fill { slice: place, .. }
        | StmtKind::Push { vec: place, .. }
        | StmtKind::Pop { vec: place, .. }
        | StmtKind::Truncate { vec: place, .. } => vec![place],
        StmtKind::Swap(a, b) | StmtKind::CopyFrom { dst: a, src: b } => vec![a, b],
        StmtKind::Call { args, .. } => args
            .iter()
            .filter_map(|arg| match &arg.mode {
                ArgMode::Shared(p) | ArgMode::InOut(p) => Some(p),
                ArgMode::Value(_) => None,
            })
            .collect(),
        StmtKind::Let { .. } | StmtKind::Opaque(_) | control_stmts!() | sweep_stmts!() => {
            Vec::new()
        }
    }
}

/// Calls `f` with every statement of the block, outer ones first.
pub(crate) fn visit_stmts<'a>(block: &'a Block, f: &mut dyn FnMut(&'a Stmt)) {
    for stmt in &block.stmts {
        f(stmt);
        stmt.kind.each_block(&mut |inner| visit_stmts(inner, f));
    }
}
/// Calls `f` with every access of the statement, nested blocks included.
pub(crate) fn visit_accesses(stmt: &Stmt, f: &mut dyn FnMut(VarId, Access)) {
    shallow_accesses(stmt, f);
    stmt.kind.each_block(&mut |block| {
        for inner in &block.stmts {
            visit_accesses(inner, f);
        }
    });
}

/// Calls `f` with every place that the statement touches, nested blocks included.
pub(crate) fn visit_touches(stmt: &Stmt, f: &mut dyn FnMut(&Place, Touch)) {
    shallow_touches(stmt, f);
    stmt.kind.each_block(&mut |block| {
        for inner in &block.stmts {
            visit_touches(inner, f);
        }
    });
}

/// Calls `f` with every access of the statement itself, nested blocks excluded.
pub(crate) fn shallow_accesses(stmt: &Stmt, f: &mut dyn FnMut(VarId, Access)) {
    let whole =
        |place: &Place| place.is_var() || place.proj.iter().all(|proj| matches!(proj, Proj::Deref));
    shallow_touches(stmt, &mut |place, touch| {
        let var = place.root;
        match touch {
            Touch::Read | Touch::Length => f(var, Access::Read),
            Touch::Write if whole(place) => f(var, Access::WriteAll),
            Touch::Write => f(var, Access::WritePart),
            Touch::Add | Touch::AddInCall | Touch::Update => {
                f(var, Access::Read);
                f(var, Access::WritePart);
            }
            Touch::Declare => f(var, Access::Declare),
        }
    });
}
