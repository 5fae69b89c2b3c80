//! Reverse loops that may run forwards.
//!
//! A reverse loop carries nothing from iteration to iteration if its body, besides variables of its own,
//! touches no tape, restores no primal state, and uses each adjoint in one of two ways: it only adds into it
//! and never reads it; or its iterations meet different elements (`analysis::apart`): `bar[i + c]` with one `c`, `bar[2 * i]` and
//! `bar[2 * i + 1]`, but not `bar[i]` and `bar[i + 1]`. Then the order of the iterations only reorders sums in adjoints, and the
//! forward order is the one that the memory system and the vectoriser like.

use std::collections::{HashMap, HashSet};

use crate::analysis::affine::{Definitions, Poly};
use crate::ir::edit::blocks_mut;
use crate::ir::{
    Block, Expr, Func, Order, Place, Proj, RevKind, Stmt, StmtKind, VarId, expr_reads,
    place_index_reads,
};

/// Sets [`Order::Forward`] wherever it is legal.
pub(crate) fn run_forwards(func: &Func, stmts: &mut [Stmt]) {
    for stmt in stmts {
        for block in blocks_mut(stmt) {
            run_forwards(func, &mut block.stmts);
        }
        match &mut stmt.kind {
            StmtKind::RevLoop {
                kind: RevKind::For { var, .. },
                body,
                order,
            } if carries_nothing(func, body, *var, &[]) => *order = Order::Forward,
            StmtKind::RevStripLoop {
                counter,
                vars,
                body,
                order,
                ..
            } if carries_nothing(func, body, *counter, vars) => *order = Order::Forward,
            _ => {}
        }
    }
}

/// `declared`: variables that the loop declares for each iteration, beside its counter.
fn carries_nothing(func: &Func, body: &Block, counter: VarId, declared: &[VarId]) -> bool {
    let mut traffic = Traffic {
        definitions: Definitions::of(func, body),
        reads: HashSet::new(),
        added: HashSet::new(),
        declared: declared.iter().copied().collect(),
        overwritten: HashSet::new(),
        elements: HashMap::new(),
        ordered: false,
    };
    traffic.block(body);
    let shared = |v: &&VarId| !traffic.declared.contains(v);
    let one_element = |v: &VarId| match traffic.elements.get(v) {
        Some(Some(indices)) => traffic.apart(indices, counter),
        _ => false,
    };
    !traffic.ordered
        && traffic.overwritten.iter().filter(shared).all(one_element)
        && traffic
            .added
            .iter()
            .filter(shared)
            .all(|v| !traffic.reads.contains(v) || one_element(v))
}

struct Traffic<'a> {
    definitions: Definitions<'a>,
    reads: HashSet<VarId>,
    added: HashSet<VarId>,
    declared: HashSet<VarId>,
    overwritten: HashSet<VarId>,
    /// The indices with which a root is touched, `None` if there is another projection or an index without a form.
    elements: HashMap<VarId, Option<Vec<Poly>>>,
    /// Something whose order matters by itself.
    ordered: bool,
}

impl Traffic<'_> {
    fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            self.stmt(stmt);
            for inner in stmt.kind.blocks() {
                self.block(inner);
            }
        }
    }

    fn touch(&mut self, place: &Place) {
        let index = match place.proj.as_slice() {
            [Proj::Index(e), ..] | [Proj::Deref, Proj::Index(e), ..] => self.definitions.poly(e),
            _ => None,
        };
        let known = self
            .elements
            .entry(place.root)
            .or_insert_with(|| Some(Vec::new()));
        match (known.as_mut(), index) {
            (Some(indices), Some(index)) => {
                if !indices.contains(&index) {
                    indices.push(index);
                }
            }
            (None, _) | (_, None) => *known = None,
        }
    }

    fn read(&mut self, e: &Expr) {
        let mut places = Vec::new();
        expr_reads(e, &mut |p| places.push(p.clone()));
        for place in places {
            self.reads.insert(place.root);
            self.touch(&place);
        }
    }

    fn indices(&mut self, place: &Place) {
        let mut places = Vec::new();
        place_index_reads(place, &mut |p| places.push(p.clone()));
        for place in places {
            self.reads.insert(place.root);
            self.touch(&place);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let { var, init } => {
                self.declared.insert(*var);
                init.iter().for_each(|e| self.read(e));
            }
            StmtKind::Update { place, value, .. } => {
                self.read(value);
                self.indices(place);
                self.touch(place);
                self.added.insert(place.root);
            }
            StmtKind::Accumulate { dst, src } => {
                self.indices(dst);
                self.indices(src);
                self.touch(dst);
                self.touch(src);
                self.reads.insert(src.root);
                self.added.insert(dst.root);
            }
            StmtKind::Assign { place, value, .. } => {
                self.read(value);
                self.indices(place);
                self.touch(place);
                self.overwritten.insert(place.root);
            }
            StmtKind::SetZero(place) => {
                self.indices(place);
                self.touch(place);
                self.overwritten.insert(place.root);
            }
            StmtKind::Switch { selector, .. } => self.read(selector),
            StmtKind::MatchRecord { rec, arms } => {
                self.reads.insert(*rec);
                self.declared.extend(arms.iter().flat_map(|(vars, _)| vars));
            }
            StmtKind::RevLoop { .. } | StmtKind::Scope(_) => {
                crate::ir::shallow_accesses(stmt, &mut |var, access| match access {
                    crate::ir::Access::Declare => {
                        self.declared.insert(var);
                    }
                    crate::ir::Access::Read
                    | crate::ir::Access::WriteAll
                    | crate::ir::Access::WritePart => {
                        self.reads.insert(var);
                    }
                });
            }
            _ => self.ordered = true,
        }
    }

    /// Whether different iterations touch different elements, the indices being these.
    fn apart(&self, indices: &[Poly], counter: VarId) -> bool {
        let fixed = |v: VarId| v != counter && !self.declared.contains(&v);
        indices.iter().enumerate().all(|(k, a)| {
            indices[k..]
                .iter()
                .all(|b| self.definitions.apart(a, b, counter, &fixed))
        })
    }
}
