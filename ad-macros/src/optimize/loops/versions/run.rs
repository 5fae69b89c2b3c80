//! The loop of a fast version.

use crate::ir::versions::{Buffer, BufferKind, Disjoint, Function, Kernel, KernelBody, KernelCall};
use crate::ir::{
    BinOp, Block, Class, Direction, Expr, ExprKind, Order, Search, Sliced, Stmt, StmtKind, SumInto,
    Ty, VarId,
};

use super::{Iterations, Maker};

/// Of the partial sums, those to which iterations add that do not fill a block. Chosen by timing rows of 3 to 31
/// numbers.
const FEW: usize = 4;

impl Maker<'_> {
    /// `done` counts the iterations of a loop whose rest another one takes.
    pub(super) fn run(
        &mut self,
        sliced: &Sliced,
        iterations: &Iterations,
        done: Option<VarId>,
    ) -> Vec<Stmt> {
        if let Some(search) = &sliced.search {
            return vec![self.search(sliced, iterations, search)];
        }
        if let Some(split) = &sliced.split {
            let run = self.split(sliced, split, iterations);
            if split.combined.is_empty() {
                return run;
            }
            let rows = self.rows(sliced, iterations, done);
            let most = self.function(Function::MaxBlock, Vec::new(), Ty::USIZE);
            return vec![self.stmt(StmtKind::Switch {
                selector: self.binary(BinOp::Gt, self.read(iterations.n), most, Ty::Bool),
                arms: vec![Block { stmts: run }, Block { stmts: rows }],
            })];
        }
        if let Some(ty) = &sliced.wide {
            return self.side_by_side(sliced, iterations, ty);
        }
        if !sliced.sums.is_empty() {
            return self.rows(sliced, iterations, done);
        }
        let body = self.iteration(sliced, iterations, self.read(sliced.lane));
        let run = self.counting(sliced.lane, self.read(iterations.n), sliced.order, body);
        self.apart(sliced, iterations, iterations.n, vec![run])
    }

    /// What one iteration does, whose elements are those of the number `lane` in the windows.
    pub(super) fn iteration(
        &mut self,
        sliced: &Sliced,
        iterations: &Iterations,
        number: Expr,
    ) -> Vec<Stmt> {
        self.iteration_of(sliced, &sliced.body, iterations, number)
    }

    /// The same with another body.
    pub(super) fn iteration_of(
        &mut self,
        sliced: &Sliced,
        of: &Block,
        iterations: &Iterations,
        number: Expr,
    ) -> Vec<Stmt> {
        let k = self.index("__number");
        let mut body = vec![self.declare(k, number)];
        body.push(self.counter(sliced, iterations, k));
        let records = iterations.taken.zip(iterations.records.as_ref());
        let record = records.map(|(of, records)| {
            let record = self.record(records, of, self.read(sliced.lane));
            (record, records.direction)
        });
        let (first, last) = match record {
            Some((record, Direction::Reverse)) => (Some(record), None),
            Some((record, Direction::Forward)) => (None, Some(record)),
            None => (None, None),
        };
        body.extend(first);
        body.extend(of.stmts.iter().cloned());
        body.extend(last);
        body
    }

    pub(super) fn counter(&self, sliced: &Sliced, iterations: &Iterations, number: VarId) -> Stmt {
        let value = self.sum(self.read(iterations.start), self.read(number));
        self.declare(sliced.counter, value)
    }

    /// Gives code the windows for itself, if it writes some or records something. The types of arguments must be known
    /// from the text.
    pub(super) fn apart(
        &self,
        sliced: &Sliced,
        iterations: &Iterations,
        len: VarId,
        run: Vec<Stmt>,
    ) -> Vec<Stmt> {
        let reads: Vec<VarId> = sliced.views.iter().map(|(var, _)| *var).collect();
        let edits = sliced.edits.iter().flatten();
        let direct = sliced.sums.iter().filter_map(|sum| sum.direct);
        let edits: Vec<VarId> = edits.map(|(var, _)| *var).chain(direct).collect();
        let recording = iterations.records.as_ref();
        let recording = recording.is_some_and(|r| r.direction == Direction::Forward);
        let is_known = |var: &VarId| self.func.var(*var).ty.element().is_spelled_out();
        let known = reads.iter().chain(&edits).all(is_known);
        if edits.is_empty() && !recording || !known {
            return run;
        }
        vec![self.disjoint(reads, edits, len, run)]
    }

    pub(super) fn disjoint(
        &self,
        reads: Vec<VarId>,
        edits: Vec<VarId>,
        len: VarId,
        run: Vec<Stmt>,
    ) -> Stmt {
        self.stmt(StmtKind::Disjoint(Box::new(Disjoint {
            reads,
            edits,
            len: self.read(len),
            body: Block { stmts: run },
        })))
    }

    /// Partial sums of what the iterations add to numbers, eight for each.
    pub(super) fn buffer_of_sums(&mut self, sliced: &Sliced) -> (VarId, Stmt) {
        let sources = sources(sliced);
        let row = Ty::Array(Box::new(self.ty_of_sums(&sources)), None);
        let rows = Ty::Array(Box::new(row), None);
        let sums = self.func.temp_of(Class::Either, "__sums", rows, self.span);
        self.func.var_mut(sums).mutable = true;
        let buffer = StmtKind::Buffer(Box::new(Buffer {
            var: sums,
            kind: BufferKind::PartialSums(sources.len()),
        }));
        (sums, self.stmt(buffer))
    }

    fn ty_of_sums(&self, sources: &[VarId]) -> Ty {
        let first = sources.first();
        first.map_or(Ty::Unknown, |var| self.func.var(*var).ty.clone())
    }

    /// Adds the partial sums to where they belong.
    pub(super) fn totals(&self, sliced: &Sliced, sums: VarId) -> Vec<Stmt> {
        let sources = sources(sliced);
        let ty = self.ty_of_sums(&sources);
        let row = Ty::Array(Box::new(ty.clone()), None);
        let total = |sum: &SumInto| {
            let at = sources.iter().position(|var| *var == sum.source);
            let of = self.element(sums, vec![self.count(at.unwrap_or_default())]);
            let of = Expr::new(ExprKind::Read(of), row.clone(), self.span);
            self.stmt(StmtKind::Update {
                place: sum.place.clone(),
                op: sum.op,
                value: self.function(Function::Total, vec![of], ty.clone()),
            })
        };
        sliced.sums.iter().map(total).collect()
    }

    /// The loop that adds to numbers, in eight partial sums each, over windows of eight elements: no index is left to
    /// be checked, and the optimiser keeps the sums in registers. Iterations that do not fill a block add to a few of
    /// the sums in turn: with one for each of those, all would be in memory.
    pub(super) fn partial_sums(
        &mut self,
        sliced: &Sliced,
        iterations: &Iterations,
        sums: VarId,
    ) -> Vec<Stmt> {
        let sources = sources(sliced);
        let (block, partial) = (self.index("__block"), self.index("__partial"));
        let lanes = || self.function(Function::Partial, Vec::new(), Ty::USIZE);
        let of_n = |op| self.binary(op, self.read(iterations.n), lanes(), Ty::USIZE);
        let (blocks, rest) = (of_n(BinOp::Div), of_n(BinOp::Rem));
        let behind = |blocks| self.binary(BinOp::Mul, blocks, lanes(), Ty::USIZE);
        let (in_block, behind) = (behind(self.read(block)), behind(blocks.clone()));
        let (lanes, own) = (lanes(), self.read(partial));
        let in_turn = self.binary(BinOp::Rem, own.clone(), self.count(FEW), Ty::USIZE);
        let mut part = |first: Expr, len: Expr, sum: Expr| {
            let (from, m) = (self.index("__from"), self.index("__m"));
            let mut stmts = vec![self.declare(from, first), self.declare(m, len)];
            stmts.extend(self.parts(sliced, iterations, (from, m)));
            let number = self.sum(self.read(from), self.read(partial));
            let mut each = vec![self.declare(sliced.lane, self.read(partial))];
            each.extend(self.iteration(sliced, iterations, number));
            for (row, source) in sources.iter().enumerate() {
                let place = self.element(sums, vec![self.count(row), sum.clone()]);
                each.push(self.stmt(StmtKind::Update {
                    place,
                    op: BinOp::Add,
                    value: self.read(*source),
                }));
            }
            stmts.push(self.counting(partial, self.read(m), Order::Forward, each));
            stmts
        };
        let in_block = part(in_block, lanes, own);
        let behind = part(behind, rest, in_turn);
        let run = vec![
            self.counting(block, blocks, Order::Forward, in_block),
            self.stmt(StmtKind::Scope(Block { stmts: behind })),
        ];
        self.apart(sliced, iterations, iterations.n, run)
    }

    fn search(&mut self, sliced: &Sliced, iterations: &Iterations, search: &Search) -> Stmt {
        let mut stmts = vec![self.counter(sliced, iterations, sliced.lane)];
        stmts.extend(search.taken.stmts.iter().cloned());
        self.stmt(StmtKind::Kernel(Box::new(KernelCall {
            kernel: Kernel::Search {
                less: search.less,
                equal: search.equal,
            },
            inputs: vec![self.read(search.slice), self.read(search.best)],
            outputs: Vec::new(),
            bodies: vec![KernelBody {
                params: vec![sliced.lane],
                block: Block { stmts },
                yields: Vec::new(),
            }],
        })))
    }
}

/// The variables of the body that are added when a block of iterations is done, each once.
pub(super) fn sources(sliced: &Sliced) -> Vec<VarId> {
    let mut sources = Vec::new();
    for sum in sliced.sums.iter().filter(|sum| sum.direct.is_none()) {
        if !sources.contains(&sum.source) {
            sources.push(sum.source);
        }
    }
    sources
}
