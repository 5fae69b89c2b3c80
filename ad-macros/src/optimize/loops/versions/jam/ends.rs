//! The first and the last value of both counters of a jammed loop, and indices for values of them.

use crate::ir::versions::{Check, Function};
use crate::ir::{BinOp, Expr, ExprKind, Jam, RangeIter, Stmt, Ty, VarId};

use super::{Frame, Maker};

impl Maker<'_> {
    /// Where the columns start and how many they are.
    pub(super) fn jam_columns(&mut self, range: &RangeIter, frame: &Frame, stmts: &mut Vec<Stmt>) {
        let end = self.index("__column_end");
        for (var, bound) in [(frame.column_start, &range.lo), (end, &range.hi)] {
            let index = self.index_of(bound, &[]);
            stmts.push(self.check(Check::Number { var, index }));
        }
        let [lo, hi] = [frame.column_start, end].map(|v| self.read(v));
        let trips = self.trips(&RangeIter {
            lo,
            hi,
            ..range.clone()
        });
        stmts.push(self.declare(frame.columns, trips));
    }

    /// The first and the last value of both counters, and of the outer one the second.
    pub(super) fn jam_ends(&self, frame: &Frame, stmts: &mut Vec<Stmt>) {
        for ([first, last], start, n) in [
            (frame.ends, frame.rows.start, frame.rows.n),
            (frame.column_ends, frame.column_start, frame.columns),
        ] {
            let start = self.checked(self.read(start));
            let behind = self.binary(BinOp::Sub, self.read(n), self.count(1), Ty::USIZE);
            let end = self.binary(
                BinOp::Add,
                self.read(first),
                self.checked(behind),
                Ty::Index,
            );
            stmts.extend([self.declare(first, start), self.declare(last, end)]);
        }
        if let Some(second) = frame.second {
            stmts.push(self.declare(second, self.second(frame.rows.start, frame.rows.n)));
        }
    }

    /// The second of so many values, or the only one.
    pub(super) fn second(&self, start: VarId, n: VarId) -> Expr {
        let more = self.binary(BinOp::Gt, self.read(n), self.count(1), Ty::Bool);
        let one = self.function(Function::OneIf, vec![more], Ty::USIZE);
        self.checked(self.sum(self.read(start), one))
    }

    pub(super) fn checked(&self, number: Expr) -> Expr {
        self.function(Function::Checked, vec![number], Ty::Index)
    }

    /// An index; `named` tells what stands for variables.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "other indices are numbers as they stand"
    )]
    fn index_of(&self, e: &Expr, named: &[(VarId, &Expr)]) -> Expr {
        match &e.kind {
            ExprKind::Read(p) if let Some((_, held)) = named.iter().find(|(v, _)| *v == p.root) => {
                (*held).clone()
            }
            ExprKind::Binary(op, a, b) => {
                let [a, b] = [a, b].map(|e| self.index_of(e, named));
                let op = if matches!(op, BinOp::Add | BinOp::Sub) {
                    *op
                } else {
                    BinOp::Mul
                };
                self.binary(op, a, b, Ty::Index)
            }
            _ => self.checked(e.clone()),
        }
    }

    /// An index for a value of the counter, of which `ints` are computed, too.
    pub(super) fn index_in_row(
        &self,
        e: &Expr,
        (counter, row): (VarId, VarId),
        ints: &[(VarId, Expr)],
    ) -> Expr {
        self.index_by(e, vec![(counter, self.read(row))], ints)
    }

    /// An index for given values of both counters.
    pub(super) fn jam_index(&self, e: &Expr, jam: &Jam, row: VarId, column: VarId) -> Expr {
        let counters = [self.read(row), self.read(column)];
        let [row, column] = counters;
        let held = vec![(jam.lanes.counter, row), (jam.inner_counter, column)];
        self.index_by(e, held, &jam.ints)
    }

    /// An index for what is held in some variables, and in integers that are computed from them.
    fn index_by(&self, e: &Expr, mut held: Vec<(VarId, Expr)>, ints: &[(VarId, Expr)]) -> Expr {
        for (var, value) in ints {
            let value = self.index_of(value, &by_ref(&held));
            held.push((*var, value));
        }
        self.index_of(e, &by_ref(&held))
    }
}

fn by_ref(held: &[(VarId, Expr)]) -> Vec<(VarId, &Expr)> {
    held.iter().map(|(var, value)| (*var, value)).collect()
}
