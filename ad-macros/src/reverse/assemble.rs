//! Puts the sweeps together, block by block.
//!
//! Each block gives a forward list, a reverse list, and its *yields*: the variables that the forward list
//! declares and the reverse list reads. The yields of a function are its record; those of a loop body are
//! pushed as one record per iteration; those of a branch arm travel in a variable of the enclosing block.

use std::collections::BTreeMap;

use proc_macro2::Span;

use crate::analysis::StmtKey;
use crate::analysis::bulk::BulkInputs;
use crate::analysis::decide::Decisions;
use crate::analysis::plan::{Fragments, Plan, declared_by};
use crate::analysis::undone::undone;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{
    Block, Domain, Expr, Loop, Place, Proc, Returning, Stmt, StmtKind, Transform, Ty, VarId,
    free_vars, leaf_stmts, region_name, sweep_stmts,
};

use super::adjoints::Adjoints;
use super::restore::{Saving, new_site, save_place, saving};
use super::{Context, Facts};
use crate::ir::has_static_zero;
use crate::ir::mentioned;

/// The two sweeps of a block.
#[derive(Default)]
pub(crate) struct Sweep {
    pub(crate) forward: Vec<Stmt>,
    pub(crate) reverse: Vec<Stmt>,
    pub(crate) yields: Vec<VarId>,
}

/// The two sweeps of a statement, and what the forward one declares for its reverse.
#[derive(Default)]
pub(super) struct Step {
    pub(super) forward: Vec<Stmt>,
    pub(super) reverse: Vec<Stmt>,
}

pub(crate) struct Assembly<'a> {
    pub(super) adjoints: Adjoints<'a>,
    fragments: Fragments,
    pub(super) plan: Plan,
    saved: HashSet<StmtKey>,
    /// The overwrites that are ahead of all reads.
    ahead: HashSet<StmtKey>,
    /// Whether calls put back their outputs.
    pub(super) returning: HashMap<StmtKey, Returning>,
    /// The loops around what is assembled.
    pub(super) around: Vec<Span>,
    /// Overwrites that save nothing: their old values are saved in bulk before their loop, or run again.
    pub(super) hoisted: HashSet<StmtKey>,
    /// Number of enclosing `#[checkpoint]` regions.
    pub(super) regions: u32,
    /// Regions that are procedures, and how each is run.
    pub(super) procs: Vec<Proc>,
    pub(super) runs: HashMap<StmtKey, Stmt>,
    pub(super) primal_vars: u32,
    result_bar: Option<VarId>,
    pub(crate) sites: u32,
    /// Scalars that loops compute again, and what each was in front of such a loop.
    pub(super) replayed: Vec<(VarId, VarId)>,
    pub(super) cx: Context<'a>,
}

/// Declarations in front of a step, and in front of its statements.
#[derive(Default)]
struct Declared {
    front: Vec<Stmt>,
    before: BTreeMap<usize, Vec<Stmt>>,
}

/// The step and the statement in it that mention a variable first, in a reverse sweep that goes from the last step to
/// the first.
fn first_mentions(undo: &[Vec<Stmt>]) -> HashMap<VarId, (usize, usize)> {
    let mut first = HashMap::default();
    for (step, stmts) in undo.iter().enumerate().rev() {
        for (at, stmt) in stmts.iter().enumerate() {
            for var in mentioned(stmt) {
                first.entry(var).or_insert((step, at));
            }
        }
    }
    first
}

impl<'a> Assembly<'a> {
    pub(crate) fn new(
        adjoints: Adjoints<'a>,
        fragments: Fragments,
        Decisions {
            plan,
            saved,
            ahead,
            returning,
            ..
        }: Decisions,
        primal_vars: u32,
        result_bar: Option<VarId>,
        cx: Context<'a>,
    ) -> Self {
        Assembly {
            adjoints,
            fragments,
            plan,
            saved,
            ahead,
            returning,
            around: Vec::new(),
            hoisted: HashSet::default(),
            regions: 0,
            procs: Vec::new(),
            runs: HashMap::default(),
            primal_vars,
            result_bar,
            sites: 0,
            replayed: Vec::new(),
            cx,
        }
    }

