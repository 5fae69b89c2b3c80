//! Unroll-and-jam: several iterations of a loop at once, which share one run of the loop inside.
//!
//! A sum in the inner loop keeps its order, so that each addition waits for the one before. The sums of several
//! iterations of the outer loop are independent, and running them side by side fills the wait; each still has its order, and the
//! value its bits. An array that each run of the inner loop adds to is loaded and stored once for all of them.
//!
//! Legal if iterations of the outer loop meet in nothing that any of them writes, but for elements that all of them write in the same
//! iteration of the inner loop, which they do in their order. So an array that is written is reached only
//! at elements of the outer iteration's own; or only at the counter of the inner loop plus something fixed; or only at elements that belong to one
//! iteration of both (that these do not meet is seen at run time). What else goes from iteration to
//! iteration, such as a sum over all of them, is touched in one place only, in front of the inner loop or behind it, where the lanes
//! run in order. Nothing in the loops panics but the indices, which are looked at before.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::analysis::access::{Iterations, Reach2, Slope, is_constant};
use crate::analysis::affine::Poly;
use crate::explain::Explain;
use crate::ir::edit::blocks_mut;
use crate::ir::{
    BinOp, Block, Expr, ExprKind, Func, Jam, LoopKind, MathFn, Order, Place, Proj, RangeIter,
    RevKind, Segment, Stmt, StmtKind, Ty, UnOp, VarId, View, effects_of,
};

use crate::transform::Transform;

use super::place_ty;
use super::slices::{Fresh, declare, divided_in, is_plain, path_text, sweep_of, weight};

/// Jams the loops of a sweep.
pub(super) fn jam_loops(
    func: &mut Func,
    explain: &mut Explain,
    stmts: &mut [Stmt],
    divided: &HashSet<VarId>,
) {
    for stmt in stmts {
        let sweep = sweep_of(stmt);
        match jam(func, stmt, divided) {
            Ok(Some(jam)) => {
                let how = format!("{sweep}: {} iterations at once", jam.together);
                explain.applied(stmt.span, Transform::Jam, how);
                stmt.kind = StmtKind::Jam(Box::new(jam));
                continue;
            }
            Err(why) => {
                let why = format!("{sweep}: {why}");
                explain.refused(stmt.span, Transform::Jam, why);
            }
            Ok(None) => {}
        }
        let divided = divided_in(stmt, divided);
        for block in blocks_mut(stmt) {
            jam_loops(func, explain, &mut block.stmts, &divided);
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
        let (mut records, mut declared): (&[VarId], &[VarId]) = (&[], &[]);
        let (counter, range, body) = match &stmt.kind {
            StmtKind::StripLoop {
                counter,
                range,
                vars,
                body,
                ..
            } => {
                records = vars;
                (*counter, range, body)
            }
            StmtKind::RevStripLoop {
                counter,
                range,
                vars,
                body,
                order: Order::Forward,
                ..
            } => {
                declared = vars;
                (*counter, range, body)
            }
            _ => counting(stmt)?,
        };
        let holds_loop = |stmt: &Stmt| {
            !matches!(stmt.kind, StmtKind::Switch { .. }) && !stmt.kind.blocks().is_empty()
        };
        let at = body.stmts.iter().position(holds_loop)?;
        let (inner_counter, inner_range, inside) = counting(&body.stmts[at])?;
        let after = &body.stmts[at + 1..];
        if after.iter().chain(&inside.stmts).any(holds_loop) {
            return None;
        }
        Some(Nest {
            counter,
            range,
            body,
            records,
            declared,
            before: &body.stmts[..at],
            inner_counter,
            inner_range,
            inside,
            after,
        })
    }

    fn segments(&self) -> [&'a [Stmt]; 3] {
        [self.before, &self.inside.stmts, self.after]
    }
}

/// A loop over a range that keeps nothing on the tape, and, in reverse, may run forwards.
fn counting(stmt: &Stmt) -> Option<(VarId, &RangeIter, &Block)> {
    match &stmt.kind {
        StmtKind::Loop {
            kind: LoopKind::For { var, range },
            body,
            exit: None,
            ..
        }
        | StmtKind::RevLoop {
            kind:
                RevKind::For {
                    var,
                    range,
                    trips: None,
                },
            body,
            order: Order::Forward,
        } => Some((*var, range, body)),
        _ => None,
    }
}

/// The jammed loop; `None` if it is no loop around one other; `Err` says what is in the way.
fn jam(func: &mut Func, stmt: &Stmt, divided: &HashSet<VarId>) -> Result<Option<Jam>, String> {
    let Some(nest) = Nest::of(stmt) else {
        return Ok(None);
    };
    for (counter, range) in [
        (nest.counter, nest.range),
        (nest.inner_counter, nest.inner_range),
    ] {
        is_plain(func, counter, range)?;
    }
    let (jam, fresh) = {
        let iterations = Iterations::of(func, nest.counter, nest.declared, nest.body, divided);
        let mut builder = Builder::new(func, &iterations, &nest);
        builder.check()?;
        builder.build(stmt)?
    };
    declare(func, fresh, stmt.span);
    Ok(Some(jam))
}

/// As many chains of additions as a core can have under way.
const CHAINS: usize = 8;

/// As many rows as go through one pass over an array that all of them add to.
const PASSES: usize = 4;

/// How many operations on numbers in one run of the inner loop pay for the slices of a block, by measurement.
const WORTH: usize = 400;

/// How an array from outside is reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    Load,
    Along,
    Shared,
    Row,
}

