//! Record or recompute: where the reverse sweep gets each value that it reads.
//!
//! Direction: backward through each block, inner blocks first. An immutable variable that the reverse
//! sweep reads is *recomputed* right before its first use there if its initialiser is cheap and pure and
//! nothing that the initialiser reads is overwritten between the declaration and the last statement whose
//! adjoint uses it; or it is *kept*, if an array holds it then; else it is *recorded* with its block. A mutable
//! variable of the block is recorded with its final value; overwrites save and restore the earlier ones (`tbr`). Being
//! wrong would read a value of another time, so a write to the same region counts as a conflict, unless one statement
//! writes one element, of which the indices say that it is another one (`ahead`).

use crate::ir::faults::Fault;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{
    Block, Domain, Expr, ExprKind, Func, Loop, Region, RegionSet, Stmt, StmtKind, Transform,
    Transforms, VarId, control_stmts, expr_reads, free_regions, leaf_stmts, place_index_reads,
    region_effects_of, sweep_stmts,
};

use super::StmtKey;
use super::activity::Activity;
use super::affine::Definitions;
use super::again::may_repeat;
use super::ahead::leaves_alone;
use super::generators::reads_generator;
use super::kept::Kept;
use super::overwritten::Overwritten;
use super::purity::cheap_to_recompute;
use super::shapes::Lengths;

/// The adjoints of the statements without blocks of their own.
pub(crate) type Fragments = HashMap<StmtKey, Vec<Stmt>>;

/// What `plan` reads.
pub(crate) struct Inputs<'a> {
    pub(crate) func: &'a Func,
    pub(crate) activity: &'a Activity,
    pub(crate) fragments: &'a Fragments,
    /// Variables below this are the primal's; the others were made for adjoints.
    pub(crate) primal_vars: u32,
    pub(crate) transforms: Transforms,
    /// The overwrites that save the old value, as far as known.
    pub(crate) saved: &'a HashSet<StmtKey>,
    /// What immutable variables of the body hold.
    pub(crate) definitions: &'a Definitions<'a>,
    /// Values that the reverse sweep can read back from an array.
    pub(crate) kept: &'a HashMap<VarId, Kept>,
    /// The arrays of which loops overwrite all elements.
    pub(crate) overwritten: &'a Overwritten,
    /// Values that are recorded although they could be recomputed (`cut`).
    pub(crate) recorded: &'a HashSet<VarId>,
    /// Values that nothing can change.
    pub(crate) lasting: &'a HashSet<VarId>,
    /// How many elements vectors have that keep their lengths.
    pub(crate) lengths: &'a Lengths,
    /// Whether the reverse sweep leaves its outputs as they are.
    pub(crate) leaving: bool,
}

/// Where the reverse sweep gets values from.
#[derive(Default, Debug)]
pub(crate) struct Plan {
    /// Recomputed before the adjoint of the statement with this index in the block of the declaration.
    pub(crate) recompute: HashMap<VarId, usize>,
    /// The initialisers of those that are read back from an array instead.
    pub(crate) kept: HashMap<VarId, Expr>,
    /// What the recomputed initialiser of a `let` reads, by the `let`.
    pub(crate) def_reads: HashMap<StmtKey, RegionSet>,
    /// Why values that the reverse sweep reads are not recomputed.
    pub(crate) recorded: HashMap<VarId, Recorded>,
    /// Everything of which the reverse sweep reads something.
    pub(crate) needed: HashSet<VarId>,
}

/// Why a value is recorded.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Recorded {
    /// Computing it again costs more, or is not possible.
    Costly,
    /// This variable, which it is computed from, is overwritten before the reverse sweep reads it.
    Overwritten(VarId),
    /// What it is computed from would have to be restored for it.
    Alone,
    /// What it is computed from would take more memory.
    Smaller,
}

/// Plans the whole body.
pub(crate) fn plan(inputs: &Inputs<'_>, body: &Block) -> Plan {
    let mut plan = Plan::default();
    let free = plan_block(inputs, body, &mut plan);
    plan.needed.extend(free.roots());
    plan
}

