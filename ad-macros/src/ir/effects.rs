//! What lists of statements read, write, declare, and use without declaring it: by variable, and by region.

use proc_macro2::Span;

use super::hash::HashSet;
use super::walk::{shallow_accesses, shallow_touches, visit_accesses, visit_stmts, visit_touches};
use super::{
    Access, Block, Expr, Place, Proj, RegionSet, Stmt, StmtKind, Touch, VarId, VarSet, expr_reads,
};

/// The variables that some code reads, writes and declares, nested blocks included.
#[derive(Clone, Default, Debug)]
pub(crate) struct Effects {
    pub(crate) reads: VarSet,
    pub(crate) writes: VarSet,
    pub(crate) declares: VarSet,
}

impl Effects {
    pub(crate) fn add_stmt(&mut self, stmt: &Stmt) {
        visit_accesses(stmt, &mut |var, access| {
            match access {
                Access::Read => self.reads.insert(var),
                Access::WriteAll | Access::WritePart => self.writes.insert(var),
                Access::Declare => self.declares.insert(var),
            };
        });
    }
}

/// The regions that code reads and writes, nested blocks included.
#[derive(Clone, Default, Debug)]
pub(crate) struct RegionEffects {
    pub(crate) reads: RegionSet,
    pub(crate) writes: RegionSet,
}

/// The regions that a list of statements reads and writes.
pub(crate) fn region_effects_of<'a>(stmts: impl IntoIterator<Item = &'a Stmt>) -> RegionEffects {
    let mut effects = RegionEffects::default();
    for stmt in stmts {
        visit_touches(stmt, &mut |place, touch| match touch {
            Touch::Read | Touch::Length => _ = effects.reads.insert(place.region()),
            Touch::Write => _ = effects.writes.insert(place.region()),
            Touch::Add | Touch::AddInCall | Touch::Update => {
                effects.reads.insert(place.region());
                effects.writes.insert(place.region());
            }
            Touch::Declare => {}
        });
    }
    effects
}

/// The effects of a list of statements.
pub(crate) fn effects_of<'a>(stmts: impl IntoIterator<Item = &'a Stmt>) -> Effects {
    let mut effects = Effects::default();
    for stmt in stmts {
        effects.add_stmt(stmt);
    }
    effects
}

/// The variables of which more than elements is written, so that their lengths may change.
pub(crate) fn resized(block: &Block, found: &mut HashSet<VarId>) {
    let is_element = |place: &Place| place.proj.iter().any(|proj| matches!(proj, Proj::Index(_)));
    for stmt in &block.stmts {
        let blocks = stmt.kind.blocks();
        let keeps =
            if let StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } = &stmt.kind {
                is_element(place)
            } else if let StmtKind::Swap(a, b) = &stmt.kind {
                is_element(a) && is_element(b)
            } else {
                matches!(stmt.kind, StmtKind::Fill { .. } | StmtKind::CopyFrom { .. })
            };
        if !keeps && blocks.is_empty() {
            found.extend(effects_of([stmt]).writes);
        }
        blocks.iter().for_each(|inner| resized(inner, found));
    }
}

/// The variables that a list of statements uses and does not declare itself, blocks being scopes.
pub(crate) fn free_vars(stmts: &[Stmt]) -> VarSet {
    let mut free = VarSet::default();
    let mut declared = VarSet::default();
    each_free(stmts, &mut declared, &mut |place| {
        free.insert(place.root);
    });
    free
}

/// The same, as regions.
pub(crate) fn free_regions(stmts: &[Stmt]) -> RegionSet {
    let mut free = RegionSet::default();
    let mut declared = VarSet::default();
    each_free(stmts, &mut declared, &mut |place| {
        free.insert(place.region());
    });
    free
}

/// Calls `f` with every place that statements touch whose variable they do not declare. `declared`: what is declared
/// around them.
fn each_free(stmts: &[Stmt], declared: &mut VarSet, f: &mut dyn FnMut(&Place)) {
    let mut own = Vec::new();
    for stmt in stmts {
        let blocks = stmt.kind.blocks();
        let yields = yielded(stmt);
        let mut fresh = Vec::new();
        shallow_touches(stmt, &mut |place, touch| {
            let var = place.root;
            if touch == Touch::Declare {
                fresh.push(var);
            } else if !declared.contains(&var) && !yields.contains(&var) {
                f(place);
            }
        });
        if blocks.is_empty() {
            own.extend(fresh.into_iter().filter(|var| declared.insert(*var)));
            continue;
        }
        fresh.retain(|var| declared.insert(*var));
        for block in blocks {
            each_free(&block.stmts, declared, f);
        }
        fresh.iter().for_each(|var| _ = declared.remove(*var));
        if let StmtKind::Branch { rec, .. } = &stmt.kind
            && declared.insert(*rec)
        {
            own.push(*rec);
        }
    }
    own.iter().for_each(|var| _ = declared.remove(*var));
}

/// The values of a branch's arms that are declared in their arm.
fn yielded(stmt: &Stmt) -> VarSet {
    let mut yields = VarSet::default();
    if let StmtKind::Branch { arms, .. } = &stmt.kind {
        for (block, vars) in arms {
            let own: VarSet = block.stmts.iter().flat_map(declares_of).collect();
            yields.extend(vars.iter().copied().filter(|v| own.contains(v)));
        }
    }
    yields
}

fn declares_of(stmt: &Stmt) -> Vec<VarId> {
    let mut vars = Vec::new();
    shallow_accesses(stmt, &mut |var, access| {
        if access == Access::Declare {
            vars.push(var);
        }
    });
    vars
}

/// What a statement reads, writes or declares, at the level of its block; a variable may come twice.
pub(crate) fn mentioned(stmt: &Stmt) -> impl Iterator<Item = VarId> {
    let effects = effects_of([stmt]);
    let declared = declares_of(stmt);
    effects
        .reads
        .into_iter()
        .chain(effects.writes)
        .chain(declared)
}

/// Whether a statement reads, writes or declares a variable.
pub(crate) fn mentions(stmt: &Stmt, var: VarId) -> bool {
    let effects = effects_of([stmt]);
    effects.reads.contains(&var)
        || effects.writes.contains(&var)
        || declares_of(stmt).into_iter().any(|v| v == var)
}

/// Each variable that a statement of the block, or inside of one, writes to or to a part of.
pub(crate) fn each_write(block: &Block, f: &mut dyn FnMut(VarId, Span)) {
    visit_stmts(block, &mut |stmt| {
        shallow_accesses(stmt, &mut |var, access| {
            if matches!(access, Access::WriteAll | Access::WritePart) {
                f(var, stmt.span);
            }
        });
    });
}

/// Whether nothing that it reads varies from iteration to iteration, indices included.
pub(crate) fn is_invariant(e: &Expr, varies: &dyn Fn(VarId) -> bool) -> bool {
    let mut invariant = true;
    expr_reads(e, &mut |place| invariant &= !varies(place.root));
    invariant
}
