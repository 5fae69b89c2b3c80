//! What a statement of the sweeps touches, and which statements may change places.
//!
//! What is only added to an adjoint is told apart from what is written: additions to one adjoint may be made in any order.

use std::collections::HashSet;

use crate::ir::{
    Access, Arg, ArgMode, BarArg, Expr, Place, Stmt, StmtKind, VarId, expr_reads,
    place_index_reads, shallow_accesses,
};

/// The variables that a statement touches, without those that it declares for its own blocks.
#[derive(Default, Debug)]
pub(in crate::optimize) struct Footprint {
    pub(in crate::optimize) reads: HashSet<VarId>,
    /// Adjoints that are added to.
    pub(in crate::optimize) adds: HashSet<VarId>,
    pub(in crate::optimize) writes: HashSet<VarId>,
    pub(in crate::optimize) declares: HashSet<VarId>,
}

impl Footprint {
    pub(in crate::optimize) fn of(stmt: &Stmt, adjoints: &HashSet<VarId>) -> Self {
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
        match &stmt.kind {
            StmtKind::Update { place, value, .. } if adjoints.contains(&place.root) => {
                self.read_expr(value);
                self.add_to(place);
            }
            StmtKind::Accumulate { dst, src } if adjoints.contains(&dst.root) => {
                self.read(src);
                self.add_to(dst);
            }
            StmtKind::CallReverse {
                args, bars, seed, ..
            } => {
                self.args(args);
                for (arg, bar) in args.iter().zip(bars) {
                    let BarArg::Place(place) = bar else { continue };
                    match &arg.mode {
                        // A callee only adds to the adjoints of what it does not write.
                        ArgMode::Value(_) | ArgMode::Shared(_)
                            if adjoints.contains(&place.root) =>
                        {
                            self.add_to(place);
                        }
                        _ => self.write(place),
                    }
                }
                seed.iter().for_each(|place| self.read(place));
            }
            _ => shallow_accesses(stmt, &mut |var, access| {
                match access {
                    Access::Read => self.reads.insert(var),
                    Access::WriteAll | Access::WritePart => self.writes.insert(var),
                    Access::Declare => self.declares.insert(var),
                };
            }),
        }
        for block in stmt.kind.blocks() {
            block
                .stmts
                .iter()
                .for_each(|inner| self.add(inner, adjoints));
        }
    }

    fn args(&mut self, args: &[Arg]) {
        for arg in args {
            match &arg.mode {
                ArgMode::Value(e) => self.read_expr(e),
                ArgMode::Shared(place) => self.read(place),
                ArgMode::InOut(place) => self.write(place),
            }
        }
    }

    fn read_expr(&mut self, e: &Expr) {
        expr_reads(e, &mut |place| {
            self.reads.insert(place.root);
        });
    }

    fn read(&mut self, place: &Place) {
        self.reads.insert(place.root);
        self.indices(place);
    }

    fn write(&mut self, place: &Place) {
        self.read(place);
        self.writes.insert(place.root);
    }

    fn add_to(&mut self, place: &Place) {
        self.adds.insert(place.root);
        self.indices(place);
    }

    fn indices(&mut self, place: &Place) {
        place_index_reads(place, &mut |place| {
            self.reads.insert(place.root);
        });
    }

    /// What is written, added to or declared.
    pub(in crate::optimize) fn changed(&self) -> impl Iterator<Item = &VarId> {
        self.writes.iter().chain(&self.adds).chain(&self.declares)
    }

    fn changes(&self, var: VarId) -> bool {
        self.writes.contains(&var) || self.adds.contains(&var) || self.declares.contains(&var)
    }

    /// Adds what other statements touch.
    pub(in crate::optimize) fn join(&mut self, other: &Footprint) {
        self.reads.extend(&other.reads);
        self.adds.extend(&other.adds);
        self.writes.extend(&other.writes);
        self.declares.extend(&other.declares);
    }

    /// The variables for which it matters which of the two statements comes first.
    pub(in crate::optimize) fn meets(&self, other: &Footprint) -> HashSet<VarId> {
        let mut met = HashSet::new();
        for (a, b) in [(self, other), (other, self)] {
            let changed = a.writes.iter().chain(&a.declares);
            met.extend(changed.filter(|v| b.reads.contains(v) || b.changes(**v)));
            met.extend(a.adds.iter().filter(|v| b.reads.contains(v)));
        }
        met
    }
}