    /// Whose adjoint a variable is.
    pub(crate) fn bars(&self) -> HashMap<VarId, VarId> {
        self.adjoints.primals()
    }

    /// What was decided, for the report.
    pub(crate) fn finish(self, body: Block) -> Facts {
        Facts {
            body,
            recomputed: self.plan.recompute.into_keys().collect(),
            recorded: self.plan.recorded,
            restored: self.saved.difference(&self.hoisted).copied().collect(),
        }
    }

    /// The adjoint variable of each differentiable parameter, with the parameter's position.
    pub(crate) fn param_bars(&mut self) -> Vec<(usize, VarId)> {
        let params: Vec<_> = self
            .adjoints
            .func
            .params
            .iter()
            .map(|p| (p.differentiable(), p.var))
            .collect();
        params
            .into_iter()
            .enumerate()
            .filter(|(_, (differentiable, _))| *differentiable)
            .map(|(k, (_, var))| (k, self.adjoints.bar(var)))
            .collect()
    }

    pub(crate) fn block(&mut self, block: &Block) -> Sweep {
        let steps: Vec<Step> = block.stmts.iter().map(|stmt| self.step(stmt)).collect();
        let mut sweep = Sweep::default();
        let mut undo = Vec::new();
        for step in steps {
            sweep.forward.extend(step.forward);
            undo.push(step.reverse);
        }
        let kept = self.kept_of_calls(block, &mut sweep.forward);
        let recomputed = self.recomputed(block, &kept);
        self.declare_bars(block, &mut undo);
        let mut reverse = Vec::new();
        for (k, stmts) in undo.into_iter().enumerate().rev() {
            if let Some(lets) = recomputed.get(&k) {
                reverse.extend(lets.iter().cloned());
            }
            reverse.extend(stmts);
        }
        self.settle_replays(block, &mut sweep.forward, &mut reverse);
        let used = free_vars(&reverse);
        let declared: Vec<VarId> = sweep.forward.iter().flat_map(declared_by).collect();
        sweep.yields = declared.into_iter().filter(|v| used.contains(v)).collect();
        sweep.reverse = reverse;
        sweep
    }

    /// The declarations that the reverse sweep repeats, by the statement whose adjoint comes next.
    fn recomputed(
        &self,
        block: &Block,
        kept: &HashMap<VarId, VarId>,
    ) -> BTreeMap<usize, Vec<Stmt>> {
        let mut lets: BTreeMap<usize, Vec<Stmt>> = BTreeMap::new();
        for stmt in &block.stmts {
            if let Some((at, again)) = self.result_again(stmt, kept) {
                lets.entry(at).or_default().push(again);
            }
            if let StmtKind::Let { var, .. } = &stmt.kind
                && let Some(at) = self.plan.recompute.get(var)
            {
                let again = match self.plan.kept.get(var) {
                    Some(read) => Stmt::new(
                        StmtKind::Let {
                            var: *var,
                            init: Some(read.clone()),
                        },
                        stmt.span,
                    ),
                    None => stmt.clone(),
                };
                lets.entry(*at).or_default().push(again);
            }
        }
        lets
    }

