//! To-be-recorded: which overwrites must save the old value.
//!
//! Lattice: the regions whose present value the reverse of an earlier statement reads. Direction: forward; transfer: a
//! statement adds what its adjoint reads (and what the recomputation of its variable reads), an overwrite in the set is
//! marked *saved*, an overwrite of a whole region removes it, as does a loop that overwrites all elements of an array
//! (`overwritten`) and whose own reverse reads none of it; meet: union; loops to the fixed point. A region stands for
//! all its elements; an overwrite of one field leaves the others in the set.
//! In-out parameters start in the set: a reverse sweep returns them as they were on entry.

use crate::ir::faults::Fault;
use crate::ir::hash::HashSet;
use crate::ir::{
    Arg, ArgMode, Block, Loop, OpaqueArg, Passing, Place, Region, RegionSet, Stmt, StmtKind,
    Transform, Ty, free_regions, place_ty, ref_mut_places, region_effects_of,
};

use super::StmtKey;
use super::ahead::{Ahead, ahead};
use super::generators::is_generator;
use super::outputs::{Outputs, is_left, says_what_it_reads};
use super::plan::{Inputs, Plan, declared_by, restore_reads};
use super::undone::undone;

/// Which overwrites save the old value.
pub(crate) struct Saves {
    pub(crate) saved: HashSet<StmtKey>,
    /// Those that need not, as they are ahead of all reads of their array.
    pub(crate) ahead: HashSet<StmtKey>,
}

/// Returns the overwrites that must save, given what the reverse sweep reads under `plan`.
pub(crate) fn tbr(inputs: &Inputs<'_>, plan: &Plan, body: &Block) -> Saves {
    let mut pass = Tbr {
        inputs,
        plan,
        body,
        saved: HashSet::default(),
        returned: Outputs::default(),
        silent: false,
        ahead: ahead(inputs, plan, body),
        entered: Vec::new(),
        skipped: HashSet::default(),
    };
    pass.block(body, &mut on_entry(inputs));
    pass.skipped.retain(|key| !pass.saved.contains(key));
    Saves {
        saved: pass.saved,
        ahead: pass.skipped,
    }
}

/// The outputs of calls that the reverse of an earlier statement reads, where `saved` are the overwrites that save.
/// `silent`: without what the reverse sweeps of calls read of their own outputs.
pub(super) fn returned(
    inputs: &Inputs<'_>,
    plan: &Plan,
    (saved, silent): (&HashSet<StmtKey>, bool),
    body: &Block,
) -> Outputs {
    let mut pass = Tbr {
        inputs,
        plan,
        body,
        saved: saved.clone(),
        returned: Outputs::default(),
        silent,
        ahead: ahead(inputs, plan, body),
        entered: Vec::new(),
        skipped: HashSet::default(),
    };
    pass.block(body, &mut on_entry(inputs));
    pass.returned
}

/// What callers read.
fn on_entry(inputs: &Inputs<'_>) -> RegionSet {
    let returned = |p: &&crate::ir::Param| {
        let left = inputs.leaving && is_left(inputs.func, p.var) || p.generator;
        p.passing == Passing::InOut && !left && !Fault::ArgumentNotReturned.is_on()
    };
    let params = inputs.func.params.iter().filter(returned);
    params.map(|p| Region::var(p.var)).collect()
}

struct Tbr<'a> {
    inputs: &'a Inputs<'a>,
    plan: &'a Plan,
    body: &'a Block,
    saved: HashSet<StmtKey>,
    /// The outputs of calls that are in the set.
    returned: Outputs,
    /// Whether the reverse sweeps of calls read nothing of their outputs.
    silent: bool,
    ahead: Ahead,
    /// The loops around, and the set in front of each.
    entered: Vec<(StmtKey, RegionSet)>,
    /// The overwrites in the set that are ahead of all reads.
    skipped: HashSet<StmtKey>,
}

