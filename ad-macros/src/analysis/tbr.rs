//! To-be-recorded: which overwrites must save the old value.
//!
//! Lattice: the set of roots whose present value the reverse of an earlier statement reads. Direction:
//! forward; transfer: a statement adds what its adjoint reads (and what the recomputation of its variable
//! reads), an overwrite of a root in the set is marked *saved*, an overwrite of the whole root removes it;
//! meet: union; loops to the fixed point. Whole roots stand for all their elements.
//! In-out parameters start in the set: a reverse sweep returns them as they were on entry.

use std::collections::HashSet;

use crate::ir::faults::Fault;
use crate::ir::{
    Arg, ArgMode, Block, Loop, OpaqueArg, Passing, Place, Proj, Stmt, StmtKind, VarId, effects_of,
    free_vars, ref_mut_places,
};

use super::StmtKey;
use super::plan::{Inputs, Plan, declared_by, restore_reads};

/// Returns the overwrites that must save, given what the reverse sweep reads under `plan`.
pub(crate) fn tbr(inputs: &Inputs<'_>, plan: &Plan, body: &Block) -> HashSet<StmtKey> {
    let mut pass = Tbr {
        inputs,
        plan,
        saved: HashSet::new(),
    };
    let mut needed: HashSet<VarId> = inputs
        .func
        .params
        .iter()
        .filter(|p| p.passing == Passing::InOut && !Fault::ArgumentNotReturned.is_on())
        .map(|p| p.var)
        .collect();
    pass.block(body, &mut needed);
    pass.saved
}

struct Tbr<'a> {
    inputs: &'a Inputs<'a>,
    plan: &'a Plan,
    saved: HashSet<StmtKey>,
}

