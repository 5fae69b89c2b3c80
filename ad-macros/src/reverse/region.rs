//! `#[checkpoint]` regions.

use std::collections::HashSet;

use proc_macro2::Span;

use crate::ir::faults::Fault;
use crate::ir::{Block, Place, Proj, Stmt, StmtKind, Ty, VarId, effects_of};

use super::assemble::{Assembly, Step};
use super::restore::{Saving, save_place};

impl Assembly<'_> {
    /// The region runs unrecorded; the reverse sweep restores the state on entry, runs it again recorded,
    /// undoes it, and leaves the state on entry.
    pub(super) fn checkpoint(&mut self, body: &Block, span: Span) -> Step {
        self.regions += 1;
        let inner = self.block(body);
        self.regions -= 1;
        let mut kept = Saving::default();
        let (mut outer, deferred) = self.overwritten_by(body);
        outer.retain(|_| !Fault::RegionStateLost.is_on());
        for root in &outer {
            let mut place = Place::var(*root, span);
            if matches!(self.adjoints.func.var(*root).ty, Ty::Ref(..)) {
                place = place.then(Proj::Deref);
            }
            save_place(self.adjoints.func, &mut self.sites, &place, &mut kept);
        }
        let mut forward = kept.save.clone();
        forward.extend(body.stmts.iter().cloned());
        if inner.reverse.is_empty() {
            return Step {
                forward,
                reverse: kept.restore,
            };
        }
        let mut reverse = kept.restore.clone();
        // A slice popped from the tape goes back there for the second restoration.
        reverse.extend(
            kept.save
                .iter()
                .filter(|s| matches!(s.kind, StmtKind::PushSlice { .. }))
                .cloned(),
        );
        let mut scope: Vec<Stmt> = deferred
            .iter()
            .map(|var| {
                Stmt::new(
                    StmtKind::Let {
                        var: *var,
                        init: None,
                    },
                    span,
                )
            })
            .collect();
        scope.extend(inner.forward);
        scope.extend(inner.reverse);
        reverse.push(Stmt::new(StmtKind::Scope(Block { stmts: scope }), span));
        reverse.extend(kept.restore);
        Step { forward, reverse }
    }

    /// The outer roots that a region overwrites, and the outer variables that it assigns first.
    fn overwritten_by(&self, body: &Block) -> (Vec<VarId>, Vec<VarId>) {
        let mut deferred = Vec::new();
        let mut overwritten = HashSet::new();
        crate::ir::visit_stmts(body, &mut |stmt| {
            if let StmtKind::Assign {
                place, init: true, ..
            } = &stmt.kind
            {
                deferred.push(place.root);
            } else if stmt.kind.blocks().is_empty() {
                overwritten.extend(effects_of([stmt]).writes);
            }
        });
        let declares = effects_of(&body.stmts).declares;
        deferred.retain(|v| !declares.contains(v) && !overwritten.contains(v));
        deferred.sort_unstable();
        deferred.dedup();
        let mut outer: Vec<VarId> = overwritten
            .into_iter()
            .filter(|v| !declares.contains(v))
            .collect();
        outer.sort_unstable();
        debug_assert!(outer.iter().all(|v| v.0 < self.primal_vars));
        (outer, deferred)
    }
}
