//! Unroll-and-jam: several iterations of a loop at once, which share one run of the loop inside.
//!
//! A sum in the inner loop keeps its order, so that each addition waits for the one before. The sums of several
//! iterations of the outer loop are independent, and running them side by side fills the wait; each still has its
//! order, and the value its bits. An array that each run of the inner loop adds to is loaded and stored once for all of
//! them.
//!
//! Where nothing is summed along a row, iterations go over blocks of columns instead: what all of them add to stays in
//! registers while one row of a block follows the other. Each column is a chain of its own and has its order.
//!
//! Legal if iterations of the outer loop meet in nothing that any of them writes, but for elements that all of them
//! write in the same iteration of the inner loop, which they do in their order. So an array that is written is reached
//! only at elements of the outer iteration's own; or only at the counter of the inner loop plus something fixed; or
//! only at elements that belong to one iteration of both (that these do not meet is seen at run time). What else goes
//! from iteration to iteration, such as a sum over all of them, is touched in one place only, in front of the inner
//! loop or behind it, where the lanes run in order. Nothing in the loops panics but the indices, which are looked at
//! before.

mod build;
mod dot_products;
mod hoist;
mod kept;
mod legal;
mod nest;
mod numbers;
mod promote;
mod rematerialize;

use crate::analysis::dependence::reach::Iterations;
use crate::analysis::target::registers::JAMMED_OPERATIONS;
use crate::ir::edit::blocks_mut;
use crate::ir::hash::HashSet;
use crate::ir::{
    Block, CountingLoop, Func, Jam, NO_RANGE, Order, Plan, RangeIter, Stmt, StmtKind, VarId,
};

use crate::ir::{Transform, Transforms};
use crate::optimize::Cx;

use crate::optimize::loops::windows::{Fresh, counts_up_by_one, divided_in, sweep_of, weight};
use build::Builder;

/// Jams the loops of a sweep.
pub(in crate::optimize) fn jam_loops(
    func: &mut Func,
    cx: &mut Cx<'_>,
    stmts: &mut [Stmt],
    divided: &HashSet<VarId>,
) {
    for stmt in stmts {
        match plan(func, stmt, divided) {
            Ok(Some(mut plan)) => {
                let how = format!("{}: {}", sweep_of(stmt), how_many(&plan));
                cx.remarks.applied(stmt.span, Transform::Jam, how);
                if let Plan::Jam(jam) = &mut plan {
                    refine(func, cx, stmt, jam);
                }
                stmt.plan(plan);
                continue;
            }
            Err(why) => {
                let why = format!("{}: {why}", sweep_of(stmt));
                cx.remarks.refused(stmt.span, Transform::Jam, why);
            }
            Ok(None) => {}
        }
        let divided = divided_in(stmt, divided);
        for block in blocks_mut(stmt) {
            jam_loops(func, cx, &mut block.stmts, &divided);
        }
    }
}

/// How the loop runs several of its iterations at once; `None` if there is no loop inside; `Err` says what is in the
/// way.
fn plan(func: &mut Func, stmt: &Stmt, divided: &HashSet<VarId>) -> Result<Option<Plan>, String> {
    let (plan, fresh) = if let Some((jam, fresh)) = planned(func, stmt, divided)? {
        (Plan::Jam(Box::new(jam)), fresh)
    } else if let Some((nest, fresh)) = nest::planned(func, stmt, divided)? {
        (Plan::JammedNest(Box::new(nest)), fresh)
    } else {
        return no_nest(stmt).map_or(Ok(None), Err);
    };
    fresh.declare(func, stmt.span);
    Ok(Some(plan))
}

/// How many iterations run at once, for reports.
fn how_many(plan: &Plan) -> String {
    match plan {
        Plan::Jam(jam) if jam.blocks => {
            let n = jam.lanes.together;
            format!("up to {n} iterations over each block of columns")
        }
        Plan::Jam(jam) => format!("{} iterations at once", jam.lanes.together),
        Plan::JammedNest(nest) => {
            let n = nest.lanes.together;
            format!("{n} iterations at once through the loops inside")
        }
        Plan::Windows(_) | Plan::Products(_) | Plan::Tiles(_) => unreachable!("not made here"),
    }
}

/// What else may be done to a jammed loop.
fn refine(func: &mut Func, cx: &mut Cx<'_>, stmt: &Stmt, jam: &mut Jam) {
    if jam.blocks {
        if cx.transforms.has(Transform::Hoist) {
            hoist::hoist(func, cx, stmt, jam);
        }
        return;
    }
    if cx.transforms.has(Transform::Terms) {
        let sweep = sweep_of(stmt);
        match dot_products::terms(func, jam) {
            Ok(terms) => {
                let how = format!("{sweep}: the terms of four columns of a row at once");
                cx.remarks.applied(stmt.span, Transform::Terms, how);
                jam.terms = Some(terms);
            }
            Err(why) => {
                let why = format!("{sweep}: {why}");
                cx.remarks.refused(stmt.span, Transform::Terms, why);
            }
        }
    }
}

