//! *Tail merging*: what all arms of a branch write last is written once, behind them.
//!
//! ```text
//! if r.abs() <= 1.0 {                          // let t = if … { 0.5 * r * r } else { r.abs() - 0.5 };
//!     sum += 0.5 * r * r;                      // sum += t;
//! } else {
//!     sum += r.abs() - 0.5;
//! }
//! ```
//!
//! A sum that takes a term in each iteration is one that the loops behind know, as is an element that each iteration
//! writes: what is left of the branch is a selection among numbers.
//!
//! Legal if the arms end in the same statement but for the value, on a place that nothing in them declares: between the
//! value and the place nothing is evaluated, so whatever panics does so in its turn. An arm that does nothing takes
//! part where others add to a variable or subtract from it: what it adds is `-0.0`, what it subtracts `0.0`, which
//! leave every number as it is, both zeros included. Worth it in a loop, for elements, and for sums, which the loop
//! does not read; beside an arm that does nothing, if the other ones are few and cheap operations, which the back end
//! makes selections of. What stands in a region is left there.

use crate::analysis::target::speculation::SUNK_OPERATIONS;
use crate::ir::edit::blocks_mut;
use crate::ir::faults::Fault;
use crate::ir::{
    BinOp, Block, Expr, ExprKind, Func, Place, Remarks, Stmt, StmtKind, Transform, Ty, UnOp, VarId,
    VarSet, effects_of, expr_reads, name, place_index_reads, place_ty, same_place, stmt_exprs,
    visit_stmts,
};

use super::motion::is_dear;
use super::speculate::operations;

/// Changes the whole function.
pub(super) fn merge(func: &mut Func, remarks: &mut Remarks) {
    let mut body = std::mem::take(&mut func.body);
    let mut merging = Merging {
        func,
        merged: Vec::new(),
        read: VarSet::default(),
    };
    merging.block(&mut body, false, remarks);
    func.body = body;
}

struct Merging<'a> {
    func: &'a mut Func,
    /// What is written behind the branches of the innermost loop around.
    merged: Vec<VarId>,
    /// What that loop reads.
    read: VarSet,
}

impl Merging<'_> {
    /// Inner branches come first: behind one, a write may be the last of an arm.
    fn block(&mut self, block: &mut Block, in_loop: bool, remarks: &mut Remarks) {
        let mut out = Vec::with_capacity(block.stmts.len());
        for mut stmt in std::mem::take(&mut block.stmts) {
            if stmt.is_loop() {
                let around = std::mem::take(&mut self.merged);
                let read_around = std::mem::replace(&mut self.read, read_in(&stmt));
                for inner in blocks_mut(&mut stmt) {
                    self.block(inner, true, remarks);
                }
                self.report(&stmt, remarks);
                (self.merged, self.read) = (around, read_around);
            } else if !matches!(stmt.kind, StmtKind::Checkpoint(_)) {
                for inner in blocks_mut(&mut stmt) {
                    self.block(inner, in_loop, remarks);
                }
            }
            let write = in_loop.then(|| self.take_last(&mut stmt)).flatten();
            match write {
                Some((value, write)) => {
                    let declare = StmtKind::Let {
                        var: value,
                        init: None,
                    };
                    out.extend([Stmt::new(declare, stmt.span), stmt, write]);
                }
                None => out.push(stmt),
            }
        }
        block.stmts = out;
    }

    fn report(&self, stmt: &Stmt, remarks: &mut Remarks) {
        let mut names: Vec<String> = Vec::new();
        for var in &self.merged {
            let name = format!("`{}`", name(self.func, *var));
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if !names.is_empty() {
            let how = format!(
                "what the arms of a branch write to {} last is written behind them",
                names.join(" and ")
            );
            remarks.applied(stmt.span, Transform::Speculate, how);
        }
    }

    /// Lets the arms of a branch yield what they would write last: the variable for that, and the write.
    fn take_last(&mut self, stmt: &mut Stmt) -> Option<(VarId, Stmt)> {
        let StmtKind::Switch { arms, .. } = &mut stmt.kind else {
            return None;
        };
        let write = self.common(arms)?;
        let (place, op) = (write.place.clone(), write.op);
        let ty = place_ty(self.func, &place);
        let value = self.func.temp("value", ty.clone(), stmt.span);
        for arm in arms {
            let last = arm.stmts.pop();
            let span = last.as_ref().map_or(stmt.span, |last| last.span);
            let term = last.and_then(value_of);
            let assign = StmtKind::Assign {
                place: Place::var(value, span),
                value: term.unwrap_or_else(|| unchanging(op, &ty, span)),
                init: true,
            };
            arm.stmts.push(Stmt::new(assign, span));
        }
        self.merged.push(place.root);
        let read = Expr::read_var(value, ty, stmt.span);
        let write = match op {
            Some(op) => StmtKind::Update {
                place,
                op,
                value: read,
            },
            None => StmtKind::Assign {
                place,
                value: read,
                init: false,
            },
        };
        Some((value, Stmt::new(write, stmt.span)))
    }

    /// What all arms write last, if it may be written behind them and that is worth it.
    fn common<'b>(&self, arms: &'b [Block]) -> Option<Write<'b>> {
        let writes = || arms.iter().filter(|arm| !arm.stmts.is_empty());
        let first = Write::last_of(writes().next()?)?;
        let idle = writes().count() < arms.len();
        let known = matches!(place_ty(self.func, first.place), Ty::F32 | Ty::F64);
        // A variable that arms assign is a selection already, one that the loop reads is no sum; an element that an arm
        // does not look at may not be there.
        let gains = match first.op {
            _ if !first.place.is_path() => !idle,
            Some(_) => !self.read.contains(&first.place.root),
            None => false,
        };
        if !known || !gains || arms.len() < 2 {
            return None;
        }
        let alike = |arm: &Block| {
            Write::last_of(arm).is_some_and(|last| {
                let same = same_place(last.place, first.place) || Fault::MergedElsewhere.is_on();
                last.op == first.op && same && !declares(arm, last.place)
            })
        };
        let cheap = || {
            let work: usize = writes().flat_map(|arm| &arm.stmts).map(weight).sum();
            let dear = |stmt: &Stmt| stmt_exprs(stmt).into_iter().any(is_dear);
            let plain = |stmt: &Stmt| {
                matches!(
                    stmt.kind,
                    StmtKind::Let { .. } | StmtKind::Assign { .. } | StmtKind::Update { .. }
                )
            };
            let stmts = || writes().flat_map(|arm| &arm.stmts);
            work < SUNK_OPERATIONS && stmts().all(plain) && !stmts().any(dear)
        };
        (writes().all(alike) && (!idle || cheap())).then_some(first)
    }
}

