//! *Speculation* of conditions: what a branch in a branch asks is evaluated in front of the outer one.
//!
//! ```text
//! for i in 1..n {
//!     let (a, b) = (u[i] - u[i - 1], u[i + 1] - u[i]);
//!     let slope = if a * b <= 0.0 { 0.0 } else if a.abs() < b.abs() { a } else { b };
//! }                                                  // `c = a.abs() < b.abs()` is declared in front of both
//! ```
//!
//! A condition that stands in an arm is recorded there, as a part of what the arm leaves, and an iteration whose arms
//! leave something neither runs on windows nor in lanes. In front of the branch it is a flag of the iteration, and the
//! branches are selections among numbers.
//!
//! Legal if the condition repeats and cannot panic, since it is now evaluated where the function does not, and if the
//! arm does not change an operand, or declare it, in front of it. An element of an array can be read if the same one
//! has just been read unconditionally. Worth it in a loop, for a few operations that are as cheap as a comparison. What
//! stands in a region is left there.

use crate::analysis::purity::{Part, is_movable};
use crate::analysis::target::speculation::SPECULATED_OPERATIONS;
use crate::ir::edit::blocks_mut;
use crate::ir::faults::Fault;
use crate::ir::{
    BinOp, Block, Expr, ExprKind, Func, Place, Proj, RegionSet, Remarks, Stmt, StmtKind, Transform,
    Ty, VarSet, effects_of, expr_reads, ref_mut_places, region_effects_of, same_place, stmt_exprs,
};

use super::motion::is_dear;

/// Changes the whole function.
pub(super) fn speculate(func: &mut Func, remarks: &mut Remarks) {
    let mut body = std::mem::take(&mut func.body);
    let mut pass = Speculation { func, moved: 0 };
    pass.block(&mut body, false, remarks);
    func.body = body;
}

struct Speculation<'a> {
    func: &'a Func,
    /// Conditions that left a branch of the innermost loop around.
    moved: usize,
}

