//! The versions of a jammed loop: as many iterations as have their windows run side by side, and the loop as it is goes
//! on from there.

mod blocks;
mod ends;
mod nest;
mod products;
mod side_by_side;
mod terms;

use crate::ir::lanes::{self, Corners, Matrix};
use crate::ir::versions::{Check, Function, Resume, Versioned, Window, Windows};
use crate::ir::{
    BinOp, Block, Deferred, Domain, Expr, Jam, Loop, LoopId, Place, Product, RangeIter, SideBySide,
    Stmt, StmtKind, Ty, VarId, View,
};

use super::Maker;
use super::numbered::{Numbered, Recorded};
use super::strips::has_one_strip;

/// What a jammed loop runs over, and the names of it.
struct Frame {
    rows: Numbered,
    /// The first value of the inner counter, and how many iterations the inner loop has.
    column_start: VarId,
    columns: VarId,
    ends: [VarId; 2],
    column_ends: [VarId; 2],
    /// The second value of the counter, if there is one.
    second: Option<VarId>,
}

impl Maker<'_> {
    /// The versions of a jammed loop.
    pub(super) fn jammed(&mut self, jam: &Jam, this: &Loop) -> Block {
        self.several_at_once(this, &jam.lanes, &jam.range, &|maker, rows| {
            maker.jam_block(jam, rows)
        })
    }

    /// The versions of a loop of which several iterations run at once in the fast one.
    fn several_at_once(
        &mut self,
        this: &Loop,
        lanes: &SideBySide,
        range: &RangeIter,
        fast: &dyn Fn(&mut Self, &Numbered) -> Block,
    ) -> Block {
        if this.strip.is_some() && has_one_strip(this) {
            return self.loop_in_strips(this);
        }
        self.numbered(this, range, |maker, this, of, recorded| {
            let over = this.strip.is_none().then(|| range.clone());
            maker.at_once_or_plain(this, (lanes.counter, over), of, recorded, fast)
        })
    }

    /// The loop over `n` iterations from `start` on.
    fn at_once_or_plain(
        &mut self,
        this: &Loop,
        (counter, range): (VarId, Option<RangeIter>),
        (start, n): (VarId, VarId),
        recorded: Recorded<'_>,
        fast: &dyn Fn(&mut Self, &Numbered) -> Block,
    ) -> Vec<Stmt> {
        let (done, number) = (self.count_of("__together"), self.index("__number"));
        let rows = Numbered {
            counter,
            start,
            n,
            done,
            number,
            records: self.records_of(recorded, number),
        };
        let fast = fast(self, &rows);
        let rest = self.as_they_stand(this, &rows, [self.read(done), self.read(n)]);
        let resume = Some(Resume {
            done,
            n,
            counter,
            range,
            does_more: false,
        });
        vec![
            self.declare(done, self.count(0)),
            self.stmt(StmtKind::Versioned(Box::new(Versioned {
                fast,
                plain: Block { stmts: vec![rest] },
                resume,
            }))),
        ]
    }

    /// `while condition`
    fn as_long_as(&self, condition: Expr, body: Vec<Stmt>) -> Stmt {
        let body = Block { stmts: body };
        let this = Loop::forward(LoopId::MADE, Domain::While(condition), body, None);
        self.stmt(StmtKind::Loop(this))
    }

    /// `var += by`
    fn advance(&self, var: VarId, by: Expr) -> Stmt {
        self.stmt(StmtKind::Update {
            place: Place::var(var, self.span),
            op: BinOp::Add,
            value: by,
        })
    }

    /// The fast version of a jammed loop.
    fn jam_block(&mut self, jam: &Jam, rows: &Numbered) -> Block {
        let [ends, column_ends] = ["row", "column"].map(|what| {
            ["first", "last"].map(|end| {
                self.func
                    .temp(&format!("__{end}_{what}"), Ty::Index, self.span)
            })
        });
        let frame = Frame {
            rows: rows.clone(),
            column_start: self.index("__column_start"),
            columns: self.index("__columns"),
            ends,
            column_ends,
            second: jam
                .blocks
                .then(|| self.func.temp("__second_row", Ty::Index, self.span)),
        };
        self.jam_fast(jam, &frame)
    }

    /// What runs side by side, as far as checks hold.
    fn jam_fast(&mut self, jam: &Jam, frame: &Frame) -> Block {
        let mut stmts = Vec::new();
        self.jam_columns(&jam.inner_range, frame, &mut stmts);
        let [n, columns] = [frame.rows.n, frame.columns].map(|v| self.read(v));
        let (few, narrow) = if jam.blocks {
            let panel = self.function(Function::Panel, Vec::new(), Ty::USIZE);
            let none = self.binary(BinOp::Eq, n, self.count(0), Ty::Bool);
            (none, self.binary(BinOp::Lt, columns, panel, Ty::Bool))
        } else {
            let few = self.binary(BinOp::Lt, n, self.count(jam.lanes.together), Ty::Bool);
            (
                few,
                self.binary(BinOp::Lt, columns, self.count(jam.least), Ty::Bool),
            )
        };
        let little = self.binary(BinOp::Or, few, narrow, Ty::Bool);
        stmts.push(self.check(Check::Not(little)));
        self.jam_ends(frame, &mut stmts);
        let plain = |maker: &mut Self| {
            let mut stmts = Vec::new();
            if !jam.only_deferred {
                maker.jam_run(jam, &[], frame, &mut stmts);
            }
            stmts
        };
        match &jam.deferred {
            Some(deferred) => {
                let wanted = self.wanted(jam, deferred, frame, &mut stmts);
                let mut with_stores = Vec::new();
                let Deferred { jam, products } = &**deferred;
                self.jam_run(jam, products, frame, &mut with_stores);
                let arms = [with_stores, plain(self)].map(|stmts| Block { stmts });
                stmts.push(self.stmt(StmtKind::Switch {
                    selector: wanted,
                    arms: arms.into(),
                }));
            }
            None => stmts.extend(plain(self)),
        }
        Block { stmts }
    }

    /// All iterations, of whose sums some wait in stores.
    fn jam_run(&mut self, jam: &Jam, products: &[Product], frame: &Frame, stmts: &mut Vec<Stmt>) {
        let along = self.jam_prelude(jam, frame, stmts);
        if jam.blocks {
            self.in_blocks((jam, products), frame, along, stmts);
        } else {
            self.side_by_side_in_passes(jam, frame, stmts);
        }
    }

    /// What does not change from block to block: what has to exist, and windows along one of the loops. Answers which
    /// window is for which variable of the inner loop: with blocks, the variable stands for numbers of it in registers.
    fn jam_prelude(&mut self, jam: &Jam, frame: &Frame, stmts: &mut Vec<Stmt>) -> Along {
        let [first, last] = frame.ends;
        let [column, _] = frame.column_ends;
        for part in &jam.parts {
            for row in [first, last] {
                stmts.extend(self.exists(part, &|e| self.jam_index(e, jam, row, column)));
            }
        }
        for (var, view) in &jam.loads {
            let at = self.jam_index(&view.index, jam, first, column);
            stmts.push(self.window(Windows::Element {
                var: *var,
                of: view.of.clone(),
                at,
                copied: false,
            }));
        }
        let [shared, shared_edits] = [&jam.shared, &jam.shared_edits].map(|list| {
            let windows = list.iter().map(|(var, view)| {
                let window = if jam.blocks {
                    self.window_of(*var)
                } else {
                    *var
                };
                (window, view.clone())
            });
            windows.collect::<Vec<_>>()
        });
        for (list, len) in [(&jam.views, frame.rows.n), (&shared, frame.columns)] {
            for (var, view) in list {
                let (window, len) = (self.jam_window(*var, view, jam, frame), self.read(len));
                stmts.push(self.window(Windows::Read { window, len }));
            }
        }
        for one in &shared_edits {
            let edits = self.jam_edits(std::slice::from_ref(one), frame.columns, jam, frame);
            stmts.push(edits);
        }
        for group in &jam.edits {
            let edits = self.jam_edits(group, frame.rows.n, jam, frame);
            stmts.push(edits);
        }
        [(&jam.shared, shared), (&jam.shared_edits, shared_edits)].map(|(vars, windows)| {
            let both = vars.iter().zip(windows);
            both.map(|((var, _), (window, _))| (*var, window)).collect()
        })
    }

    fn window_of(&mut self, var: VarId) -> VarId {
        let window = self.like(var, "window", false);
        self.func.var_mut(window).ty = Ty::Slice(Box::new(self.func.var(var).ty.element()));
        window
    }

    fn jam_edits(&mut self, group: &[(VarId, View)], len: VarId, jam: &Jam, frame: &Frame) -> Stmt {
        for (var, _) in group {
            self.func.var_mut(*var).mutable = true;
        }
        let windows = group
            .iter()
            .map(|(var, view)| self.jam_window(*var, view, jam, frame));
        self.window(Windows::Write {
            windows: windows.collect(),
            len: self.read(len),
        })
    }

    fn jam_window(&self, var: VarId, view: &View, jam: &Jam, frame: &Frame) -> Window {
        let [column, last] = frame.column_ends;
        Window {
            var,
            of: view.of.clone(),
            first: self.jam_index(&view.index, jam, frame.ends[0], column),
            last: self.jam_index(&view.index, jam, frame.ends[1], last),
        }
    }

    /// Rows of an array, one for each iteration of the outer loop.
    fn rows_along(&self, view: &View, jam: &Jam, frame: &Frame) -> Matrix {
        let [column, column_last] = frame.column_ends;
        let [first, last] = frame.ends;
        let second = frame.second.unwrap_or(last);
        let at = |row, column| self.jam_index(&view.index, jam, row, column);
        let corners = match &view.row {
            Some(which) => Corners::List {
                rows: [first, second, last].map(|row| self.jam_index(which, jam, row, column)),
                columns: frame.column_ends.map(|column| at(first, column)),
            },
            None => Corners::Array {
                starts: [first, second, last].map(|row| at(row, column)),
                ends: [first, last].map(|row| at(row, column_last)),
            },
        };
        Matrix {
            of: view.of.clone(),
            corners,
            rows: self.read(frame.rows.n),
            len: self.read(frame.columns),
        }
    }

    /// Rows have a name, after the variable that stands for a part of one.
    fn named_rows(&mut self, part: VarId, written: bool, matrix: Matrix) -> (VarId, Stmt) {
        let var = self.like(part, "matrix", written);
        let rows = lanes::Rows {
            var,
            written,
            matrix,
        };
        (var, self.window(Windows::Rows(Box::new(rows))))
    }

    /// A variable that is named after another one.
    fn like(&mut self, var: VarId, what: &str, written: bool) -> VarId {
        let name = self.func.var(var).name.to_string();
        let new = self.opaque(&format!("__{}_{what}", name.trim_start_matches("r#")));
        self.func.var_mut(new).mutable = written;
        new
    }
}

/// Windows along the inner loop that are read, and such that are written, each behind the variable that the body uses.
type Along = [Vec<(VarId, VarId)>; 2];
