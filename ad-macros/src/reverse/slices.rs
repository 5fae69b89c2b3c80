//! Innermost loops over slices of just the elements that they touch, and adjoints that are added to in blocks.
//!
//! Where every array is indexed by the counter plus something fixed, one check in front of the loop serves all of its
//! iterations, and the loop has no check left that would keep it from being vectorised. A slice that is
//! written meets no other of the same array; whether that is so is seen at run time. Where a slice does not fit, the loop runs as it was.
//!
//! A reverse loop that carries nothing from iteration to iteration but sums in adjoints computes the contributions of a
//! block of iterations first and adds them then, one array after the other (`Lanes` in the runtime).
//!
//! Nothing changes in what the forward sweep computes, nor in its order.

mod rewrite;
mod roles;

use std::borrow::Cow;
use std::collections::HashSet;

use proc_macro2::Span;

use crate::analysis::access::Iterations;
use crate::ir::edit::blocks_mut;
use crate::ir::{
    Block, ExprKind, Func, LoopKind, Order, RangeIter, RevKind, Sliced, Stmt, StmtKind, Ty, VarId,
};

pub(super) use rewrite::path_text;
use roles::Roles;

/// Loops of so few iterations, known from the text, are left to the optimiser, which unrolls them.
const FEW: u64 = 8;

/// Slices the loops of a sweep.
pub(super) fn slice_loops(func: &mut Func, stmts: &mut [Stmt], divided: &HashSet<VarId>) {
    for stmt in stmts {
        if let Ok(Some(sliced)) = slice(func, stmt, divided) {
            stmt.kind = StmtKind::Sliced(Box::new(sliced));
            continue;
        }
        let divided = divided_in(stmt, divided);
        for block in blocks_mut(stmt) {
            slice_loops(func, &mut block.stmts, &divided);
        }
    }
}

/// The arrays of which the code in a statement has parts only.
pub(super) fn divided_in<'a>(stmt: &Stmt, around: &'a HashSet<VarId>) -> Cow<'a, HashSet<VarId>> {
    let StmtKind::Parallel(parallel) = &stmt.kind else {
        return Cow::Borrowed(around);
    };
    let parts = parallel.shares.parts.iter().map(|(root, _)| *root);
    Cow::Owned(around.iter().copied().chain(parts).collect())
}

/// What all kinds of loops have.
struct Head<'a> {
    counter: VarId,
    range: &'a RangeIter,
    /// What the loop takes off the tape for each iteration.
    records: &'a [VarId],
    body: &'a Block,
    order: Order,
    reverse: bool,
    span: Span,
    divided: &'a HashSet<VarId>,
}

impl<'a> Head<'a> {
    /// `None` if it is no loop over a range that runs to its end.
    fn of(stmt: &'a Stmt, divided: &'a HashSet<VarId>) -> Option<Self> {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Loop {
                kind: LoopKind::For { var, range },
                body,
                exit: None,
                ..
            } => Some(Head {
                counter: *var,
                range,
                records: &[],
                body,
                order: Order::Forward,
                reverse: false,
                span,
                divided,
            }),
            StmtKind::StripLoop {
                counter,
                range,
                body,
                ..
            } => Some(Head {
                counter: *counter,
                range,
                records: &[],
                body,
                order: Order::Forward,
                reverse: false,
                span,
                divided,
            }),
            StmtKind::RevLoop {
                kind:
                    RevKind::For {
                        var,
                        range,
                        trips: None,
                    },
                body,
                order,
            } => Some(Head {
                counter: *var,
                range,
                records: &[],
                body,
                order: *order,
                reverse: true,
                span,
                divided,
            }),
            StmtKind::RevStripLoop {
                counter,
                range,
                vars,
                body,
                order,
                ..
            } => Some(Head {
                counter: *counter,
                range,
                records: vars,
                body,
                order: *order,
                reverse: true,
                span,
                divided,
            }),
            _ => None,
        }
    }

    fn iterations(&self, func: &'a Func) -> Iterations<'a> {
        Iterations::of(func, self.counter, self.records, self.body, self.divided)
    }

    fn check(&self, func: &Func) -> Result<(), String> {
        is_plain(func, self.counter, self.range)?;
        let number = |kind: &ExprKind| match kind {
            ExprKind::Lit(syn::Lit::Int(lit)) => lit.base10_parse::<u64>().ok(),
            _ => None,
        };
        let range = self.range;
        if let (Some(lo), Some(hi)) = (number(&range.lo.kind), number(&range.hi.kind))
            && hi.saturating_sub(lo) <= FEW
        {
            return Err("it has so few iterations that the optimiser unrolls it".to_owned());
        }
        if let Some(var) = self
            .records
            .iter()
            .find(|v| !func.var(**v).ty.is_scalar() || func.var(**v).ty == Ty::Float)
        {
            return Err(format!(
                "`{}` is recorded, whose type the text does not show",
                func.var(*var).name
            ));
        }
        Ok(())
    }
}

/// Whether the loop counts up by one over `usize`; `Err` says what else.
pub(super) fn is_plain(func: &Func, counter: VarId, range: &RangeIter) -> Result<(), String> {
    let is_usize = |ty: &Ty| *ty == Ty::Int(Some("usize"));
    if range.step.is_some() || range.rev || range.rev_first {
        return Err("the range is reversed or has a step".to_owned());
    }
    if ![&func.var(counter).ty, &range.lo.ty, &range.hi.ty]
        .into_iter()
        .any(is_usize)
    {
        return Err("the counter is not known to be a `usize`".to_owned());
    }
    Ok(())
}

/// A variable to be declared.
pub(super) struct Fresh {
    pub(super) base: String,
    pub(super) ty: Ty,
    pub(super) mutable: bool,
}

/// Declares variables, in this order.
pub(super) fn declare(func: &mut Func, fresh: Vec<Fresh>, span: Span) {
    for Fresh { base, ty, mutable } in fresh {
        let var = func.temp(&base, ty, span);
        func.var_mut(var).mutable = mutable;
    }
}

/// The loop on slices; `None` if it is no loop; `Err` says what is in the way.
fn slice(func: &mut Func, stmt: &Stmt, divided: &HashSet<VarId>) -> Result<Option<Sliced>, String> {
    let Some(head) = Head::of(stmt, divided) else {
        return Ok(None);
    };
    if head.body.stmts.iter().any(holds_loop) {
        return Ok(None);
    }
    head.check(func)?;
    let roles = {
        let iterations = head.iterations(func);
        Roles::of(func, &iterations, &head)?
    };
    rewrite::sliced(func, stmt, &head, &roles).map(Some)
}

fn holds_loop(stmt: &Stmt) -> bool {
    matches!(
        stmt.kind,
        StmtKind::Loop { .. }
            | StmtKind::RevLoop { .. }
            | StmtKind::StripLoop { .. }
            | StmtKind::RevStripLoop { .. }
            | StmtKind::Parallel(_)
    ) || stmt
        .kind
        .blocks()
        .iter()
        .any(|b| b.stmts.iter().any(holds_loop))
}
