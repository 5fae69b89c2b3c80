//! Vectors of adjoints, and those that come from the tape, that go to the next block that needs one.
//!
//! ```text
//! let mut v_bar = vec![0; n]; …              let mut v_bar = zeros(n); …; recycle v_bar;
//! ```
//!
//! A reverse sweep that runs over a block again and again asks the allocator for vectors of the same lengths each time.
//! `zeros` takes one that a block is done with. A variable is given back at the end of the block that declares it, if
//! nothing has moved it, no code that is kept as it is sees it, and no record or result holds it. rustc checks that
//! what is given back is not used again.

use proc_macro2::Span;

use crate::ir::edit::blocks_mut;
use crate::ir::hash::HashSet;
use crate::ir::versions::Function;
use crate::ir::{
    Arg, ArgMode, Class, Expr, ExprKind, Func, IntTy, LoopId, Place, Stmt, StmtKind, Sweeps,
    Transform, Ty, VarId, begins_with_zeros, shallow_accesses, stmt_exprs, stmt_places,
};

use super::Cx;
use super::moves::{each, held, is_check, lent};

/// Gives back vectors in the reverse sweep, and in that of both.
pub(super) fn recycle(sweeps: &mut Sweeps, cx: &mut Cx<'_>) {
    if !sweeps.func.vars.iter().any(|var| is_vector(&var.ty)) {
        return;
    }
    let held = held(sweeps);
    let func = &sweeps.func;
    let mut loops = Vec::new();
    let joint = sweeps.joint.iter_mut().map(|joint| &mut joint.stmts);
    for stmts in [&mut sweeps.reverse].into_iter().chain(joint) {
        let mut kept = lent(func, stmts);
        kept.extend(&held);
        each(stmts, &mut |stmt| leaves(stmt, &mut kept));
        let mut ends = Ends {
            func,
            kept,
            around: None,
            loops: &mut loops,
        };
        ends.block(stmts, &[]);
    }
    for (_, span) in loops {
        let how = "its reverse uses vectors of iterations before";
        cx.remarks.applied(span, Transform::Recycle, how);
    }
}

fn is_vector(ty: &Ty) -> bool {
    matches!(ty, Ty::Vec(of) if of.is_float())
}

/// Adds what a statement moves, records, or shows to code that is kept as it is and may take it.
fn leaves(stmt: &Stmt, kept: &mut HashSet<VarId>) {
    if let Some(ExprKind::Function(Function::Moved, read)) = stmt.stored().map(|e| &e.kind) {
        kept.extend(read[0].place().map(|place| place.root));
    }
    if let StmtKind::PushRecord { vars, .. } = &stmt.kind {
        kept.extend(vars);
    }
    if runs_code(stmt) {
        shallow_accesses(stmt, &mut |var, _| _ = kept.insert(var));
    }
}

/// Whether there is code in the statement that is kept as it is, but for what only checks or prints.
fn runs_code(stmt: &Stmt) -> bool {
    let in_args = |args: &[Arg]| {
        args.iter().any(|arg| match &arg.mode {
            ArgMode::Value(e) => has_code(e),
            ArgMode::Shared(place) | ArgMode::InOut(place) => in_indices(place),
        })
    };
    if let StmtKind::Opaque(o) = &stmt.kind {
        return !is_check(o);
    }
    if let StmtKind::Call { args, .. }
    | StmtKind::CallForward { args, .. }
    | StmtKind::CallReverse { args, .. }
    | StmtKind::RequireCompanion { args, .. } = &stmt.kind
    {
        return in_args(args);
    }
    stmt_exprs(stmt).into_iter().any(has_code) || stmt_places(stmt).into_iter().any(in_indices)
}

fn has_code(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Opaque(_))
        || e.place().is_some_and(in_indices)
        || e.children().into_iter().any(has_code)
}

fn in_indices(place: &Place) -> bool {
    let mut found = false;
    place.each_index(&mut |e| found |= has_code(e));
    found
}

struct Ends<'a> {
    func: &'a Func,
    /// What somebody else may have.
    kept: HashSet<VarId>,
    /// The innermost loop around.
    around: Option<(LoopId, Span)>,
    /// Those in which vectors are given back.
    loops: &'a mut Vec<(LoopId, Span)>,
}

impl Ends<'_> {
    /// `given`: variables that the block is given from the tape, and owns.
    fn block(&mut self, stmts: &mut Vec<Stmt>, given: &[VarId]) {
        let mut own = given.to_vec();
        for stmt in stmts.iter_mut() {
            self.inside(stmt);
            if let StmtKind::PopRecord { vars, .. } = &stmt.kind {
                own.extend(vars);
            } else if let StmtKind::Let {
                var,
                init: Some(init),
            } = &mut stmt.kind
                && self.may_end(*var)
                && begins_with_zeros(init)
            {
                take(init);
                own.push(*var);
            }
        }
        own.retain(|var| self.may_end(*var));
        let here = self.around.filter(|_| !own.is_empty());
        if let Some(here) = here.filter(|(id, _)| self.loops.iter().all(|(other, _)| other != id)) {
            self.loops.push(here);
        }
        let span = stmts.last().map_or_else(Span::call_site, |last| last.span);
        // For several seeds, what is done to adjoints is one run of statements.
        let is_adjoint = |var: &VarId| self.func.var(*var).class == Class::Adjoint;
        let (bars, others): (Vec<VarId>, Vec<VarId>) = own.into_iter().partition(is_adjoint);
        let ends = bars.into_iter().chain(others);
        stmts.extend(ends.map(|var| Stmt::new(StmtKind::Recycle(var), span)));
    }

    /// The blocks in a statement.
    fn inside(&mut self, stmt: &mut Stmt) {
        if let StmtKind::MatchRecord { arms, .. } = &mut stmt.kind {
            for (given, block) in arms {
                self.block(&mut block.stmts, given);
            }
            return;
        }
        let around = self.around;
        if let Some(this) = stmt.as_loop() {
            self.around = Some((this.id, stmt.span));
        }
        let this = stmt.as_loop().filter(|this| this.is_reverse());
        let strip = this.and_then(|this| this.strip.as_ref());
        let given = strip.map(|strip| strip.vars.clone()).unwrap_or_default();
        for block in blocks_mut(stmt) {
            self.block(&mut block.stmts, &given);
        }
        self.around = around;
    }

    fn may_end(&self, var: VarId) -> bool {
        is_vector(&self.func.var(var).ty) && !self.kept.contains(&var)
    }
}

/// A vector of zeros of the same length, from those that were given back.
fn take(init: &mut Expr) {
    let length = if let ExprKind::VecRepeat(_, length) = &init.kind {
        (**length).clone()
    } else if let ExprKind::ZeroLike(like) = &init.kind {
        let length = Ty::Int(Some(IntTy::Usize));
        Expr::new(ExprKind::Len(like.clone()), length, init.span)
    } else {
        return;
    };
    init.kind = ExprKind::Function(Function::Zeros, vec![length]);
}
