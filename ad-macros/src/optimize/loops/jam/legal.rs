//! Whether iterations of a loop may run at once.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::affine::Poly;
use crate::ir::faults::Fault;
use crate::ir::{RangeIter, Segment, StmtKind, Ty, VarId, effects_of};

use super::build::{Builder, Kind, Slice};
use super::kept;

impl Builder<'_, '_> {
    /// What can be seen without looking at indices.
    pub(in crate::optimize) fn check(&mut self) -> Result<(), String> {
        let nest = self.nest;
        let inside = effects_of(&nest.inside.stmts);
        let carries = |var: VarId| {
            let declared = inside.declares.contains(&var);
            self.func.var(var).ty.is_float() && !declared && self.iterations.owns(var)
        };
        self.sums = inside.writes.iter().any(carries);
        let mut touched: BTreeMap<VarId, BTreeSet<usize>> = BTreeMap::new();
        let mut changed = BTreeSet::new();
        for (k, stmts) in nest.segments().into_iter().enumerate() {
            let effects = effects_of(stmts);
            for var in effects.reads.iter().chain(effects.writes.iter()) {
                touched.entry(var).or_default().insert(k);
            }
            changed.extend(effects.writes);
        }
        for var in changed {
            if self.iterations.owns(var) || self.is_array(var) {
                continue;
            }
            let carried = touched[&var].contains(&1) || touched[&var].len() > 1;
            if carried && !Fault::JammedCarried.is_on() {
                return Err(format!(
                    "`{}` goes from iteration to iteration",
                    self.name(var)
                ));
            }
        }
        Ok(())
    }

    fn is_array(&self, var: VarId) -> bool {
        let ty = &self.func.var(var).ty;
        matches!(ty.peel(), Ty::Array(..) | Ty::Slice(_) | Ty::Vec(_))
    }

    /// Arrays that are written are reached in one way alone, and there is something to gain.
    pub(in crate::optimize) fn check_written(&self) -> Result<(), String> {
        let mut gain = self.sums || self.anyway;
        for root in &self.written {
            let slices: Vec<&Slice> = self.slices.iter().filter(|s| s.root == *root).collect();
            let Some(first) = slices.first() else {
                continue;
            };
            let one_array = slices
                .iter()
                .all(|s| s.array == first.array && s.row == first.row);
            let indices: Vec<&Poly> = slices.iter().map(|s| &s.index).collect();
            let one_way = match first.kind {
                Kind::Along => slices.iter().all(|s| s.kind == Kind::Along),
                Kind::Shared | Kind::Row | Kind::Across => slices.len() == 1,
                Kind::Load => false,
            };
            gain |= first.kind == Kind::Shared;
            if !one_way || !one_array || Poly::meet(&indices) {
                return Err(format!(
                    "`{}` is written, and other iterations may reach the same elements",
                    self.name(*root)
                ));
            }
        }
        if gain {
            Ok(())
        } else {
            Err("the inner loop has no sum, and adds to no array that its runs share".to_owned())
        }
    }

    /// The range of the inner loop, by what is known in front of the outer one.
    pub(in crate::optimize) fn inner_range(&mut self) -> Result<RangeIter, String> {
        let range = self.nest.inner_range;
        let bound = |e| {
            let outside = self.iterations.known_outside(e);
            outside.ok_or("the range of the inner loop changes with the outer one")
        };
        let (lo, hi) = (bound(&range.lo)?, bound(&range.hi)?);
        for e in [&range.lo, &range.hi] {
            self.iterations.collect_ints(e, &mut self.ints);
        }
        Ok(RangeIter {
            lo,
            hi,
            ..range.clone()
        })
    }

    /// Integers that iterations compute belong to indices, or are bounds of the inner loop.
    pub(in crate::optimize) fn check_ints(&self) -> Result<(), String> {
        let mut stray = None;
        crate::ir::visit_stmts(self.nest.body, &mut |stmt| {
            if let StmtKind::Let { var, .. } = &stmt.kind
                && matches!(self.func.var(*var).ty, Ty::Int(_))
                && self.ints.iter().all(|(v, _)| v != var)
            {
                stray = Some(*var);
            }
        });
        match stray {
            Some(var) => Err(format!("`{}` is an integer, but no index", self.name(var))),
            None => Ok(()),
        }
    }

    /// The variables that more than one segment uses, but for those that each of them reads for itself.
    pub(in crate::optimize) fn keep(
        &mut self,
        segments: &mut [Segment],
        again: &BTreeSet<VarId>,
    ) -> Result<Vec<(VarId, VarId)>, String> {
        let nest = self.nest;
        let counters = [nest.counter, nest.inner_counter];
        let own =
            |var| self.iterations.owns(var) && !again.contains(&var) && !counters.contains(&var);
        let given = [nest.declared, nest.records];
        kept::keep(
            self.func,
            &mut self.fresh,
            segments.iter_mut().collect(),
            &own,
            given,
        )
    }
}