/// Plans a block; returns what its reverse reads from outside.
fn plan_block(inputs: &Inputs<'_>, block: &Block, plan: &mut Plan) -> RegionSet {
    let n = block.stmts.len();
    let mut reads: Vec<RegionSet> = block
        .stmts
        .iter()
        .map(|s| reverse_reads(inputs, s, plan))
        .collect();
    let mut declared = HashSet::default();
    for stmt in &block.stmts {
        for var in declared_by(stmt) {
            declared.insert(var);
            if inputs.activity.is_active(var)
                && !crate::ir::has_static_zero(&inputs.func.var(var).ty)
            {
                // Its adjoint takes its shape.
                match inputs.lengths.get(&var) {
                    Some(length) => _ = reads[n - 1].add(regions_read(length).iter()),
                    None => _ = reads[n - 1].insert(var),
                }
            }
        }
    }
    let suffix_writes = writes_per_stmt(block);
    for k in (0..n).rev() {
        let stmt = &block.stmts[k];
        if let Some((var, leaves)) = may_repeat(inputs, stmt) {
            repeat_call(stmt, (k, var), leaves, &suffix_writes, (&mut reads, plan));
            continue;
        }
        let StmtKind::Let { var, init: Some(e) } = &stmt.kind else {
            continue;
        };
        if inputs.func.var(*var).mutable {
            continue;
        }
        let Some(last) = (k..n).rev().find(|j| reads[*j].overlaps(*var)) else {
            continue;
        };
        if let Some((at, read)) = kept_at(inputs, block, k, last, &suffix_writes) {
            let (mut leaves, mut array) = (RegionSet::default(), true);
            expr_reads(&read, &mut |p| {
                reads[at].insert(p.region());
                if !std::mem::take(&mut array) {
                    leaves.insert(p.region());
                }
            });
            // The array itself outlives what overwrites it, see `kept`.
            plan.recompute.insert(*var, at);
            plan.kept.insert(*var, read);
            plan.def_reads.insert(StmtKey::of(stmt), leaves);
            continue;
        }
        // What is written to elements changes no length, and need not be undone for it.
        let leaves = match of_vector(inputs, e) {
            Some(vector) if inputs.func.var(vector).mutable => RegionSet::default(),
            _ => regions_read(e),
        };
        let stable = (k + 1..=last).all(|j| {
            let misses = || element_stays(inputs, &block.stmts[j], e);
            !suffix_writes[j].meets(&leaves) || misses()
        });
        let smaller = inputs.recorded.contains(var);
        let cheap = cheap_to_recompute(e) || inputs.lasting.contains(var);
        if cheap
            && (stable || Fault::OverwrittenOperandRecomputed.is_on())
            && !smaller
            && may_recompute(inputs, *var, e)
            && worth_it(inputs, *var, e, &leaves, &reads)
        {
            plan.recompute.insert(*var, last);
            plan.recorded.remove(var);
            reads[last].add(leaves.iter());
            plan.def_reads.insert(StmtKey::of(stmt), leaves);
        } else {
            plan.recompute.remove(var);
            let lost = suffix_writes[k + 1..=last].iter().flat_map(RegionSet::iter);
            let lost = lost.filter(|written| leaves.overlaps(*written)).min();
            let why = match lost {
                _ if !cheap => Recorded::Costly,
                Some(lost) => Recorded::Overwritten(lost.root),
                None if smaller => Recorded::Smaller,
                None => Recorded::Alone,
            };
            plan.recorded.insert(*var, why);
        }
    }
    let mut all: RegionSet = reads.iter().flat_map(RegionSet::iter).collect();
    plan.needed.extend(all.roots());
    declared.into_iter().for_each(|var| all.remove(var));
    all
}

/// Has the result of the call, statement `k`, computed again where it is read last, if its arguments are the same
/// there.
fn repeat_call(
    stmt: &Stmt,
    (k, var): (usize, VarId),
    leaves: RegionSet,
    writes: &[RegionSet],
    (reads, plan): (&mut [RegionSet], &mut Plan),
) {
    let Some(last) = (k..reads.len()).rev().find(|j| reads[*j].overlaps(var)) else {
        return;
    };
    let lost = writes[k + 1..=last].iter().flat_map(RegionSet::iter);
    let lost = lost.filter(|written| leaves.overlaps(*written)).min();
    match lost.filter(|_| !Fault::OverwrittenArgumentRepeated.is_on()) {
        None => {
            plan.recompute.insert(var, last);
            plan.recorded.remove(&var);
            reads[last].add(leaves.iter());
            plan.def_reads.insert(StmtKey::of(stmt), leaves);
        }
        Some(lost) => {
            plan.recompute.remove(&var);
            plan.recorded.insert(var, Recorded::Overwritten(lost.root));
        }
    }
}

fn regions_read(e: &Expr) -> RegionSet {
    let mut regions = RegionSet::default();
    expr_reads(e, &mut |p| _ = regions.insert(p.region()));
    regions
}

