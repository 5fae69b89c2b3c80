//! Bulk saves: all elements that a loop overwrites are saved before it, in one copy.
//!
//! Legal for an overwrite `a[i + c] = …` in the body of `for i in lo..hi`, or in a loop inside of it, if `c` does not
//! change in the loop, `a` is declared outside it, and nothing in the loop's reverse reads `a`: then it does not matter
//! when within the reverse loop each element is restored, nor how often it was overwritten. Likewise a scalar that
//! nothing in the loop's reverse reads is saved once in front of the loop, however often the loop overwrites it. `a`
//! and the scalar may be fields. The range is cut to the length of `a`, and `c` is evaluated only if the loop runs
//! (immutable variables of the body stand for what they are computed from), so that a loop that panics does so where
//! the user's does.

use std::collections::BTreeMap;

use super::StmtKey;
use super::plan::{Fragments, Plan, restore_reads};
use super::target::growth::OFFSET_TERMS;
use crate::ir::faults::Fault;
use crate::ir::hash::HashSet;
use crate::ir::{
    BinOp, Block, Domain, Expr, ExprKind, Func, Loop, Offset, Place, Proj, Region, Stmt, StmtKind,
    Ty, VarId, VarSet, effects_of, expr_reads, free_regions, place_ty, region_effects_of,
    visit_stmts,
};
use crate::ir::{name, region_name};

/// What the decision reads.
pub(crate) struct BulkInputs<'a> {
    pub(crate) func: &'a Func,
    pub(crate) fragments: &'a Fragments,
    pub(crate) plan: &'a Plan,
    pub(crate) saved: &'a HashSet<StmtKey>,
}

/// One overwrite whose save moves in front of the loop.
pub(crate) struct Bulk {
    pub(crate) key: StmtKey,
    /// The array or slice, without the index.
    pub(crate) slice: Place,
    pub(crate) offset: Offset,
}

/// The body of a loop, and what is declared in it.
#[derive(Clone, Copy)]
struct Scope<'a> {
    body: &'a Block,
    declared: &'a VarSet,
}

impl<'a> Scope<'a> {
    /// What an immutable variable of the body stands for.
    fn init(self, func: &Func, var: VarId) -> Option<&'a Expr> {
        if !self.declared.contains(&var) {
            return None;
        }
        let mut defined = self.body.stmts.iter().filter_map(|s| s.definition(func));
        defined.find(|(v, _)| *v == var).map(|(_, init)| init)
    }
}

/// A scalar whose old values are saved once, in front of the loop that overwrites it.
pub(crate) struct Scalar {
    pub(crate) place: Place,
    /// The overwrites that then save nothing.
    pub(crate) keys: Vec<StmtKey>,
}

