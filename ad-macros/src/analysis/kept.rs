//! Kept values: recorded scalars that the primal stores in an array, where the reverse sweep finds them again.
//!
//! After `let v = s.tanh(); h[k] = v;` the reverse sweep reads `h[k]` instead of a record of `v`, if `h[k]` holds `v`
//! again when the reverse of this iteration runs. That is so if every overwrite of `h` that can run later in the
//! forward sweep
//!
//! - is saved (`tbr`) and therefore undone before; or
//! - belongs to another iteration of each loop that it shares with the store, and meets other elements there
//!   (`disjoint`), as the store itself must in the innermost loop even if it is saved, since its save may have moved in
//!   front of the loop (`bulk`); or
//! - meets another element in each iteration that it runs in behind the store (`instances`).
//!
//! Only overwrites of the last sort may stand between the store and the last use of the value in its iteration.
//!
//! `h` is one of the variables that the reverse sweep has anyway, and no overwrite is saved for the sake of a kept
//! value: what is recorded can only become less. Being wrong would read another value, so whatever else writes `h`
//! (calls, swaps, `push`), regions and parallel loops leave the value on the record.

use crate::ir::faults::Fault;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{
    Block, Expr, ExprKind, Loop, Passing, Place, Proj, Stmt, StmtKind, Transform, Ty, VarId,
    effects_of, free_vars, region_effects_of,
};

use super::StmtKey;
use super::dependence::disjoint::Across;
use super::dependence::instances::{Access, Instances, common};
use super::invariant::Varying;
use super::plan::{Inputs, Plan, declared_by};

/// Where a value is kept.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    /// The assignment that stores it, in the block of its declaration.
    pub(crate) store: StmtKey,
    /// The element.
    pub(crate) place: Place,
    /// The overwrites of the array that never meet it from then on.
    pub(crate) missing: HashSet<StmtKey>,
}

/// The recorded values that can be read back, given the decisions without any.
pub(crate) fn kept(inputs: &Inputs<'_>, plan: &Plan, body: &Block) -> HashMap<VarId, Kept> {
    let mut finder = Finder {
        inputs,
        plan,
        writes: Vec::new(),
        depths: HashMap::default(),
        stores: Vec::new(),
    };
    let mut around = Around::default();
    finder.block(body, &mut around);
    let mut found = HashMap::default();
    for (var, store) in &finder.stores {
        if !found.contains_key(var)
            && let Some(kept) = finder.qualifies(store)
        {
            found.insert(*var, kept);
        }
    }
    found
}

/// What a statement is inside of.
#[derive(Clone, Default)]
struct Around<'a> {
    loops: Vec<&'a Stmt>,
    /// A region or a parallel loop.
    unit: bool,
}

/// An overwrite.
struct Write<'a> {
    stmt: &'a Stmt,
    around: Around<'a>,
    /// The element, if an index alone leads to it.
    access: Option<Access<'a>>,
}

struct Finder<'a> {
    inputs: &'a Inputs<'a>,
    plan: &'a Plan,
    /// All overwrites in the order of the text.
    writes: Vec<Write<'a>>,
    /// Inside of how many loops a variable is declared.
    depths: HashMap<VarId, usize>,
    /// Stores of recorded values: the value, the number of the write.
    stores: Vec<(VarId, usize)>,
}

impl<'a> Finder<'a> {
    fn block(&mut self, block: &'a Block, around: &mut Around<'a>) {
        let mut recorded = HashSet::default();
        for stmt in &block.stmts {
            for var in declared_by(stmt) {
                self.depths.insert(var, around.loops.len());
                if matches!(stmt.kind, StmtKind::Let { init: Some(_), .. }) && self.is_recorded(var)
                {
                    recorded.insert(var);
                }
            }
            if stmt.kind.blocks().is_empty() {
                self.write(stmt, around, &recorded);
                continue;
            }
            let mut inside = around.clone();
            if let StmtKind::Loop(Loop { id, .. }) = &stmt.kind {
                inside.loops.push(stmt);
                inside.unit |= self.inputs.func.parallel.contains(id);
            } else {
                inside.unit |= !matches!(stmt.kind, StmtKind::Switch { .. });
            }
            for inner in stmt.kind.blocks() {
                self.block(inner, &mut inside);
            }
        }
    }

    /// Whether the reverse sweep reads the variable, a float, and does not compute it again.
    fn is_recorded(&self, var: VarId) -> bool {
        let info = self.inputs.func.var(var);
        matches!(info.ty, Ty::F32 | Ty::F64)
            && !info.mutable
            && self.plan.needed.contains(&var)
            && !self.plan.recompute.contains_key(&var)
    }

    fn write(&mut self, stmt: &'a Stmt, around: &Around<'a>, recorded: &HashSet<VarId>) {
        if effects_of([stmt]).writes.is_empty() {
            return;
        }
        if let StmtKind::Assign {
            place, init: false, ..
        } = &stmt.kind
            && element(place).is_some()
            && let Some(value) = stored(stmt)
            && recorded.contains(&value)
        {
            self.stores.push((value, self.writes.len()));
        }
        // Branches around are not looked at: fewer conditions exclude fewer elements.
        let place = stmt.assigned().filter(|place| element(place).is_some());
        let access = place.and_then(|place| {
            let instances = self.instances();
            instances.access(place, &around.loops, &[])
        });
        self.writes.push(Write {
            stmt,
            around: around.clone(),
            access,
        });
    }

