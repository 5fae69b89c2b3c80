//! What a statement of the sweeps touches, and which statements may change places.
//!
//! What is only added to an adjoint is told apart from what is written: additions to one adjoint may be made in any
//! order.

use crate::ir::hash::HashSet;
use crate::ir::{Region, RegionSet, Stmt, StmtKind, Touch, VarId, shallow_touches};

/// The regions that a statement touches, without variables that it declares for its own blocks.
#[derive(Default, Debug)]
pub(crate) struct Footprint {
    pub(crate) reads: RegionSet,
    /// Adjoints that are added to.
    pub(crate) adds: RegionSet,
    pub(crate) writes: RegionSet,
    pub(crate) declares: HashSet<VarId>,
}

impl Footprint {
    pub(crate) fn of(stmt: &Stmt, adjoints: &HashSet<VarId>) -> Self {
        let mut footprint = Self::default();
        footprint.add(stmt, adjoints);
        let keeps = |var: &VarId| {
            stmt.kind.blocks().is_empty()
                || matches!(&stmt.kind, StmtKind::Branch { rec, .. } if rec == var)
        };
        let (outer, inner): (HashSet<VarId>, _) = footprint.declares.into_iter().partition(keeps);
        footprint.declares = outer;
        footprint.forget(&inner);
        footprint
    }

    /// Leaves out variables that live within the code.
    fn forget(&mut self, own: &HashSet<VarId>) {
        for set in [&mut self.reads, &mut self.adds, &mut self.writes] {
            own.iter().for_each(|var| set.remove(*var));
        }
    }

    /// Adds what another statement touches, all that it declares included.
    fn add(&mut self, stmt: &Stmt, adjoints: &HashSet<VarId>) {
        shallow_touches(stmt, &mut |place, touch| {
            let region = place.region();
            match touch {
                Touch::Read | Touch::Length => _ = self.reads.insert(region),
                Touch::Add | Touch::AddInCall if adjoints.contains(&place.root) => {
                    self.adds.insert(region);
                }
                Touch::Add | Touch::AddInCall | Touch::Update => {
                    self.reads.insert(region);
                    self.writes.insert(region);
                }
                Touch::Write => _ = self.writes.insert(region),
                Touch::Declare => _ = self.declares.insert(place.root),
            }
        });
        for block in stmt.kind.blocks() {
            block
                .stmts
                .iter()
                .for_each(|inner| self.add(inner, adjoints));
        }
    }

    /// What is written, added to or declared.
    pub(crate) fn changed(&self) -> impl Iterator<Item = Region> {
        self.overwritten().chain(self.adds.iter())
    }

    /// What is written or declared.
    fn overwritten(&self) -> impl Iterator<Item = Region> {
        let declared = self.declares.iter().copied().map(Region::var);
        self.writes.iter().chain(declared)
    }

    fn changes(&self, region: Region) -> bool {
        self.writes.overlaps(region)
            || self.adds.overlaps(region)
            || self.declares.contains(&region.root)
    }

    /// Adds what other statements touch.
    pub(crate) fn join(&mut self, other: &Footprint) {
        self.reads.add(other.reads.iter());
        self.adds.add(other.adds.iter());
        self.writes.add(other.writes.iter());
        self.declares.extend(&other.declares);
    }

    /// The variables for which it matters which of the two statements comes first.
    pub(crate) fn meets(&self, other: &Footprint) -> HashSet<VarId> {
        let mut met: Vec<Region> = Vec::new();
        for (a, b) in [(self, other), (other, self)] {
            let meets = |region: &Region| b.reads.overlaps(*region) || b.changes(*region);
            met.extend(a.overwritten().filter(meets));
            met.extend(a.adds.iter().filter(|region| b.reads.overlaps(*region)));
        }
        met.into_iter().map(|region| region.root).collect()
    }
}
