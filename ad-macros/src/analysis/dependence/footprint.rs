//! What a statement of the sweeps touches, and which statements may change places.
//!
//! What is only added to an adjoint is told apart from what is written: additions to one adjoint may be made in any
//! order.

use std::collections::HashSet;

use crate::ir::{Stmt, StmtKind, Touch, VarId, shallow_touches};

/// The variables that a statement touches, without those that it declares for its own blocks.
#[derive(Default, Debug)]
pub(crate) struct Footprint {
    pub(crate) reads: HashSet<VarId>,
    /// Adjoints that are added to.
    pub(crate) adds: HashSet<VarId>,
    pub(crate) writes: HashSet<VarId>,
    pub(crate) declares: HashSet<VarId>,
}

impl Footprint {
    pub(crate) fn of(stmt: &Stmt, adjoints: &HashSet<VarId>) -> Self {
        let mut footprint = Self::default();
        footprint.add(stmt, adjoints);
        let keeps = |var: &VarId| match &stmt.kind {
            StmtKind::Branch { rec, .. } => rec == var,
            _ => stmt.kind.blocks().is_empty(),
        };
        let (outer, inner): (HashSet<VarId>, _) = footprint.declares.into_iter().partition(keeps);
        footprint.declares = outer;
        footprint.forget(&inner);
        footprint
    }

    /// Leaves out variables that live within the code.
    fn forget(&mut self, own: &HashSet<VarId>) {
        for set in [&mut self.reads, &mut self.adds, &mut self.writes] {
            set.retain(|var| !own.contains(var));
        }
    }

    /// Adds what another statement touches, all that it declares included.
    fn add(&mut self, stmt: &Stmt, adjoints: &HashSet<VarId>) {
        shallow_touches(stmt, &mut |place, touch| {
            let var = place.root;
            match touch {
                Touch::Read | Touch::Length => _ = self.reads.insert(var),
                Touch::Add | Touch::AddInCall if adjoints.contains(&var) => {
                    self.adds.insert(var);
                }
                Touch::Add | Touch::AddInCall | Touch::Update => {
                    self.reads.insert(var);
                    self.writes.insert(var);
                }
                Touch::Write => _ = self.writes.insert(var),
                Touch::Declare => _ = self.declares.insert(var),
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
    pub(crate) fn changed(&self) -> impl Iterator<Item = &VarId> {
        self.writes.iter().chain(&self.adds).chain(&self.declares)
    }

    fn changes(&self, var: VarId) -> bool {
        self.writes.contains(&var) || self.adds.contains(&var) || self.declares.contains(&var)
    }

    /// Adds what other statements touch.
    pub(crate) fn join(&mut self, other: &Footprint) {
        self.reads.extend(&other.reads);
        self.adds.extend(&other.adds);
        self.writes.extend(&other.writes);
        self.declares.extend(&other.declares);
    }

    /// The variables for which it matters which of the two statements comes first.
    pub(crate) fn meets(&self, other: &Footprint) -> HashSet<VarId> {
        let mut met = HashSet::new();
        for (a, b) in [(self, other), (other, self)] {
            let changed = a.writes.iter().chain(&a.declares);
            met.extend(changed.filter(|v| b.reads.contains(v) || b.changes(**v)));
            met.extend(a.adds.iter().filter(|v| b.reads.contains(v)));
        }
        met
    }
}
