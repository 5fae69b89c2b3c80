//! Walks over statements that are being changed.

use crate::ir::{ArgMode, Block, Expr, LoopKind, Place, Stmt, StmtKind};

pub(crate) fn each_stmt(block: &mut Block, f: &mut dyn FnMut(&mut Stmt)) {
    for stmt in &mut block.stmts {
        f(stmt);
        for inner in blocks_mut(stmt) {
            each_stmt(inner, f);
        }
    }
}

pub(crate) fn blocks_mut(stmt: &mut Stmt) -> Vec<&mut Block> {
    match &mut stmt.kind {
        StmtKind::Switch { arms, .. } => arms.iter_mut().collect(),
        StmtKind::Branch { arms, .. } => arms.iter_mut().map(|(b, _)| b).collect(),
        StmtKind::MatchRecord { arms, .. } => arms.iter_mut().map(|(_, b)| b).collect(),
        StmtKind::Loop { body, .. }
        | StmtKind::RevLoop { body, .. }
        | StmtKind::StripLoop { body, .. }
        | StmtKind::RevStripLoop { body, .. }
        | StmtKind::Checkpoint(body)
        | StmtKind::Labelled(_, body)
        | StmtKind::Scope(body) => vec![body],
        StmtKind::Parallel(parallel) => vec![&mut parallel.body],
        _ => Vec::new(),
    }
}

/// The expressions of the statement itself, those in its places excluded.
pub(crate) fn each_expr(stmt: &mut Stmt, f: &mut dyn FnMut(&mut Expr)) {
    match &mut stmt.kind {
        StmtKind::Let { init: Some(e), .. } => f(e),
        StmtKind::Assign { value, .. }
        | StmtKind::Update { value, .. }
        | StmtKind::Begin { value, .. }
        | StmtKind::Push { value, .. }
        | StmtKind::Fill { value, .. } => f(value),
        StmtKind::Switch { selector, .. } => f(selector),
        StmtKind::Truncate { len, .. } => f(len),
        StmtKind::Loop { kind, .. } => match kind {
            LoopKind::For { range, .. } => {
                f(&mut range.lo);
                f(&mut range.hi);
                range.step.iter_mut().for_each(f);
            }
            LoopKind::While(cond) => f(cond),
            LoopKind::Forever => {}
        },
        StmtKind::Call { args, .. } => {
            for arg in args {
                if let ArgMode::Value(e) = &mut arg.mode {
                    f(e);
                }
            }
        }
        _ => {}
    }
}

/// The places of the statement itself, those in its expressions excluded.
pub(crate) fn each_place(stmt: &mut Stmt, f: &mut dyn FnMut(&mut Place)) {
    match &mut stmt.kind {
        StmtKind::Assign { place, .. }
        | StmtKind::Update { place, .. }
        | StmtKind::Begin { place, .. }
        | StmtKind::Fill { slice: place, .. } => f(place),
        StmtKind::Push { vec, .. } | StmtKind::Pop { vec, .. } | StmtKind::Truncate { vec, .. } => {
            f(vec)
        }
        StmtKind::Swap(a, b) => {
            f(a);
            f(b);
        }
        StmtKind::CopyFrom { dst, src } => {
            f(dst);
            f(src);
        }
        StmtKind::Call { args, .. } => {
            for arg in args {
                match &mut arg.mode {
                    ArgMode::Shared(p) | ArgMode::InOut(p) => f(p),
                    ArgMode::Value(_) => {}
                }
            }
        }
        _ => {}
    }
}
