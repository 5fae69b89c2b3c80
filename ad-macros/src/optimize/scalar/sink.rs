//! *Code sinking*: what stands behind a branch, and adds nothing where the branch did nothing, goes into the branch.
//!
//! ```text
//! let mut dx_bar = 0.0;                 let mut dx_bar = 0.0;
//! if square < cutoff {                  if square < cutoff {
//!     dx_bar += force_bar * strength;       dx_bar += force_bar * strength;
//! }                                         x_bar[i] += dx_bar;
//! x_bar[i] += dx_bar;                       x_bar[j] -= dx_bar;
//! x_bar[j] -= dx_bar;                   }
//! ```
//!
//! The reverse of an iteration clears the adjoints of what it computed, takes the branch back, and adds on. Where the
//! function did nothing under the condition, all of that is zero: pairs beyond a cut-off add zeros.
//!
//! Legal in adjoints alone, if one arm has statements and all others none, for as many statements behind the branch as
//! only declare variables, which nothing behind those uses, or add what is zero as long as the adjoints are that were
//! declared as zero in front of the branch, and that nothing but the branch has changed. A zero times infinity would be
//! NaN: an iteration that has no part in the value then has none in the gradient. Worth it in loops that run as they
//! stand and add to elements of arrays, if the arm computes enough to be a branch in any case; elsewhere selections
//! among numbers are faster than branches.

mod seeds;

use crate::analysis::purity::repeats;
use crate::analysis::target::speculation::SUNK_OPERATIONS;
use crate::ir::edit::blocks_mut;
use crate::ir::faults::Fault;
use crate::ir::{
    Block, Class, ExprKind, Func, Stmt, StmtKind, Transform, VarId, VarSet, effects_of, is_zero,
    mentions,
};
use crate::optimize::Cx;
use crate::optimize::loops::windows::{sweep_of, weight};

/// Changes the loops of a sweep.
pub(in crate::optimize) fn sink_all(func: &Func, cx: &mut Cx<'_>, stmts: &mut [Stmt]) {
    in_stmts(func, cx, stmts, &[]);
}

/// `asked`: adjoints of which it is known here that one is not zero.
fn in_stmts(func: &Func, cx: &mut Cx<'_>, stmts: &mut [Stmt], asked: &[Vec<VarId>]) {
    for stmt in stmts {
        let planned = stmt.as_loop().is_some_and(|this| this.plan.is_some());
        if planned {
            continue;
        }
        let (mut sunk, mut skips) = (false, false);
        let is_loop = stmt.is_loop();
        for block in blocks_mut(stmt) {
            let mut asked = asked.to_vec();
            if is_loop {
                skips |= seeds::skip_loops(func, block, &mut asked);
            }
            in_stmts(func, cx, &mut block.stmts, &asked);
            sunk |= is_loop && in_block(func, block);
        }
        if skips {
            let how = format!(
                "{}: a loop inside that adds zeros where an adjoint is zero runs where it is not",
                sweep_of(stmt)
            );
            cx.remarks.applied(stmt.span, Transform::Sink, how);
        }
        if sunk {
            let how = format!(
                "{}: what a branch leaves at zero is added in the branch alone",
                sweep_of(stmt)
            );
            cx.remarks.applied(stmt.span, Transform::Sink, how);
        }
    }
}

/// Moves what stands behind branches of the body of a loop into the branches.
fn in_block(func: &Func, block: &mut Block) -> bool {
    let mut sunk = false;
    for at in (0..block.stmts.len()).rev() {
        if !has_one_arm(&block.stmts[at]) || asks_an_adjoint(func, &block.stmts[at]) {
            continue;
        }
        let end = end_of_zeros(func, block, at);
        let mut moved = block.stmts[at + 1..end].iter();
        // Whether it pays.
        let element =
            |s: &Stmt| matches!(&s.kind, StmtKind::Update { place, .. } if !place.is_path());
        if !moved.any(element) {
            continue;
        }
        let moved: Vec<Stmt> = block.stmts.drain(at + 1..end).collect();
        let arms = blocks_mut(&mut block.stmts[at]);
        let arm = arms.into_iter().find(|arm| !arm.stmts.is_empty());
        arm.expect("one arm has statements").stmts.extend(moved);
        sunk = true;
    }
    sunk
}

/// Whether it is a branch of which one arm has statements, worth a branch, and all others none.
fn has_one_arm(stmt: &Stmt) -> bool {
    let is_branch = matches!(
        stmt.kind,
        StmtKind::Switch { .. } | StmtKind::MatchRecord { .. }
    );
    let arms = stmt.kind.blocks();
    let mut busy = arms.iter().filter(|arm| !arm.stmts.is_empty());
    let (Some(arm), None) = (busy.next(), busy.next()) else {
        return false;
    };
    is_branch && arms.len() > 1 && weight(&arm.stmts) >= SUNK_OPERATIONS
}

/// Whether it leaves out what adds zeros (`seeds`). It does nothing else then, which the verifier sees to.
fn asks_an_adjoint(func: &Func, stmt: &Stmt) -> bool {
    matches!(&stmt.kind, StmtKind::Switch { selector, .. } if func.class_of(selector) == Class::Adjoint)
}

/// How far the statements behind a branch add zeros where no arm with statements runs, and declare nothing that is
/// used behind them.
fn end_of_zeros(func: &Func, block: &Block, at: usize) -> usize {
    let mut zero = VarSet::default();
    for stmt in &block.stmts[..at] {
        for var in effects_of([stmt]).writes.iter() {
            zero.remove(var);
        }
        if let StmtKind::Let {
            var,
            init: Some(init),
        } = &stmt.kind
            && matches!(init.kind, ExprKind::Zero)
            && func.var(*var).class == Class::Adjoint
            && init.ty.is_float()
        {
            zero.insert(*var);
        }
    }
    let mut end = at + 1;
    for stmt in &block.stmts[at + 1..] {
        if let StmtKind::Let {
            var,
            init: Some(init),
        } = &stmt.kind
            && repeats(init)
        {
            if is_zero(init, &zero) {
                zero.insert(*var);
            }
        } else if let StmtKind::Update { place, value, .. } = &stmt.kind
            && func.var(place.root).class == Class::Adjoint
            && (is_zero(value, &zero) || Fault::SunkNotZero.is_on())
        {
            // Adds nothing.
        } else {
            break;
        }
        end += 1;
    }
    let used_behind = |at: usize, end: usize| {
        let StmtKind::Let { var, .. } = &block.stmts[at].kind else {
            return false;
        };
        block.stmts[end..].iter().any(|stmt| mentions(stmt, *var))
    };
    while let Some(first) = (at + 1..end).find(|at| used_behind(*at, end)) {
        end = first;
    }
    end
}
