//! Both sweeps of an iteration together.
//!
//! Where the adjoint that each iteration of a loop starts from is known before the loop, as in a sum of terms, an
//! iteration can be reversed as soon as it has run: its record stays in variables, and what is left of it on the tape
//! lasts for one iteration. That is for who asks for value and gradient at once, so the sweeps are put into one list
//! ([`Joint`]), where the reverse loop moves up to its forward loop.
//!
//! Legal if
//!
//! - of the statements in between, those that the reverse loop needs (adjoints of what follows the loop) can run before
//!   the loop: they are arithmetic that cannot panic on what the loop and the statements behind it leave alone; and all
//!   others may as well come after the reverse loop: what both touch, both read, or it is an adjoint that both only add
//!   to;
//! - the reverse of an iteration reads and restores nothing that the loop uses but what each iteration has for itself,
//!   and nothing goes from the reverse of one iteration to that of another ([`independent`]);
//! - the loop runs to the end of a range.
//!
//! The forward parts run in the order that they had, so the value keeps its bits, and a panic comes in the same
//! iteration.
//!
//! Loops inside are fused by the same conditions ([`nest`]). What those leave on the tape that are not, and calls, the
//! reverse of the iteration takes back before the next one begins.
//!
//! Done where it is faster: records stay in registers, and what both parts call is called once (sine and cosine).
//! Without either, two loops are as good as one, unless the loop adds up the value: its additions wait for each other,
//! and in blocks of one length (`Sliced::whole_blocks`) the vectors of both parts run meanwhile; or unless neither loop
//! runs on slices: then nothing is lost, and what both parts compute is computed once.

mod independent;
mod nest;

use std::cell::Cell;

use proc_macro2::Span;

use crate::analysis::dependence::disjoint::Across;
use crate::analysis::plan::declared_by;
use crate::analysis::purity::{Part, is_movable};
use crate::analysis::target::contributions::GATHERED;
use crate::analysis::target::effort::FUSED_STATEMENTS;
use crate::analysis::target::registers::FUSED_OPERATIONS;
use crate::ir::faults::Fault;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{
    Block, CountingLoop, Domain, Expr, ExprKind, Func, KEPT, Loop, LoopId, NO_RANGE, OpaqueKind,
    RECORDS_OF_ONE, Stmt, StmtKind, Ty, UnOp, VarId, VarSet, effects_of,
};
use crate::ir::{Transform, begins_with_zeros, name};
use crate::optimize::Cx;

use crate::analysis::dependence::footprint::Footprint;
use crate::analysis::dependence::private::resizes;
use crate::ir::place_ty;
use crate::ir::{Joint, Sweeps};
use crate::optimize::loops::windows::{self, Around, Chosen};
use crate::optimize::speculate::{Speculation, TOO_LONG};
use independent::Outside;

