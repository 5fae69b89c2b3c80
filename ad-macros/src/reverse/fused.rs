//! `mul_add` in sums of products that belong to adjoints.
//!
//! Rounds once instead of twice, so it is for adjoints alone: a value keeps its bits. What is computed again in the reverse
//! sweep has the variables of the function; those of this transformation have higher numbers. The runtime falls back to a
//! product and a sum where the target has no such instruction.

use crate::ir::edit::blocks_mut;
use crate::ir::{BinOp, Block, Expr, ExprKind, Place, Proj, Stmt, StmtKind, UnOp};

/// Changes `bar += a * b` wherever `bar` is named at no cost, for variables from `primal_vars` on.
pub(super) fn fuse(stmts: &mut [Stmt], primal_vars: u32) {
    for stmt in stmts {
        if let Some(fused) = fused(stmt, primal_vars) {
            stmt.kind = fused;
        }
        // What a region runs again is value code, though its slices have names of this transformation.
        match &mut stmt.kind {
            StmtKind::Sliced(sliced) if is_reverse(&sliced.plain) => {
                fuse_block(&mut sliced.body, primal_vars);
            }
            StmtKind::Jam(jam) if is_reverse(&jam.plain) => {
                for segment in [&mut jam.before, &mut jam.inside, &mut jam.after] {
                    fuse_block(&mut segment.body, primal_vars);
                }
            }
            _ => {}
        }
        for block in blocks_mut(stmt) {
            fuse_block(block, primal_vars);
        }
    }
}

fn is_reverse(plain: &Block) -> bool {
    plain.stmts.iter().all(|stmt| {
        matches!(
            stmt.kind,
            StmtKind::RevLoop { .. } | StmtKind::RevStripLoop { .. }
        )
    })
}

fn fuse_block(block: &mut Block, primal_vars: u32) {
    fuse(&mut block.stmts, primal_vars);
}

fn fused(stmt: &Stmt, primal_vars: u32) -> Option<StmtKind> {
    let StmtKind::Update { place, op, value } = &stmt.kind else {
        return None;
    };
    let ExprKind::Binary(BinOp::Mul, a, b) = &value.kind else {
        return None;
    };
    if place.root.0 < primal_vars || !value.ty.is_float() || !is_cheap(place) {
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
        value: new(ExprKind::Rule("mul_add", vec![first, (**b).clone(), sum])),
        init: false,
    })
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
        Proj::Range { .. } | Proj::Payload => false,
    })
}
