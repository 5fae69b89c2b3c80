//! Loops over a range that run to its end, of either sweep.

use super::{Block, LoopKind, Order, RangeIter, RevKind, Stmt, StmtKind, VarId};

/// Why a loop is not among them, for reports.
pub(crate) const NO_RANGE: &str = "the loop is no `for` over a range that runs to its end";

/// What all of them have.
#[derive(Clone, Copy)]
pub(crate) struct CountingLoop<'a> {
    pub(crate) counter: VarId,
    pub(crate) range: &'a RangeIter,
    pub(crate) body: &'a Block,
    /// Forward in the forward sweep.
    pub(crate) order: Order,
    pub(crate) reverse: bool,
    /// What each iteration leaves on the tape, or takes off it, if there is room for all of them (`StripLoop`).
    pub(crate) strip: Option<&'a [VarId]>,
}

impl Stmt {
    /// Whether it is a loop of either sweep, as it is before several iterations are put together.
    pub(crate) fn is_loop(&self) -> bool {
        matches!(
            self.kind,
            StmtKind::Loop { .. }
                | StmtKind::RevLoop { .. }
                | StmtKind::StripLoop { .. }
                | StmtKind::RevStripLoop { .. }
                | StmtKind::Parallel(_)
        )
    }

    /// Whether it is a loop, or has one inside.
    pub(crate) fn holds_loop(&self) -> bool {
        let mut inner = self.kind.blocks().into_iter().flat_map(|b| &b.stmts);
        self.is_loop() || inner.any(Stmt::holds_loop)
    }

    /// `None` if it is no loop, or one whose iterations are counted on the tape or that can be left early.
    pub(crate) fn counting(&self) -> Option<CountingLoop<'_>> {
        let (counter, range, body, order, reverse, strip) = match &self.kind {
            StmtKind::Loop {
                kind: LoopKind::For { var, range },
                body,
                exit: None,
                ..
            } => (var, range, body, Order::Forward, false, None),
            StmtKind::StripLoop {
                counter,
                range,
                vars,
                body,
                ..
            } => (counter, range, body, Order::Forward, false, Some(vars)),
            StmtKind::RevLoop {
                kind:
                    RevKind::For {
                        var,
                        range,
                        trips: None,
                    },
                body,
                order,
            } => (var, range, body, *order, true, None),
            StmtKind::RevStripLoop {
                counter,
                range,
                vars,
                body,
                order,
                ..
            } => (counter, range, body, *order, true, Some(vars)),
            _ => return None,
        };
        Some(CountingLoop {
            counter: *counter,
            range,
            body,
            order,
            reverse,
            strip: strip.map(Vec::as_slice),
        })
    }
}
