//! `mul_add` in sums of products that belong to adjoints.
//!
//! Rounds once instead of twice, so it is for adjoints alone: a value keeps its bits, also where it is computed again
//! in the reverse sweep. The runtime falls back to a product and a sum where the target has no such instruction.

use crate::ir::edit::blocks_mut;
use crate::ir::faults::Fault;
use crate::ir::{
    BinOp, Block, Class, Expr, ExprKind, Func, Jam, NestPart, Place, Plan, Proj, Rule, Sliced,
    Stmt, StmtKind, UnOp,
};

/// Changes `bar += a * b` wherever `bar` is named at no cost.
pub(in crate::optimize) fn fuse(func: &Func, stmts: &mut [Stmt]) {
    Fusion { func }.stmts(stmts);
}

struct Fusion<'a> {
    func: &'a Func,
}

impl Fusion<'_> {
    fn stmts(&self, stmts: &mut [Stmt]) {
        for stmt in stmts {
            if let Some(fused) = self.fused(stmt) {
                stmt.kind = fused;
            }
            if let StmtKind::Loop(this) = &mut stmt.kind {
                match &mut this.plan {
                    Some(Plan::Windows(sliced)) => self.sliced(sliced),
                    Some(Plan::Jam(jam)) => self.jam(jam),
                    Some(Plan::JammedNest(nest)) => {
                        self.nest(&mut nest.body);
                        self.block(&mut nest.after.body);
                    }
                    // What time tiles do is planned later.
                    Some(Plan::Products(_) | Plan::Tiles(_)) | None => {}
                }
            }
            for block in blocks_mut(stmt) {
                self.block(block);
            }
        }
    }

    fn nest(&self, parts: &mut [NestPart]) {
        for part in parts {
            match part {
                NestPart::Same(_) => {}
                NestPart::Segment(sliced) => self.block(&mut sliced.segment.body),
                NestPart::Loop(_, inside) => self.nest(inside),
            }
        }
    }

    fn sliced(&self, sliced: &mut Sliced) {
        self.block(&mut sliced.body);
        if let Some(split) = &mut sliced.split {
            self.block(&mut split.contributions);
            self.block(&mut split.rest);
            for combined in &mut split.combined {
                self.block(&mut combined.body);
            }
        }
    }

    fn jam(&self, jam: &mut Jam) {
        for segment in [&mut jam.before, &mut jam.inside, &mut jam.after] {
            self.block(&mut segment.body);
        }
        self.block(&mut jam.finish);
        if let Some(deferred) = &mut jam.deferred {
            self.jam(&mut deferred.jam);
        }
    }

    fn block(&self, block: &mut Block) {
        self.stmts(&mut block.stmts);
    }

    fn fused(&self, stmt: &Stmt) -> Option<StmtKind> {
        let StmtKind::Update { place, op, value } = &stmt.kind else {
            return None;
        };
        let ExprKind::Binary(BinOp::Mul, a, b) = &value.kind else {
            return None;
        };
        let is_value = self.func.var(place.root).class == Class::Primal;
        if is_value && !Fault::ValueMulAdded.is_on() || !value.ty.is_float() || !is_cheap(place) {
            return None;
        }
        let new = |kind| Expr::new(kind, value.ty.clone(), value.span);
        let first = if *op == BinOp::Sub {
            new(ExprKind::Unary(UnOp::Neg, a.clone()))
        } else {
            (**a).clone()
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
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what is not named keeps the pass from applying"
)]
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
