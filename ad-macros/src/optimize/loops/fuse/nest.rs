//! Loops inside of an iteration that runs forward and in reverse.
//!
//! Their records last from the forward part of the iteration to its reverse part only, so what other iterations do does
//! not depend on them: whether iterations are independent is asked of the body without these records. They must be gone
//! when the loops inside are fused.

use crate::analysis::dependence::disjoint::Across;
use crate::ir::edit::blocks_mut;
use crate::ir::{Block, Stmt, StmtKind};

use super::{Fusion, Unit, Verdicts};

impl Fusion<'_> {
    /// The body of an iteration, whose reverse part begins at `reverse`, with the loops inside fused.
    pub(in crate::optimize) fn nested(
        &self,
        stmts: Vec<Stmt>,
        reverse: usize,
        across: Across<'_>,
    ) -> Result<(Block, Verdicts), String> {
        let mut plain = Block { stmts };
        let stmts = plain.stmts.clone();
        forget_records(&mut plain.stmts);
        let records = || "a loop or a call in the body has records of its own".to_owned();
        if plain.stmts.iter().any(Stmt::uses_tape) {
            return Err(records());
        }
        // Positions are the same: only within loops are there records left.
        self.is_independent(&plain, reverse, across)?;
        let unit = |stmt| Unit::new(stmt, self.adjoints);
        let mut body = Fusion {
            units: stmts.into_iter().map(unit).collect(),
            ..*self
        };
        let inside = body.fuse_all();
        let stmts: Vec<Stmt> = body.units.into_iter().map(|unit| unit.stmt).collect();
        if stmts.iter().any(Stmt::uses_tape) {
            return Err(records());
        }
        Ok((Block { stmts }, inside))
    }
}

/// Takes the records of single iterations out of all loops.
fn forget_records(stmts: &mut [Stmt]) {
    for stmt in stmts {
        for block in blocks_mut(stmt) {
            let record = |stmt: &Stmt| {
                matches!(
                    stmt.kind,
                    StmtKind::PushRecord { .. } | StmtKind::PopRecord { .. }
                )
            };
            block.stmts.retain(|stmt| !record(stmt));
            forget_records(&mut block.stmts);
        }
        if let StmtKind::Loop(this) = &mut stmt.kind {
            this.strip = None;
        }
    }
}
