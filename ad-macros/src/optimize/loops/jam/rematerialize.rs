//! What rows over a block of columns read again instead of keeping it.
//!
//! A number that an iteration reads in front of the inner loop and uses in it would be kept for all rows of a block, in
//! an array that is filled before the first of them runs. If it is an element of an array that no row changes, that
//! array would be a copy of a part of it.

use std::collections::BTreeSet;

use crate::ir::{ExprKind, Segment, Stmt, StmtKind, VarId, effects_of};

use super::build::{Builder, Kind};

impl Builder<'_, '_> {
    /// Moves such reads to where their values are used. Says which variables hold them.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other statements stay")]
    pub(in crate::optimize) fn read_again(&self, segments: &mut [Segment]) -> BTreeSet<VarId> {
        let Some((before, others)) = segments.split_first_mut() else {
            return BTreeSet::new();
        };
        let stmts = std::mem::take(&mut before.body.stmts);
        let again: Vec<(VarId, &Stmt)> = stmts
            .iter()
            .filter_map(|stmt| Some((self.unchanged_element(stmt)?, stmt)))
            .collect();
        for segment in others {
            let reads = effects_of(&segment.body.stmts).reads;
            let used = again.iter().filter(|(var, _)| reads.contains(var));
            let lets: Vec<Stmt> = used.map(|(_, stmt)| (*stmt).clone()).collect();
            segment.body.stmts.splice(0..0, lets);
        }
        let again: BTreeSet<VarId> = again.into_iter().map(|(var, _)| var).collect();
        let reads = effects_of(&stmts).reads;
        let idle = |stmt: &Stmt| match &stmt.kind {
            StmtKind::Let { var, .. } => again.contains(var) && !reads.contains(var),
            _ => false,
        };
        before.body.stmts = stmts.into_iter().filter(|stmt| !idle(stmt)).collect();
        again
    }

    /// The variable, if a statement does nothing but name an element that stays as it is, and so does the variable.
    fn unchanged_element(&self, stmt: &Stmt) -> Option<VarId> {
        let (var, init) = stmt.definition(self.func)?;
        let ExprKind::Read(place) = &init.kind else {
            return None;
        };
        let slice = self.slices.iter().find(|s| s.var == place.root)?;
        let stays = matches!(slice.kind, Kind::Along | Kind::Load)
            && !self.written.contains(&slice.root)
            && !self.nest.records.contains(&var);
        stays.then_some(var)
    }
}