impl Tbr<'_> {
    fn block(&mut self, block: &Block, needed: &mut RegionSet) {
        for stmt in &block.stmts {
            self.stmt(stmt, needed);
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm per statement of the IR")]
    fn stmt(&mut self, stmt: &Stmt, needed: &mut RegionSet) {
        let key = StmtKey::of(stmt);
        // A declaration is a new variable: the record of its block has kept the one before.
        for var in declared_by(stmt) {
            needed.remove(var);
        }
        if let Some(fragment) = self.inputs.fragments.get(&key) {
            let in_out = in_out_regions(stmt);
            let func = self.inputs.func;
            let of_primal = |region: &Region| {
                region.root.0 < self.inputs.primal_vars && !is_generator(func, region.root)
            };
            let reads = free_regions(fragment);
            needed.add(
                reads
                    .iter()
                    .filter(of_primal)
                    .filter(|r| !in_out.covers(*r)),
            );
        }
        if let Some(reads) = self.plan.def_reads.get(&key) {
            needed.add(reads.iter());
        }
        match &stmt.kind {
            StmtKind::Switch { arms, .. } => {
                let entry = needed.clone();
                for arm in arms {
                    let mut inside = entry.clone();
                    self.block(arm, &mut inside);
                    needed.add(inside.iter().filter(|_| !Fault::ArmNeedsForgotten.is_on()));
                }
                // A region overwritten in every arm may still be needed from before: its arms saved it.
            }
            StmtKind::Loop(Loop { body, .. }) => self.in_loop(key, body, needed),
            StmtKind::Checkpoint(body) => {
                self.block(body, &mut RegionSet::default());
                needed.add(free_regions(&body.stmts).iter());
            }
            StmtKind::Call { dest, args, .. } => {
                if self
                    .inputs
                    .activity
                    .call_active(self.inputs.func, *dest, args)
                {
                    let outputs = in_out_regions(stmt);
                    self.returned_of(stmt, needed);
                    if !(self.silent && says_what_it_reads(self.inputs, stmt)) {
                        // Seen in the state after the call.
                        let func = self.inputs.func;
                        needed.add(outputs.iter().filter(|r| !is_generator(func, r.root)));
                    }
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
            StmtKind::Assign { place, .. } | StmtKind::Update { place, .. }
                if self.is_ahead(key, place) =>
            {
                if needed.overlaps(place.region()) {
                    self.skipped.insert(key);
                }
            }
            StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } => {
                let region = place.region();
                if self.is_undone(stmt) && needed.overlaps(region) {
                    // The old value follows from the new one, which has to be there.
                    self.saved.insert(key);
                    if Fault::UndoneValueLost.is_on() {
                        needed.remove(region);
                    } else {
                        needed.insert(region);
                    }
                } else {
                    self.kills(&[place], key, needed);
                }
            }
            StmtKind::Swap(a, b) => {
                let (a, b) = (a.region(), b.region());
                let lost = needed.overlaps(a) || needed.overlaps(b);
                if lost && !Fault::SwapNotSaved.is_on() {
                    self.saved.insert(key);
                    needed.add([a, b]);
                }
            }
            StmtKind::Push { vec, .. }
            | StmtKind::Pop { vec, .. }
            | StmtKind::Truncate { vec, .. } => {
                if needed.overlaps(vec.region()) {
                    self.saved.insert(key);
                }
            }
            StmtKind::Fill { slice: part, .. } | StmtKind::CopyFrom { dst: part, .. } => {
                let region = part.region();
                let needs = needed.overlaps(region);
                self.kills(&[part], key, needed);
                // What comes back are elements: a vector that grows and shrinks has to have its length of then.
                let fixed = matches!(
                    place_ty(self.inputs.func, part),
                    Ty::Array(..) | Ty::Slice(_)
                );
                if needs && !fixed && changes_length(self.body, region) {
                    needed.insert(region);
                }
            }
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
            | StmtKind::Versioned(_)
            | StmtKind::Check(_)
            | StmtKind::Windows(_)
            | StmtKind::Disjoint(_)
            | StmtKind::Strips(_)
            | StmtKind::RecordAt(_)
            | StmtKind::Buffer(_)
            | StmtKind::InRegisters(_)
            | StmtKind::Kernel(_)
            | StmtKind::Simd(_)
            | StmtKind::Procedure(_)
            | StmtKind::RequireCompanion { .. }
            | StmtKind::CallForward { .. }
            | StmtKind::CallReverse { .. }
            | StmtKind::Run(_)
            | StmtKind::Accumulate { .. }
            | StmtKind::Begin { .. }
            | StmtKind::BeginAll { .. }
            | StmtKind::ClearAround { .. }
            | StmtKind::SetZero(_)
            | StmtKind::DropLast(_)
            | StmtKind::Recycle(_)
            | StmtKind::Regrow { .. }
            | StmtKind::Scope(_) => {}
        }
        // Restoring happens in the state after the statement: the indices of what is restored must come back as well.
        if self.saved.contains(&key) && !Fault::SavedIndexForgotten.is_on() {
            let writes = region_effects_of([stmt]).writes;
            let reads = restore_reads(stmt);
            needed.add(reads.iter().filter(|r| !writes.covers(*r)));
            // What is undone from the state behind it, whoever needs the result, has to find that state: a counter
            // would overflow.
            let follows = matches!(
                stmt.kind,
                StmtKind::Swap(..)
                    | StmtKind::Push { .. }
                    | StmtKind::Pop { .. }
                    | StmtKind::Truncate { .. }
            );
            let follows = follows || self.is_undone(stmt);
            if self.silent && follows && !Fault::OutputUndone.is_on() {
                needed.add(writes.iter());
            }
        }
    }

    /// Notes which outputs of the call are in the set.
    fn returned_of(&mut self, stmt: &Stmt, needed: &RegionSet) {
        let StmtKind::Call { args, .. } = &stmt.kind else {
            return;
        };
        for (at, arg) in args.iter().enumerate() {
            if let ArgMode::InOut(place) = &arg.mode
                && needed.overlaps(place.region())
            {
                self.returned.insert((StmtKey::of(stmt), at));
            }
        }
    }

    fn in_loop(&mut self, key: StmtKey, body: &Block, needed: &mut RegionSet) {
        let entry = needed.clone();
        self.entered.push((key, entry.clone()));
        loop {
            let before = self.saved.len();
            let mut inside = needed.clone();
            self.block(body, &mut inside);
            let grown = needed.add(inside.iter()) || self.saved.len() != before;
            if !grown || Fault::LoopSeenOnce.is_on() {
                break;
            }
        }
        // What the loop saves of an array that it overwrites is all of the version before. Only what the reverse of the
        // loop itself reads of the array is needed from now on.
        for region in self.inputs.overwritten.get(&key).into_iter().flatten() {
            if needed.overlaps(*region) {
                let mut inside = entry.clone();
                inside.remove(*region);
                self.block(body, &mut inside);
                if !inside.overlaps(*region) || Fault::OverwrittenThoughRead.is_on() {
                    needed.remove(*region);
                }
            }
        }
        self.entered.pop();
    }

    /// Whether the old value of the element is read by nobody: not in the nest (`ahead`), nor in front of it.
    fn is_ahead(&self, key: StmtKey, place: &Place) -> bool {
        let nest = self.ahead.get(&key);
        let entered = nest.and_then(|nest| self.entered.iter().find(|(key, _)| key == nest));
        entered.is_some_and(|(_, needed)| {
            !needed.overlaps(place.region()) || Fault::NeededInFrontForgotten.is_on()
        })
    }

    fn is_undone(&self, stmt: &Stmt) -> bool {
        let Inputs {
            func, transforms, ..
        } = self.inputs;
        transforms.has(Transform::Recompute) && undone(func, stmt).is_some()
    }

    fn kills(&mut self, places: &[&Place], key: StmtKey, needed: &mut RegionSet) {
        for place in places {
            let region = place.region();
            if needed.overlaps(region) && !Fault::OverwriteNotSaved.is_on() {
                self.saved.insert(key);
                // One overwrite of a part says nothing of the rest.
                if place.is_region() && places.len() == 1 {
                    let all = Region::var(place.root);
                    needed.remove(if Fault::SiblingForgotten.is_on() {
                        all
                    } else {
                        region
                    });
                }
            }
        }
    }
}

/// Whether an element is put to the vector or taken from it anywhere.
fn changes_length(body: &Block, region: Region) -> bool {
    body.stmts.iter().any(|stmt| {
        let changes = matches!(
            &stmt.kind,
            StmtKind::Push { vec, .. } | StmtKind::Pop { vec, .. } | StmtKind::Truncate { vec, .. }
                if vec.region().root == region.root
        );
        let mut blocks = stmt.kind.blocks().into_iter();
        changes || blocks.any(|block| changes_length(block, region))
    })
}

fn in_out_places(args: &[Arg]) -> Vec<&Place> {
    args.iter()
        .filter_map(|arg| match &arg.mode {
            ArgMode::InOut(p) => Some(p),
            ArgMode::Value(_) | ArgMode::Shared(_) => None,
        })
        .collect()
}

fn in_out_regions(stmt: &Stmt) -> RegionSet {
    let StmtKind::Call { callee, args, .. } = &stmt.kind else {
        return RegionSet::default();
    };
    in_out_places(callee.split(args).0)
        .into_iter()
        .map(Place::region)
        .collect()
}
