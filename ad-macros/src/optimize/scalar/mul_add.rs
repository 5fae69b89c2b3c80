//! `mul_add` in sums of products that belong to adjoints.
//!
//! Rounds once instead of twice, so it is for adjoints alone: a value keeps its bits. What is computed again in the
//! reverse sweep has the variables of the function; those of this transformation have higher numbers, as have slices,
//! of which it is known what they are slices of. The runtime falls back to a product and a sum where the target has no
//! such instruction.

use std::collections::HashSet;

use crate::ir::edit::blocks_mut;
use crate::ir::{
    BinOp, Block, Expr, ExprKind, Jam, Place, Proj, Rule, Stmt, StmtKind, UnOp, VarId,
};

/// Changes `bar += a * b` wherever `bar` is named at no cost, for variables from `primal_vars` on.
pub(in crate::optimize) fn fuse(stmts: &mut [Stmt], primal_vars: u32) {
    let mut fusion = Fusion {
        primal_vars,
        values: HashSet::new(),
    };
    fusion.stmts(stmts);
}

struct Fusion {
    primal_vars: u32,
    /// Variables of later transformations that stand for variables of the function: slices, and what is added to them.
    values: HashSet<VarId>,
}

impl Fusion {
    fn stmts(&mut self, stmts: &mut [Stmt]) {
        for stmt in stmts {
            if let Some(fused) = self.fused(stmt) {
                stmt.kind = fused;
            }
            match &mut stmt.kind {
                StmtKind::Sliced(sliced) => {
                    let edits = sliced.edits.iter().flatten();
                    let slices = edits.map(|(var, view)| (*var, view.of.root));
                    let sums = sliced.sums.iter().map(|sum| (sum.source, sum.place.root));
                    self.note_values(slices.chain(sums).collect());
                    self.block(&mut sliced.body);
                    if let Some(split) = &mut sliced.split {
                        self.block(&mut split.contributions);
                        self.block(&mut split.rest);
                        for combined in &mut split.combined {
                            self.block(&mut combined.body);
                        }
                    }
                }
                StmtKind::Jam(jam) => self.jam(jam),
                _ => {}
            }
            for block in blocks_mut(stmt) {
                self.block(block);
            }
        }
    }

    fn jam(&mut self, jam: &mut Jam) {
        self.note_values(
            jam.written()
                .map(|(var, view)| (*var, view.of.root))
                .collect(),
        );
        for segment in [&mut jam.before, &mut jam.inside, &mut jam.after] {
            self.block(&mut segment.body);
        }
        self.block(&mut jam.finish);
        if let Some(deferred) = &mut jam.deferred {
            self.jam(&mut deferred.jam);
        }
    }

    fn block(&mut self, block: &mut Block) {
        self.stmts(&mut block.stmts);
    }

    /// Of new variables and what they stand for, notes those that stand for variables of the function.
    fn note_values(&mut self, new: Vec<(VarId, VarId)>) {
        for (var, root) in new {
            if self.is_value(root) {
                self.values.insert(var);
            }
        }
    }

    fn is_value(&self, var: VarId) -> bool {
        var.0 < self.primal_vars || self.values.contains(&var)
    }

    fn fused(&self, stmt: &Stmt) -> Option<StmtKind> {
        let StmtKind::Update { place, op, value } = &stmt.kind else {
            return None;
        };
        let ExprKind::Binary(BinOp::Mul, a, b) = &value.kind else {
            return None;
        };
        if self.is_value(place.root) || !value.ty.is_float() || !is_cheap(place) {
            return None;
        }
        let new = |kind| Expr::new(kind, value.ty.clone(), value.span);
        let first = match op {
            BinOp::Sub => new(ExprKind::Unary(UnOp::Neg, a.clone())),
            _ => (**a).clone(),
        };
        let sum = new(ExprKind::Read(place.clone()));
        Some(StmtKind::Assign {
            place: place.clone(),
            value: new(ExprKind::Rule(
                Rule::MulAdd,
                vec![first, (**b).clone(), sum],
            )),
            init: false,
        })
    }
}

/// Whether the place can be named twice: a variable, or an element whose index is one.
fn is_cheap(place: &Place) -> bool {
    place.proj.iter().all(|proj| match proj {
        Proj::Deref | Proj::Field(_) => true,
        Proj::Index(e) => match &e.kind {
            ExprKind::Lit(_) => true,
            ExprKind::Read(p) => p.is_var(),
            _ => false,
        },
        Proj::Range { .. } | Proj::Payload | Proj::Variant(_) | Proj::Unbox => false,
    })
}
