//! Two loops of a reverse sweep around an innermost one change places.
//!
//! In the adjoint of a filter, `for a { for b { for x { p_bar[a·n + b + x] += … } } }`, each run of the innermost loop
//! adds to the row of the run before, moved by one element. Its loads then find what they need in several stores that
//! are still under way, and wait for them. With the loop over `a` inside, runs that follow one another add to rows of
//! their own.
//!
//! Legal where the iterations of the outer loop carry nothing ([`order`](super::order)): what meets there, other than
//! sums in adjoints, meets within one iteration, and in that the order stays. The ranges are constants, like those of a
//! window: they do not depend on one another, and the rows are few enough to stay in the cache.

use crate::analysis::affine::Definitions;
use crate::analysis::invariant::Constants;
use crate::analysis::target::registers::LONGEST_VECTOR;
use crate::ir::edit::blocks_mut;
use crate::ir::faults::Fault;
use crate::ir::{Block, CountingLoop, Expr, Func, Order, Place, Proj, Stmt, StmtKind};
use crate::ir::{Transform, Transforms};
use crate::optimize::Cx;

/// Interchanges the loops of a reverse sweep.
pub(in crate::optimize) fn interchange_loops(func: &Func, cx: &mut Cx<'_>, stmts: &mut Vec<Stmt>) {
    let mut pass = Pass {
        func,
        constants: Constants::default(),
    };
    pass.stmts(cx, stmts);
}

/// Whether the loop is going to change places with the one inside. `before`: the code in front of it.
pub(in crate::optimize) fn would_interchange<'s>(
    func: &Func,
    transforms: Transforms,
    before: impl IntoIterator<Item = &'s Stmt>,
    stmt: &Stmt,
) -> bool {
    let mut constants = Constants::default();
    for stmt in before {
        constants.note(func, stmt);
    }
    let pass = Pass { func, constants };
    transforms.has(Transform::Interchange) && pass.found(stmt) == Some(Ok(()))
}

struct Pass<'a> {
    func: &'a Func,
    /// Variables that hold constants.
    constants: Constants,
}

impl Pass<'_> {
    fn stmts(&mut self, cx: &mut Cx<'_>, stmts: &mut Vec<Stmt>) {
        let mut at = 0;
        while at < stmts.len() {
            self.constants.note(self.func, &stmts[at]);
            match self.found(&stmts[at]) {
                Some(Ok(())) => {
                    let how = "reverse: the loop inside of it runs around it";
                    let span = stmts[at].span;
                    cx.remarks.applied(span, Transform::Interchange, how);
                    let bounds = interchange(&mut stmts[at]);
                    for bound in &bounds {
                        self.constants.note(self.func, bound);
                    }
                    let here = at;
                    at += bounds.len();
                    stmts.splice(here..here, bounds);
                }
                Some(Err(why)) => {
                    let why = format!("reverse: {why}");
                    let span = stmts[at].span;
                    cx.remarks.refused(span, Transform::Interchange, why);
                }
                None => {}
            }
            for block in blocks_mut(&mut stmts[at]) {
                self.stmts(cx, &mut block.stmts);
            }
            at += 1;
        }
    }

    /// `None` if these are no two loops around an innermost one whose rows meet.
    fn found(&self, stmt: &Stmt) -> Option<Result<(), &'static str>> {
        let outer = reversed(stmt)?;
        let (last, before) = outer.body.stmts.split_last()?;
        let inner = reversed(last)?;
        let row = inner.body.stmts.iter().find_map(reversed)?;
        if row.body.stmts.iter().any(|s| !s.kind.blocks().is_empty()) {
            return None;
        }
        let definitions = Definitions::of(self.func, outer.body);
        let mut nearer = false;
        for place in added_to(row.body) {
            let index = definitions.poly(index_of(place)?)?;
            let by = |counter| Some(index.linear_in(counter)?.0.constant());
            if by(row.counter)? != Some(1) {
                continue;
            }
            // Nothing meets in one run, and the next in a vector.
            match (by(outer.counter)?.is_some_and(is_near), by(inner.counter)?) {
                (true, _) => return None,
                (false, Some(step)) => nearer |= step != 0 && is_near(step),
                (false, None) => {}
            }
        }
        nearer.then(|| self.check(&outer, before, &inner))
    }

    fn check(
        &self,
        outer: &CountingLoop<'_>,
        before: &[Stmt],
        inner: &CountingLoop<'_>,
    ) -> Result<(), &'static str> {
        if outer.order != Order::Forward && !Fault::InterchangedCarried.is_on() {
            return Err("iterations carry something, so their order matters");
        }
        let mut constants = self.constants.clone();
        for stmt in before {
            if !constants.note(self.func, stmt) {
                return Err("it does more than run the loop inside of it");
            }
        }
        if !constants.hold_range(outer.range) || !constants.hold_range(inner.range) {
            return Err("the ranges of both loops are not constants");
        }
        let mut begins = false;
        crate::ir::visit_stmts(inner.body, &mut |stmt| {
            begins |= matches!(
                stmt.kind,
                StmtKind::Begin { .. } | StmtKind::BeginAll { .. } | StmtKind::ClearAround { .. }
            );
        });
        if begins {
            return Err("a gradient begins in it");
        }
        Ok(())
    }
}

/// Whether rows so many elements apart meet in one vector.
fn is_near(step: i128) -> bool {
    step.abs() < LONGEST_VECTOR
}

/// A reverse loop over a range that runs to its end and takes nothing off the tape.
fn reversed(stmt: &Stmt) -> Option<CountingLoop<'_>> {
    let counting = stmt.counting()?;
    (counting.reverse && counting.strip.is_none()).then_some(counting)
}

/// The elements that a body without blocks adds to.
fn added_to(body: &Block) -> impl Iterator<Item = &Place> {
    body.stmts.iter().filter_map(|stmt| {
        if let StmtKind::Update { place, .. } = &stmt.kind
            && !place.is_var()
        {
            Some(place)
        } else {
            None
        }
    })
}

/// The index of an element of a vector or slice.
fn index_of(place: &Place) -> Option<&Expr> {
    let mut indices = place.proj.iter().filter_map(|proj| {
        if let Proj::Index(index) = proj {
            Some(index)
        } else {
            None
        }
    });
    let index = indices.next()?;
    indices.next().is_none().then_some(index)
}

/// Puts the outer loop inside of the inner one. What stood in front of that is returned.
fn interchange(stmt: &mut Stmt) -> Vec<Stmt> {
    let mut before = std::mem::take(&mut body_of(stmt).stmts);
    let mut inner = before.pop().expect("a loop is the last statement");
    std::mem::swap(body_of(stmt), body_of(&mut inner));
    std::mem::swap(stmt, &mut inner);
    body_of(stmt).stmts.push(inner);
    before
}

fn body_of(stmt: &mut Stmt) -> &mut Block {
    if let StmtKind::Loop(this) = &mut stmt.kind {
        &mut this.body
    } else {
        unreachable!("a reverse loop")
    }
}
