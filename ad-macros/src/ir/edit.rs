//! Walks over statements that are being changed.

use crate::ir::versions::Check;
use crate::ir::{
    ArgMode, Block, Domain, Expr, ExprKind, Loop, Opaque, OpaqueArg, Place, Stmt, StmtKind, VarId,
    control_stmts, leaf_stmts, sweep_stmts,
};

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
        StmtKind::Loop(Loop { body, .. })
        | StmtKind::Checkpoint(body)
        | StmtKind::Labelled(_, body)
        | StmtKind::Scope(body) => vec![body],
        StmtKind::Parallel(parallel) => vec![&mut parallel.body],
        StmtKind::Versioned(both) => vec![&mut both.plain, &mut both.fast],
        StmtKind::Disjoint(disjoint) => vec![&mut disjoint.body],
        StmtKind::Strips(strips) => vec![&mut strips.body],
        StmtKind::InRegisters(inside) => vec![&mut inside.body],
        StmtKind::Procedure(procedure) => vec![&mut procedure.body],
        StmtKind::Simd(simd) => vec![&mut simd.body],
        StmtKind::Kernel(call) => call.bodies.iter_mut().map(|body| &mut body.block).collect(),
        StmtKind::Check(check) => match &mut **check {
            Check::NoOverflow(indices) => vec![&mut indices.exact],
            Check::Not(_)
            | Check::Less { .. }
            | Check::Outside { .. }
            | Check::Fits(_)
            | Check::Number { .. }
            | Check::Part { .. }
            | Check::Element { .. } => Vec::new(),
        },
        leaf_stmts!()
        | StmtKind::Jump(_)
        | StmtKind::PushRecord { .. }
        | StmtKind::PopRecord { .. }
        | StmtKind::PushSlice { .. }
        | StmtKind::PopSlice { .. }
        | StmtKind::PushRange { .. }
        | StmtKind::PopRange { .. }
        | StmtKind::RequireCompanion { .. }
        | StmtKind::CallForward { .. }
        | StmtKind::CallReverse { .. }
        | StmtKind::Run(_)
        | StmtKind::Begin { .. }
        | StmtKind::Windows(_)
        | StmtKind::RecordAt(_)
        | StmtKind::Buffer(_)
        | sweep_stmts!(adjoints) => Vec::new(),
    }
}

/// The expressions of the statement itself, those in its places excluded: of the primal, or of a `Begin`.
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
        StmtKind::Loop(Loop { domain: kind, .. }) => match kind {
            Domain::Range { range, .. } | Domain::Prefix { range, .. } => {
                f(&mut range.lo);
                f(&mut range.hi);
                range.step.iter_mut().for_each(f);
            }
            Domain::While(cond) => f(cond),
            Domain::Strip { of, .. } => of.index.iter_mut().for_each(|by| f(&mut by.first)),
            Domain::Times(_) | Domain::Forever => {}
        },
        StmtKind::Call { args, .. } => {
            for arg in args {
                if let ArgMode::Value(e) = &mut arg.mode {
                    f(e);
                }
            }
        }
        StmtKind::Let { init: None, .. }
        | StmtKind::Swap(..)
        | StmtKind::Pop { .. }
        | StmtKind::CopyFrom { .. }
        | StmtKind::Opaque(_)
        | StmtKind::Checkpoint(_)
        | StmtKind::Labelled(..)
        | StmtKind::Jump(_)
        | StmtKind::Scope(_)
        | sweep_stmts!(tape)
        | sweep_stmts!(adjoints)
        | sweep_stmts!(forms) => {}
    }
}

/// The places of the statement itself, those in its expressions excluded: of the primal, or of a `Begin`.
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
        StmtKind::Let { .. }
        | StmtKind::Opaque(_)
        | StmtKind::Scope(_)
        | control_stmts!()
        | sweep_stmts!(tape)
        | sweep_stmts!(adjoints)
        | sweep_stmts!(forms) => {}
    }
}

/// Every place of the statement itself: those that it names, those that its expressions read, and those in their
/// indices, outer ones first.
pub(crate) fn each_place_within(stmt: &mut Stmt, f: &mut dyn FnMut(&mut Place)) {
    each_place(stmt, &mut |p| within_place(p, f));
    each_expr(stmt, &mut |e| within_expr(e, f));
    if let StmtKind::Opaque(o) = &mut stmt.kind {
        within_opaque(o, f);
    }
}

/// The lengths that the statement itself uses.
pub(crate) fn each_len(stmt: &mut Stmt, f: &mut dyn FnMut(&mut Expr)) {
    fn lengths(e: &mut Expr, f: &mut dyn FnMut(&mut Expr)) {
        if matches!(e.kind, ExprKind::Len(_)) {
            f(e);
        } else if let Some(place) = e.place_mut() {
            indices(place, f);
        } else {
            e.children_mut().into_iter().for_each(|e| lengths(e, f));
        }
    }
    fn indices(place: &mut Place, f: &mut dyn FnMut(&mut Expr)) {
        place.index_exprs_mut().for_each(|e| lengths(e, f));
    }
    each_expr(stmt, &mut |e| lengths(e, f));
    each_place(stmt, &mut |p| indices(p, f));
}

fn within_place(place: &mut Place, f: &mut dyn FnMut(&mut Place)) {
    f(place);
    place.index_exprs_mut().for_each(|e| within_expr(e, f));
}

fn within_expr(e: &mut Expr, f: &mut dyn FnMut(&mut Place)) {
    if let Some(place) = e.place_mut() {
        within_place(place, f);
    } else if let ExprKind::Opaque(o) = &mut e.kind {
        within_opaque(o, f);
    } else {
        e.children_mut()
            .into_iter()
            .for_each(|child| within_expr(child, f));
    }
}

fn within_opaque(o: &mut Opaque, f: &mut dyn FnMut(&mut Place)) {
    for (_, arg) in &mut o.args {
        match arg {
            OpaqueArg::Place(p) | OpaqueArg::Ref(p) | OpaqueArg::RefMut(p) => within_place(p, f),
            OpaqueArg::Value(e) => within_expr(e, f),
        }
    }
}

/// The variables that a statement of the primal names outside of places: those that it declares, and the flag of a
/// loop.
pub(crate) fn each_name(stmt: &mut Stmt, f: &mut dyn FnMut(&mut VarId)) {
    match &mut stmt.kind {
        StmtKind::Let { var, .. } | StmtKind::Pop { dest: var, .. } => f(var),
        StmtKind::Call { dest, .. } => dest.iter_mut().for_each(f),
        StmtKind::Loop(Loop {
            domain: kind, exit, ..
        }) => {
            if let Domain::Range { var, .. } = kind {
                f(var);
            }
            exit.iter_mut().for_each(f);
        }
        StmtKind::Assign { .. }
        | StmtKind::Update { .. }
        | StmtKind::Swap(..)
        | StmtKind::Switch { .. }
        | StmtKind::Push { .. }
        | StmtKind::Truncate { .. }
        | StmtKind::Fill { .. }
        | StmtKind::CopyFrom { .. }
        | StmtKind::Opaque(_)
        | StmtKind::Checkpoint(_)
        | StmtKind::Labelled(..)
        | StmtKind::Jump(_)
        | sweep_stmts!() => {}
    }
}
