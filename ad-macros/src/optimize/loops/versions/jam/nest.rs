//! Iterations that go through several loops side by side.

use crate::ir::faults::Fault;
use crate::ir::lanes::InRegisters;
use crate::ir::versions::{Check, Function, Window, Windows};
use crate::ir::{
    BinOp, Block, Domain, Expr, JammedNest, Loop, LoopId, NestPart, Place, SideBySide,
    SlicedSegment, Stmt, StmtKind, Ty, VarId,
};

use super::{Maker, Numbered};

/// The first of the iterations that run at once: its number, and the counters of it and of the last, as indices.
struct Corner {
    rows: Numbered,
    first: VarId,
    last: VarId,
}

impl Maker<'_> {
    /// The versions of a nest that is jammed.
    pub(in super::super) fn jammed_nest(&mut self, nest: &JammedNest, this: &Loop) -> Block {
        self.several_at_once(this, &nest.lanes, &nest.range, &|maker, rows| {
            maker.nest_block(nest, rows)
        })
    }

    /// All iterations, if they are enough for the lanes: the last ones with some of those in front of them.
    fn nest_block(&mut self, nest: &JammedNest, rows: &Numbered) -> Block {
        let lanes = &nest.lanes;
        let [done, n, together] = [
            self.read(rows.done),
            self.read(rows.n),
            self.count(lanes.together),
        ];
        let few = self.binary(BinOp::Lt, n.clone(), together.clone(), Ty::Bool);
        let at = self.index("__at");
        let last_block = self.binary(BinOp::Sub, n.clone(), together.clone(), Ty::USIZE);
        let begin = self.function(Function::Min, vec![done.clone(), last_block], Ty::USIZE);
        let mut each = vec![self.declare(at, begin)];
        let [first, last] =
            ["__first_row", "__last_row"].map(|name| self.func.temp(name, Ty::Index, self.span));
        let start = self.checked(self.sum(self.read(rows.start), self.read(at)));
        let behind = self.checked(self.count(lanes.together - 1));
        let end = self.binary(BinOp::Add, self.read(first), behind, Ty::Index);
        each.extend([self.declare(first, start), self.declare(last, end)]);
        let corner = Corner {
            rows: Numbered {
                done: at,
                ..rows.clone()
            },
            first,
            last,
        };
        each.extend(self.kept_numbers(lanes));
        // What follows the loops may use these, too.
        let is_same = |part: &&NestPart| matches!(part, NestPart::Same(_));
        let (same, others): (Vec<_>, Vec<_>) = nest.body.iter().partition(is_same);
        self.nest_parts(same, lanes, &corner, &mut each);
        let mut inside = Vec::new();
        self.nest_parts(others, lanes, &corner, &mut inside);
        let inside = InRegisters {
            vars: lanes.kept.iter().map(|(_, numbers)| *numbers).collect(),
            body: Block { stmts: inside },
        };
        each.push(self.stmt(StmtKind::InRegisters(Box::new(inside))));
        each.extend(self.rows_behind(nest, &corner, done.clone()));
        let end = self.sum(self.read(at), together);
        each.push(self.stmt(StmtKind::Assign {
            place: Place::var(rows.done, self.span),
            value: end,
            init: false,
        }));
        let some = self.binary(BinOp::Lt, done, n, Ty::Bool);
        let stmts = vec![self.check(Check::Not(few)), self.as_long_as(some, each)];
        Block { stmts }
    }

    /// What follows the loops, for the iterations that are not done.
    fn rows_behind(&self, nest: &JammedNest, corner: &Corner, done: Expr) -> Option<Stmt> {
        let lanes = &nest.lanes;
        let n = self.count(lanes.together);
        let mut behind = self.segment(lanes, &corner.rows, &nest.after, &n, [false, true])?;
        if let StmtKind::Loop(this) = &mut behind.kind
            && let Domain::Range { range, .. } = &mut this.domain
            && !Fault::JammedNestTwice.is_on()
        {
            let at = self.read(corner.rows.done);
            range.lo = self.binary(BinOp::Sub, done, at, Ty::USIZE);
        }
        Some(behind)
    }

    fn nest_parts<'p>(
        &mut self,
        parts: impl IntoIterator<Item = &'p NestPart>,
        lanes: &SideBySide,
        corner: &Corner,
        stmts: &mut Vec<Stmt>,
    ) {
        for part in parts {
            match part {
                NestPart::Same(stmt) => stmts.push((**stmt).clone()),
                NestPart::Segment(sliced) => self.on_slices(sliced, lanes, corner, stmts),
                NestPart::Loop(this, inside) => {
                    let mut body = Vec::new();
                    self.nest_parts(inside, lanes, corner, &mut body);
                    stmts.push(self.stmt(StmtKind::Loop(Loop {
                        id: LoopId::MADE,
                        body: Block { stmts: body },
                        ..(**this).clone()
                    })));
                }
            }
        }
    }

    /// A segment for all lanes, behind the slices that it uses.
    fn on_slices(
        &self,
        sliced: &SlicedSegment,
        lanes: &SideBySide,
        corner: &Corner,
        stmts: &mut Vec<Stmt>,
    ) {
        let at = |e: &Expr, row| self.index_in_row(e, (lanes.counter, row), &sliced.ints);
        for var in &sliced.declared {
            let held = Expr::read_var(*var, Ty::USIZE, self.span);
            for row in [corner.first, corner.last] {
                stmts.push(self.check(Check::Fits(at(&held, row))));
            }
        }
        for (var, view) in &sliced.loads {
            stmts.push(self.window(Windows::Element {
                var: *var,
                of: view.of.clone(),
                at: at(&view.index, corner.first),
                copied: false,
            }));
        }
        let n = self.count(lanes.together);
        for (var, view) in &sliced.views {
            let window = Window {
                var: *var,
                of: view.of.clone(),
                first: at(&view.index, corner.first),
                last: at(&view.index, corner.last),
            };
            let len = n.clone();
            stmts.push(self.window(Windows::Read { window, len }));
        }
        let segment = &sliced.segment;
        stmts.extend(self.segment(lanes, &corner.rows, segment, &n, [false, false]));
    }
}
