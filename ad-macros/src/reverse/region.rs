//! `#[checkpoint]` regions.

use std::collections::BTreeMap;

use proc_macro2::Span;

use crate::analysis::StmtKey;
use crate::ir::edit::blocks_mut;
use crate::ir::faults::Fault;
use crate::ir::{
    Block, Interface, Place, Proc, ProcId, Proj, Region, RegionSet, Run, Stmt, StmtKind, Touch, Ty,
    VarId, effects_of, shallow_touches,
};

use super::assemble::{Assembly, Step};
use super::restore::{Saving, save_place};

/// Regions in fewer others than this are written out wherever they run, at most twice: rustc optimises what a loop does
/// better where it stands.
const COPIED: u32 = 2;

/// From which weight on a region is a procedure: of so many statements, where a loop counts as ten.
const PROCEDURE: usize = 12;

/// Those inside included.
fn weight(block: &Block) -> usize {
    let each = block.stmts.iter().map(|stmt| {
        let own = if stmt.as_loop().is_some() { 10 } else { 1 };
        own + stmt.kind.blocks().into_iter().map(weight).sum::<usize>()
    });
    each.sum()
}

impl Assembly<'_> {
    /// The region runs unrecorded; the reverse sweep restores the state on entry, runs it again recorded,
    /// undoes it, and leaves the state on entry.
    ///
    /// A region in another one runs unrecorded wherever that one runs, recorded or not. Deep in others, it is a
    /// procedure.
    pub(super) fn checkpoint(&mut self, stmt: &Stmt, body: &Block) -> Step {
        let span = stmt.span;
        self.regions += 1;
        let inner = self.block(body);
        self.regions -= 1;
        let mut kept = Saving::default();
        let (mut outer, deferred) = self.overwritten_by(body, span);
        outer.retain(|_| !Fault::RegionStateLost.is_on());
        for place in &outer {
            save_place(self.adjoints.func, &mut self.sites, place, &mut kept);
        }
        let mut forward = kept.save.clone();
        forward.extend(self.unrecorded(stmt, body, &deferred).stmts);
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

    /// What the region does without records. `begun`: the outer variables that it assigns first.
    fn unrecorded(&mut self, stmt: &Stmt, body: &Block, begun: &[VarId]) -> Block {
        let mut body = self.with_procs(body);
        if self.regions < COPIED || weight(&body) < PROCEDURE {
            return body;
        }
        let Some(interface) = Interface::of(self.adjoints.func, &body, begun) else {
            return body;
        };
        let declared = begun.iter().map(|var| {
            let (var, init) = (*var, None);
            Stmt::new(StmtKind::Let { var, init }, stmt.span)
        });
        body.stmts.splice(0..0, declared);
        let run = Run {
            proc: ProcId(self.procs.len()),
            interface: interface.clone(),
        };
        self.procs.push(Proc { interface, body });
        let run = Stmt::new(StmtKind::Run(Box::new(run)), stmt.span);
        self.runs.insert(StmtKey::of(stmt), run.clone());
        Block { stmts: vec![run] }
    }

    /// The same statements, where the regions in them that are procedures run as such.
    fn with_procs(&self, block: &Block) -> Block {
        let stmts = block.stmts.iter().map(|stmt| {
            if let Some(run) = self.runs.get(&StmtKey::of(stmt)) {
                return run.clone();
            }
            let mut copy = stmt.clone();
            let inner = stmt
                .kind
                .blocks()
                .into_iter()
                .map(|block| self.with_procs(block));
            let inner: Vec<Block> = inner.collect();
            for (place, inner) in blocks_mut(&mut copy).into_iter().zip(inner) {
                *place = inner;
            }
            copy
        });
        Block {
            stmts: stmts.collect(),
        }
    }

    /// What a region overwrites of outer variables, and the outer variables that it assigns first.
    fn overwritten_by(&self, body: &Block, span: Span) -> (Vec<Place>, Vec<VarId>) {
        let mut deferred = Vec::new();
        let mut overwritten = RegionSet::default();
        let mut places: BTreeMap<Region, Place> = BTreeMap::new();
        crate::ir::visit_stmts(body, &mut |stmt| {
            if let StmtKind::Assign {
                place, init: true, ..
            } = &stmt.kind
            {
                deferred.push(place.root);
            } else if stmt.kind.blocks().is_empty() {
                shallow_touches(stmt, &mut |place, touch| match touch {
                    Touch::Read | Touch::Length | Touch::Declare => {}
                    Touch::Add | Touch::AddInCall | Touch::Write | Touch::Update => {
                        overwritten.insert(place.region());
                        let place = Place {
                            span,
                            ..place.whole_region()
                        };
                        places.insert(place.region(), place);
                    }
                });
            }
        });
        let declares = effects_of(&body.stmts).declares;
        deferred.retain(|v| !declares.contains(v) && !overwritten.overlaps(*v));
        deferred.sort_unstable();
        deferred.dedup();
        let mut outer: Vec<Region> = overwritten
            .iter()
            .filter(|region| !declares.contains(&region.root))
            .collect();
        outer.sort_unstable();
        debug_assert!(outer.iter().all(|region| region.root.0 < self.primal_vars));
        let mut place = |region: &Region| {
            let mut place = places.remove(region)?;
            let is_reference = matches!(self.adjoints.func.var(place.root).ty, Ty::Ref(..));
            if is_reference && place.proj.is_empty() {
                place = place.then(Proj::Deref);
            }
            Some(place)
        };
        let outer = outer.iter().filter_map(&mut place).collect();
        (outer, deferred)
    }
}
