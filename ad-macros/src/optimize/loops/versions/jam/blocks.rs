//! Iterations over blocks of columns, which stay in registers: all of them over one block after the other.

use crate::ir::lanes::{Lanes, Panel};
use crate::ir::versions::{Function, Kernel, Windows};
use crate::ir::{
    BinOp, Block, Expr, ExprKind, Jam, Order, Product, Stmt, StmtKind, Ty, VarId, View,
};

use super::{Along, Frame, Maker};

/// What blocks of columns are loaded from: for each window that the plan names, which stands for the numbers of it in
/// registers, the window or the matrix itself.
struct Columns {
    reads: Vec<(VarId, VarId)>,
    edits: Vec<(VarId, VarId)>,
    rows: Vec<(VarId, VarId)>,
    row_edits: Vec<(VarId, VarId)>,
}

/// A block of columns: the first one, and how many others have already, if it is not a whole one.
#[derive(Clone, Copy)]
struct Place {
    at: VarId,
    skip: Option<VarId>,
}

impl Maker<'_> {
    /// All iterations over blocks of columns. The factors of products are left in stores: those of columns in front of
    /// all iterations, those of rows when they are known.
    pub(super) fn in_blocks(
        &mut self,
        (jam, products): (&Jam, &[Product]),
        frame: &Frame,
        along: Along,
        stmts: &mut Vec<Stmt>,
    ) {
        let columns = self.matrices(jam, frame, along, stmts);
        for product in products {
            stmts.push(self.begin_product(jam, frame, product, &columns.reads));
        }
        let (height, rows) = (self.index("__height"), self.index("__rows"));
        let [done, n] = [frame.rows.done, frame.rows.n].map(|v| self.read(v));
        let most = Function::PanelHeight(jam.lanes.together);
        let most = self.function(most, vec![self.read(frame.columns)], Ty::USIZE);
        stmts.push(self.declare(height, most));
        let left = self.binary(BinOp::Sub, n.clone(), done.clone(), Ty::USIZE);
        let number = self.function(Function::Min, vec![left, self.read(height)], Ty::USIZE);
        let mut each = vec![self.declare(rows, number)];
        let rows = self.read(rows);
        each.extend(self.narrow_along(jam, frame, &rows));
        each.extend(self.kept_numbers(&jam.lanes));
        each.extend(self.segment(&jam.lanes, &frame.rows, &jam.before, &rows, [true, false]));
        for product in products {
            each.extend(self.rows_of_product(jam, frame, product, &rows));
        }
        each.extend(self.over_blocks(jam, frame, &columns, &rows));
        each.extend(self.segment(&jam.lanes, &frame.rows, &jam.after, &rows, [false, true]));
        each.push(self.advance(frame.rows.done, rows));
        let some = self.binary(BinOp::Lt, done, n, Ty::Bool);
        stmts.push(self.as_long_as(some, each));
    }

    /// The rows of all iterations.
    fn matrices(
        &mut self,
        jam: &Jam,
        frame: &Frame,
        [reads, edits]: Along,
        stmts: &mut Vec<Stmt>,
    ) -> Columns {
        let mut of = |list: &[(VarId, View)], written| {
            let mut made = Vec::new();
            for (var, view) in list {
                let matrix = self.rows_along(view, jam, frame);
                let (matrix, rows) = self.named_rows(*var, written, matrix);
                stmts.push(rows);
                made.push((*var, matrix));
            }
            made
        };
        let (rows, row_edits) = (of(&jam.rows, false), of(&jam.row_edits, true));
        Columns {
            reads,
            edits,
            rows,
            row_edits,
        }
    }

    /// One block of columns after the other. Columns that are left are the end of a block that reaches back to columns
    /// which are done, and leaves those as they are.
    fn over_blocks(
        &mut self,
        jam: &Jam,
        frame: &Frame,
        columns: &Columns,
        rows: &Expr,
    ) -> Vec<Stmt> {
        if jam.inside.body.stmts.is_empty() && jam.finish.stmts.is_empty() {
            return Vec::new();
        }
        let (at, end) = (self.count_of("__column_at"), self.index("__column_at"));
        let skip = self.index("__skip");
        let all = self.read(frame.columns);
        let panel = self.function(Function::Panel, Vec::new(), Ty::USIZE);
        let minus = |a: Expr, b: Expr| self.binary(BinOp::Sub, a, b, Ty::USIZE);
        let left = minus(all.clone(), self.read(at));
        let enough = self.binary(BinOp::Ge, left, panel.clone(), Ty::Bool);
        let last = minus(all.clone(), panel.clone());
        let done = minus(self.read(at), last.clone());
        let some = self.binary(BinOp::Lt, self.read(at), all, Ty::Bool);
        let mut whole = self.over_block(jam, frame, columns, rows, Place { at, skip: None });
        whole.push(self.advance(at, panel));
        let mut rest = vec![self.declare(skip, done), self.declare(end, last)];
        let place = Place {
            at: end,
            skip: Some(skip),
        };
        rest.extend(self.over_block(jam, frame, columns, rows, place));
        vec![
            self.declare(at, self.count(0)),
            self.as_long_as(enough, whole),
            self.stmt(StmtKind::Switch {
                selector: some,
                arms: vec![Block { stmts: rest }, Block::default()],
            }),
        ]
    }

    /// All rows over one block of columns, which are loaded in front of them and stored behind them.
    fn over_block(
        &mut self,
        jam: &Jam,
        frame: &Frame,
        columns: &Columns,
        rows: &Expr,
        place: Place,
    ) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        let loaded = [(&columns.reads, false), (&columns.edits, true)];
        for ((var, window), written) in loaded
            .into_iter()
            .flat_map(|(list, written)| list.iter().map(move |one| (one, written)))
        {
            let args = vec![self.read(*window), self.read(place.at)];
            self.side_by_side_as(*var, written);
            let ty = self.func.var(*var).ty.clone();
            let value = self.function(Function::LoadPanel, args, ty);
            stmts.push(self.declare(*var, value));
        }
        stmts.extend(self.begin_columns(jam, frame, place));
        stmts.extend(self.rows_over_block(jam, frame, columns, rows, place));
        if !jam.finish.stmts.is_empty() {
            let body = jam.finish.stmts.clone();
            stmts.push(self.each_column(jam, frame, place, body));
        }
        for (var, window) in &columns.edits {
            let (kernel, at) = self.store(place, Kernel::StorePanel, Kernel::StorePanelEnd);
            let at = [vec![self.read(place.at)], at].concat();
            stmts.push(self.set_row(kernel, *window, at, *var));
        }
        stmts
    }

    /// Whether all numbers of a block are stored, or how many are not.
    fn store(&self, place: Place, whole: Kernel, end: Kernel) -> (Kernel, Vec<Expr>) {
        match place.skip {
            Some(skip) => (end, vec![self.read(skip)]),
            None => (whole, Vec::new()),
        }
    }

    /// What is computed for each column in front of the rows.
    fn begin_columns(&mut self, jam: &Jam, frame: &Frame, place: Place) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for (var, value) in &jam.begin {
            let zero = matches!(value.kind, ExprKind::Zero);
            self.side_by_side_as(*var, true);
            stmts.push(self.numbers(*var, Lanes::Panel, zero));
            if !zero {
                let set = self.stmt(StmtKind::Assign {
                    place: self.element(*var, vec![self.read(jam.column)]),
                    value: value.clone(),
                    init: false,
                });
                stmts.push(self.each_column(jam, frame, place, vec![set]));
            }
        }
        stmts
    }

    /// Runs code for each column of a block.
    fn each_column(&self, jam: &Jam, frame: &Frame, place: Place, code: Vec<Stmt>) -> Stmt {
        let start = self.sum(self.read(frame.column_start), self.read(place.at));
        let inner = self.sum(start, self.read(jam.column));
        let mut body = vec![self.declare(jam.inner_counter, inner)];
        body.extend(code);
        let panel = self.function(Function::Panel, Vec::new(), Ty::USIZE);
        self.counting(jam.column, panel, Order::Forward, body)
    }

    /// All rows over one block.
    fn rows_over_block(
        &mut self,
        jam: &Jam,
        frame: &Frame,
        columns: &Columns,
        rows: &Expr,
        place: Place,
    ) -> Vec<Stmt> {
        let (mut stmts, mut panels) = (Vec::new(), Vec::new());
        for (list, written) in [(&columns.rows, false), (&columns.row_edits, true)] {
            for (var, matrix) in list {
                let panel = self.like(*var, "panel", written);
                panels.push((*var, panel, written));
                stmts.push(self.window(Windows::Panel(Box::new(Panel {
                    var: panel,
                    of: *matrix,
                    written,
                    width: Lanes::Panel,
                    row: self.read(frame.rows.done),
                    rows: rows.clone(),
                    column: self.read(place.at),
                }))));
            }
        }
        let mut body = self.iteration_in_lane(&jam.lanes, &frame.rows);
        for (var, panel, written) in &panels {
            body.push(self.row_of(*var, *panel, self.read(jam.lanes.lane), *written));
        }
        body.extend(self.take(&jam.lanes, &jam.inside.takes));
        let inside = jam.inside.body.stmts.clone();
        body.push(self.each_column(jam, frame, place, inside));
        body.extend(self.leave(&jam.lanes, &jam.inside));
        for (var, panel, _) in panels.iter().filter(|(.., written)| *written) {
            let (kernel, skip) = self.store(place, Kernel::SetRow, Kernel::SetRowEnd);
            let at = [vec![self.read(jam.lanes.lane)], skip].concat();
            body.push(self.set_row(kernel, *panel, at, *var));
        }
        stmts.push(self.counting(jam.lanes.lane, rows.clone(), Order::Forward, body));
        stmts
    }
}