/// Puts both sweeps into one list if an iteration of one of their loops can run in both directions at once.
pub(in crate::optimize) fn fuse_loops(sweeps: &mut Sweeps, cx: &mut Cx<'_>) {
    let Some(result) = sweeps
        .func
        .result
        .filter(|_| sweeps.func.has_gradient() && sweeps.func.failure.is_none())
    else {
        return;
    };
    let (ty, span) = (sweeps.func.ret_ty.clone(), sweeps.func.name.span());
    let outcome = sweeps.func.temp("outcome", ty.clone(), span);
    let value = StmtKind::Let {
        var: outcome,
        init: Some(Expr::read_var(result, ty, span)),
    };
    let mut stmts = sweeps.forward.clone();
    stmts.retain(|stmt| !keeps_a_result(stmt));
    // What the reverse sweep would compute again is at hand.
    let at_hand: HashSet<VarId> = stmts.iter().flat_map(declared_by).collect();
    let back = sweeps.reverse.iter();
    let back = back.filter(|stmt| !repeats(&sweeps.func, stmt, &at_hand));
    stmts.push(Stmt::new(value, span));
    stmts.extend(back.cloned());
    let unit = |stmt| Unit::new(stmt, &cx.adjoints);
    let left = Cell::new(FUSED_STATEMENTS);
    let divided = HashSet::default();
    let around = Around {
        chosen: &Chosen::default(),
        divided: &divided,
        adjoints: &cx.adjoints,
        transforms: cx.transforms,
        fewest: GATHERED,
    };
    let ask = Speculation::new(&sweeps.func, &around);
    let mut fusion = Fusion {
        func: &sweeps.func,
        bars: &cx.bars,
        adjoints: &cx.adjoints,
        ask: &ask,
        units: stmts.into_iter().map(unit).collect(),
        left: &left,
    };
    for stmt in sweeps.reverse.iter().filter(|stmt| counts(stmt)) {
        cx.remarks.refused(stmt.span, Transform::Fuse, NO_RANGE);
    }
    let verdicts = fusion.fuse_all();
    for (span, verdict) in &verdicts {
        match verdict {
            Ok(how) => cx.remarks.applied(*span, Transform::Fuse, *how),
            Err(why) => cx.remarks.refused(*span, Transform::Fuse, why.clone()),
        }
    }
    if verdicts.iter().any(|(_, verdict)| verdict.is_ok()) {
        let stmts = fusion.units.into_iter().map(|unit| unit.stmt).collect();
        sweeps.joint = Some(Joint { stmts, outcome });
    }
}

/// A statement and what it touches.
struct Unit {
    stmt: Stmt,
    print: Footprint,
}

impl Unit {
    fn new(stmt: Stmt, adjoints: &HashSet<VarId>) -> Self {
        let print = Footprint::of(&stmt, adjoints);
        Unit { stmt, print }
    }
}

struct Fusion<'a> {
    func: &'a Func,
    bars: &'a HashMap<VarId, VarId>,
    adjoints: &'a HashSet<VarId>,
    /// What later passes would make of loops.
    ask: &'a Speculation<'a>,
    /// The forward sweep, the outcome, the reverse sweep.
    units: Vec<Unit>,
    /// How many statements may still be looked at.
    left: &'a Cell<usize>,
}