struct Slice {
    root: VarId,
    index: Poly,
    array: String,
    kind: Kind,
    var: VarId,
    view: View,
}

struct Builder<'a, 'b> {
    func: &'a Func,
    iterations: &'b Iterations<'a>,
    nest: &'b Nest<'a>,
    fresh: Vec<Fresh>,
    lane: VarId,
    column: VarId,
    slices: Vec<Slice>,
    ints: Vec<(VarId, Expr)>,
    /// Arrays that are written.
    written: BTreeSet<VarId>,
    /// Whether a sum of the iteration's own grows in the inner loop.
    sums: bool,
}

impl<'a, 'b> Builder<'a, 'b> {
    fn new(func: &'a Func, iterations: &'b Iterations<'a>, nest: &'b Nest<'a>) -> Self {
        let mut builder = Self {
            func,
            iterations,
            nest,
            fresh: Vec::new(),
            lane: VarId(0),
            column: VarId(0),
            slices: Vec::new(),
            ints: Vec::new(),
            written: BTreeSet::new(),
            sums: false,
        };
        let index = || Ty::Int(Some("usize"));
        builder.lane = builder.temp("lane".to_owned(), index(), false);
        builder.column = builder.temp("column".to_owned(), index(), false);
        builder
    }

    fn temp(&mut self, base: String, ty: Ty, mutable: bool) -> VarId {
        let number = self.func.vars.len() + self.fresh.len();
        self.fresh.push(Fresh { base, ty, mutable });
        VarId(u32::try_from(number).expect("fewer than 2^32 variables"))
    }

    fn name(&self, var: VarId) -> String {
        self.func.var(var).name.to_string()
    }

    /// What can be seen without looking at indices.
    fn check(&mut self) -> Result<(), String> {
        let nest = self.nest;
        let inside = effects_of(&nest.inside.stmts);
        let carries = |var: &VarId| {
            let declared = inside.declares.contains(var);
            self.func.var(*var).ty.is_float() && !declared && self.iterations.owns(*var)
        };
        self.sums = inside.writes.iter().any(carries);
        let mut touched: BTreeMap<VarId, BTreeSet<usize>> = BTreeMap::new();
        let mut changed = BTreeSet::new();
        for (k, stmts) in nest.segments().into_iter().enumerate() {
            let effects = effects_of(stmts);
            for var in effects.reads.iter().chain(&effects.writes) {
                touched.entry(*var).or_default().insert(k);
            }
            changed.extend(effects.writes);
        }
        for var in changed {
            if self.iterations.owns(var) || self.is_array(var) {
                continue;
            }
            if touched[&var].contains(&1) || touched[&var].len() > 1 {
                return Err(format!(
                    "`{}` goes from iteration to iteration",
                    self.name(var)
                ));
            }
        }
        Ok(())
    }

    fn is_array(&self, var: VarId) -> bool {
        let ty = &self.func.var(var).ty;
        matches!(ty.peel(), Ty::Array(..) | Ty::Slice(_) | Ty::Vec(_))
    }

