//! Overwrites ahead of all reads: an element that a loop writes before anybody reads it has no old value that the
//! reverse sweep could miss.
//!
//! No lattice: indices decide. In `for i in 1..n { c[i] = f(c[i - 1]) }` the reverse sweep reads `c[i - 1]`, and the
//! write of a later iteration meets no such element: what `c[i]` held before need not be saved, and `c` holds all that
//! is read. An overwrite of an element is *ahead* in a nest of loops, which it stands in, if
//!
//! - whatever the reverse of the nest reads of the array is an element of it, and all overwrites are such; and
//! - each element that the reverse of an earlier iteration reads, or of a statement of the same iteration in front of
//!   the overwrite, or that of the overwrite, is another element than the one that is overwritten then.
//!
//! Two indices are compared loop by loop, from the outside in ([`Instances::misses`]). What is needed from in front of
//! the nest is for `tbr` to say, which saves nevertheless then. A save that is left out leaves others exact: each
//! brings back what its element held right before.
//!
//! Being wrong would let the reverse sweep read the value of a later iteration. So calls, swaps, regions and parallel
//! loops that touch the array end the search, and only words that do not wrap around are told apart
//! ([`disjoint`](super::dependence::disjoint)).

use super::StmtKey;
use super::affine::Definitions;
use super::dependence::instances::{Access, Condition, Instances, are_numbers_apart};
use super::plan::{Inputs, Plan, declared_by, restore_reads};
use crate::ir::faults::Fault;
use crate::ir::hash::HashMap;
use crate::ir::{
    Block, Expr, Func, Loop, Place, Proj, Region, Stmt, StmtKind, Touch, Transform, VarId,
    expr_reads, place_ty, shallow_touches, visit_touches,
};

/// The overwrites that are ahead of all reads, and the outermost loop of the nest that was looked at.
pub(super) type Ahead = HashMap<StmtKey, StmtKey>;

/// Looks at the whole body, given what the reverse sweep reads under `plan`.
pub(super) fn ahead(inputs: &Inputs<'_>, plan: &Plan, body: &Block) -> Ahead {
    let mut found = Ahead::default();
    if !inputs.transforms.has(Transform::Ahead) {
        return found;
    }
    let mut survey = Survey {
        inputs,
        plan,
        loops: Vec::new(),
        units: 0,
        conditions: Vec::new(),
        uses: Vec::new(),
        depths: HashMap::default(),
    };
    survey.block(body);
    for (at, one) in survey.uses.iter().enumerate() {
        if let Use::Write(Some(access)) = &one.what
            && one.units == 0
            && let Some(nest) = survey.nest(at, one, access)
        {
            found.insert(StmtKey::of(one.stmt), StmtKey::of(nest));
        }
    }
    found
}

/// What the reverse sweep, or an overwrite, has to do with an array.
struct One<'a> {
    stmt: &'a Stmt,
    region: Region,
    what: Use<'a>,
    loops: Vec<&'a Stmt>,
    /// How many regions and parallel loops are around it.
    units: u32,
}

enum Use<'a> {
    /// One element is read, in the state in front of the statement.
    Read(Access<'a>),
    /// One element is overwritten, and comes back alone if it is saved; which one, if indices say so.
    Write(Option<Access<'a>>),
    /// Anything else.
    Other,
}

struct Survey<'a> {
    inputs: &'a Inputs<'a>,
    plan: &'a Plan,
    loops: Vec<&'a Stmt>,
    units: u32,
    conditions: Vec<Condition>,
    uses: Vec<One<'a>>,
    /// Inside of how many loops a variable is declared.
    depths: HashMap<VarId, usize>,
}

impl<'a> Survey<'a> {
    fn block(&mut self, block: &'a Block) {
        for stmt in &block.stmts {
            for var in declared_by(stmt) {
                self.depths.insert(var, self.loops.len());
            }
            self.reads(stmt);
            if stmt.kind.blocks().is_empty() {
                self.writes(stmt);
                continue;
            }
            let unit = if let StmtKind::Loop(Loop { id, .. }) = &stmt.kind {
                self.inputs.func.parallel.contains(id)
            } else {
                matches!(stmt.kind, StmtKind::Checkpoint(_))
            };
            let in_loop = stmt.as_loop().is_some();
            if in_loop {
                self.loops.push(stmt);
            }
            self.units += u32::from(unit);
            for (arm, inner) in stmt.kind.blocks().into_iter().enumerate() {
                let held = self.conditions.len();
                if let StmtKind::Switch { selector, .. } = &stmt.kind {
                    let condition = Condition::of(self.inputs.definitions, selector, arm);
                    self.conditions.extend(condition);
                }
                self.block(inner);
                self.conditions.truncate(held);
            }
            self.units -= u32::from(unit);
            if in_loop {
                self.loops.pop();
            }
        }
    }

    fn note(&mut self, stmt: &'a Stmt, region: Region, what: Use<'a>) {
        self.uses.push(One {
            stmt,
            region,
            what,
            loops: self.loops.clone(),
            units: self.units,
        });
    }

