//! The places that a reference variable can stand for.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::Lowerer;
use super::dynamic::Choice;
use crate::diag::catalog;
use crate::ir::hash::HashMap;
use crate::ir::{
    Block, Expr, ExprKind, Field, Place, Proj, Stmt, StmtKind, Ty, VarId, VarInfo, VarKind,
    VariantPart,
};

pub(super) const MOST_CANDIDATES: usize = 8;
const LONGEST_WAY: usize = 12;

/// A place with its run-time integers taken out.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) root: VarId,
    pub(super) way: Vec<Step>,
}

#[derive(Clone, Debug)]
pub(super) enum Step {
    Deref,
    Field(Field),
    Payload,
    Variant(Rc<VariantPart>),
    Unbox,
    /// One integer.
    Index,
    /// Two integers.
    Range,
}

impl Candidate {
    pub(super) fn integers(&self) -> usize {
        self.way.iter().map(Step::integers).sum()
    }

    pub(super) fn same(&self, other: &Candidate) -> bool {
        self.root == other.root
            && self.way.len() == other.way.len()
            && self.way.iter().zip(&other.way).all(|(a, b)| a.same(b))
    }
}

impl Step {
    pub(super) fn integers(&self) -> usize {
        match self {
            Step::Deref | Step::Field(_) | Step::Payload | Step::Variant(_) | Step::Unbox => 0,
            Step::Index => 1,
            Step::Range => 2,
        }
    }

    pub(super) fn same(&self, other: &Step) -> bool {
        match (self, other) {
            (Step::Field(a), Step::Field(b)) => a == b,
            (Step::Variant(a), Step::Variant(b)) => a.is(b),
            (Step::Deref, Step::Deref)
            | (Step::Payload, Step::Payload)
            | (Step::Unbox, Step::Unbox)
            | (Step::Index, Step::Index)
            | (Step::Range, Step::Range) => true,
            _ => false,
        }
    }
}

/// The candidate behind further projections; consecutive ranges are one.
pub(super) fn extend(mut candidate: Candidate, proj: &[Proj], slice: bool) -> Candidate {
    for step in proj {
        match step {
            Proj::Deref => candidate.way.push(Step::Deref),
            Proj::Field(field) => candidate.way.push(Step::Field(*field)),
            Proj::Payload => candidate.way.push(Step::Payload),
            Proj::Unbox => candidate.way.push(Step::Unbox),
            Proj::Variant(part) => candidate.way.push(Step::Variant(part.clone())),
            Proj::Index(_) => candidate.way.push(Step::Index),
            Proj::Range { .. } if matches!(candidate.way.last(), Some(Step::Range)) => {}
            Proj::Range { .. } => candidate.way.push(Step::Range),
        }
    }
    if slice && !matches!(candidate.way.last(), Some(Step::Range)) {
        candidate.way.push(Step::Range);
    }
    candidate
}

impl Lowerer<'_> {
    pub(super) fn collect(&self, block: &Block, assigned: &mut BTreeMap<VarId, Vec<Place>>) {
        for stmt in &block.stmts {
            if let Some((var, place)) = self.pointing(stmt) {
                assigned.entry(var).or_default().push(place.clone());
            }
            for inner in stmt.kind.blocks() {
                self.collect(inner, assigned);
            }
        }
    }

    /// A statement that lets a reference variable point somewhere.
    pub(super) fn pointing<'s>(&self, stmt: &'s Stmt) -> Option<(VarId, &'s Place)> {
        match &stmt.kind {
            StmtKind::Assign {
                place,
                value:
                    Expr {
                        kind: ExprKind::Read(target),
                        ..
                    },
                ..
            } if place.is_var() && self.references.contains(&place.root) => {
                Some((place.root, target))
            }
            _ => None,
        }
    }

    /// Which references are to slices: their candidates end in a range.
    pub(super) fn slices(&self, assigned: &BTreeMap<VarId, Vec<Place>>) -> HashMap<VarId, bool> {
        let is_slice = |var: VarId| {
            matches!(
                self.types.shallow(self.func.var(var).ty.peel()),
                Ty::Slice(_)
            )
        };
        let mut slices: HashMap<VarId, bool> = assigned
            .iter()
            .map(|(var, places)| {
                (
                    *var,
                    is_slice(*var)
                        || places
                            .iter()
                            .any(|p| matches!(p.proj.last(), Some(Proj::Range { .. }))),
                )
            })
            .collect();
        for _ in 0..assigned.len() {
            for (var, places) in assigned {
                for place in places
                    .iter()
                    .filter(|p| self.references.contains(&p.root) && p.proj.len() == 1)
                {
                    let any = slices[var] || slices[&place.root];
                    slices.insert(*var, any);
                    slices.insert(place.root, any);
                }
                // What is behind a parameter of slice type.
                for place in places.iter().filter(|p| !self.references.contains(&p.root)) {
                    let ty =
                        super::finish::place_type(&self.func, place, &|ty| self.types.shallow(ty));
                    if matches!(ty, Ty::Slice(_)) {
                        slices.insert(*var, true);
                    }
                }
            }
        }
        slices
    }

    pub(super) fn candidates(
        &mut self,
        assigned: &BTreeMap<VarId, Vec<Place>>,
        slices: &HashMap<VarId, bool>,
    ) -> Option<HashMap<VarId, Vec<Candidate>>> {
        let mut found: HashMap<VarId, Vec<Candidate>> =
            assigned.keys().map(|var| (*var, Vec::new())).collect();
        loop {
            let mut grown = false;
            for (var, places) in assigned {
                for place in places {
                    let sources = match found.get(&place.root) {
                        Some(sources) => sources.clone(),
                        None => vec![Candidate {
                            root: place.root,
                            way: Vec::new(),
                        }],
                    };
                    let through = self.references.contains(&place.root);
                    for source in sources {
                        let candidate = extend(
                            source,
                            if through {
                                &place.proj[1..]
                            } else {
                                &place.proj
                            },
                            slices[var],
                        );
                        let known = found.entry(*var).or_default();
                        if known.iter().any(|k| k.same(&candidate)) {
                            continue;
                        }
                        if candidate.way.len() > LONGEST_WAY || known.len() == MOST_CANDIDATES {
                            self.diags.at(place.span, catalog::reference_too_dynamic());
                            return None;
                        }
                        known.push(candidate);
                        grown = true;
                    }
                }
            }
            if !grown {
                return Some(found);
            }
        }
    }

    pub(super) fn choice(&mut self, var: VarId, mut candidates: Vec<Candidate>) -> Choice {
        candidates.sort_by_key(|c| c.root);
        let name = self.func.var(var).name.clone();
        let base = syn::ext::IdentExt::unraw(&name).to_string();
        let mut integer = |suffix: &str, ty: Ty| {
            let name = self
                .func
                .fresh_name(&format!("{base}_{suffix}"), name.span());
            self.func.add(VarInfo {
                name,
                ty,
                mutable: true,
                kind: VarKind::Temp,
                constant: false,
                class: crate::ir::Class::Primal,
                type_of: None,
            })
        };
        let code = (candidates.len() > 1).then(|| integer("which", Ty::U8));
        let most = candidates
            .iter()
            .map(Candidate::integers)
            .max()
            .unwrap_or(0);
        let integers = (0..most).map(|_| integer("at", Ty::USIZE)).collect();
        Choice {
            candidates,
            code,
            integers,
        }
    }
}