impl BulkInputs<'_> {
    /// The scalars of which only the value before the loop is needed: nothing in the loop's reverse reads them.
    pub(crate) fn scalar_saves(&self, body: &Block, hoisted: &HashSet<StmtKey>) -> Vec<Scalar> {
        let declared = effects_of(&body.stmts).declares;
        let mut found: BTreeMap<Region, Option<Scalar>> = BTreeMap::new();
        visit_stmts(body, &mut |stmt| {
            if !stmt.kind.blocks().is_empty() {
                return;
            }
            let whole = self.scalar_overwrite(stmt);
            for region in region_effects_of([stmt]).writes.iter() {
                let entry = found.entry(region).or_insert_with(|| {
                    whole.as_ref().map(|place| Scalar {
                        place: place.clone(),
                        keys: Vec::new(),
                    })
                });
                let key = StmtKey::of(stmt);
                match (entry.as_mut(), &whole) {
                    (Some(scalar), Some(_)) if self.saved.contains(&key) => {
                        if !hoisted.contains(&key) {
                            scalar.keys.push(key);
                        }
                    }
                    (Some(_), Some(_)) | (None, _) => {}
                    (Some(_), None) => *entry = None,
                }
            }
        });
        // What is written as a part of more, or as more than one part, is left to the statements.
        let written: Vec<Region> = found.keys().copied().collect();
        let alone = |region: Region| written.iter().filter(|w| w.overlaps(region)).count() == 1;
        let outside = |(region, scalar): (Region, Option<Scalar>)| {
            scalar.filter(|scalar| {
                !scalar.keys.is_empty()
                    && alone(region)
                    && !declared.contains(&region.root)
                    && !self.read_in_reverse(region, body)
                    && !self.names_a_restored_place(region, body)
            })
        };
        found.into_iter().filter_map(outside).collect()
    }

    /// The place, if the statement overwrites a variable or field that is a number or a `bool`.
    fn scalar_overwrite(&self, stmt: &Stmt) -> Option<Place> {
        let (StmtKind::Assign {
            place, init: false, ..
        }
        | StmtKind::Update { place, .. }) = &stmt.kind
        else {
            return None;
        };
        (place.is_region() && place_ty(self.func, place).is_scalar()).then(|| place.clone())
    }

    /// Whether an index of something that the loop's reverse restores reads the region.
    fn names_a_restored_place(&self, region: Region, body: &Block) -> bool {
        let mut named = false;
        visit_stmts(body, &mut |stmt| {
            named |= self.saved.contains(&StmtKey::of(stmt))
                && !region_effects_of([stmt]).writes.overlaps(region)
                && restore_reads(stmt).overlaps(region);
        });
        named
    }

    /// `hoisted`: overwrites that a loop around this one saves already.
    pub(crate) fn bulk_saves(
        &self,
        var: VarId,
        body: &Block,
        hoisted: &HashSet<StmtKey>,
    ) -> Vec<Bulk> {
        let declared = effects_of(&body.stmts).declares;
        let mut found = Vec::new();
        for stmt in self.unconditional(body) {
            if !hoisted.contains(&StmtKey::of(stmt))
                && let Some(bulk) = self.candidate(var, stmt, body, &declared)
                && self.alone(bulk.slice.region(), body, bulk.key)
                && (!self.read_in_reverse(bulk.slice.region(), body)
                    || Fault::BulkOfWhatIsRead.is_on())
            {
                found.push(bulk);
            }
        }
        found
    }

    /// The statements of a body and of the loops in it, but for those under conditions.
    fn unconditional<'b>(&self, body: &'b Block) -> Vec<&'b Stmt> {
        let mut found = Vec::new();
        for stmt in &body.stmts {
            match stmt.as_loop() {
                Some(inner) if self.func.parallel.contains(&inner.id) => {}
                Some(inner) => found.extend(self.unconditional(&inner.body)),
                None => found.push(stmt),
            }
        }
        found
    }

    /// Why saves of the loop's own statements, those in its branches included, stay where they are.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "other statements hold blocks, or are no candidates"
    )]
    pub(crate) fn obstacles(
        &self,
        kind: &Domain,
        body: &Block,
        hoisted: &HashSet<StmtKey>,
    ) -> Vec<String> {
        let declared = effects_of(&body.stmts).declares;
        let mut found = Vec::new();
        let mut blocks = vec![(body, true)];
        while let Some((block, direct)) = blocks.pop() {
            for stmt in &block.stmts {
                let key = StmtKey::of(stmt);
                let place = match &stmt.kind {
                    StmtKind::Loop(Loop { .. }) | StmtKind::Checkpoint(_) => continue,
                    StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } => place,
                    other => {
                        blocks.extend(other.blocks().into_iter().map(|b| (b, false)));
                        continue;
                    }
                };
                if self.saved.contains(&key)
                    && !hoisted.contains(&key)
                    && !declared.contains(&place.root)
                {
                    let why = self.obstacle(kind, (body, &declared), (stmt, place, direct));
                    found.push(why);
                }
            }
        }
        found
    }

    fn obstacle(
        &self,
        kind: &Domain,
        (body, declared): (&Block, &VarSet),
        (stmt, place, direct): (&Stmt, &Place, bool),
    ) -> String {
        let array = region_name(self.func, place);
        if self.read_in_reverse(place.region(), body) {
            return format!("the reverse of the body reads earlier values of `{array}`");
        }
        if self.scalar_overwrite(stmt).is_some() {
            return format!("`{array}` is written elsewhere in the loop, or is an index in it");
        }
        let Domain::Range { var, .. } = kind else {
            return format!("`{array}` is not written by a `for` over a range");
        };
        if !direct {
            return format!("`{array}` is not written in every iteration");
        }
        if self.candidate(*var, stmt, body, declared).is_none() {
            let counter = name(self.func, *var);
            return format!(
                "the index of `{array}` is not `{counter}` plus what stays the same in the loop"
            );
        }
        format!("`{array}` is written elsewhere in the loop")
    }

    fn candidate(&self, var: VarId, stmt: &Stmt, body: &Block, declared: &VarSet) -> Option<Bulk> {
        let key = StmtKey::of(stmt);
        let (StmtKind::Assign {
            place, init: false, ..
        }
        | StmtKind::Update { place, .. }) = &stmt.kind
        else {
            return None;
        };
        if !self.saved.contains(&key) || declared.contains(&place.root) {
            return None;
        }
        let ([Proj::Index(index)], slice) = (place.steps(), place.whole_region()) else {
            return None;
        };
        let is_sequence = |ty: &Ty| matches!(ty, Ty::Array(..) | Ty::Slice(_) | Ty::Vec(_));
        // A queue has no slices.
        if matches!(place_ty(self.func, &slice).peel(), Ty::Queue(_)) {
            return None;
        }
        if place.region() != Region::var(place.root) && !is_sequence(&place_ty(self.func, &slice)) {
            return None;
        }
        let mut offset = Offset::default();
        let mut seen = false;
        let scope = Scope { body, declared };
        self.split(index, var, false, scope, &mut offset, &mut seen)?;
        seen.then_some(Bulk { key, slice, offset })
    }

    /// Takes `index` apart into the counter (once, with a plus) and terms that do not change in the loop.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "other statements hold blocks, or are no candidates"
    )]
    fn split(
        &self,
        e: &Expr,
        var: VarId,
        minus: bool,
        scope: Scope<'_>,
        offset: &mut Offset,
        seen: &mut bool,
    ) -> Option<()> {
        match &e.kind {
            ExprKind::Read(p) if p.is_var() && p.root == var => {
                if *seen || minus {
                    return None;
                }
                *seen = true;
                Some(())
            }
            ExprKind::Binary(BinOp::Add, a, b) => {
                self.split(a, var, minus, scope, offset, seen)?;
                self.split(b, var, minus, scope, offset, seen)
            }
            ExprKind::Binary(BinOp::Sub, a, b) => {
                self.split(a, var, minus, scope, offset, seen)?;
                self.split(b, var, !minus, scope, offset, seen)
            }
            ExprKind::Read(p) if p.is_var() && scope.init(self.func, p.root).is_some() => {
                let init = scope.init(self.func, p.root)?;
                self.split(init, var, minus, scope, offset, seen)
            }
            _ => {
                let mut fixed = true;
                expr_reads(e, &mut |p| {
                    fixed &= p.is_var()
                        && p.root != var
                        && !scope.declared.contains(&p.root)
                        && !self.func.var(p.root).mutable;
                });
                let plain = matches!(
                    &e.kind,
                    ExprKind::Lit(_) | ExprKind::Read(_) | ExprKind::Binary(BinOp::Mul, ..)
                );
                if !fixed || !plain || offset.plus.len() + offset.minus.len() >= OFFSET_TERMS {
                    return None;
                }
                if minus {
                    offset.minus.push(e.clone())
                } else {
                    offset.plus.push(e.clone())
                }
                Some(())
            }
        }
    }

    /// Whether no other statement of the loop writes the region.
    fn alone(&self, region: Region, body: &Block, key: StmtKey) -> bool {
        let mut alone = true;
        visit_stmts(body, &mut |stmt| {
            if stmt.kind.blocks().is_empty() && StmtKey::of(stmt) != key {
                alone &= !region_effects_of([stmt]).writes.overlaps(region);
            }
        });
        alone
    }

    /// Whether the loop's reverse reads the region, by an adjoint or a recomputed value.
    fn read_in_reverse(&self, region: Region, body: &Block) -> bool {
        let mut read = false;
        visit_stmts(body, &mut |stmt| {
            let key = StmtKey::of(stmt);
            read |= self
                .fragments
                .get(&key)
                .is_some_and(|f| free_regions(f).overlaps(region));
            read |= self
                .plan
                .def_reads
                .get(&key)
                .is_some_and(|r| r.overlaps(region));
            read |= matches!(stmt.kind, StmtKind::Checkpoint(_));
        });
        read
    }
}