/// For each loop whether its iterations run forward and in reverse at once, or why not.
type Verdicts = Vec<(Span, Result<&'static str, String>)>;

/// How loops run that are fused, with nothing on the tape in between.
const AT_ONCE: &str = "the gradient runs each iteration forward and in reverse at once";

impl Fusion<'_> {
    /// The loops that are reversed, by their counters.
    fn loops(&self) -> Vec<(VarId, Span)> {
        let stmts = || self.units.iter().map(|unit| &unit.stmt);
        let reverse: HashSet<VarId> = stmts().filter_map(reversed).collect();
        let counters = stmts().filter_map(|stmt| Some((counter(stmt)?, stmt.span)));
        counters.filter(|(var, _)| reverse.contains(var)).collect()
    }

    /// Fuses the loops that can be, and those inside of them.
    fn fuse_all(&mut self) -> Verdicts {
        let mut verdicts = Vec::new();
        // From the last: it is the first to be reversed.
        for (counter, span) in self.loops().into_iter().rev() {
            let verdict = self.fuse(counter);
            match verdict {
                Ok((how, inside)) => {
                    verdicts.push((span, Ok(how)));
                    verdicts.extend(inside);
                }
                Err(why) => verdicts.push((span, Err(why))),
            }
        }
        verdicts
    }

    /// Moves the reverse loop over this counter up to the forward loop; how it runs, and what became of the loops
    /// inside.
    fn fuse(&mut self, var: VarId) -> Result<(&'static str, Verdicts), String> {
        let find = |of: fn(&Stmt) -> Option<VarId>| {
            let mut units = self.units.iter();
            units.position(|unit| of(&unit.stmt) == Some(var))
        };
        let (Some(at), Some(back)) = (find(counter), find(reversed)) else {
            return Err(NO_RANGE.to_owned());
        };
        let (forward, reverse) = (&self.units[at].stmt, &self.units[back].stmt);
        let outside = self.outside(at, back);
        let (fused, inside) = self.fused(forward, reverse, &outside)?;
        if !inside.iter().any(|(_, verdict)| verdict.is_ok()) {
            self.is_worth_it(forward, reverse, &fused)?;
        }
        self.is_not_jammed(forward, reverse)?;
        let early = self.early(at, back)?;
        let how = if fused.uses_tape() {
            RECORDS_OF_ONE
        } else {
            AT_ONCE
        };
        self.units.remove(back);
        self.units[at] = Unit::new(fused, self.adjoints);
        // Those that come first are found last.
        let moved: Vec<Unit> = early.into_iter().map(|k| self.units.remove(k)).collect();
        self.units.splice(at..at, moved.into_iter().rev());
        Ok((how, inside))
    }

    /// Whether both sweeps together are faster than one after the other.
    fn is_worth_it(&self, forward: &Stmt, reverse: &Stmt, fused: &Stmt) -> Result<(), String> {
        if forward.uses_tape() || is_slow(forward) {
            return Ok(());
        }
        if windows::is_innermost(forward) {
            let in_vectors = !adds_under_a_condition(forward)
                && (self.ask.runs_on_slices(forward)? || self.ask.runs_on_slices(reverse)?);
            if !in_vectors {
                return Ok(());
            }
        }
        let Some(counting) = fused.counting() else {
            return Err(NO_RANGE.to_owned());
        };
        if windows::weight(&counting.body.stmts) > FUSED_OPERATIONS {
            return Err("both parts together compute too much for registers".to_owned());
        }
        let blocks = self.ask.runs_in_whole_blocks(fused)?;
        blocks.map_err(|why| {
            format!("the loop records nothing, calls no function and does not run in blocks: {why}")
        })
    }

    /// Whether each of the loops runs one iteration after the other.
    fn is_not_jammed(&self, forward: &Stmt, reverse: &Stmt) -> Result<(), String> {
        if self.ask.is_jammed(forward)? || self.ask.is_jammed(reverse)? {
            return Err("several of its iterations run at once instead (`jam`)".to_owned());
        }
        let all = self.units.iter().map(|unit| &unit.stmt);
        if self.ask.is_interchanged(all, reverse)? {
            return Err(
                "its reverse changes places with the loop inside instead (`interchange`)"
                    .to_owned(),
            );
        }
        Ok(())
    }

    /// The loop whose iterations run forward and in reverse, and what became of the loops inside.
    fn fused(
        &self,
        forward: &Stmt,
        reverse: &Stmt,
        outside: &Outside<'_>,
    ) -> Result<(Stmt, Verdicts), String> {
        let (Some(there), Some(back)) = (forward.counting(), reverse.counting()) else {
            return Err(NO_RANGE.to_owned());
        };
        let CountingLoop { counter, range, .. } = there;
        let (mut body, mut back) = (there.body.stmts.clone(), back.body.stmts.clone());
        // What is recorded at the end of an iteration is in its variables, and has no loop of its own any more.
        if let (
            Some(StmtKind::PushRecord { site, .. }),
            Some(StmtKind::PopRecord { site: same, .. }),
        ) = (body.last().map(|s| &s.kind), back.first().map(|s| &s.kind))
            && site == same
        {
            body.pop();
            back.remove(0);
            // Nor are results kept for it.
            let used = effects_of(body.iter().filter(|stmt| !keeps_a_result(stmt))).reads;
            body.retain(|stmt| {
                !keeps_a_result(stmt) || declared_by(stmt).iter().any(|v| used.contains(v))
            });
        }
        // What is kept of a result takes it.
        let taken = effects_of(body.iter().filter(|stmt| keeps_a_result(stmt))).reads;
        let at_hand = body.iter().flat_map(declared_by);
        let at_hand: HashSet<VarId> = at_hand.filter(|var| !taken.contains(var)).collect();
        back.retain(|stmt| !repeats(self.func, stmt, &at_hand));
        let start = body.len();
        body.append(&mut back);
        let across = Across { counter, range };
        let (body, inside) = self.nested(body, start, across, outside)?;
        let kind = StmtKind::Loop(Loop::forward(
            LoopId::MADE,
            Domain::Range {
                var: counter,
                range: range.clone(),
            },
            body,
            None,
        ));
        Ok((Stmt::new(kind, forward.span), inside))
    }

    /// Which of the statements between the forward loop at `at` and the reverse loop at `back` have to come before
    /// both, from the last to the first.
    fn early(&self, at: usize, back: usize) -> Result<Vec<usize>, String> {
        let Some(left) = self.left.get().checked_sub(back - at) else {
            return Err(TOO_LONG.to_owned());
        };
        self.left.set(left);
        let reverse = &self.units[back].print;
        let (mut needed, mut changed) = (reverse.reads.clone(), reverse.adds.clone());
        changed.add(reverse.writes.iter());
        let (mut early, mut moving) = (Vec::new(), Footprint::default());
        let mut measured: Vec<VarId> = Vec::new();
        for k in (at..back).rev() {
            let Unit { stmt, print } = &self.units[k];
            let needs = print.changed().filter(|region| needed.overlaps(*region));
            let needs = needs.map(|region| region.root);
            let declared = print.declares.iter().copied();
            let begins = declared.filter(|var| changed.overlaps(*var));
            let why = needs.chain(begins).min();
            if let Some(var) = why.filter(|_| k > at) {
                if !self.is_ready(stmt) && !Fault::FusedUnknownAdjoint.is_on() {
                    return Err(self.unknown(var));
                }
                needed.add(print.reads.iter());
                changed.add(print.adds.iter().chain(print.writes.iter()));
                early.push(k);
                match self.measured(stmt) {
                    Some(root) => {
                        measured.push(root);
                        let mut print = Footprint::default();
                        print.declares.extend(declared_by(stmt));
                        moving.join(&print);
                    }
                    None => moving.join(print),
                }
                continue;
            }
            // What moves has to pass this statement, and so has the reverse loop.
            let resized = measured.iter().copied().filter(|root| resizes(stmt, *root));
            let passed = print.meets(&moving).into_iter().chain(resized).min();
            if let Some(var) = passed.filter(|_| !Fault::FusedUnknownAdjoint.is_on()) {
                return Err(self.unknown(var));
            }
            let met = print.meets(reverse).into_iter().min();
            if let Some(var) = met.filter(|_| k > at) {
                let var = self.bars.get(&var).copied().unwrap_or(var);
                let name = name(self.func, var);
                return Err(format!("`{name}` is used between the loop and its reverse"));
            }
        }
        Ok(early)
    }

    fn unknown(&self, var: VarId) -> String {
        match self.bars.get(&var) {
            Some(primal) => format!(
                "the adjoint of `{}` is known after the loop only",
                name(self.func, *primal)
            ),
            None => format!("`{}` is known after the loop only", name(self.func, var)),
        }
    }

    /// The variable of which the statement reads no more than how many floats it has.
    fn measured(&self, stmt: &Stmt) -> Option<VarId> {
        let StmtKind::Let { init, .. } = &stmt.kind else {
            return None;
        };
        let zero = init.as_ref().filter(|init| self.is_zero(init));
        zero.and_then(Expr::place).map(|place| place.root)
    }

    /// Whether the expression is the zero adjoint of a sequence of floats.
    fn is_zero(&self, e: &Expr) -> bool {
        if let (ExprKind::VecRepeat(of, length), true) = (&e.kind, begins_with_zeros(e)) {
            let known = length.int_literal().is_some() || matches!(length.kind, ExprKind::Read(_));
            return known && matches!(of.ty, Ty::F32 | Ty::F64);
        }
        let ExprKind::ZeroLike(place) = &e.kind else {
            return false;
        };
        let ty = place_ty(self.func, place);
        let (Ty::Vec(element) | Ty::Slice(element) | Ty::Array(element, _)) = &ty else {
            return false;
        };
        place.is_path() && matches!(**element, Ty::F32 | Ty::F64)
    }

    /// Whether the statement is arithmetic on variables that cannot panic, and changes adjoints or declares what it
    /// computes.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not named keeps the pass from applying"
    )]
    fn is_ready(&self, stmt: &Stmt) -> bool {
        // Constants, and methods of integers, are left: of loops that take such numbers none is known to gain.
        let numbers = |e: &Expr| match &e.kind {
            ExprKind::Opaque(_) => Part::Left,
            ExprKind::Unary(UnOp::Not, _) if e.ty != Ty::Bool => Part::Left,
            _ => Part::Asked,
        };
        match &stmt.kind {
            StmtKind::Let {
                var,
                init: Some(init),
            } => {
                let fixed = !self.func.var(*var).mutable || self.adjoints.contains(var);
                fixed && (is_movable(init, &numbers) || self.is_zero(init))
            }
            StmtKind::Update { place, value, .. } | StmtKind::Assign { place, value, .. } => {
                self.adjoints.contains(&place.root)
                    && place.is_path()
                    && is_movable(value, &numbers)
            }
            _ => false,
        }
    }
}