impl Tbr<'_> {
    fn block(&mut self, block: &Block, needed: &mut HashSet<VarId>) {
        for stmt in &block.stmts {
            self.stmt(stmt, needed);
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm per statement of the IR")]
    fn stmt(&mut self, stmt: &Stmt, needed: &mut HashSet<VarId>) {
        let key = StmtKey::of(stmt);
        // A declaration is a new variable: the record of its block has kept the one before.
        for var in declared_by(stmt) {
            needed.remove(&var);
        }
        if let Some(fragment) = self.inputs.fragments.get(&key) {
            let reads = free_vars(fragment);
            let in_out = in_out_roots(stmt);
            needed.extend(
                reads
                    .into_iter()
                    .filter(|v| v.0 < self.inputs.primal_vars && !in_out.contains(v)),
            );
        }
        if let Some(reads) = self.plan.def_reads.get(&key) {
            needed.extend(reads);
        }
        match &stmt.kind {
            StmtKind::Switch { arms, .. } => {
                let entry = needed.clone();
                for arm in arms {
                    let mut inside = entry.clone();
                    self.block(arm, &mut inside);
                    needed.extend(
                        inside
                            .into_iter()
                            .filter(|_| !Fault::ArmNeedsForgotten.is_on()),
                    );
                }
                // A root overwritten in every arm may still be needed from before: its arms saved it.
            }
            StmtKind::Loop(Loop { body, .. }) => loop {
                let before = (needed.clone(), self.saved.len());
                let mut inside = needed.clone();
                self.block(body, &mut inside);
                needed.extend(inside);
                let grown = *needed != before.0 || self.saved.len() != before.1;
                if !grown || Fault::LoopSeenOnce.is_on() {
                    break;
                }
            },
            StmtKind::Checkpoint(body) => {
                self.block(body, &mut HashSet::new());
                needed.extend(free_vars(&body.stmts));
            }
            StmtKind::Call { dest, args, .. } => {
                if self
                    .inputs
                    .activity
                    .call_active(self.inputs.func, *dest, args)
                {
                    needed.extend(in_out_roots(stmt)); // seen in the state after the call
                } else {
                    self.kills(&in_out_places(args), key, needed);
                }
            }
            StmtKind::Opaque(o) => {
                let places: Vec<&Place> = o
                    .args
                    .iter()
                    .filter_map(|(_, arg)| match arg {
                        OpaqueArg::RefMut(p) => Some(p),
                        OpaqueArg::Place(_) | OpaqueArg::Ref(_) | OpaqueArg::Value(_) => None,
                    })
                    .collect();
                self.kills(&places, key, needed);
            }
            StmtKind::Let { init: Some(e), .. } => {
                let mut places = Vec::new();
                ref_mut_places(e, &mut |p| places.push(p.clone()));
                let places: Vec<&Place> = places.iter().collect();
                self.kills(&places, key, needed);
            }
            StmtKind::Assign { init: true, .. } | StmtKind::Let { init: None, .. } => {}
            StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } => {
                self.kills(&[place], key, needed)
            }
            StmtKind::Swap(a, b) => {
                let lost = needed.contains(&a.root) || needed.contains(&b.root);
                if lost && !Fault::SwapNotSaved.is_on() {
                    self.saved.insert(key);
                    needed.insert(a.root);
                    needed.insert(b.root);
                }
            }
            StmtKind::Push { vec, .. }
            | StmtKind::Pop { vec, .. }
            | StmtKind::Truncate { vec, .. } => {
                if needed.contains(&vec.root) {
                    self.saved.insert(key);
                }
            }
            StmtKind::Fill { slice, .. } => self.partial_kill(slice, key, needed),
            StmtKind::CopyFrom { dst, .. } => self.partial_kill(dst, key, needed),
            StmtKind::Jump(_)
            | StmtKind::Labelled(..)
            | StmtKind::PushRecord { .. }
            | StmtKind::PopRecord { .. }
            | StmtKind::PushSlice { .. }
            | StmtKind::PopSlice { .. }
            | StmtKind::PushRange { .. }
            | StmtKind::PopRange { .. }
            | StmtKind::Branch { .. }
            | StmtKind::MatchRecord { .. }
            | StmtKind::Parallel(_)
            | StmtKind::Sliced(_)
            | StmtKind::Jam(_)
            | StmtKind::Deferring(_)
            | StmtKind::Tiled(_)
            | StmtKind::RequireCompanion { .. }
            | StmtKind::CallForward { .. }
            | StmtKind::CallReverse { .. }
            | StmtKind::Accumulate { .. }
            | StmtKind::Begin { .. }
            | StmtKind::BeginAll { .. }
            | StmtKind::ClearAround { .. }
            | StmtKind::SetZero(_)
            | StmtKind::DropLast(_)
            | StmtKind::Regrow { .. }
            | StmtKind::Scope(_) => {}
        }
        // Restoring happens in the state after the statement: the indices of what is restored must come back as well.
        if self.saved.contains(&key) && !Fault::SavedIndexForgotten.is_on() {
            let writes = effects_of([stmt]).writes;
            needed.extend(
                restore_reads(stmt)
                    .into_iter()
                    .filter(|v| !writes.contains(v)),
            );
        }
    }

    fn partial_kill(&mut self, place: &Place, key: StmtKey, needed: &HashSet<VarId>) {
        if needed.contains(&place.root) {
            self.saved.insert(key);
        }
    }

    fn kills(&mut self, places: &[&Place], key: StmtKey, needed: &mut HashSet<VarId>) {
        for place in places {
            if needed.contains(&place.root) && !Fault::OverwriteNotSaved.is_on() {
                self.saved.insert(key);
                // One overwrite of a part says nothing of the rest.
                if place.proj.iter().all(|p| matches!(p, Proj::Deref)) && places.len() == 1 {
                    needed.remove(&place.root);
                }
            }
        }
    }
}

fn in_out_places(args: &[Arg]) -> Vec<&Place> {
    args.iter()
        .filter_map(|arg| match &arg.mode {
            ArgMode::InOut(p) => Some(p),
            ArgMode::Value(_) | ArgMode::Shared(_) => None,
        })
        .collect()
}

fn in_out_roots(stmt: &Stmt) -> Vec<VarId> {
    match &stmt.kind {
        StmtKind::Call { args, .. } => in_out_places(args).into_iter().map(|p| p.root).collect(),
        _ => Vec::new(),
    }
}
