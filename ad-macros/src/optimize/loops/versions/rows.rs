//! Sums in rows of contributions, for one block of iterations after the other.

use std::collections::BTreeSet;

use crate::ir::versions::{
    Buffer, BufferKind, Function, Kernel, KernelBody, KernelCall, Output, Part, Shifted, Windows,
};
use crate::ir::{
    BinOp, Block, Class, Direction, Domain, Expr, ExprKind, Gather, Loop, LoopId, Place, Proj,
    Sliced, Stmt, StmtKind, SumInto, Ty, VarId, View,
};

use super::run::sources;
use super::{Iterations, Maker};

/// The rows of a loop, and the block of iterations that they are for.
struct Rows {
    lanes: VarId,
    done: VarId,
    m: VarId,
}

impl Maker<'_> {
    /// The loop that collects rows of contributions. `done` counts iterations, if it is declared.
    pub(super) fn rows(
        &mut self,
        sliced: &Sliced,
        iterations: &Iterations,
        done: Option<VarId>,
    ) -> Vec<Stmt> {
        self.all_rows(sliced, iterations, done, Vec::new())
    }

    /// The same for elements that are set: behind the blocks, `rest` clears what no iteration reaches.
    pub(super) fn rows_anew(
        &mut self,
        sliced: &Sliced,
        iterations: &Iterations,
        rest: Vec<Stmt>,
    ) -> Vec<Stmt> {
        self.all_rows(sliced, iterations, None, rest)
    }

    fn all_rows(
        &mut self,
        sliced: &Sliced,
        iterations: &Iterations,
        done: Option<VarId>,
        rest: Vec<Stmt>,
    ) -> Vec<Stmt> {
        let lanes = self.opaque("__lanes");
        self.func.var_mut(lanes).mutable = true;
        let buffer = Buffer {
            var: lanes,
            kind: BufferKind::Contributions(sliced.whole_blocks),
        };
        let mut stmts = vec![self.stmt(StmtKind::Buffer(Box::new(buffer)))];
        let (given, m) = (done, self.index("__m"));
        let done = given.unwrap_or_else(|| self.count_of("__done"));
        let rows = Rows { lanes, done, m };
        let front = sliced.gathers.iter().map(Gather::spread).max();
        let left = self.binary(
            BinOp::Sub,
            self.read(iterations.n),
            self.read(done),
            Ty::USIZE,
        );
        let (goes_on, mut each) = match sliced.whole_blocks {
            Some(length) => {
                stmts.push(self.declare(m, self.count(length)));
                let enough = self.binary(BinOp::Ge, left, self.read(m), Ty::Bool);
                (enough, Vec::new())
            }
            None => {
                if let Some(front) = front {
                    stmts.push(self.of_lanes(&rows, Kernel::Begin(front), Vec::new()));
                }
                stmts.push(self.declare(done, self.count(0)));
                let most = self.function(Function::MaxBlock, Vec::new(), Ty::USIZE);
                let number = self.function(Function::Min, vec![left, most], Ty::USIZE);
                let each = vec![self.declare(m, number)];
                let (done, n) = (self.read(done), self.read(iterations.n));
                (self.binary(BinOp::Lt, done, n, Ty::Bool), each)
            }
        };
        each.push(self.fill(sliced, iterations, &rows));
        each.extend(self.add_rows(sliced, iterations, &rows));
        each.extend(self.gathers(sliced, iterations, &rows));
        each.push(self.stmt(StmtKind::Update {
            place: Place::var(done, self.span),
            op: BinOp::Add,
            value: self.read(m),
        }));
        let body = Block { stmts: each };
        let all = Loop::forward(LoopId::MADE, Domain::While(goes_on), body, None);
        stmts.push(self.stmt(StmtKind::Loop(all)));
        stmts.extend(rest);
        // Of whole blocks, some iterations may be left.
        let end = if sliced.whole_blocks.is_some() {
            done
        } else {
            iterations.n
        };
        stmts.extend(self.gather_rests(sliced, iterations, &rows, end));
        stmts
    }

    /// A variable that counts.
    pub(super) fn count_of(&mut self, name: &str) -> VarId {
        let var = self.index(name);
        self.func.var_mut(var).mutable = true;
        var
    }

    /// A kernel that changes the rows.
    fn of_lanes(&self, rows: &Rows, kernel: Kernel, bodies: Vec<KernelBody>) -> Stmt {
        let outputs = vec![Output::Place(Place::var(rows.lanes, self.span))];
        let inputs = if let Kernel::Compute { .. } = kernel {
            vec![self.read(rows.m)]
        } else {
            Vec::new()
        };
        self.kernel(kernel, inputs, outputs, bodies)
    }

    pub(super) fn kernel(
        &self,
        kernel: Kernel,
        inputs: Vec<Expr>,
        outputs: Vec<Output>,
        bodies: Vec<KernelBody>,
    ) -> Stmt {
        self.stmt(StmtKind::Kernel(Box::new(KernelCall {
            kernel,
            inputs,
            outputs,
            bodies,
        })))
    }

    /// Fills the rows with what a block of iterations contributes.
    fn fill(&mut self, sliced: &Sliced, iterations: &Iterations, rows: &Rows) -> Stmt {
        let mut stmts = self.parts(sliced, iterations, (rows.done, rows.m));
        let number = self.sum(self.read(rows.done), self.read(sliced.lane));
        let mut body = self.iteration(sliced, iterations, number);
        for sum in &sliced.sums {
            if let Some(slice) = sum.direct {
                let place = self.element(slice, vec![self.read(sliced.lane)]);
                let value = self.read(sum.source);
                let op = sum.op;
                body.push(self.stmt(StmtKind::Update { place, op, value }));
            }
        }
        let whole = sliced.whole_blocks.is_some();
        let body = KernelBody {
            params: vec![sliced.lane],
            block: Block { stmts: body },
            yields: sources(sliced),
        };
        let compute = self.of_lanes(rows, Kernel::Compute { whole }, vec![body]);
        stmts.extend(self.apart(sliced, iterations, rows.m, vec![compute]));
        self.stmt(StmtKind::Scope(Block { stmts }))
    }

    /// The parts of the windows and records that a block of iterations uses.
    pub(super) fn parts(
        &mut self,
        sliced: &Sliced,
        iterations: &Iterations,
        (done, m): (VarId, VarId),
    ) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        let (from, len) = (|| self.read(done), || self.read(m));
        let edits = sliced.edits.iter().flatten();
        let views = sliced.views.iter().map(|(var, _)| *var);
        for (vars, written) in [
            (views.collect::<Vec<_>>(), false),
            (edits.map(|(var, _)| *var).collect(), true),
        ] {
            if !vars.is_empty() {
                let (from, len) = (from(), len());
                stmts.push(self.window(Windows::Narrow {
                    vars,
                    written,
                    from,
                    len,
                }));
            }
        }
        for (sum, extent) in sliced.sums.iter().zip(&iterations.extents) {
            if let (Some(var), Some(extent), Some(view)) = (sum.direct, extent, &sum.along) {
                let part = Part {
                    extent: Some(*extent),
                    of: view.of.clone(),
                    from: self.part_from(view, iterations, (done, m)),
                    len: len(),
                    behind: false,
                    then: None,
                };
                stmts.push(self.window(Windows::Part { var, part }));
            }
        }
        if let (Some(var), Some(records)) = (iterations.taken, &iterations.records) {
            // Slots are those of the strip, records a part of what is there.
            let front = iterations
                .front
                .filter(|_| records.direction == Direction::Forward);
            let from = front.map_or_else(from, |(front, _)| self.sum(self.read(front), from()));
            stmts.push(self.window(Windows::NarrowRecords {
                var,
                strip: records.strip,
                from,
                len: len(),
                direction: records.direction,
            }));
        }
        for var in sliced.sums.iter().filter_map(|sum| sum.direct) {
            self.func.var_mut(var).mutable = true;
        }
        stmts
    }

    /// Where in a window the elements of `m` iterations begin, behind `done` others. Mirrored, those of the last
    /// iteration are first.
    fn part_from(&self, view: &View, iterations: &Iterations, (done, m): (VarId, VarId)) -> Expr {
        if !view.mirrored {
            return self.read(done);
        }
        let behind = |e: Expr, var| self.binary(BinOp::Sub, e, self.read(var), Ty::USIZE);
        behind(behind(self.read(iterations.n), done), m)
    }

    /// Adds each row that no pass over several rows adds.
    fn add_rows(&mut self, sliced: &Sliced, iterations: &Iterations, rows: &Rows) -> Vec<Stmt> {
        let gathered = |k| {
            let mut terms = sliced.gathers.iter().flat_map(|g| &g.terms);
            terms.any(|(term, _)| *term == k)
        };
        let later = sliced.sums.iter().enumerate();
        let later = later.filter(|(k, sum)| sum.direct.is_none() && !gathered(*k));
        later
            .map(|(k, sum)| self.add_row(sliced, (sum, iterations.extents[k]), iterations, rows))
            .collect()
    }

    fn add_row(
        &mut self,
        sliced: &Sliced,
        (sum, extent): (&SumInto, Option<VarId>),
        iterations: &Iterations,
        rows: &Rows,
    ) -> Stmt {
        let row = row_of(sliced, sum);
        let lanes = self.read(rows.lanes);
        let ty = self.func.var(sum.source).ty.clone();
        let (Some(view), Some(extent)) = (&sum.along, extent) else {
            if !sum.ordered {
                let value = self.function(Function::SumRow, vec![lanes, self.count(row)], ty);
                let (place, op) = (sum.place.clone(), sum.op);
                return self.stmt(StmtKind::Update { place, op, value });
            }
            let body = self.each_value(sum.place.clone(), sum.op, &ty, Vec::new());
            return self.kernel(Kernel::EachOfRow(row), vec![lanes], Vec::new(), vec![body]);
        };
        let part = Output::Part(Box::new(Part {
            extent: Some(extent),
            of: view.of.clone(),
            from: self.part_from(view, iterations, (rows.done, rows.m)),
            len: self.read(rows.m),
            behind: false,
            then: None,
        }));
        if !sum.part.is_empty() {
            let of = Ty::Ref(true, Box::new(Ty::Unknown));
            let class = self.func.var(view.of.root).class;
            let element = self.func.temp_of(class, "__element", of, self.span);
            let mut place = Place::var(element, sum.place.span);
            place.proj.extend(sum.part.iter().cloned());
            let body = self.each_value(place, sum.op, &ty, vec![element]);
            let mirrored = view.mirrored;
            let kernel = Kernel::ZipRow { row, mirrored };
            return self.kernel(kernel, vec![lanes], vec![part], vec![body]);
        }
        let subtract = sum.op == BinOp::Sub;
        let mirrored = view.mirrored;
        let kernel = Kernel::AddRow {
            row,
            subtract,
            mirrored,
        };
        self.kernel(kernel, vec![lanes], vec![part], Vec::new())
    }

    /// What is done with each number of a row.
    fn each_value(
        &mut self,
        place: Place,
        op: BinOp,
        ty: &Ty,
        mut params: Vec<VarId>,
    ) -> KernelBody {
        let shared = Ty::Ref(false, Box::new(ty.clone()));
        let value = self
            .func
            .temp_of(Class::Either, "__value", shared, self.span);
        params.push(value);
        let value = Place::var(value, self.span).then(Proj::Deref);
        let value = Expr::new(ExprKind::Read(value), ty.clone(), self.span);
        let stmts = vec![self.stmt(StmtKind::Update { place, op, value })];
        KernelBody {
            params,
            block: Block { stmts },
            yields: Vec::new(),
        }
    }

    /// The sums that one pass adds, behind each block.
    fn gathers(&self, sliced: &Sliced, iterations: &Iterations, rows: &Rows) -> Vec<Stmt> {
        let Some(front) = sliced.gathers.iter().map(Gather::spread).max() else {
            return Vec::new();
        };
        let mut stmts: Vec<Stmt> = Vec::new();
        for gather in &sliced.gathers {
            let (from, len) = (self.read(rows.done), self.read(rows.m));
            if let Some(part) = self.elements(sliced, iterations, gather, (from, len)) {
                let output = Output::Part(Box::new(part));
                let terms = shifted(sliced, gather, 0);
                let kernel = match iterations.anew {
                    Some(_) => Kernel::GatherAnew(terms),
                    None => Kernel::Gather(terms),
                };
                stmts.push(self.kernel(kernel, vec![self.read(rows.lanes)], vec![output], vec![]));
            }
        }
        let rows_behind = carried(sliced).into_iter().collect();
        let carry = Kernel::Carry {
            front,
            rows: rows_behind,
        };
        stmts.push(self.of_lanes(rows, carry, Vec::new()));
        stmts
    }

    /// Elements that a gather adds to, or sets: from one on, so many.
    pub(super) fn elements(
        &self,
        sliced: &Sliced,
        iterations: &Iterations,
        gather: &Gather,
        (from, len): (Expr, Expr),
    ) -> Option<Part> {
        let (k, _) = *gather.terms.first()?;
        let (extent, of, from) = match iterations.anew {
            Some((to, into)) => {
                let into = self.count(into);
                let from = match from.is_zero_literal() {
                    true => into,
                    false => self.sum(into, from),
                };
                (None, Place::var(to, self.span), from)
            }
            None => {
                let of = sliced.sums[k].along.as_ref()?.of.clone();
                (Some(iterations.extents[k]?), of, from)
            }
        };
        Some(Part {
            extent,
            of,
            from,
            len,
            behind: false,
            then: None,
        })
    }

    /// What is left of them behind the last block.
    fn gather_rests(
        &self,
        sliced: &Sliced,
        iterations: &Iterations,
        rows: &Rows,
        end: VarId,
    ) -> Vec<Stmt> {
        let rest = |gather: &Gather| {
            let from_end = (self.read(end), self.count(gather.spread()));
            let mut part = self.elements(sliced, iterations, gather, from_end)?;
            part.behind = true;
            let output = Output::Part(Box::new(part));
            let kernel = Kernel::GatherRest(shifted(sliced, gather, 1));
            Some(self.kernel(
                kernel,
                vec![self.read(rows.lanes)],
                vec![output],
                Vec::new(),
            ))
        };
        sliced.gathers.iter().filter_map(rest).collect()
    }
}

/// The rows that one pass adds whose elements lie at least so far behind the first one's.
pub(super) fn shifted(sliced: &Sliced, gather: &Gather, least: usize) -> Vec<Shifted> {
    let terms = gather.terms.iter().filter(|(_, shift)| *shift >= least);
    terms
        .map(|(k, shift)| {
            let sum = &sliced.sums[*k];
            Shifted {
                row: row_of(sliced, sum),
                shift: *shift,
                minus: sum.op == BinOp::Sub,
            }
        })
        .collect()
}

/// The row in which a sum is.
fn row_of(sliced: &Sliced, sum: &SumInto) -> usize {
    let mut sources = sources(sliced).into_iter();
    sources.position(|v| v == sum.source).unwrap_or(0)
}

/// The rows whose last entries the next block needs.
fn carried(sliced: &Sliced) -> BTreeSet<usize> {
    let terms = sliced.gathers.iter().flat_map(|gather| &gather.terms);
    let behind = terms.filter(|(_, shift)| *shift > 0);
    behind
        .map(|(k, _)| row_of(sliced, &sliced.sums[*k]))
        .collect()
}
