//! Loops whose elements compute what they get.

use crate::ir::hash::HashSet;
use crate::ir::versions::{
    Call, Function, Kernel, KernelBody, Output, Part, Procedure, Shifted, Windows,
};
use crate::ir::{
    BinOp, Block, Class, Combined, Domain, Expr, ExprKind, Gather, Loop, LoopId, Order, Place,
    Sliced, Split, Stmt, StmtKind, Ty, VarId, expr_reads, stmt_exprs, visit_stmts,
};

use super::rows::shifted;
use super::run::sources;
use super::{Iterations, Maker};

/// What all parts of such a loop use.
struct Elements<'a> {
    sliced: &'a Sliced,
    iterations: &'a Iterations,
    /// Computes what an iteration contributes.
    procedure: VarId,
    /// The windows that it reads.
    slices: Vec<VarId>,
    /// The first element of a block, and how many it has.
    element: VarId,
    m: VarId,
}

impl Maker<'_> {
    /// The loop that gathers contributions, a block of elements ahead of what else the iterations do.
    pub(super) fn split(
        &mut self,
        sliced: &Sliced,
        split: &Split,
        iterations: &Iterations,
    ) -> Vec<Stmt> {
        let front = sliced.gathers.iter().map(Gather::spread).max();
        let front = front.unwrap_or(0);
        let (procedure, slices, mut stmts) = self.contributions(sliced, split, iterations);
        let (done, element) = (self.count_of("__done"), self.count_of("__element"));
        let (m, last) = (
            self.index("__m"),
            self.func.temp("__last", Ty::Bool, self.span),
        );
        let cx = Elements {
            sliced,
            iterations,
            procedure,
            slices,
            element,
            m,
        };
        for gather in &sliced.gathers {
            let (lo, hi) = (self.count(0), self.count(front));
            stmts.extend(self.gather_ends(&cx, gather, lo, hi));
        }
        let n = || self.read(iterations.n);
        let left = self.binary(BinOp::Sub, n(), self.read(element), Ty::USIZE);
        let ahead = self.function(Function::Ahead, Vec::new(), Ty::USIZE);
        let number = self.function(Function::Min, vec![left, ahead], Ty::USIZE);
        let is_last = self.binary(BinOp::Eq, self.read(element), n(), Ty::Bool);
        stmts.push(self.declare(done, self.count(0)));
        stmts.push(self.declare(element, self.count(front)));
        let mut body = vec![self.declare(m, number)];
        for (k, gather) in sliced.gathers.iter().enumerate() {
            let between = match split.combined.get(k) {
                Some(combined) => self.at_once(&cx, gather, combined),
                None => self.between(&cx, gather),
            };
            body.push(self.stmt(StmtKind::Scope(Block { stmts: between })));
        }
        body.push(self.add_to(element, m));
        body.push(self.declare(last, is_last));
        let mut ends = Vec::new();
        for gather in &sliced.gathers {
            let n = self.read(iterations.n);
            let hi = self.sum(n.clone(), self.count(gather.spread()));
            let lo = n;
            ends.extend(self.gather_ends(&cx, gather, lo, hi));
        }
        body.push(self.stmt(StmtKind::Switch {
            selector: self.read(last),
            arms: vec![Block { stmts: ends }, Block::default()],
        }));
        let before = self.binary(BinOp::Sub, self.read(element), self.count(front), Ty::USIZE);
        let args = vec![self.read(last), self.read(iterations.n), before];
        let end = self.function(Function::Select, args, Ty::USIZE);
        let number = self.binary(BinOp::Sub, end, self.read(done), Ty::USIZE);
        let m = self.index("__m");
        body.push(self.declare(m, number));
        body.push(self.else_done(sliced, split, iterations, (done, m)));
        body.push(self.add_to(done, m));
        let body = Block { stmts: body };
        let all = Loop::forward(LoopId::MADE, Domain::Forever, body, Some(last));
        stmts.push(self.stmt(StmtKind::Loop(all)));
        stmts
    }

    /// `var += by`
    fn add_to(&self, var: VarId, by: VarId) -> Stmt {
        self.stmt(StmtKind::Update {
            place: Place::var(var, self.span),
            op: BinOp::Add,
            value: self.read(by),
        })
    }

    /// The procedure that computes what an iteration contributes, and the windows that it reads.
    fn contributions(
        &mut self,
        sliced: &Sliced,
        split: &Split,
        iterations: &Iterations,
    ) -> (VarId, Vec<VarId>, Vec<Stmt>) {
        let mut read = HashSet::default();
        visit_stmts(&split.contributions, &mut |stmt| {
            for e in stmt_exprs(stmt) {
                expr_reads(e, &mut |place| {
                    read.insert(place.root);
                });
            }
        });
        let slices = sliced.views.iter().chain(sliced.edits.iter().flatten());
        let slices = slices.map(|(var, _)| *var).filter(|var| read.contains(var));
        let slices: Vec<VarId> = slices.collect();
        let (var, number) = (self.opaque("__contributions"), self.index("__number"));
        let mut body = vec![self.counter(sliced, iterations, number)];
        let records = iterations.records.as_ref().map(|records| {
            let of = self.opaque("__records");
            body.push(self.record(records, of, self.read(sliced.lane)));
            (of, records.vars.clone())
        });
        body.extend(split.contributions.stmts.iter().cloned());
        let procedure = Procedure {
            var,
            slices: slices.clone(),
            records,
            lane: sliced.lane,
            number,
            body: Block { stmts: body },
            yields: sources(sliced),
        };
        let stmts = vec![self.stmt(StmtKind::Procedure(Box::new(procedure)))];
        (var, slices, stmts)
    }

    /// All elements that a gather adds to.
    fn all(&self, cx: &Elements<'_>, gather: &Gather) -> Part {
        let len = self.sum(self.read(cx.iterations.n), self.count(gather.spread()));
        let part = self.elements(cx.sliced, cx.iterations, gather, (self.count(0), len));
        let Some(part) = part else {
            unreachable!("what is gathered are elements of an array");
        };
        Part {
            behind: true,
            ..part
        }
    }

    /// What the first or the last elements get.
    fn gather_ends(
        &mut self,
        cx: &Elements<'_>,
        gather: &Gather,
        lo: Expr,
        hi: Expr,
    ) -> Option<Stmt> {
        let lane = self.index("__lane");
        let call = Call {
            procedure: cx.procedure,
            slices: cx.slices.clone(),
            records: cx.iterations.taken,
            lane: self.read(lane),
            number: self.read(lane),
        };
        let terms = shifted(cx.sliced, gather, 0);
        let body = KernelBody {
            params: vec![lane],
            block: Block::default(),
            yields: Vec::new(),
        };
        let inputs = vec![lo, hi, self.read(cx.iterations.n)];
        let outputs = vec![Output::Part(Box::new(self.all(cx, gather)))];
        let kernel = Kernel::GatherEnds { terms, call };
        Some(self.kernel(kernel, inputs, outputs, vec![body]))
    }

    /// The elements of a block.
    fn block_of(&mut self, cx: &Elements<'_>, gather: &Gather, ty: &Ty) -> (VarId, Stmt) {
        let ty = Ty::Slice(Box::new(ty.clone()));
        let mut part = self.all(cx, gather);
        let class = self.func.var(part.of.root).class;
        let to = self.func.temp_of(class, "__to", ty, self.span);
        self.func.var_mut(to).mutable = true;
        part.then = Some((self.read(cx.element), self.read(cx.m)));
        (to, self.window(Windows::Part { var: to, part }))
    }

    /// What the elements of a block get, which all of the iterations around reach.
    fn between(&mut self, cx: &Elements<'_>, gather: &Gather) -> Vec<Stmt> {
        let Some((k, _)) = gather.terms.first() else {
            return Vec::new();
        };
        let ty = self.func.var(cx.sliced.sums[*k].source).ty.clone();
        let lane = self.index("__lane");
        let total = self
            .func
            .temp_of(Class::Either, "__total", ty.clone(), self.span);
        self.func.var_mut(total).mutable = true;
        let (mut stmts, mut adds, mut reads) = (Vec::new(), Vec::new(), Vec::new());
        for (t, term) in shifted(cx.sliced, gather, 0).iter().enumerate() {
            let start = self.index(&format!("__first_{t}"));
            let Shifted { row, shift, minus } = *term;
            let value = self.binary(
                BinOp::Sub,
                self.read(cx.element),
                self.count(shift),
                Ty::USIZE,
            );
            stmts.push(self.declare(start, value));
            let mut slices = Vec::new();
            for (at, of) in cx.slices.iter().enumerate() {
                let ty = self.func.var(*of).ty.clone();
                let class = self.func.var(*of).class;
                let var = self
                    .func
                    .temp_of(class, &format!("__slice_{t}_{at}"), ty, self.span);
                let (from, len) = (self.read(start), self.read(cx.m));
                let of = *of;
                stmts.push(self.window(Windows::Shift { var, of, from, len }));
                slices.push(var);
            }
            let records = cx.iterations.taken.map(|of| {
                let var = self.opaque(&format!("__records_{t}"));
                let (from, len) = (self.read(start), self.read(cx.m));
                stmts.push(self.window(Windows::ShiftRecords { var, of, from, len }));
                var
            });
            reads.extend(&slices);
            let call = Call {
                procedure: cx.procedure,
                slices,
                records,
                lane: self.read(lane),
                number: self.sum(self.read(start), self.read(lane)),
            };
            let kernel = Kernel::AddContribution {
                row,
                subtract: minus,
                call,
            };
            let outputs = vec![Output::Place(Place::var(total, self.span))];
            adds.push(self.kernel(kernel, Vec::new(), outputs, Vec::new()));
        }
        let (to, window) = self.block_of(cx, gather, &ty);
        stmts.push(window);
        let element = self.element(to, vec![self.read(lane)]);
        let old = Expr::new(ExprKind::Read(element.clone()), ty, self.span);
        let mut body = vec![self.declare(total, old)];
        body.extend(adds);
        body.push(self.stmt(StmtKind::Assign {
            place: element,
            value: self.read(total),
            init: false,
        }));
        let run = self.counting(lane, self.read(cx.m), Order::Forward, body);
        stmts.push(self.disjoint(reads, vec![to], cx.m, vec![run]));
        stmts
    }

    /// What the elements of a block get, each as one sum.
    fn at_once(&mut self, cx: &Elements<'_>, gather: &Gather, combined: &Combined) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for (var, of, shift) in &combined.slices {
            let from = self.binary(
                BinOp::Sub,
                self.read(cx.element),
                self.count(*shift),
                Ty::USIZE,
            );
            let (var, of, len) = (*var, *of, self.read(cx.m));
            stmts.push(self.window(Windows::Shift { var, of, from, len }));
        }
        let ty = self.func.var(combined.total).ty.clone();
        let (to, window) = self.block_of(cx, gather, &ty);
        stmts.push(window);
        let lane = cx.sliced.lane;
        let mut body = combined.body.stmts.clone();
        let (place, value) = (
            self.element(to, vec![self.read(lane)]),
            self.read(combined.total),
        );
        body.push(self.stmt(if cx.iterations.anew.is_some() {
            let init = false;
            StmtKind::Assign { place, value, init }
        } else {
            let op = BinOp::Add;
            StmtKind::Update { place, op, value }
        }));
        let run = self.counting(lane, self.read(cx.m), Order::Forward, body);
        let reads = combined.slices.iter().map(|(var, ..)| *var).collect();
        stmts.push(self.disjoint(reads, vec![to], cx.m, vec![run]));
        stmts
    }

    /// All elements that the only gather of a loop sets.
    pub(super) fn assign_at_once(
        &mut self,
        sliced: &Sliced,
        split: &Split,
        iterations: &Iterations,
        (gather, combined): (&Gather, &Combined),
    ) -> Vec<Stmt> {
        let (procedure, slices, mut stmts) = self.contributions(sliced, split, iterations);
        let (element, m) = (self.index("__element"), self.index("__m"));
        let cx = Elements {
            sliced,
            iterations,
            procedure,
            slices,
            element,
            m,
        };
        let (n, spread) = (self.read(iterations.n), self.count(gather.spread()));
        stmts.extend(self.gather_ends(&cx, gather, self.count(0), spread.clone()));
        stmts.push(self.declare(element, spread.clone()));
        let between = self.binary(BinOp::Sub, n.clone(), spread.clone(), Ty::USIZE);
        stmts.push(self.declare(m, between));
        let between = self.at_once(&cx, gather, combined);
        stmts.push(self.stmt(StmtKind::Scope(Block { stmts: between })));
        let end = self.sum(n.clone(), spread);
        stmts.extend(self.gather_ends(&cx, gather, n, end));
        stmts
    }

    /// What else a block of iterations does.
    fn else_done(
        &mut self,
        sliced: &Sliced,
        split: &Split,
        iterations: &Iterations,
        (done, m): (VarId, VarId),
    ) -> Stmt {
        let mut stmts = self.parts(sliced, iterations, (done, m));
        let mut run = Vec::new();
        if !split.rest.stmts.is_empty() {
            let number = self.sum(self.read(done), self.read(sliced.lane));
            let body = self.iteration_of(sliced, &split.rest, iterations, number);
            run.push(self.counting(sliced.lane, self.read(m), Order::Forward, body));
        }
        if !split.zeros.stmts.is_empty() {
            let body = split.zeros.stmts.clone();
            run.push(self.counting(sliced.lane, self.read(m), Order::Forward, body));
        }
        stmts.extend(self.apart(sliced, iterations, m, run));
        self.stmt(StmtKind::Scope(Block { stmts }))
    }
}