    fn build(mut self, stmt: &Stmt) -> Result<(Jam, Vec<Fresh>), String> {
        let nest = self.nest;
        let inner_range = self.inner_range()?;
        let mut segments = Vec::new();
        for (k, stmts) in nest.segments().into_iter().enumerate() {
            let mut stmts = stmts.to_vec();
            self.stmts(&mut stmts, k == 1)?;
            segments.push(Segment {
                body: Block { stmts },
                ..Segment::default()
            });
        }
        self.check_written()?;
        self.check_ints()?;
        let kept = self.keep(&mut segments)?;
        let mut segments = segments.into_iter();
        let mut next = || segments.next().unwrap_or_default();
        let (before, inside, after) = (next(), next(), next());
        let (mut edits, mut by_kind) = (BTreeMap::<VarId, Vec<_>>::new(), BTreeMap::new());
        for slice in self.slices {
            let written = self.written.contains(&slice.root);
            if written && slice.kind == Kind::Along {
                edits
                    .entry(slice.root)
                    .or_default()
                    .push((slice.var, slice.view));
            } else {
                let list: &mut Vec<_> = by_kind.entry((slice.kind, written)).or_default();
                list.push((slice.var, slice.view));
            }
        }
        let mut of = |kind, written| by_kind.remove(&(kind, written)).unwrap_or_default();
        let (shared_edits, row_edits) = (of(Kind::Shared, true), of(Kind::Row, true));
        let together = if shared_edits.is_empty() && row_edits.is_empty() {
            CHAINS
        } else {
            PASSES
        };
        let jam = Jam {
            plain: Block {
                stmts: vec![stmt.clone()],
            },
            counter: nest.counter,
            range: nest.range.clone(),
            inner_counter: nest.inner_counter,
            inner_range,
            ints: self.ints,
            loads: of(Kind::Load, false),
            views: of(Kind::Along, false),
            edits: edits.into_values().collect(),
            shared: of(Kind::Shared, false),
            shared_edits,
            rows: of(Kind::Row, false),
            row_edits,
            together,
            least: (WORTH / (together * weight(&nest.inside.stmts)).max(1)).max(1),
            lane: self.lane,
            column: self.column,
            kept,
            before,
            inside,
            after,
        };
        Ok((jam, self.fresh))
    }

    fn stmts(&mut self, stmts: &mut [Stmt], inside: bool) -> Result<(), String> {
        stmts.iter_mut().try_for_each(|s| self.stmt(s, inside))
    }

    fn stmt(&mut self, stmt: &mut Stmt, inside: bool) -> Result<(), String> {
        match &mut stmt.kind {
            StmtKind::Let { var, init } => {
                if !self.func.var(*var).ty.is_scalar() {
                    return Err(format!("`{}` is not a number", self.name(*var)));
                }
                if matches!(self.func.var(*var).ty, Ty::Int(_)) {
                    return Ok(()); // part of an index, as `check_ints` sees to
                }
                init.iter_mut().try_for_each(|e| self.expr(e, inside))
            }
            StmtKind::Assign { place, value, .. }
            | StmtKind::Update { place, value, .. }
            | StmtKind::Begin { place, value } => {
                self.expr(value, inside)?;
                if !place.is_var() && !self.iterations.owns(place.root) {
                    self.written.insert(place.root);
                }
                self.place(place, inside)
            }
            StmtKind::Switch { selector, .. } => {
                self.expr(selector, inside)?;
                blocks_mut(stmt)
                    .into_iter()
                    .try_for_each(|arm| self.stmts(&mut arm.stmts, inside))
            }
            _ => Err("the body does more than compute with numbers".to_owned()),
        }
    }

    fn expr(&mut self, e: &mut Expr, inside: bool) -> Result<(), String> {
        match &mut e.kind {
            ExprKind::Lit(_) | ExprKind::Zero => Ok(()),
            ExprKind::Read(place) if e.ty.is_scalar() => self.place(place, inside),
            ExprKind::Opaque(o) if is_constant(o) => Ok(()),
            ExprKind::Binary(op, a, _) if matches!(a.ty, Ty::Int(_)) && may_panic(*op) => {
                Err("it computes with integers".to_owned())
            }
            ExprKind::Unary(UnOp::Neg, a) if matches!(a.ty, Ty::Int(_)) => {
                Err("it computes with integers".to_owned())
            }
            ExprKind::Math(MathFn::Clamp, _) => Err("`clamp` may panic".to_owned()),
            ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cast(..)
            | ExprKind::Math(..)
            | ExprKind::NoGradient(_)
            | ExprKind::Rule(..) => e
                .children_mut()
                .into_iter()
                .try_for_each(|child| self.expr(child, inside)),
            _ => Err("the body does more than compute with numbers".to_owned()),
        }
    }

