//! Loops inside of an iteration that runs forward and in reverse.

use crate::analysis::dependence::disjoint::Across;
use crate::ir::{Block, Stmt};

use super::independent::Outside;
use super::{Fusion, Unit, Verdicts};

impl Fusion<'_> {
    /// The body of an iteration, whose reverse part begins at `reverse`, with the loops inside fused.
    pub(in crate::optimize) fn nested(
        &self,
        stmts: Vec<Stmt>,
        reverse: usize,
        across: Across<'_>,
        outside: &Outside<'_>,
    ) -> Result<(Block, Verdicts), String> {
        let plain = Block { stmts };
        self.is_independent(&plain, reverse, across, outside)?;
        let unit = |stmt| Unit::new(stmt, self.adjoints);
        let mut body = Fusion {
            units: plain.stmts.into_iter().map(unit).collect(),
            ..*self
        };
        let inside = body.fuse_all();
        let stmts = body.units.into_iter().map(|unit| unit.stmt).collect();
        Ok((Block { stmts }, inside))
    }
}
