//! Unroll-and-jam through more than one loop: a loop around several others, or around some that stand in one another.
//!
//! All iterations of the outer loop take the same way through the loops inside, so that some of them go through these
//! together, each statement for all of them. Sums are side by side then, and so are elements that lie at the outer
//! counter plus something that is the same for all of them: the optimiser makes vectors of both.
//!
//! Legal if the ranges of the loops inside do not change with the outer one, and if iterations meet in nothing that
//! any of them writes but behind the last of the loops, where they run in their order. A window that is not there
//! leaves the jammed form, and the iterations at hand begin anew in the plain one; so nothing is written up to that
//! point that another iteration, or this one, finds. The last few iterations are gone through with those in front of
//! them, which are done: these write nothing again.

mod slices;

use crate::analysis::dependence::reach::Iterations;
use crate::analysis::target::registers::{CHAINS, JAMMED_OPERATIONS};
use crate::ir::edit::{blocks_mut, each_expr};
use crate::ir::faults::Fault;
use crate::ir::hash::HashSet;
use crate::ir::{
    BinOp, Block, Class, CountingLoop, Expr, ExprKind, Func, JammedNest, NestPart, Order, Proj,
    Segment, SideBySide, SlicedSegment, Stmt, StmtKind, Ty, VarId, effects_of, is_constant,
    mentions,
};
use crate::optimize::loops::windows::{Fresh, counts_up_by_one, weight};

use slices::{AsTheyStand, Slice, Slices};

use super::kept;
use super::numbers::Numbers;

/// The jammed nest; `None` if it is no loop around others that all of its iterations run through; `Err` says what is in
/// the way.
pub(super) fn planned(
    func: &Func,
    stmt: &Stmt,
    divided: &HashSet<VarId>,
) -> Result<Option<(JammedNest, Fresh)>, String> {
    let Some(outer) = outer(stmt) else {
        return Ok(None);
    };
    counts_up_by_one(func, outer.counter, outer.range)?;
    let mut iterations = Iterations::of(func, outer.counter, &[], outer.body, divided);
    settle(func, &mut iterations, &outer.body.stmts);
    let mut fresh = Fresh::after(func);
    let lane = fresh.temp(Class::Primal, "lane".to_owned(), Ty::USIZE, false);
    let mut builder = Builder {
        func,
        iterations: &iterations,
        outer,
        fresh,
        lane,
    };
    let behind = builder.behind();
    let (inside, after) = outer.body.stmts.split_at(behind);
    builder.check(inside, after)?;
    let body = builder.parts(inside)?;
    let after = builder.after(after)?;
    let mut nest = JammedNest {
        lanes: SideBySide {
            counter: outer.counter,
            together: CHAINS,
            lane,
            kept: Vec::new(),
        },
        range: outer.range.clone(),
        body,
        after,
    };
    builder.keep(&mut nest)?;
    Ok(Some((nest, builder.fresh)))
}

/// A loop whose iterations all run through the loops inside: through several, or through some in one another.
fn outer(stmt: &Stmt) -> Option<CountingLoop<'_>> {
    let outer = stmt.counting().filter(|c| c.order == Order::Forward)?;
    let records = outer.strip.is_some_and(|vars| !vars.is_empty());
    let all = outer.body.stmts.iter().all(goes_one_way);
    let loops = loops_in(&outer.body.stmts);
    (all && loops > 1 && !(outer.reverse && records)).then_some(outer)
}

/// Whether no branch is around a loop, and all loops count and leave no records.
fn goes_one_way(stmt: &Stmt) -> bool {
    if !stmt.is_loop() {
        return !stmt.holds_loop();
    }
    let inner = stmt.counting().filter(|inner| inner.strip.is_none());
    inner.is_some_and(|inner| inner.body.stmts.iter().all(goes_one_way))
}

fn loops_in(stmts: &[Stmt]) -> usize {
    let one = |stmt: &Stmt| {
        let inside: usize = stmt.kind.blocks().iter().map(|b| loops_in(&b.stmts)).sum();
        inside + usize::from(stmt.is_loop())
    };
    stmts.iter().map(one).sum()
}

/// Notes the counters of the loops inside, and the integers that are computed from them and from what is outside: they
/// are the same for all iterations that run at once.
fn settle(func: &Func, iterations: &mut Iterations<'_>, stmts: &[Stmt]) {
    for stmt in stmts {
        if let StmtKind::Loop(this) = &stmt.kind {
            this.domain
                .counter()
                .iter()
                .for_each(|v| iterations.settle(*v));
            settle(func, iterations, &this.body.stmts);
        } else if let Some((var, init)) = stmt.definition(func)
            && matches!(func.var(var).ty, Ty::Int(_))
            && is_same(iterations, init)
        {
            iterations.settle(var);
        }
    }
}