    fn place(&mut self, place: &mut Place, inside: bool) -> Result<(), String> {
        let has_index = place.proj.iter().any(|p| matches!(p, Proj::Index(_)));
        if !has_index {
            return Ok(());
        }
        let reach = self
            .iterations
            .reach2(place, self.nest.inner_counter)
            .map_err(|why| format!("`{}`: {why}", self.name(place.root)))?;
        let kind = match (reach.outer, reach.inner, inside) {
            (Slope::Zero, Slope::Zero, _) => Kind::Load,
            (Slope::One, Slope::Zero, _) => Kind::Along,
            (Slope::Zero, Slope::One, true) => Kind::Shared,
            (outer, Slope::One, true)
                if outer != Slope::One || !self.written.contains(&place.root) =>
            {
                Kind::Row
            }
            _ => {
                return Err(format!(
                    "`{}`: its index does not go up by one with a counter",
                    self.name(place.root)
                ));
            }
        };
        let span = place.span;
        let read = |var| Expr::read_var(var, Ty::Int(Some("usize")), span);
        let mut proj = match kind {
            Kind::Load => vec![Proj::Deref],
            Kind::Along => vec![Proj::Index(read(self.lane))],
            Kind::Shared => vec![Proj::Index(read(self.column))],
            Kind::Row => vec![Proj::Index(read(self.lane)), Proj::Index(read(self.column))],
        };
        proj.extend_from_slice(&place.proj[reach.at + 1..]);
        let root = self.slice(place, reach, kind);
        *place = Place { root, proj, span };
        Ok(())
    }

    fn slice(&mut self, place: &Place, reach: Reach2, kind: Kind) -> VarId {
        let array = path_text(&place.proj[..reach.at]);
        let Proj::Index(index) = &place.proj[reach.at] else {
            unreachable!("`at` is the index")
        };
        let same = |s: &&Slice| {
            s.root == place.root
                && s.index == reach.index
                && s.array == array
                && self.iterations.alike(&s.view.index, index)
        };
        if let Some(known) = self.slices.iter().find(same) {
            return known.var;
        }
        self.iterations.collect_ints(index, &mut self.ints);
        let of = Place {
            proj: place.proj[..reach.at].to_vec(),
            ..place.clone()
        };
        let element = Box::new(place_ty(self.func, &of).element());
        let (what, ty) = match kind {
            Kind::Load => ("element", Ty::Ref(false, element)),
            Kind::Row => ("rows", Ty::Slice(element)),
            Kind::Along | Kind::Shared => ("slice", Ty::Slice(element)),
        };
        let name = self.name(place.root);
        let base = format!("{}_{what}", name.trim_start_matches("r#"));
        let var = self.temp(base, ty, false);
        self.slices.push(Slice {
            root: place.root,
            index: reach.index,
            array,
            kind,
            var,
            view: View {
                of,
                index: index.clone(),
            },
        });
        var
    }

    /// Arrays that are written are reached in one way alone, and there is something to gain.
    fn check_written(&self) -> Result<(), String> {
        let mut gain = self.sums;
        for root in &self.written {
            let slices: Vec<&Slice> = self.slices.iter().filter(|s| s.root == *root).collect();
            let Some(first) = slices.first() else {
                continue;
            };
            let one_array = slices.iter().all(|s| s.array == first.array);
            let apart = slices.iter().enumerate().all(|(k, s)| {
                let meets =
                    |other: &&&Slice| s.index.clone().minus(&other.index).constant().is_some();
                !slices[..k].iter().any(|other| meets(&other))
            });
            let one_way = match first.kind {
                Kind::Along => slices.iter().all(|s| s.kind == Kind::Along),
                Kind::Shared | Kind::Row => slices.len() == 1,
                Kind::Load => false,
            };
            gain |= first.kind == Kind::Shared;
            if !one_way || !one_array || !apart {
                return Err(format!(
                    "`{}` is written, and other iterations may reach the same elements",
                    self.name(*root)
                ));
            }
        }
        if gain {
            Ok(())
        } else {
            Err("the inner loop has no sum, and adds to no array that its runs share".to_owned())
        }
    }

