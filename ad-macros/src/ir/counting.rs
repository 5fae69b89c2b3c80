//! Loops over a range that run to its end, of either sweep.

use super::{Block, LoopKind, Order, RangeIter, RevKind, Stmt, StmtKind, VarId};

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
