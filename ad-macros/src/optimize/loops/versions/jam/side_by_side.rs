//! Iterations side by side: the statements in front of the inner loop for one after the other, then the inner loop for
//! all of them, then what follows it.

use crate::ir::lanes::{InRegisters, Lanes, Matrix, Panel, PerLane};
use crate::ir::versions::{
    Buffer, BufferKind, Disjoint, Function, Kernel, Output, Window, Windows,
};
use crate::ir::{
    BinOp, Block, Expr, ExprKind, Jam, Order, Place, Segment, SideBySide, Stmt, StmtKind, Ty,
    VarId, literal,
};

use super::{Corners, Frame, Maker, Numbered};

/// Matrices whose rows lie across the iterations, each with what stands for the part of a row.
type Across = [Vec<(VarId, VarId)>; 2];

impl Maker<'_> {
    /// All iterations, as many at a time as run side by side.
    pub(super) fn side_by_side_in_passes(
        &mut self,
        jam: &Jam,
        frame: &Frame,
        stmts: &mut Vec<Stmt>,
    ) {
        let across = self.across(jam, frame, stmts);
        let together = self.count(jam.lanes.together);
        let [done, n] = [frame.rows.done, frame.rows.n].map(|v| self.read(v));
        let left = self.binary(BinOp::Sub, n, done, Ty::USIZE);
        let enough = self.binary(BinOp::Ge, left, together.clone(), Ty::Bool);
        let mut each = self.narrow_along(jam, frame, &together);
        each.extend(self.windows_of_lanes(jam, frame));
        each.extend(self.kept_numbers(&jam.lanes));
        each.extend(self.segment(
            &jam.lanes,
            &frame.rows,
            &jam.before,
            &together,
            [true, false],
        ));
        let inside = self.inner_loop(jam, frame, &across);
        let inside = InRegisters {
            vars: kept_inside(jam),
            body: Block { stmts: inside },
        };
        each.push(self.stmt(StmtKind::InRegisters(Box::new(inside))));
        each.extend(self.segment(
            &jam.lanes,
            &frame.rows,
            &jam.after,
            &together,
            [false, true],
        ));
        each.push(self.advance(frame.rows.done, together));
        stmts.push(self.as_long_as(enough, each));
    }

    /// From here on, windows along the outer loop are those of the iterations that run side by side.
    pub(super) fn narrow_along(&self, jam: &Jam, frame: &Frame, len: &Expr) -> Vec<Stmt> {
        let narrow = |vars: Vec<VarId>, written| {
            self.window(Windows::Narrow {
                vars,
                written,
                from: self.read(frame.rows.done),
                len: len.clone(),
            })
        };
        let reads: Vec<VarId> = jam.views.iter().map(|(var, _)| *var).collect();
        let edits: Vec<VarId> = jam.edits.iter().flatten().map(|(var, _)| *var).collect();
        let both = [(reads, false), (edits, true)].into_iter();
        let some = both.filter(|(vars, _)| !vars.is_empty());
        some.map(|(vars, written)| narrow(vars, written)).collect()
    }

    /// The windows of each iteration along the inner loop.
    fn windows_of_lanes(&mut self, jam: &Jam, frame: &Frame) -> Vec<Stmt> {
        let [column, column_last] = frame.column_ends;
        let mut stmts = Vec::new();
        for (list, written) in [(&jam.rows, false), (&jam.row_edits, true)] {
            for (var, view) in list {
                let at = self.func.temp("__at_lane", Ty::Index, self.span);
                let first = self.sum(self.read(frame.rows.start), self.read(frame.rows.done));
                let number = self.checked(self.sum(first, self.read(jam.lanes.lane)));
                let window = Window {
                    var: *var,
                    of: view.of.clone(),
                    first: self.jam_index(&view.index, jam, at, column),
                    last: self.jam_index(&view.index, jam, at, column_last),
                };
                let info = self.func.var_mut(*var);
                let lanes = literal::length(jam.lanes.together, self.span);
                info.ty = Ty::Array(
                    Box::new(Ty::Slice(Box::new(info.ty.element()))),
                    Some(lanes),
                );
                info.mutable = written;
                stmts.push(
                    self.window(Windows::PerLane(Box::new(PerLane {
                        window,
                        row: view
                            .row
                            .as_ref()
                            .map(|row| self.jam_index(row, jam, at, column)),
                        written,
                        lanes: jam.lanes.together,
                        lane: jam.lanes.lane,
                        at: (at, number),
                        len: self.read(frame.columns),
                    }))),
                );
            }
        }
        stmts
    }

    /// Numbers for each iteration of what lives on from one segment to another.
    pub(super) fn kept_numbers(&mut self, lanes: &SideBySide) -> Vec<Stmt> {
        let all = lanes.kept.iter().map(|(var, numbers)| {
            let ty = self.func.var(*var).ty.clone();
            self.func.var_mut(*numbers).ty = Ty::Array(Box::new(ty), None);
            self.numbers(*numbers, Lanes::Count(lanes.together), false)
        });
        all.collect()
    }

    pub(super) fn numbers(&self, var: VarId, lanes: Lanes, ready: bool) -> Stmt {
        let kind = BufferKind::Numbers { lanes, ready };
        self.stmt(StmtKind::Buffer(Box::new(Buffer { var, kind })))
    }

    /// A segment for one iteration after the other, of so many; whether it begins them, and whether it ends them.
    pub(super) fn segment(
        &self,
        lanes: &SideBySide,
        rows: &Numbered,
        segment: &Segment,
        n: &Expr,
        [begins, ends]: [bool; 2],
    ) -> Option<Stmt> {
        let [begin, end] = rows.records.clone();
        let (begin, end) = (begin.filter(|_| begins), end.filter(|_| ends));
        let idle = segment.body.stmts.is_empty() && segment.leaves.is_empty();
        if idle && end.is_none() {
            return None;
        }
        let mut body = self.iteration_in_lane(lanes, rows);
        body.extend(begin);
        body.extend(self.in_lane(lanes, segment));
        body.extend(end);
        Some(self.counting(lanes.lane, n.clone(), Order::Forward, body))
    }

    /// The number of the iteration in a lane, and its counter.
    pub(super) fn iteration_in_lane(&self, lanes: &SideBySide, rows: &Numbered) -> Vec<Stmt> {
        let number = self.sum(self.read(rows.done), self.read(lanes.lane));
        vec![self.declare(rows.number, number), self.counter_of(rows)]
    }

    /// A segment, between what it takes from the numbers of its lane and what it leaves there.
    pub(super) fn in_lane(&self, lanes: &SideBySide, segment: &Segment) -> Vec<Stmt> {
        let mut stmts = self.take(lanes, &segment.takes);
        stmts.extend(segment.body.stmts.iter().cloned());
        stmts.extend(self.leave(lanes, segment));
        stmts
    }

    pub(super) fn take(&self, lanes: &SideBySide, vars: &[VarId]) -> Vec<Stmt> {
        let take = |var: &VarId| {
            let ty = self.func.var(*var).ty.clone();
            let kept = self.kept_in_lane(lanes, *var);
            let value = Expr::new(ExprKind::Read(kept), ty, self.span);
            self.declare(*var, value)
        };
        vars.iter().map(take).collect()
    }

    pub(super) fn leave(&self, lanes: &SideBySide, segment: &Segment) -> Vec<Stmt> {
        let leave = |var: &VarId| {
            self.stmt(StmtKind::Assign {
                place: self.kept_in_lane(lanes, *var),
                value: self.read(*var),
                init: false,
            })
        };
        segment.leaves.iter().map(leave).collect()
    }

    /// Where a variable is kept that lives on.
    fn kept_in_lane(&self, lanes: &SideBySide, var: VarId) -> Place {
        let kept = lanes.kept.iter().find(|(v, _)| *v == var);
        let (_, numbers) = kept.unwrap_or_else(|| unreachable!("it is kept"));
        self.element(*numbers, vec![self.read(lanes.lane)])
    }

    /// The inner loop for all iterations. If it writes windows, it has them to itself, as loops on windows have.
    fn inner_loop(&mut self, jam: &Jam, frame: &Frame, across: &Across) -> Vec<Stmt> {
        let panels = self.panels_across(jam, frame, across);
        let mut run: Vec<Stmt> = Vec::new();
        let mut body = Vec::new();
        let inner = self.sum(self.read(frame.column_start), self.read(jam.column));
        body.push(self.declare(jam.inner_counter, inner));
        for ((list, written), panels) in [(&across[0], false), (&across[1], true)]
            .iter()
            .zip(&panels)
        {
            for ((part, _), (panel, _)) in list.iter().zip(panels) {
                body.push(self.row_of(*part, *panel, self.read(jam.column), *written));
            }
        }
        let together = self.count(jam.lanes.together);
        body.extend(self.segment(
            &jam.lanes,
            &frame.rows,
            &jam.inside,
            &together,
            [false, false],
        ));
        for ((part, _), (panel, _)) in across[1].iter().zip(&panels[1]) {
            body.push(self.set_row(Kernel::SetRow, *panel, vec![self.read(jam.column)], *part));
        }
        run.extend(panels.into_iter().flatten().map(|(_, panel)| panel));
        let from = match &jam.terms {
            Some(terms) => {
                let (at, stmts) = self.four_columns(jam, frame, terms);
                run.extend(stmts);
                self.read(at)
            }
            None => self.count(0),
        };
        run.push(self.counting_from(jam.column, [from, self.read(frame.columns)], body));
        self.to_itself(jam, frame, run)
    }

    fn to_itself(&self, jam: &Jam, frame: &Frame, run: Vec<Stmt>) -> Vec<Stmt> {
        let vars = |list: &[(VarId, _)]| list.iter().map(|(var, _)| *var).collect::<Vec<_>>();
        let (reads, rows) = (vars(&jam.shared), vars(&jam.rows));
        let (edits, row_edits) = (vars(&jam.shared_edits), vars(&jam.row_edits));
        let is_known = |var: &VarId| self.func.var(*var).ty.element().is_spelled_out();
        let is_known_in_lanes = |var: &VarId| {
            let element = self.func.var(*var).ty.element();
            element.element().is_spelled_out()
        };
        let known = reads.iter().chain(&edits).all(is_known)
            && rows.iter().chain(&row_edits).all(is_known_in_lanes);
        let len = self.read(frame.columns);
        if known && !(edits.is_empty() && row_edits.is_empty()) {
            return vec![self.stmt(StmtKind::Disjoint(Box::new(Disjoint {
                reads: reads.into_iter().chain(rows).collect(),
                edits: edits.into_iter().chain(row_edits).collect(),
                len,
                body: Block { stmts: run },
            })))];
        }
        let all = [
            (reads, false),
            (edits, true),
            (rows, false),
            (row_edits, true),
        ];
        let some = all.into_iter().filter(|(vars, _)| !vars.is_empty());
        let narrow = some.map(|(vars, written)| {
            self.window(Windows::Narrow {
                vars,
                written,
                from: self.count(0),
                len: len.clone(),
            })
        });
        narrow.chain(run).collect()
    }

    /// Matrices whose rows go with the iterations of the inner loop, and lie across those of the outer one.
    fn across(&mut self, jam: &Jam, frame: &Frame, stmts: &mut Vec<Stmt>) -> Across {
        let mut across = Across::default();
        if jam.across.is_empty() && jam.across_edits.is_empty() {
            return across;
        }
        let second = self.func.temp("__second_column", Ty::Index, self.span);
        stmts.push(self.declare(second, self.second(frame.column_start, frame.columns)));
        let [first, last] = frame.ends;
        let [column, column_last] = frame.column_ends;
        for (list, written) in [(&jam.across, false), (&jam.across_edits, true)] {
            for (part, view) in list {
                let at = |row, column| self.jam_index(&view.index, jam, row, column);
                let corners = match &view.row {
                    Some(row) => Corners::List {
                        rows: [column, second, column_last]
                            .map(|column| self.jam_index(row, jam, first, column)),
                        columns: frame.ends.map(|row| at(row, column)),
                    },
                    None => Corners::Array {
                        starts: [column, second, column_last].map(|column| at(first, column)),
                        ends: [column, column_last].map(|column| at(last, column)),
                    },
                };
                let matrix = Matrix {
                    of: view.of.clone(),
                    corners,
                    rows: self.read(frame.columns),
                    len: self.read(frame.rows.n),
                };
                let (var, rows) = self.named_rows(*part, written, matrix);
                stmts.push(rows);
                across[usize::from(written)].push((*part, var));
            }
        }
        across
    }

    /// The panels of the iterations that run side by side.
    fn panels_across(
        &mut self,
        jam: &Jam,
        frame: &Frame,
        across: &Across,
    ) -> [Vec<(VarId, Stmt)>; 2] {
        [(&across[0], false), (&across[1], true)].map(|(list, written)| {
            let panels = list.iter().map(|(part, matrix)| {
                let var = self.like(*part, "panel", written);
                let panel = Panel {
                    var,
                    of: *matrix,
                    written,
                    width: Lanes::Count(jam.lanes.together),
                    row: self.count(0),
                    rows: self.read(frame.columns),
                    column: self.read(frame.rows.done),
                };
                (var, self.window(Windows::Panel(Box::new(panel))))
            });
            panels.collect()
        })
    }

    /// Declares the numbers of a row of a panel.
    pub(super) fn row_of(&mut self, var: VarId, panel: VarId, row: Expr, written: bool) -> Stmt {
        let args = vec![self.read(panel), row];
        self.side_by_side_as(var, written);
        let value = self.function(Function::Row, args, self.func.var(var).ty.clone());
        self.declare(var, value)
    }

    /// A window stands for numbers of it in registers.
    pub(super) fn side_by_side_as(&mut self, var: VarId, written: bool) {
        let info = self.func.var_mut(var);
        info.ty = Ty::Array(Box::new(info.ty.element()), None);
        info.mutable = written;
    }

    /// Puts numbers into a row of a panel, or into a window.
    pub(super) fn set_row(
        &self,
        kernel: Kernel,
        to: VarId,
        mut at: Vec<Expr>,
        values: VarId,
    ) -> Stmt {
        at.push(self.read(values));
        let output = Output::Place(Place::var(to, self.span));
        self.kernel(kernel, at, vec![output], Vec::new())
    }
}

/// The numbers that the inner loop uses of what lives on.
fn kept_inside(jam: &Jam) -> Vec<VarId> {
    let segment = &jam.inside;
    let used = |var: &VarId| segment.takes.contains(var) || segment.leaves.contains(var);
    let kept = jam.lanes.kept.iter().filter(|(var, _)| used(var));
    kept.map(|(_, lanes)| *lanes).collect()
}