    /// The range of the inner loop, by what is known in front of the outer one.
    fn inner_range(&mut self) -> Result<RangeIter, String> {
        let range = self.nest.inner_range;
        let bound = |e| {
            let outside = self.iterations.from_outside(e);
            outside.ok_or("the range of the inner loop changes with the outer one")
        };
        let (lo, hi) = (bound(&range.lo)?, bound(&range.hi)?);
        for e in [&range.lo, &range.hi] {
            self.iterations.collect_ints(e, &mut self.ints);
        }
        Ok(RangeIter {
            lo,
            hi,
            ..range.clone()
        })
    }

    /// Integers that iterations compute belong to indices, or are bounds of the inner loop.
    fn check_ints(&self) -> Result<(), String> {
        let mut stray = None;
        crate::ir::visit_stmts(self.nest.body, &mut |stmt| {
            if let StmtKind::Let { var, .. } = &stmt.kind
                && matches!(self.func.var(*var).ty, Ty::Int(_))
                && self.ints.iter().all(|(v, _)| v != var)
            {
                stray = Some(*var);
            }
        });
        match stray {
            Some(var) => Err(format!("`{}` is an integer, but no index", self.name(var))),
            None => Ok(()),
        }
    }

    /// The variables that more than one segment uses.
    fn keep(&mut self, segments: &mut [Segment]) -> Result<Vec<(VarId, VarId)>, String> {
        let mut used: BTreeMap<VarId, usize> = BTreeMap::new();
        let effects: Vec<_> = segments.iter().map(|s| effects_of(&s.body.stmts)).collect();
        for (k, e) in effects.iter().enumerate() {
            let mut here: BTreeSet<VarId> = e.declares.iter().copied().collect();
            here.extend(e.reads.iter().chain(&e.writes));
            match k {
                0 => here.extend(self.nest.declared),
                2 => here.extend(self.nest.records),
                _ => {}
            }
            for var in here {
                *used.entry(var).or_default() += 1;
            }
        }
        let mut kept = Vec::new();
        for (var, segments_using) in used {
            let counters = [self.nest.counter, self.nest.inner_counter];
            if segments_using < 2 || !self.iterations.owns(var) || counters.contains(&var) {
                continue;
            }
            let info = self.func.var(var);
            if info.ty == Ty::Float || !(info.ty.is_float() || info.ty == Ty::Bool) {
                return Err(format!("the type of `{}` is not known", info.name));
            }
            let elsewhere = effects
                .iter()
                .any(|e| e.writes.contains(&var) && !e.declares.contains(&var));
            if elsewhere && self.declared_without_value(var) {
                return Err(format!("`{}` has no value at first", info.name));
            }
            let (name, ty) = (info.name.to_string(), info.ty.clone());
            let base = format!("{}_lanes", name.trim_start_matches("r#"));
            let lanes = self.temp(base, ty, true);
            kept.push((var, lanes));
            for (k, (segment, e)) in segments.iter_mut().zip(&effects).enumerate() {
                let popped = k == 0 && self.nest.declared.contains(&var);
                let declares = e.declares.contains(&var) || popped;
                let recorded = k == 2 && self.nest.records.contains(&var);
                if (e.reads.contains(&var) || e.writes.contains(&var) || recorded) && !declares {
                    segment.takes.push(var);
                }
                if declares || e.writes.contains(&var) {
                    segment.leaves.push(var);
                }
            }
        }
        Ok(kept)
    }

    fn declared_without_value(&self, var: VarId) -> bool {
        let mut found = false;
        crate::ir::visit_stmts(self.nest.body, &mut |stmt| {
            found |= matches!(&stmt.kind, StmtKind::Let { var: v, init: None } if *v == var);
        });
        found
    }
}

fn may_panic(op: BinOp) -> bool {
    matches!(
        op,
        BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem | BinOp::Shl | BinOp::Shr
    )
}