impl Speculation<'_> {
    /// Inner branches come first: what leaves one of them may leave the next.
    fn block(&mut self, block: &mut Block, in_loop: bool, remarks: &mut Remarks) {
        let mut out = Vec::with_capacity(block.stmts.len());
        for mut stmt in std::mem::take(&mut block.stmts) {
            if stmt.is_loop() {
                let around = std::mem::take(&mut self.moved);
                for inner in blocks_mut(&mut stmt) {
                    self.block(inner, true, remarks);
                }
                if self.moved > 0 {
                    let how = match self.moved {
                        1 => "a condition is evaluated in front of the branch that it stands in"
                            .to_owned(),
                        n => format!(
                            "{n} conditions are evaluated in front of the branches that they stand in"
                        ),
                    };
                    remarks.applied(stmt.span, Transform::Speculate, how);
                }
                self.moved = around;
            } else if !matches!(stmt.kind, StmtKind::Checkpoint(_)) {
                for inner in blocks_mut(&mut stmt) {
                    self.block(inner, in_loop, remarks);
                }
            }
            if let StmtKind::Switch { arms, .. } = &mut stmt.kind
                && in_loop
            {
                for arm in arms {
                    self.out_of(arm, &mut out);
                }
            }
            out.push(stmt);
        }
        block.stmts = out;
    }

    /// Moves the conditions that branches of an arm ask in front of the branch that has the arm.
    fn out_of(&mut self, arm: &mut Block, out: &mut Vec<Stmt>) {
        let asked = selectors(arm);
        if asked.is_empty() {
            return;
        }
        let mut changed = Changed::default();
        let mut rest = Vec::with_capacity(arm.stmts.len());
        for stmt in std::mem::take(&mut arm.stmts) {
            let moves = stmt.definition(self.func).is_some_and(|(var, value)| {
                asked.contains(&var) && self.may_leave(value, &changed, out)
            });
            if moves {
                self.moved += 1;
                out.push(stmt);
                continue;
            }
            changed.add(&stmt);
            rest.push(stmt);
        }
        arm.stmts = rest;
    }

    fn may_leave(&self, condition: &Expr, changed: &Changed, before: &[Stmt]) -> bool {
        let known = |part: &Expr| {
            let ExprKind::Read(place) = &part.kind else {
                return Part::Asked;
            };
            if place.is_path() {
                Part::Asked
            } else if part.ty.is_scalar() && self.was_read(place, before) {
                Part::Known
            } else {
                Part::Left
            }
        };
        condition.ty == Ty::Bool
            && operations(condition) <= SPECULATED_OPERATIONS
            && !is_dear(condition)
            && is_movable(condition, &known)
            && !changed.changes(condition)
    }

    /// Whether the element was read, whatever happened, by the statements right in front, and is still there.
    fn was_read(&self, place: &Place, before: &[Stmt]) -> bool {
        if Fault::SpeculatedIndex.is_on() {
            return true;
        }
        // What leads to it does not change.
        let mut fixed = true;
        place.each_index(&mut |index| {
            expr_reads(index, &mut |operand| {
                fixed &= operand.is_var() && !self.func.var(operand.root).mutable;
            });
        });
        if !fixed {
            return false;
        }
        for stmt in before.iter().rev() {
            // Whoever writes an element leaves the array as long as it is.
            let leaves = if let StmtKind::Assign { place: to, .. } = &stmt.kind {
                let element = to.proj.iter().any(|proj| matches!(proj, Proj::Index(_)));
                to.root != place.root || element
            } else {
                matches!(stmt.kind, StmtKind::Let { .. } | StmtKind::Update { .. })
            };
            if !leaves {
                return false;
            }
            let (mut found, mut keeps) = (false, true);
            for e in stmt_exprs(stmt) {
                read_always(e, &mut |read| found |= same_place(read, place));
                ref_mut_places(e, &mut |_| keeps = false);
            }
            if !keeps {
                return false;
            }
            if found {
                return true;
            }
        }
        false
    }
}

/// The variables that branches of the block ask, in the block itself.
fn selectors(block: &Block) -> VarSet {
    let mut asked = VarSet::default();
    for stmt in &block.stmts {
        if let StmtKind::Switch { selector, .. } = &stmt.kind
            && let ExprKind::Read(place) = &selector.kind
            && place.is_var()
        {
            asked.insert(place.root);
        }
    }
    asked
}

/// Calls `f` with the places that are read whenever `e` is evaluated.
fn read_always(e: &Expr, f: &mut dyn FnMut(&Place)) {
    if let ExprKind::Read(place) = &e.kind {
        f(place);
    } else if let ExprKind::Binary(BinOp::And | BinOp::Or, first, _) = &e.kind {
        read_always(first, f);
    } else if matches!(
        e.kind,
        ExprKind::Binary(..) | ExprKind::Unary(..) | ExprKind::Math(..)
    ) {
        for operand in e.children() {
            read_always(operand, f);
        }
    }
}

/// The operations that an expression is made of.
pub(super) fn operations(e: &Expr) -> usize {
    let children = e.children();
    let here = usize::from(!children.is_empty());
    here + children.into_iter().map(operations).sum::<usize>()
}

/// What an arm has written and declared so far.
#[derive(Default)]
struct Changed {
    declared: VarSet,
    written: RegionSet,
}

impl Changed {
    fn add(&mut self, stmt: &Stmt) {
        let effects = effects_of([stmt]);
        for var in effects.declares.iter() {
            self.declared.insert(var);
        }
        let regions = region_effects_of([stmt]);
        self.written.add(regions.writes.iter());
    }

    fn changes(&self, e: &Expr) -> bool {
        let mut changes = false;
        expr_reads(e, &mut |place| {
            let written =
                self.written.overlaps(place.region()) && !Fault::SpeculatedThoughWritten.is_on();
            changes |= written || self.declared.contains(&place.root);
        });
        changes
    }
}