/// Whether the statement declares again what is at hand and does not change.
fn repeats(func: &Func, stmt: &Stmt, at_hand: &HashSet<VarId>) -> bool {
    let StmtKind::Let { var, .. } = &stmt.kind else {
        return false;
    };
    at_hand.contains(var) && !func.var(*var).mutable
}

/// Whether the statement keeps the result of a call, which is at hand here.
fn keeps_a_result(stmt: &Stmt) -> bool {
    matches!(
        &stmt.kind,
        StmtKind::Let { init: Some(Expr { kind: ExprKind::Opaque(o), .. }), .. }
            if matches!(o.kind, OpaqueKind::Other(KEPT))
    )
}

/// The counter of a loop of the forward sweep over a range.
fn counter(stmt: &Stmt) -> Option<VarId> {
    let counting = stmt.counting().filter(|c| !c.reverse);
    counting.map(|c| c.counter)
}

/// The counter of a loop of the reverse sweep over a range.
fn reversed(stmt: &Stmt) -> Option<VarId> {
    let counting = stmt.counting().filter(|c| c.reverse);
    counting.map(|c| c.counter)
}

/// Whether it is the reverse of any other loop.
fn counts(stmt: &Stmt) -> bool {
    stmt.as_loop().is_some_and(Loop::is_reverse) && stmt.counting().is_none()
}

