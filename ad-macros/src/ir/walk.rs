//! What expressions and statements read, write and declare.

mod touches;
mod versions;

use smallvec::{SmallVec, smallvec};

use super::{
    ArgMode, Block, Expr, ExprKind, OpaqueArg, Operands, Place, Proj, Stmt, StmtKind, VarId,
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
    match &e.kind {
        ExprKind::Read(p)
        | ExprKind::Len(p)
        | ExprKind::ToVec(p)
        | ExprKind::ZeroLike(p)
        | ExprKind::SumOf(p) => place_reads(p, f),
        ExprKind::Opaque(o) => o.args.iter().for_each(|(_, a)| opaque_arg_reads(a, f)),
        _ => e
            .children()
            .into_iter()
            .for_each(|child| expr_reads(child, f)),
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
    e.children()
        .into_iter()
        .for_each(|child| ref_mut_places(child, f));
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
    for proj in &p.proj {
        match proj {
            Proj::Index(e) => expr_reads(e, f),
            Proj::Range { lo, hi, .. } => lo.iter().chain(hi).for_each(|e| expr_reads(e, f)),
            Proj::Deref | Proj::Field(_) | Proj::Payload | Proj::Variant(_) | Proj::Unbox => {}
        }
    }
}

/// The expressions directly in a statement of the primal.
pub(crate) fn stmt_exprs(stmt: &Stmt) -> Operands<&Expr> {
    match &stmt.kind {
        StmtKind::Let { init: Some(e), .. } | StmtKind::Switch { selector: e, .. } => smallvec![e],
        StmtKind::Assign { value: e, .. }
        | StmtKind::Update { value: e, .. }
        | StmtKind::Begin { value: e, .. }
        | StmtKind::Push { value: e, .. }
        | StmtKind::Fill { value: e, .. }
        | StmtKind::Truncate { len: e, .. } => smallvec![e],
        StmtKind::Loop(this) => this.domain.exprs(),
        StmtKind::Call { args, .. } => args
            .iter()
            .filter_map(|arg| match &arg.mode {
                ArgMode::Value(e) => Some(e),
                ArgMode::Shared(_) | ArgMode::InOut(_) => None,
            })
            .collect(),
        _ => SmallVec::new(),
    }
}

/// Calls `f` with every statement of the block, outer ones first.
pub(crate) fn visit_stmts(block: &Block, f: &mut dyn FnMut(&Stmt)) {
    for stmt in &block.stmts {
        f(stmt);
        for inner in stmt.kind.blocks() {
            visit_stmts(inner, f);
        }
    }
}
/// Calls `f` with every access of the statement, nested blocks included.
pub(crate) fn visit_accesses(stmt: &Stmt, f: &mut dyn FnMut(VarId, Access)) {
    shallow_accesses(stmt, f);
    for block in stmt.kind.blocks() {
        for inner in &block.stmts {
            visit_accesses(inner, f);
        }
    }
}

/// Calls `f` with every place that the statement touches, nested blocks included.
pub(crate) fn visit_touches(stmt: &Stmt, f: &mut dyn FnMut(&Place, Touch)) {
    shallow_touches(stmt, f);
    for block in stmt.kind.blocks() {
        for inner in &block.stmts {
            visit_touches(inner, f);
        }
    }
}

/// Calls `f` with every access of the statement itself, nested blocks excluded.
pub(crate) fn shallow_accesses(stmt: &Stmt, f: &mut dyn FnMut(VarId, Access)) {
    let whole = |place: &Place| place.proj.iter().all(|proj| matches!(proj, Proj::Deref));
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