/// Whether the statement leaves the elements that the expression reads what they are, by their indices.
fn element_stays(inputs: &Inputs<'_>, stmt: &Stmt, e: &Expr) -> bool {
    inputs.transforms.has(Transform::Ahead)
        && leaves_alone(inputs.func, inputs.definitions, stmt, e)
}

/// Switched off, recomputation remains for what may be no record: values of types that the text does not show.
fn may_recompute(inputs: &Inputs<'_>, var: VarId, e: &Expr) -> bool {
    let may = inputs.transforms.has(Transform::Recompute)
        || matches!(&e.kind, ExprKind::Lit(_))
        || !inputs.func.var(var).ty.is_scalar();
    may && !reads_generator(inputs.func, e)
}

/// How the variable that statement `k` declares is read back from an array, and before the adjoint of which statement,
/// where `last` is the last whose adjoint reads it: neither the array nor its index may change in between.
fn kept_at(
    inputs: &Inputs<'_>,
    block: &Block,
    k: usize,
    last: usize,
    writes: &[RegionSet],
) -> Option<(usize, Expr)> {
    let var = *declared_by(&block.stmts[k]).first()?;
    let kept = inputs.kept.get(&var)?;
    let store = (k + 1..block.stmts.len()).find(|j| StmtKey::of(&block.stmts[*j]) == kept.store)?;
    let at = store.max(last);
    let mut index = RegionSet::default();
    place_index_reads(&kept.place, &mut |p| _ = index.insert(p.region()));
    let between = &block.stmts[k..=at];
    let missed = |j: usize| leaves_behind(&block.stmts[j], kept);
    let stable = between
        .iter()
        .flat_map(declared_by)
        .all(|v| !index.overlaps(v))
        && !writes[k + 1..=at].iter().any(|w| w.meets(&index))
        && (store + 1..=at).all(|j| !writes[j].overlaps(kept.place.region()) || missed(j));
    let ty = inputs.func.var(var).ty.clone();
    let read = Expr::new(ExprKind::Read(kept.place.clone()), ty, kept.place.span);
    (stable || Fault::OverwrittenElementReadBack.is_on()).then_some((at, read))
}

/// Whether nothing in the statement overwrites the element in which a value is kept.
fn leaves_behind(stmt: &Stmt, kept: &Kept) -> bool {
    if stmt.kind.blocks().is_empty() {
        let writes = region_effects_of([stmt]).writes;
        return !writes.overlaps(kept.place.region()) || kept.missing.contains(&StmtKey::of(stmt));
    }
    let blocks = stmt.kind.blocks();
    let mut inside = blocks.into_iter().flat_map(|block| &block.stmts);
    inside.all(|inner| leaves_behind(inner, kept))
}

/// The vector whose length it is, if that never changes.
fn of_vector(inputs: &Inputs<'_>, e: &Expr) -> Option<VarId> {
    if let ExprKind::Len(of) = &e.kind {
        let vector = of.is_var().then_some(of.root);
        vector.filter(|var| inputs.lengths.contains_key(var))
    } else {
        None
    }
}

/// A flag or counter is not worth restoring a mutable scalar for; one byte on the record is cheaper.
fn worth_it(
    inputs: &Inputs<'_>,
    var: VarId,
    e: &Expr,
    leaves: &RegionSet,
    reads: &[RegionSet],
) -> bool {
    if matches!(&e.kind, ExprKind::Lit(_)) {
        return true;
    }
    // A length takes a word, and its vector many.
    if let Some(vector) = of_vector(inputs, e) {
        return reads.iter().any(|r| r.overlaps(vector));
    }
    let info = inputs.func.var(var);
    if info.ty.may_carry_derivative() && inputs.activity.is_active(var) {
        return true;
    }
    leaves.iter().all(|leaf| {
        let leaf_info = inputs.func.var(leaf.root);
        let free = !leaf_info.mutable || !leaf_info.ty.peel().is_scalar();
        let there = !leaf_info.ty.is_unseen() || inputs.lasting.contains(&leaf.root);
        free && there || reads.iter().any(|r| r.overlaps(leaf))
    })
}

fn writes_per_stmt(block: &Block) -> Vec<RegionSet> {
    let writes = |stmt| region_effects_of([stmt]).writes;
    block.stmts.iter().map(writes).collect()
}