/// Whether the loop calls functions of the math library: then the optimiser vectorises neither sweep.
fn is_slow(stmt: &Stmt) -> bool {
    fn calls(e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::Math(f, _) if f.is_expensive())
            || e.children().into_iter().any(calls)
    }
    let here = matches!(&stmt.kind, StmtKind::Let {
            init: Some(value), ..
        }
        | StmtKind::Assign { value, .. }
        | StmtKind::Update { value, .. } if calls(value));
    let inner = |block: &&Block| block.stmts.iter().any(is_slow);
    here || stmt.kind.blocks().iter().any(inner)
}

/// Whether the loop adds to a sum from outside under a condition: its additions come one by one, so the loop keeps its
/// branches.
fn adds_under_a_condition(stmt: &Stmt) -> bool {
    fn adds(stmts: &[Stmt], declared: &VarSet) -> bool {
        let update = |stmt: &Stmt| {
            matches!(&stmt.kind, StmtKind::Update { place, .. }
                if place.is_var() && !declared.contains(&place.root))
        };
        stmts.iter().any(update)
    }
    let declared = effects_of([stmt]).declares;
    let switches = stmt.kind.blocks().into_iter().flat_map(|b| &b.stmts);
    let mut switches = switches.filter(|s| matches!(s.kind, StmtKind::Switch { .. }));
    switches.any(|s| {
        s.kind
            .blocks()
            .iter()
            .any(|arm| adds(&arm.stmts, &declared))
    })
}
