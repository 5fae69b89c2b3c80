//! Whether iterations that run forward and at once in reverse leave each other alone.
//!
//! The reverse of an iteration finds what it finds in a sweep of its own: the state behind its forward part. It takes
//! back what it restores, so other iterations must not start from that: each has what is restored for itself
//! ([`private`](crate::analysis::dependence::private)). The adjoint of such a variable is zero before the loop and
//! behind each iteration. All else that the reverse changes are sums in adjoints, whose order is free, and it takes
//! back what the iteration leaves on the tape.

use crate::analysis::dependence::carried::{Records, carried};
use crate::analysis::dependence::disjoint::Across;
use crate::analysis::dependence::private::{Iteration, clears, length};
use crate::ir::faults::Fault;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{
    Block, Region, StmtKind, VarId, begins_with_zeros, effects_of, mentions, name,
    region_effects_of,
};

use super::{Fusion, Unit};

/// What is known where a loop begins.
pub(in crate::optimize) struct Outside<'a> {
    /// What stands in the same list in front of the loop.
    before: &'a [Unit],
    /// Adjoints that are zero there, of which nothing is read behind the loop.
    zero: HashSet<VarId>,
}

impl Fusion<'_> {
    /// What is known of the forward loop at `at`, whose reverse is at `back`.
    pub(super) fn outside(&self, at: usize, back: usize) -> Outside<'_> {
        let between = || self.units[at + 1..back].iter().map(|unit| &unit.stmt);
        let zero = between().filter_map(|stmt| {
            if let StmtKind::Let {
                var,
                init: Some(init),
            } = &stmt.kind
                && begins_with_zeros(init)
            {
                Some(*var)
            } else {
                None
            }
        });
        let alone = |var: &VarId| between().filter(|stmt| mentions(stmt, *var)).count() == 1;
        let adjoint = |var: &VarId| self.adjoints.contains(var);
        Outside {
            before: &self.units[..at],
            zero: zero.filter(adjoint).filter(alone).collect(),
        }
    }

    /// Whether the reverse part of an iteration, the statements from `reverse` on, may run before other iterations do.
    pub(super) fn is_independent(
        &self,
        body: &Block,
        reverse: usize,
        across: Across<'_>,
        outside: &Outside<'_>,
    ) -> Result<(), String> {
        if Fault::FusedDependent.is_on() {
            return Ok(());
        }
        let (there, back) = body.stmts.split_at(reverse);
        let mut own = effects_of(there).declares.union(&effects_of(back).declares);
        own.insert(across.counter);
        let (effects, changes) = (region_effects_of(there), region_effects_of(back));
        let mut private = HashMap::default();
        let iteration = [there, back].map(|stmts| Block {
            stmts: stmts.to_vec(),
        });
        let [forward, back] = &iteration;
        let iteration = Iteration::new(self.func, forward, back);
        let mut outer = |region: &Region| {
            let root = region.root;
            let is_private = || self.is_private(&iteration, root, outside);
            !own.contains(&root) && !*private.entry(root).or_insert_with(is_private)
        };
        let read = changes.reads.iter().filter(|r| effects.writes.overlaps(*r));
        if let Some(region) = read.filter(&mut outer).min() {
            let name = name(self.func, region.root);
            return Err(format!(
                "the reverse of an iteration reads `{name}`, which the loop changes"
            ));
        }
        let used = |r: &Region| effects.reads.overlaps(*r) || effects.writes.overlaps(*r);
        let changed = changes.writes.iter().filter(used);
        if let Some(region) = changed.filter(&mut outer).min() {
            let name = name(self.func, region.root);
            return Err(format!("each iteration restores `{name}`"));
        }
        for region in changes.writes.iter().chain(changes.reads.iter()) {
            if let Some(primal) = self.bars.get(&region.root) {
                outer(&Region::var(*primal));
            }
        }
        let mut own: Vec<VarId> = own.into_iter().collect();
        for (var, _) in private.into_iter().filter(|(_, is)| *is) {
            own.push(var);
            own.extend(self.bars_of(var));
        }
        let records = Records::OfOneIteration;
        match carried(
            self.func,
            body,
            &body.stmts[reverse..],
            (across, records),
            &own,
        ) {
            Some(carried) => Err(carried.because(self.func, self.bars)),
            None => Ok(()),
        }
    }

    /// Whether each iteration has the variable for itself, and its adjoint too.
    fn is_private(&self, iteration: &Iteration<'_>, var: VarId, outside: &Outside<'_>) -> bool {
        let before = outside.before.iter().map(|unit| &unit.stmt);
        let length = length(self.func, before, var);
        let mut bars = self.bars_of(var);
        iteration.has_for_itself(var, length)
            && bars.all(|bar| {
                outside.zero.contains(&bar) && clears(iteration, var, bar)
                    || Fault::PrivateAdjointKept.is_on()
            })
    }

    fn bars_of(&self, var: VarId) -> impl Iterator<Item = VarId> {
        let of = self.bars.iter().filter(move |(_, primal)| **primal == var);
        of.map(|(bar, _)| *bar)
    }
}