/// Whether it is an integer that is the same in all iterations that run at once, by what stands in front of it.
#[expect(clippy::wildcard_enum_match_arm, reason = "nothing is known of others")]
fn is_same(iterations: &Iterations<'_>, e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(_) => true,
        ExprKind::Opaque(o) => is_constant(o),
        ExprKind::Read(p) | ExprKind::Len(p) => {
            let step = |proj: &Proj| match proj {
                Proj::Deref | Proj::Field(_) => true,
                Proj::Index(index) => is_same(iterations, index),
                Proj::Range { .. } | Proj::Payload | Proj::Variant(_) | Proj::Unbox => false,
            };
            iterations.is_same(p.root) && p.proj.iter().all(step)
        }
        ExprKind::Binary(_, a, b) => is_same(iterations, a) && is_same(iterations, b),
        _ => false,
    }
}

struct Builder<'a, 'b> {
    func: &'a Func,
    iterations: &'b Iterations<'a>,
    outer: CountingLoop<'a>,
    fresh: Fresh,
    lane: VarId,
}

impl<'a> Builder<'a, '_> {
    fn name(&self, var: VarId) -> String {
        self.func.var(var).name.to_string()
    }

    /// Where what follows the last of the loops begins.
    fn behind(&self) -> usize {
        let stmts = &self.outer.body.stmts;
        stmts.iter().rposition(Stmt::is_loop).map_or(0, |at| at + 1)
    }

    /// What iterations write that others see, they write behind the loops, and use nowhere else.
    fn check(&self, inside: &[Stmt], after: &[Stmt]) -> Result<(), String> {
        let elsewhere = effects_of(inside);
        let seen = |var: &VarId| !self.iterations.owns(*var) && !self.iterations.is_same(*var);
        if let Some(var) = elsewhere.writes.iter().find(seen)
            && !Fault::JammedNestCarried.is_on()
        {
            let name = self.name(var);
            return Err(if self.func.var(var).ty.is_scalar() {
                format!("`{name}` goes from iteration to iteration")
            } else {
                format!("`{name}` is written in the loops inside")
            });
        }
        let written = effects_of(after).writes;
        let mut written = written.iter().filter(|var| !self.iterations.owns(*var));
        match written.find(|var| elsewhere.reads.contains(var)) {
            Some(var) if !Fault::JammedNestRead.is_on() => {
                let name = self.name(var);
                Err(format!("`{name}` goes from iteration to iteration"))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// The parts of some statements: loops, and what stands between them.
    fn parts(&mut self, stmts: &[Stmt]) -> Result<Vec<NestPart>, String> {
        let mut parts = Vec::new();
        for run in stmts.chunk_by(|a, b| !a.is_loop() && !b.is_loop()) {
            if let [stmt] = run
                && let StmtKind::Loop(this) = &stmt.kind
            {
                if !this
                    .domain
                    .exprs()
                    .into_iter()
                    .all(|e| is_same(self.iterations, e))
                {
                    return Err("the range of a loop inside changes with the outer one".to_owned());
                }
                let inside = self.parts(&this.body.stmts)?;
                let mut head = this.clone();
                (head.plan, head.body) = (None, Block::default());
                parts.push(NestPart::Loop(Box::new(head), inside));
            } else {
                let sliced = self.segment(run, &mut parts)?;
                parts.push(NestPart::Segment(Box::new(sliced)));
            }
        }
        Ok(parts)
    }

    /// What stands in front of loops, between them or in them. What is the same for all lanes goes in front of it. No
    /// lane panics here: those in front of it would not have written yet what they write behind the loops.
    fn segment(
        &mut self,
        stmts: &[Stmt],
        parts: &mut Vec<NestPart>,
    ) -> Result<SlicedSegment, String> {
        let (mut of_lanes, mut declared) = (Vec::new(), Vec::new());
        for stmt in stmts {
            if let StmtKind::Let { var, .. } = &stmt.kind
                && self.iterations.is_same(*var)
            {
                parts.push(NestPart::Same(Box::new(stmt.clone())));
            } else {
                of_lanes.push(stmt.clone());
            }
        }
        self.take_integers(&mut of_lanes, &mut declared)?;
        if weight(&of_lanes) > JAMMED_OPERATIONS {
            return Err("the loops inside compute too much for registers".to_owned());
        }
        let mut ints = Vec::new();
        for var in &declared {
            let read = Expr::read_var(*var, Ty::USIZE, self.func.var(*var).name.span());
            self.iterations.collect_ints(&read, &mut ints);
        }
        let numbers = self.numbers();
        let mut slices = Slices {
            conditional: false,
            builder: self,
            ints,
            found: Vec::new(),
        };
        for stmt in &mut of_lanes {
            slices.conditional = decides(stmt);
            numbers.stmts(std::slice::from_mut(stmt), &mut slices)?;
        }
        let Slices {
            mut ints, found, ..
        } = slices;
        ints.retain(|(var, _)| !self.iterations.is_same(*var));
        let (along, fixed): (Vec<_>, Vec<_>) = found.into_iter().partition(|s| s.along);
        let views = |list: Vec<Slice>| list.into_iter().map(|s| (s.var, s.view)).collect();
        Ok(SlicedSegment {
            segment: Segment {
                body: Block { stmts: of_lanes },
                ..Segment::default()
            },
            ints,
            declared,
            loads: views(fixed),
            views: views(along),
        })
    }

    /// Takes out the integers that the lanes declare, in all arms: they serve indices alone, and are looked at there.
    fn take_integers(
        &self,
        stmts: &mut Vec<Stmt>,
        declared: &mut Vec<VarId>,
    ) -> Result<(), String> {
        let mut all = Vec::new();
        for mut stmt in stmts.drain(..) {
            let StmtKind::Let { var, init } = &stmt.kind else {
                for arm in blocks_mut(&mut stmt) {
                    self.take_integers(&mut arm.stmts, declared)?;
                }
                all.push(stmt);
                continue;
            };
            if !matches!(self.func.var(*var).ty, Ty::Int(_)) {
                all.push(stmt);
                continue;
            }
            let held = init
                .as_ref()
                .filter(|_| self.iterations.held(*var).is_some());
            if held.and_then(|held| self.iterations.step(held)).is_none() {
                return Err(self.no_index(*var));
            }
            declared.push(*var);
        }
        *stmts = all;
        Ok(())
    }

    fn no_index(&self, var: VarId) -> String {
        format!("`{}` is an integer, but no index", self.name(var))
    }

    fn numbers(&self) -> Numbers<'a> {
        Numbers {
            func: self.func,
            counter: self.outer.counter,
            range: self.outer.range,
        }
    }

    /// What follows the loops. It runs as it stands, for one lane after the other.
    fn after(&self, stmts: &[Stmt]) -> Result<Segment, String> {
        let mut stmts = stmts.to_vec();
        self.numbers().stmts(&mut stmts, &mut AsTheyStand)?;
        Ok(Segment {
            body: Block { stmts },
            ..Segment::default()
        })
    }

    /// The variables that more than one segment uses are kept for all lanes.
    fn keep(&mut self, nest: &mut JammedNest) -> Result<(), String> {
        let declared = declared_in(&nest.body);
        let segments = segments_of(nest);
        let uses = |var: &VarId| {
            let mut stmts = segments.iter().flat_map(|segment| &segment.body.stmts);
            stmts.any(|stmt| mentions(stmt, *var))
        };
        if let Some(var) = declared.iter().find(|var| uses(var)) {
            return Err(self.no_index(*var));
        }
        let own = |var| self.iterations.owns(var) && var != self.outer.counter;
        let given = [&[][..], self.outer.strip.unwrap_or_default()];
        nest.lanes.kept = kept::keep(self.func, &mut self.fresh, segments, &own, given)?;
        Ok(())
    }
}

/// Whether parts of a statement run under a condition: arms, and what stands behind `&&` or `||`.
fn decides(stmt: &mut Stmt) -> bool {
    fn in_expr(e: &Expr) -> bool {
        matches!(e.kind, ExprKind::Binary(BinOp::And | BinOp::Or, ..))
            || e.children().into_iter().any(in_expr)
    }
    let mut decides = matches!(stmt.kind, StmtKind::Switch { .. });
    each_expr(stmt, &mut |e| decides |= in_expr(e));
    decides
}

/// The integers that lanes do not declare, since only indices need them.
fn declared_in(parts: &[NestPart]) -> Vec<VarId> {
    let one = |part: &NestPart| match part {
        NestPart::Same(_) => Vec::new(),
        NestPart::Segment(sliced) => sliced.declared.clone(),
        NestPart::Loop(_, inside) => declared_in(inside),
    };
    parts.iter().flat_map(one).collect()
}

/// All segments in their order, that behind the loops last.
fn segments_of(nest: &mut JammedNest) -> Vec<&mut Segment> {
    fn within<'n>(parts: &'n mut [NestPart], found: &mut Vec<&'n mut Segment>) {
        for part in parts {
            match part {
                NestPart::Same(_) => {}
                NestPart::Segment(sliced) => found.push(&mut sliced.segment),
                NestPart::Loop(_, inside) => within(inside, found),
            }
        }
    }
    let mut found = Vec::new();
    within(&mut nest.body, &mut found);
    found.push(&mut nest.after);
    found
}
