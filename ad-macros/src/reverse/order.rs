//! Reverse loops that may run forwards.
//!
//! A reverse loop carries nothing from iteration to iteration if its body, besides variables of its own,
//! touches no tape, restores no primal state, and uses each adjoint in one of two ways: it only adds into it
//! and never reads it; or it touches one element alone, `bar[counter + c]` with the same `c` everywhere, so that
//! iterations meet different elements. Then the order of the iterations only reorders sums in adjoints, and the
//! forward order is the one that the memory system and the vectoriser like.

use std::collections::{HashMap, HashSet};

use crate::ir::edit::blocks_mut;
use crate::ir::{
    BinOp, Block, Expr, ExprKind, Order, Place, Proj, RevKind, Stmt, StmtKind, VarId, expr_reads,
    place_index_reads,
};

/// Sets [`Order::Forward`] wherever it is legal.
pub(crate) fn run_forwards(stmts: &mut [Stmt]) {
    for stmt in stmts {
        for block in blocks_mut(stmt) {
            run_forwards(&mut block.stmts);
        }
        match &mut stmt.kind {
            StmtKind::RevLoop {
                kind: RevKind::For { var, .. },
                body,
                order,
            } if carries_nothing(body, *var, &[]) => *order = Order::Forward,
            StmtKind::RevStripLoop {
                counter,
                vars,
                body,
                order,
                ..
            } if carries_nothing(body, *counter, vars) => *order = Order::Forward,
            _ => {}
        }
    }
}

/// `declared`: variables that the loop declares for each iteration, beside its counter.
fn carries_nothing(body: &Block, counter: VarId, declared: &[VarId]) -> bool {
    let mut traffic = Traffic::default();
    traffic.declared.extend(declared);
    traffic.block(body);
    let shared = |v: &&VarId| !traffic.declared.contains(v);
    let one_element = |v: &VarId| match traffic.elements.get(v) {
        Some(Some(index)) => traffic.injective(index, counter),
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

#[derive(Default)]
struct Traffic {
    reads: HashSet<VarId>,
    added: HashSet<VarId>,
    declared: HashSet<VarId>,
    overwritten: HashSet<VarId>,
    /// The index with which a root is touched, `None` if there is more than one or another projection.
    elements: HashMap<VarId, Option<Expr>>,
    /// Something whose order matters by itself.
    ordered: bool,
}

impl Traffic {
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
            [Proj::Index(e)] | [Proj::Deref, Proj::Index(e)] => Some(e.clone()),
            _ => None,
        };
        match self.elements.get_mut(&place.root) {
            None => {
                self.elements.insert(place.root, index);
            }
            Some(known) => {
                let same = matches!((&*known, &index), (Some(a), Some(b)) if same_index(a, b));
                if !same {
                    *known = None;
                }
            }
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

    /// Whether different values of the counter give different values of `index`.
    fn injective(&self, index: &Expr, counter: VarId) -> bool {
        match &index.kind {
            ExprKind::Read(p) => p.is_var() && p.root == counter,
            ExprKind::Binary(BinOp::Add | BinOp::Sub, a, b) => {
                (self.injective(a, counter) && self.fixed(b, counter))
                    || (self.fixed(a, counter) && self.injective(b, counter))
            }
            _ => false,
        }
    }

    fn fixed(&self, e: &Expr, counter: VarId) -> bool {
        let mut fixed = true;
        expr_reads(e, &mut |p| {
            fixed &= p.is_var()
                && p.root != counter
                && !self.declared.contains(&p.root)
                && !self.overwritten.contains(&p.root);
        });
        fixed
    }
}

/// Structural equality of index expressions over variables and literals.
fn same_index(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Lit(x), ExprKind::Lit(y)) => x == y,
        (ExprKind::Read(p), ExprKind::Read(q)) => p.is_var() && q.is_var() && p.root == q.root,
        (ExprKind::Binary(f, a, b), ExprKind::Binary(g, c, d)) => {
            f == g && same_index(a, c) && same_index(b, d)
        }
        _ => false,
    }
}
