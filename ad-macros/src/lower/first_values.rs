//! `let mut x: T;` of a type without a value of its own: which assignments are the first ones.
//!
//! Walks forward from the declaration. Every path meets an assignment of the whole variable before anything else that
//! names it, or the variable is left to those who give it a value that nothing reads.

use std::slice::IterMut;

use crate::ir::{Block, Stmt, StmtKind, VarId, mentions};

/// Marks the first assignments, if every path has one.
pub(super) fn mark(block: &mut Block, var: VarId) -> bool {
    let declares =
        |stmt: &Stmt| matches!(stmt.kind, StmtKind::Let { var: of, init: None } if of == var);
    if let Some(at) = block.stmts.iter().position(declares) {
        let behind = &mut block.stmts[at + 1..];
        let found = assigns_first(behind, var);
        if found {
            set_first(behind.iter_mut(), var);
        }
        return found;
    }
    let mut inner = block.stmts.iter_mut().flat_map(crate::ir::edit::blocks_mut);
    inner.any(|block| mark(block, var))
}

/// Whether every way through the statements assigns the variable before anything else names it, or leaves.
fn assigns_first(stmts: &[Stmt], var: VarId) -> bool {
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Assign { place, .. } if place.root == var && place.is_var() => return true,
            StmtKind::Jump(_) => return true,
            StmtKind::Switch { arms, .. } if mentions(stmt, var) => {
                return arms.iter().all(|arm| assigns_first(&arm.stmts, var));
            }
            _ if mentions(stmt, var) => return false,
            _ => {}
        }
    }
    false
}

fn set_first(stmts: IterMut<'_, Stmt>, var: VarId) {
    for stmt in stmts {
        let here = mentions(stmt, var);
        match &mut stmt.kind {
            StmtKind::Assign { init, .. } if here => *init = true,
            StmtKind::Switch { arms, .. } if here => {
                arms.iter_mut()
                    .for_each(|arm| set_first(arm.stmts.iter_mut(), var));
            }
            StmtKind::Jump(_) => return,
            _ => {}
        }
        if here {
            return;
        }
    }
}