/// A loop with one loop inside.
struct Nest<'a> {
    counter: VarId,
    range: &'a RangeIter,
    body: &'a Block,
    /// What an iteration leaves on the tape.
    records: &'a [VarId],
    /// What it takes off.
    declared: &'a [VarId],
    before: &'a [Stmt],
    inner_counter: VarId,
    inner_range: &'a RangeIter,
    inside: &'a Block,
    after: &'a [Stmt],
}

impl<'a> Nest<'a> {
    fn of(stmt: &'a Stmt) -> Option<Self> {
        let outer = forwards(stmt).filter(|outer| outer.order == Order::Forward)?;
        let body = outer.body;
        let holds_loop = |stmt: &Stmt| {
            !matches!(stmt.kind, StmtKind::Switch { .. }) && !stmt.kind.blocks().is_empty()
        };
        let at = body.stmts.iter().position(holds_loop)?;
        let inner = forwards(&body.stmts[at]).filter(|inner| inner.strip.is_none())?;
        let after = &body.stmts[at + 1..];
        if after.iter().chain(&inner.body.stmts).any(holds_loop) {
            return None;
        }
        let strip = |reverse| outer.strip.filter(|_| outer.reverse == reverse);
        Some(Nest {
            counter: outer.counter,
            range: outer.range,
            body,
            records: strip(false).unwrap_or_default(),
            declared: strip(true).unwrap_or_default(),
            before: &body.stmts[..at],
            inner_counter: inner.counter,
            inner_range: inner.range,
            inside: inner.body,
            after,
        })
    }

    fn segments(&self) -> [&'a [Stmt]; 3] {
        [self.before, &self.inside.stmts, self.after]
    }
}

/// What keeps a loop around one other from being a nest.
fn no_nest(stmt: &Stmt) -> Option<String> {
    if !stmt.is_loop() {
        return None;
    }
    let body = stmt.kind.blocks().into_iter().flat_map(|b| &b.stmts);
    let mut inner = body.filter(|s| s.holds_loop());
    let (inner, None) = (inner.next()?, inner.next()) else {
        return None;
    };
    let backwards = |c: CountingLoop<'_>| c.order == Order::Backward;
    let why = match (stmt.counting(), inner.counting()) {
        (None, _) => NO_RANGE,
        (_, None) if inner.is_loop() => {
            "the inner loop is no `for` over a range that runs to its end"
        }
        (_, None) => "the inner loop runs under a condition",
        (Some(outer), _) if outer.order == Order::Chained => {
            "each iteration computes a scalar from that of the one before"
        }
        (Some(outer), _) if backwards(outer) => "it runs backwards (see `forward_order`)",
        (_, Some(inner)) if backwards(inner) => {
            "the inner loop runs backwards (see `forward_order`)"
        }
        _ => "the inner loop has records of its own",
    };
    Some(why.to_owned())
}

/// A loop over a range that, in reverse, runs forwards.
fn forwards(stmt: &Stmt) -> Option<CountingLoop<'_>> {
    stmt.counting().filter(|c| c.order != Order::Backward)
}

/// Whether several iterations of the loop are going to run at once.
pub(in crate::optimize) fn would_jam(func: &Func, transforms: Transforms, stmt: &Stmt) -> bool {
    let none = HashSet::default();
    transforms.has(Transform::Jam)
        && (matches!(planned(func, stmt, &none), Ok(Some(_)))
            || matches!(nest::planned(func, stmt, &none), Ok(Some(_))))
}

/// A loop with one loop inside, over blocks of columns, even if its iterations share nothing; `None` if it is none.
pub(in crate::optimize) fn over_blocks(
    func: &Func,
    stmt: &Stmt,
    divided: &HashSet<VarId>,
) -> Option<(Jam, Fresh)> {
    let nest = Nest::of(stmt)?;
    counts_up_by_one(func, nest.counter, nest.range).ok()?;
    counts_up_by_one(func, nest.inner_counter, nest.inner_range).ok()?;
    let iterations = Iterations::of(func, nest.counter, nest.declared, nest.body, divided);
    let mut builder = Builder::new(func, &iterations, &nest, true);
    builder.anyway = true;
    builder.check().ok()?;
    builder.build().ok()?
}

/// The jammed loop; `None` if it is no loop around one other; `Err` says what is in the way.
fn planned(
    func: &Func,
    stmt: &Stmt,
    divided: &HashSet<VarId>,
) -> Result<Option<(Jam, Fresh)>, String> {
    let Some(nest) = Nest::of(stmt) else {
        return Ok(None);
    };
    for (counter, range) in [
        (nest.counter, nest.range),
        (nest.inner_counter, nest.inner_range),
    ] {
        counts_up_by_one(func, counter, range)?;
    }
    if weight(&nest.inside.stmts) > JAMMED_OPERATIONS {
        return Err("the inner loop computes too much for registers".to_owned());
    }
    let iterations = Iterations::of(func, nest.counter, nest.declared, nest.body, divided);
    let build = |blocks| {
        let mut builder = Builder::new(func, &iterations, &nest, blocks);
        builder.check()?;
        builder.build()
    };
    match build(true)? {
        Some(found) => Ok(Some(found)),
        None => build(false),
    }
}