/// The variables that a statement declares in its own block.
pub(crate) fn declared_by(stmt: &Stmt) -> Vec<VarId> {
    match &stmt.kind {
        StmtKind::Let { var, .. } | StmtKind::Pop { dest: var, .. } => vec![*var],
        StmtKind::Call { dest, .. } | StmtKind::CallForward { dest, .. } => {
            dest.iter().copied().collect()
        }
        StmtKind::Branch { rec, .. } => vec![*rec],
        StmtKind::PopRecord { vars, .. } => vars.clone(),
        StmtKind::Assign { .. }
        | StmtKind::Update { .. }
        | StmtKind::Swap(..)
        | StmtKind::Push { .. }
        | StmtKind::Truncate { .. }
        | StmtKind::Fill { .. }
        | StmtKind::CopyFrom { .. }
        | StmtKind::Opaque(_)
        | StmtKind::PushRecord { .. }
        | StmtKind::PushSlice { .. }
        | StmtKind::PopSlice { .. }
        | StmtKind::PushRange { .. }
        | StmtKind::PopRange { .. }
        | StmtKind::MatchRecord { .. }
        | StmtKind::Parallel(_)
        | StmtKind::RequireCompanion { .. }
        | StmtKind::CallReverse { .. }
        | StmtKind::Run(_)
        | StmtKind::Begin { .. }
        | StmtKind::Scope(_)
        | control_stmts!()
        | sweep_stmts!(adjoints)
        // They are made when nobody asks any more.
        | sweep_stmts!(forms) => Vec::new(),
    }
}

/// What the reverse of a statement reads of the primal's variables.
pub(crate) fn reverse_reads(inputs: &Inputs<'_>, stmt: &Stmt, plan: &mut Plan) -> RegionSet {
    let key = StmtKey::of(stmt);
    let mut reads = RegionSet::default();
    if let Some(fragment) = inputs.fragments.get(&key) {
        let of_primal = |region: &Region| region.root.0 < inputs.primal_vars;
        reads.add(free_regions(fragment).iter().filter(of_primal));
    }
    match &stmt.kind {
        StmtKind::Switch { selector, arms } => {
            let mut arm_reads = RegionSet::default();
            let mut any = false;
            for arm in arms {
                arm_reads.add(plan_block(inputs, arm, plan).iter());
                any |= has_reverse(inputs, arm);
            }
            if any {
                reads.add(regions_read(selector).iter());
                reads.add(arm_reads.iter());
            }
        }
        StmtKind::Loop(Loop {
            domain: kind, body, ..
        }) => {
            let inner = plan_block(inputs, body, plan);
            if has_reverse(inputs, body) {
                if let Domain::Range { var, range } = kind {
                    for e in range.exprs() {
                        reads.add(regions_read(e).iter());
                    }
                    reads.add(inner.iter().filter(|region| region.root != *var));
                } else {
                    reads.add(inner.iter());
                }
            }
        }
        StmtKind::Checkpoint(body) => {
            plan_block(inputs, body, plan);
            reads.add(free_regions(&body.stmts).iter());
        }
        leaf_stmts!() | StmtKind::Jump(_) | StmtKind::Labelled(..) | sweep_stmts!() => {
            if inputs.saved.contains(&key) {
                reads.add(restore_reads(stmt).iter());
            }
        }
    }
    reads
}

/// What restoring the overwritten places of a statement touches.
pub(crate) fn restore_reads(stmt: &Stmt) -> RegionSet {
    let effects = region_effects_of([stmt]);
    let mut reads = effects.writes.clone();
    let mut indices = |p: &crate::ir::Place| {
        place_index_reads(p, &mut |q| _ = reads.insert(q.region()));
    };
    match &stmt.kind {
        StmtKind::Assign { place, .. }
        | StmtKind::Update { place, .. }
        | StmtKind::Fill { slice: place, .. } => indices(place),
        StmtKind::CopyFrom { dst, .. } => indices(dst),
        StmtKind::Swap(a, b) => {
            indices(a);
            indices(b);
        }
        StmtKind::Pop { dest, vec } => {
            indices(vec);
            reads.insert(Region::var(*dest));
        }
        StmtKind::Push { vec, .. } | StmtKind::Truncate { vec, .. } => indices(vec),
        StmtKind::Let { .. }
        | StmtKind::Call { .. }
        | StmtKind::Opaque(_)
        | control_stmts!()
        | sweep_stmts!() => _ = reads.add(effects.reads.iter()),
    }
    reads
}

/// Whether anything in the block has a reverse.
pub(crate) fn has_reverse(inputs: &Inputs<'_>, block: &Block) -> bool {
    block.stmts.iter().any(|stmt| {
        let key = StmtKey::of(stmt);
        inputs.saved.contains(&key)
            || inputs.fragments.get(&key).is_some_and(|f| !f.is_empty())
            || matches!(stmt.kind, StmtKind::Checkpoint(_))
            || stmt
                .kind
                .blocks()
                .into_iter()
                .any(|b| has_reverse(inputs, b))
    })
}