    /// Declares the adjoint of each variable of the block where the reverse sweep, `undo` from its last step
    /// to its first, mentions it first. An adjoint that takes its shape from the primal comes before the
    /// step's own restorations: they bring back the shape that the primal had earlier.
    fn declare_bars(&mut self, block: &Block, undo: &mut [Vec<Stmt>]) {
        let mut bars = Vec::new();
        for var in block.stmts.iter().flat_map(declared_by) {
            let bar = self.adjoints.bar_if_used(var);
            // That of the result is the seed.
            bars.extend(bar.filter(|_| bar != self.result_bar).map(|bar| (var, bar)));
        }
        if bars.is_empty() {
            return;
        }
        let mentioned = first_mentions(undo);
        let mut declared: BTreeMap<usize, Declared> = BTreeMap::new();
        for (var, bar) in bars {
            let Some((step, first)) = mentioned.get(&bar) else {
                continue;
            };
            let ty = self.adjoints.func.var(var).ty.clone();
            if let Some(whole) = self.first_is_all(&undo[*step][*first], bar) {
                undo[*step][*first] = whole;
                continue;
            }
            let span = self.adjoints.func.var(var).name.span();
            let init = self.adjoints.zero(&ty, &Place::var(var, span), span);
            let kind = StmtKind::Let {
                var: bar,
                init: Some(init),
            };
            let declared = declared.entry(*step).or_default();
            let list = match has_static_zero(&ty) {
                true => declared.before.entry(*first).or_default(),
                false => &mut declared.front,
            };
            list.push(Stmt::new(kind, span));
        }
        for (step, mut declared) in declared {
            declared.front.reverse();
            let stmts = std::mem::replace(&mut undo[step], declared.front);
            for (at, stmt) in stmts.into_iter().enumerate() {
                undo[step].extend(declared.before.remove(&at).unwrap_or_default());
                undo[step].push(stmt);
            }
        }
    }

    /// Where the adjoint of a vector begins with all of another one being added, as behind `u = v`: the declaration
    /// with that value. The two are as long, so that the vector itself need not be asked for its length.
    fn first_is_all(&self, stmt: &Stmt, bar: VarId) -> Option<Stmt> {
        let StmtKind::Accumulate { dst, src } = &stmt.kind else {
            return None;
        };
        let ty = |var| &self.adjoints.func.var(var).ty;
        let whole = dst.is_var() && dst.root == bar && src.is_var() && src.root != bar;
        let vectors = matches!(ty(bar), Ty::Vec(_)) && ty(bar) == ty(src.root);
        (whole && vectors).then(|| {
            let init = Some(Expr::read_var(src.root, ty(bar).clone(), stmt.span));
            Stmt::new(StmtKind::Let { var: bar, init }, stmt.span)
        })
    }

    fn step(&mut self, stmt: &Stmt) -> Step {
        if stmt.as_loop().is_none() {
            return self.step_within(stmt);
        }
        self.around.push(stmt.span);
        let step = self.step_within(stmt);
        self.around.pop();
        step
    }

    fn step_within(&mut self, stmt: &Stmt) -> Step {
        let key = StmtKey::of(stmt);
        match &stmt.kind {
            StmtKind::Switch { selector, arms } => self.switch(selector, arms, stmt.span),
            StmtKind::Loop(Loop {
                id,
                domain: kind,
                body,
                exit,
                ..
            }) => {
                if let Domain::Range { var, range } = kind
                    && let Some(shares) = self.cx.shares.get(id).cloned()
                {
                    return self.parallel_loop(stmt, *id, (*var, range), body, &shares);
                }
                let (scalars, bulk) = if self.cx.transforms.has(Transform::Bulk) {
                    let scalars = self.hoist_scalars(body, stmt.span);
                    let bulk = self.hoist(kind, body, stmt.span);
                    self.explain_saves(kind, body, stmt.span);
                    (scalars, bulk)
                } else {
                    Default::default()
                };
                let sweep = self.block(body);
                let step = self.structured_loop(stmt, *id, kind, sweep, *exit);
                let mut forward = scalars.save;
                forward.extend(bulk.save);
                forward.extend(step.forward);
                let mut reverse = step.reverse;
                reverse.extend(bulk.restore);
                reverse.extend(scalars.restore);
                Step { forward, reverse }
            }
            StmtKind::Checkpoint(body) => self.checkpoint(stmt, body),
            leaf_stmts!() | StmtKind::Jump(_) | StmtKind::Labelled(..) | sweep_stmts!() => {
                let mut fragment = self.fragments.get(&key).cloned().unwrap_or_default();
                self.settle_outputs(stmt, &mut fragment);
                self.explain_ahead(stmt);
                let kept = if self.saved.contains(&key) && !self.hoisted.contains(&key) {
                    let again = self.cx.transforms.has(Transform::Recompute);
                    match undone(self.adjoints.func, stmt).filter(|_| again) {
                        Some(undo) => Saving::by(undo),
                        None => saving(self.adjoints.func, &mut self.sites, stmt),
                    }
                } else {
                    Saving::default()
                };
                let mut forward = kept.save;
                forward.extend(self.required(stmt));
                forward.push(self.forward_of(stmt));
                let mut reverse = kept.restore;
                reverse.extend(fragment);
                Step { forward, reverse }
            }
        }
    }