    fn qualifies(&self, store: &usize) -> Option<Kept> {
        let write = &self.writes[*store];
        let StmtKind::Assign { place, .. } = &write.stmt.kind else {
            return None;
        };
        let root = place.root;
        if write.around.unit || !self.is_there(place) {
            return None;
        }
        // Iterations of loops around the declaration have arrays of their own.
        let outside = match self.depths.get(&root) {
            Some(depth) => *depth,
            None => 0,
        };
        let survives = |(number, other): (usize, &Write<'a>)| {
            !region_effects_of([other.stmt])
                .writes
                .overlaps(place.region())
                || self.survives(*store, number, other, outside)
        };
        let survives = |write| survives(write) || Fault::OverwrittenElementReadBack.is_on();
        if !self.writes.iter().enumerate().all(survives) {
            return None;
        }
        let missing = |(number, other): (usize, &Write<'a>)| {
            let later = number > *store;
            let alone = number != *store && !other.around.unit && is_restored_exactly(other.stmt);
            let misses = alone && self.misses((write, other), outside, later);
            misses.then(|| StmtKey::of(other.stmt))
        };
        Some(Kept {
            store: StmtKey::of(write.stmt),
            place: place.clone(),
            missing: self.writes.iter().enumerate().filter_map(missing).collect(),
        })
    }

    /// Whether the reverse sweep has the variable for other reasons, with its adjoint, whose index it then computes as
    /// well.
    fn is_there(&self, place: &Place) -> bool {
        let root = place.root;
        let func = self.inputs.func;
        let param = func.params.iter().find(|p| p.var == root);
        // What no loop declares is seldom on the tape.
        let depth = self.depths.get(&root);
        let shape = || {
            !crate::ir::has_static_zero(&func.var(root).ty)
                && (depth == Some(&0) || !self.inputs.lengths.contains_key(&root))
        };
        let read = || {
            let fragments = self.inputs.fragments.values();
            fragments.into_iter().any(|f| free_vars(f).contains(&root))
        };
        self.inputs.activity.is_active(place.region())
            && match param {
                Some(param) => param.passing == Passing::InOut,
                None => depth.is_some() && (shape() || read()),
            }
    }

    /// Whether the element of the store outlives an overwrite of its array, as seen from the reverse sweep.
    fn survives(&self, store: usize, number: usize, other: &Write<'a>, outside: usize) -> bool {
        let own = &self.writes[store];
        let shared = common(&own.around.loops, &other.around.loops);
        let shared = &own.around.loops[outside.min(shared)..shared];
        let later = number > store || number != store && other.around.unit;
        if !later && shared.is_empty() {
            return true;
        }
        if other.around.unit || !is_restored_exactly(other.stmt) {
            return false;
        }
        let saved = self.inputs.saved.contains(&StmtKey::of(other.stmt));
        if number != store {
            return saved
                || !later && shared.iter().all(|l| self.apart(own, other, l))
                || self.misses((own, other), outside, later);
        }
        if self.misses((own, other), outside, false) {
            return true;
        }
        let innermost = own.around.loops.len();
        shared.iter().rev().enumerate().all(|(k, l)| {
            let may_move = k == 0 && shared.len() + outside == innermost;
            saved && !(may_move && l.over_range().is_some()) || self.apart(own, other, l)
        })
    }

    /// Whether the other overwrite meets another element whenever it runs behind the store. `later`: it does in the
    /// same iteration, too.
    fn misses(
        &self,
        (store, other): (&Write<'_>, &Write<'_>),
        outside: usize,
        later: bool,
    ) -> bool {
        let (Some(written), Some(kept)) = (&other.access, &store.access) else {
            return false;
        };
        self.inputs.transforms.has(Transform::Ahead)
            && self.instances().misses(written, kept, outside, !later)
    }

    fn instances(&self) -> Instances<'a> {
        Instances {
            func: self.inputs.func,
            definitions: self.inputs.definitions,
        }
    }

    /// Whether the two statements meet different elements in different iterations of a loop.
    fn apart(&self, a: &Write<'_>, b: &Write<'_>, around: &Stmt) -> bool {
        let Some((counter, range, body)) = around.over_range() else {
            return false;
        };
        let (Some(a), Some(b)) = (&a.access, &b.access) else {
            return false;
        };
        let across = Across { counter, range };
        let varying = Varying::of([counter]).with(effects_of(&body.stmts).declares);
        let mut indices = a.indices().iter().zip(b.indices());
        indices.all(|(a, b)| self.inputs.definitions.apart(a, b, across, &varying))
    }
}

/// Whether a save of the statement brings back all that it overwrites, and nothing else.
fn is_restored_exactly(stmt: &Stmt) -> bool {
    matches!(
        &stmt.kind,
        StmtKind::Assign { init: false, .. }
            | StmtKind::Update { .. }
            | StmtKind::Fill { .. }
            | StmtKind::CopyFrom { .. }
    )
}

/// The index, if the place is an element of a region.
fn element(place: &Place) -> Option<&Expr> {
    match place.steps() {
        [Proj::Index(e)] => Some(e),
        _ => None,
    }
}

/// The variable whose value an assignment stores as it is.
fn stored(stmt: &Stmt) -> Option<VarId> {
    if let StmtKind::Assign { value, .. } = &stmt.kind {
        if let ExprKind::Read(p) = &value.kind
            && p.is_var()
        {
            Some(p.root)
        } else {
            None
        }
    } else {
        None
    }
}
