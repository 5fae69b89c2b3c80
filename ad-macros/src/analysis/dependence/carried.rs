//! What one iteration of a loop of the reverse sweep passes to another, other than sums in adjoints. No question for
//! loops of the primal: every `+=` is taken for a sum whose order is free.
//!
//! Nothing does if the statements, besides variables of the iteration's own, touch no tape, restore no primal state,
//! and use each adjoint in one of two ways: they only add into it and never read it; or iterations meet different
//! elements ([`disjoint`](super::disjoint)): `bar[i + c]` with one `c`, `bar[2 * i]` and `bar[2 * i + 1]`, but not
//! `bar[i]` and `bar[i + 1]`. Then another order of the iterations only reorders sums in adjoints.
//!
//! Being wrong would let an iteration read what another one has not yet written, or has overwritten.

use crate::ir::faults::Fault;
use crate::ir::hash::{HashMap, HashSet};

use super::disjoint::Across;
use crate::analysis::affine::{Definitions, Poly};
use crate::analysis::invariant::Varying;
use crate::ir::{
    Block, Func, Place, Proj, Region, RegionSet, Stmt, StmtKind, Touch, VarId, shallow_touches,
};

/// What goes from one iteration of a reverse loop to another.
pub(crate) enum Carried {
    /// Something whose order matters by itself.
    Ordered(&'static str),
    /// A variable that iterations overwrite.
    Overwritten(VarId),
    /// An adjoint that iterations add to and read.
    Read(VarId),
}

/// Whose records the tape holds where the statements run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Records {
    /// Those of all iterations: each has its place.
    OfTheLoop,
    /// Those of one iteration, which leaves them and takes them back before the next one.
    OfOneIteration,
}

/// `None` if nothing is carried by the statements `reverse` of a loop's body. `declared`: variables that an iteration
/// has for itself, beside the counter and those that the statements declare.
pub(crate) fn carried(
    func: &Func,
    body: &Block,
    reverse: &[Stmt],
    (across, records): (Across<'_>, Records),
    declared: &[VarId],
) -> Option<Carried> {
    let mut touched = Carrying {
        definitions: Definitions::of(func, body),
        reads: RegionSet::default(),
        added: HashSet::default(),
        declared: declared.iter().copied().collect(),
        overwritten: HashSet::default(),
        elements: HashMap::default(),
        records,
        ordered: None,
    };
    touched.stmts(reverse);
    let shared = |region: &&Region| !touched.declared.contains(&region.root);
    let one_element = |region: &Region| {
        let mut met = touched
            .elements
            .iter()
            .filter(|(other, _)| region.overlaps(**other));
        match (met.next(), met.next()) {
            (Some((_, Some(indices))), None) => touched.apart(indices, across),
            _ => false,
        }
    };
    if let Some(what) = touched.ordered {
        return Some(Carried::Ordered(what));
    }
    let overwritten = touched.overwritten.iter().filter(shared);
    let overwritten = overwritten.filter(|_| !Fault::CarriedOverwriteIgnored.is_on());
    if let Some(var) = overwritten.filter(|v| !one_element(v)).min() {
        return Some(Carried::Overwritten(var.root));
    }
    let read = touched.added.iter().filter(shared);
    let read = read.filter(|_| !Fault::CarriedReadIgnored.is_on());
    let read = read.filter(|v| touched.reads.overlaps(**v) && !one_element(v));
    read.min().map(|region| Carried::Read(region.root))
}

struct Carrying<'a> {
    definitions: Definitions<'a>,
    reads: RegionSet,
    added: HashSet<Region>,
    declared: HashSet<VarId>,
    overwritten: HashSet<Region>,
    /// The indices with which a region is touched, from the outermost on, `None` if there is another projection or an
    /// index without a form.
    elements: HashMap<Region, Option<Vec<Vec<Poly>>>>,
    records: Records,
    /// Something whose order matters by itself.
    ordered: Option<&'static str>,
}

impl Carrying<'_> {
    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            match ordered(&stmt.kind, self.records) {
                Some(why) => self.ordered = self.ordered.or(Some(why)),
                None => shallow_touches(stmt, &mut |place, touch| self.touch(place, touch)),
            }
            for inner in stmt.kind.blocks() {
                self.stmts(&inner.stmts);
            }
        }
    }

    fn touch(&mut self, place: &Place, touch: Touch) {
        let region = place.region();
        match touch {
            Touch::Declare => {
                self.declared.insert(place.root);
                return;
            }
            Touch::Read | Touch::Length => _ = self.reads.insert(region),
            Touch::Add | Touch::AddInCall => _ = self.added.insert(region),
            Touch::Write | Touch::Update => _ = self.overwritten.insert(region),
        }
        let indices = place.steps().iter().map_while(Proj::as_index);
        let indices: Vec<Poly> = indices.map_while(|e| self.definitions.poly(e)).collect();
        let known = self
            .elements
            .entry(region)
            .or_insert_with(|| Some(Vec::new()));
        match known {
            Some(all) if !indices.is_empty() => {
                if !all.contains(&indices) {
                    all.push(indices);
                }
            }
            Some(_) | None => *known = None,
        }
    }

    /// Whether different iterations touch different elements, the indices being these: of an array in an array, whether
    /// one of them differs.
    fn apart(&self, elements: &[Vec<Poly>], across: Across<'_>) -> bool {
        let varying = Varying::of([across.counter]).with(self.declared.iter().copied());
        let differ = |(a, b): (&Poly, &Poly)| self.definitions.apart(a, b, across, &varying);
        elements.iter().enumerate().all(|(k, a)| {
            let mut others = elements[k..].iter();
            others.all(|b| a.iter().zip(b).any(differ))
        })
    }
}

/// Why the order of iterations with such a statement matters by itself; `None` if that depends on what they touch.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what is not named keeps its order"
)]
fn ordered(kind: &StmtKind, records: Records) -> Option<&'static str> {
    let own = records == Records::OfOneIteration;
    Some(match kind {
        StmtKind::Let { .. }
        | StmtKind::Update { .. }
        | StmtKind::Accumulate { .. }
        | StmtKind::Assign { .. }
        | StmtKind::SetZero(_)
        | StmtKind::Switch { .. }
        | StmtKind::MatchRecord { .. }
        | StmtKind::Scope(_) => return None,
        StmtKind::Loop(this) if this.is_reverse() && (own || this.strip.is_none()) => return None,
        StmtKind::Loop(this) if this.is_reverse() => "an inner loop takes its records off the tape",
        StmtKind::PopRecord { .. }
        | StmtKind::PopSlice { .. }
        | StmtKind::PopRange { .. }
        | StmtKind::CallReverse { .. }
            if own =>
        {
            return None;
        }
        StmtKind::PopRecord { .. } => "each iteration takes its record off the tape (see `strips`)",
        StmtKind::PopSlice { .. } | StmtKind::PopRange { .. } => {
            "each iteration takes a saved slice off the tape"
        }
        StmtKind::CallReverse { .. } => {
            "the body calls a function, which takes its record off the tape"
        }
        StmtKind::Swap(..) => "each iteration swaps values back",
        StmtKind::Parallel(_) => "an inner loop is parallel",
        _ => "each iteration undoes what the one before needs undone",
    })
}