    /// Which overwrite saves nothing although its array is read.
    fn explain_ahead(&mut self, stmt: &Stmt) {
        let (StmtKind::Assign { place, .. } | StmtKind::Update { place, .. }) = &stmt.kind else {
            return;
        };
        if self.ahead.contains(&StmtKey::of(stmt))
            && let Some(at) = self.around.last()
        {
            let name = region_name(self.adjoints.func, place);
            let how = format!("nobody reads what was in `{name}` before");
            self.cx.remarks.applied(*at, Transform::Ahead, how);
        }
    }

    fn bulk_inputs(&self) -> BulkInputs<'_> {
        BulkInputs {
            func: self.adjoints.func,
            fragments: &self.fragments,
            plan: &self.plan,
            saved: &self.saved,
        }
    }

    /// Saves of scalars in front of a loop, in place of a save at each overwrite.
    pub(super) fn hoist_scalars(&mut self, body: &Block, span: Span) -> Saving {
        let inputs = self.bulk_inputs();
        let mut kept = Saving::default();
        for scalar in inputs.scalar_saves(body, &self.hoisted) {
            self.hoisted.extend(scalar.keys);
            let name = region_name(self.adjoints.func, &scalar.place);
            let how = format!("`{name}` is saved once, before the loop");
            self.cx.remarks.applied(span, Transform::Bulk, how);
            save_place(
                self.adjoints.func,
                &mut self.sites,
                &scalar.place,
                &mut kept,
            );
        }
        kept
    }

    /// Bulk saves for a loop, in place of a save per iteration.
    fn hoist(&mut self, kind: &Domain, body: &Block, at: Span) -> Saving {
        let mut saving = Saving::default();
        let Domain::Range { var, range } = kind else {
            return saving;
        };
        let inputs = self.bulk_inputs();
        for bulk in inputs.bulk_saves(*var, body, &self.hoisted) {
            self.hoisted.insert(bulk.key);
            let site = new_site(&mut self.sites);
            let name = region_name(self.adjoints.func, &bulk.slice);
            let how = format!(
                "the range of `{name}` that the loop writes is saved in one copy before it"
            );
            self.cx.remarks.applied(at, Transform::Bulk, how);
            let span = bulk.slice.span;
            let (slice, offset) = (bulk.slice, bulk.offset);
            let push = StmtKind::PushRange {
                site,
                slice: slice.clone(),
                range: range.clone(),
                offset: offset.clone(),
            };
            saving.save.push(Stmt::new(push, span));
            saving.restore.insert(
                0,
                Stmt::new(
                    StmtKind::PopRange {
                        site,
                        slice,
                        range: range.clone(),
                        offset,
                    },
                    span,
                ),
            );
        }
        saving
    }

    /// Why the other saves stay in the loop.
    fn explain_saves(&mut self, kind: &Domain, body: &Block, span: Span) {
        let inputs = self.bulk_inputs();
        for why in inputs.obstacles(kind, body, &self.hoisted) {
            self.cx.remarks.refused(span, Transform::Bulk, why);
        }
    }
}