/// The last statement of an arm: `place = …`, or `place += …` and the like.
struct Write<'a> {
    place: &'a Place,
    op: Option<BinOp>,
}

impl<'a> Write<'a> {
    fn last_of(arm: &'a Block) -> Option<Self> {
        let kind = &arm.stmts.last()?.kind;
        if let StmtKind::Update { place, op, .. } = kind {
            Some(Write {
                place,
                op: Some(*op),
            })
        } else if let StmtKind::Assign {
            place, init: false, ..
        } = kind
        {
            Some(Write { place, op: None })
        } else {
            None
        }
    }
}

fn value_of(stmt: Stmt) -> Option<Expr> {
    if let StmtKind::Update { value, .. } | StmtKind::Assign { value, .. } = stmt.kind {
        Some(value)
    } else {
        None
    }
}

/// What is read in a loop, beside what it is added to.
fn read_in(stmt: &Stmt) -> VarSet {
    let mut read = VarSet::default();
    let mut each = |stmt: &Stmt| {
        for e in stmt_exprs(stmt) {
            expr_reads(e, &mut |place| {
                read.insert(place.root);
            });
        }
    };
    for block in stmt.kind.blocks() {
        visit_stmts(block, &mut each);
    }
    read
}

/// Whether an arm declares what a place is made of.
fn declares(arm: &Block, place: &Place) -> bool {
    let declared = effects_of(&arm.stmts).declares;
    let mut found = declared.contains(&place.root);
    place_index_reads(place, &mut |read| found |= declared.contains(&read.root));
    found
}

/// What can be added to any number, or subtracted from it, and leaves its bits.
fn unchanging(op: Option<BinOp>, ty: &Ty, span: proc_macro2::Span) -> Expr {
    let zero = Expr::float(0.0, ty, span);
    if op == Some(BinOp::Add) && !Fault::MergedZero.is_on() {
        return Expr::new(ExprKind::Unary(UnOp::Neg, Box::new(zero)), ty.clone(), span);
    }
    zero
}

fn weight(stmt: &Stmt) -> usize {
    stmt_exprs(stmt).into_iter().map(operations).sum()
}