    fn instances(&self) -> Instances<'a> {
        Instances {
            func: self.inputs.func,
            definitions: self.inputs.definitions,
        }
    }

    fn access(&self, place: &Place) -> Option<Access<'a>> {
        let instances = self.instances();
        instances.access(place, &self.loops, &self.conditions)
    }

    /// What the reverse of the statement reads; of a declaration that is computed again, what that reads.
    fn reads(&mut self, stmt: &'a Stmt) {
        let key = StmtKey::of(stmt);
        let mut found: Vec<(Region, Use<'a>)> = Vec::new();
        let mut read = |place: &Place| {
            let element = Some(place).filter(|place| is_element(place));
            let access = element.and_then(|place| self.access(place));
            found.push((place.region(), access.map_or(Use::Other, Use::Read)));
        };
        for inner in self.inputs.fragments.get(&key).into_iter().flatten() {
            visit_touches(inner, &mut |place, touch| match touch {
                Touch::Read => read(place),
                Touch::Length | Touch::Declare => {}
                Touch::Add | Touch::AddInCall | Touch::Write | Touch::Update => {
                    read(&place.whole_region());
                }
            });
        }
        if let Some(regions) = self.plan.def_reads.get(&key) {
            if let StmtKind::Let {
                var,
                init: Some(init),
            } = &stmt.kind
                && !self.plan.kept.contains_key(var)
            {
                expr_reads(init, &mut read);
            } else {
                found.extend(regions.iter().map(|region| (region, Use::Other)));
            }
        }
        if self.inputs.saved.contains(&key) {
            // Indices of what is put back, which are numbers as a rule.
            let own = stmt.assigned().map(Place::region);
            let restored = restore_reads(stmt);
            let others = restored.iter().filter(|region| Some(*region) != own);
            found.extend(others.map(|region| (region, Use::Other)));
        }
        if let StmtKind::Checkpoint(body) = &stmt.kind {
            for inner in &body.stmts {
                visit_touches(inner, &mut |place, _| {
                    found.push((place.region(), Use::Other));
                });
            }
        }
        for (region, what) in found {
            self.note(stmt, region, what);
        }
    }

    /// What the statement overwrites.
    fn writes(&mut self, stmt: &'a Stmt) {
        if let StmtKind::Assign {
            place, init: false, ..
        }
        | StmtKind::Update { place, .. } = &stmt.kind
            && is_element(place)
            && place_ty(self.inputs.func, place).is_float()
        {
            let access = self.access(place);
            self.note(stmt, place.region(), Use::Write(access));
            return;
        }
        let mut others = Vec::new();
        shallow_touches(stmt, &mut |place, touch| match touch {
            Touch::Read | Touch::Length | Touch::Declare => {}
            Touch::Add | Touch::AddInCall | Touch::Write | Touch::Update => {
                others.push(place.region());
            }
        });
        for region in others {
            self.note(stmt, region, Use::Other);
        }
    }

    /// The outermost loop in which the overwrite is ahead.
    fn nest(&self, at: usize, write: &One<'a>, access: &Access<'a>) -> Option<&'a Stmt> {
        let declared = self.depths.get(&write.region.root).copied().unwrap_or(0);
        let outermost = (declared..write.loops.len()).find(|from| {
            self.uses
                .iter()
                .enumerate()
                .filter(|(number, _)| *number != at)
                .filter(|(_, other)| other.region.overlaps(write.region))
                .filter(|(_, other)| is_within(other, write.loops[*from]))
                .all(|(number, other)| {
                    // Uses have the order of the text.
                    let behind = number > at && !std::ptr::eq(other.stmt, write.stmt);
                    self.is_missed((write, access), (other, behind), *from)
                })
        })?;
        Some(write.loops[outermost])
    }

    /// Whether the overwrite leaves alone what another use in the nest from the loop number `from` on reads. `behind`:
    /// the statement of the other one comes later in the text.
    fn is_missed(
        &self,
        (write, access): (&One<'a>, &Access<'a>),
        (other, behind): (&One<'a>, bool),
        from: usize,
    ) -> bool {
        match &other.what {
            Use::Write(_) => other.units == 0 && other.region == write.region,
            Use::Other => false,
            Use::Read(read) => {
                other.units == 0 && self.instances().misses(access, read, from, behind)
            }
        }
    }
}

fn is_within(one: &One<'_>, around: &Stmt) -> bool {
    one.loops.iter().any(|l| std::ptr::eq(*l, around))
}

/// Whether indices alone lead to the place from its region.
fn is_element(place: &Place) -> bool {
    let steps = place.steps();
    !steps.is_empty() && steps.iter().all(|step| matches!(step, Proj::Index(_)))
}

/// Whether the statement overwrites no element that the expression reads, where both have the same variables.
pub(super) fn leaves_alone(
    func: &Func,
    definitions: &Definitions<'_>,
    stmt: &Stmt,
    e: &Expr,
) -> bool {
    let (StmtKind::Assign {
        place, init: false, ..
    }
    | StmtKind::Update { place, .. }) = &stmt.kind
    else {
        return false;
    };
    if !is_element(place) || !place_ty(func, place).is_float() {
        return false;
    }
    let mut apart = true;
    expr_reads(e, &mut |read| {
        let overlap = read.region().overlaps(place.region());
        if !overlap {
            return;
        }
        let same = read.region() == place.region()
            && is_element(read)
            && read.steps().len() == place.steps().len();
        let differs = |(a, b): (&Proj, &Proj)| {
            if let (Proj::Index(a), Proj::Index(b)) = (a, b)
                && let (Some(a), Some(b)) = (definitions.poly(a), definitions.poly(b))
            {
                are_numbers_apart(&a, &b) || Fault::ElementsTakenApart.is_on()
            } else {
                false
            }
        };
        apart &= same && read.steps().iter().zip(place.steps()).any(differs);
    });
    apart
}
