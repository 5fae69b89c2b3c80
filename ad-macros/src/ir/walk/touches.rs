//! The places that expressions and statements touch, and how; the blocks of a statement.

use proc_macro2::Span;

use crate::ir::versions::Check;
use crate::ir::{
    Arg, ArgMode, BarArg, BinOp, Block, Direction, Domain, Expr, ExprKind, Given, Loop, LoopId,
    Opaque, OpaqueArg, Place, Plan, RangeIter, Stmt, StmtKind, VarId, leaf_stmts,
};

/// How code touches a place. Indices that lead to it are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Touch {
    Read,
    /// Reads no element, only how many there are.
    Length,
    /// Adds to it, or subtracts, and reads nothing of it otherwise: two additions to an adjoint may change places.
    Add,
    /// The same, in a function that is called.
    AddInCall,
    /// Overwrites it, and reads nothing of it.
    Write,
    /// Changes it, depending on what it held.
    Update,
    Declare,
}

/// Calls `f` with every place that `e` touches, indices before what they lead to.
pub(crate) fn expr_touches(e: &Expr, f: &mut dyn FnMut(&Place, Touch)) {
    if let Some(place) = e.place() {
        let length = matches!(e.kind, ExprKind::Len(_));
        let touch = if length { Touch::Length } else { Touch::Read };
        place_touch(place, touch, f);
    } else if let ExprKind::Opaque(o) = &e.kind {
        opaque_touches(o, f);
    } else {
        e.each_child(&mut |child| expr_touches(child, f));
    }
}

fn opaque_touches(o: &Opaque, f: &mut dyn FnMut(&Place, Touch)) {
    for (_, arg) in &o.args {
        match arg {
            OpaqueArg::Place(p) | OpaqueArg::Ref(p) => place_touch(p, Touch::Read, f),
            OpaqueArg::RefMut(p) => place_touch(p, Touch::Update, f),
            OpaqueArg::Value(e) => expr_touches(e, f),
        }
    }
}

fn place_touch(place: &Place, touch: Touch, f: &mut dyn FnMut(&Place, Touch)) {
    place.each_index(&mut |e| expr_touches(e, f));
    f(place, touch);
}

pub(super) struct Touches<'a> {
    span: Span,
    f: &'a mut dyn FnMut(&Place, Touch),
}

impl Touches<'_> {
    pub(super) fn expr(&mut self, e: &Expr) {
        expr_touches(e, self.f);
    }

    /// An expression, but for variables of its own.
    pub(super) fn expr_without(&mut self, e: &Expr, own: &[VarId]) {
        expr_touches(e, &mut |place, touch| {
            if !own.contains(&place.root) {
                (self.f)(place, touch);
            }
        });
    }

    pub(super) fn place(&mut self, place: &Place, touch: Touch) {
        place_touch(place, touch, self.f);
    }

    pub(super) fn read(&mut self, place: &Place) {
        self.place(place, Touch::Read);
    }

    /// Writes that depend on the old value.
    pub(super) fn update(&mut self, place: &Place) {
        self.place(place, Touch::Update);
    }

    pub(super) fn var(&mut self, var: VarId, touch: Touch) {
        (self.f)(&Place::var(var, self.span), touch);
    }

    pub(super) fn declare(&mut self, vars: &[VarId]) {
        for var in vars {
            self.var(*var, Touch::Declare);
        }
    }

    fn range(&mut self, range: &RangeIter) {
        range.exprs().for_each(|e| self.expr(e));
    }

    fn args(&mut self, args: &[Arg]) {
        for arg in args {
            match &arg.mode {
                ArgMode::Value(e) => self.expr(e),
                ArgMode::Shared(p) => self.read(p),
                ArgMode::InOut(p) => self.update(p),
            }
        }
    }
}
/// Calls `f` with every place that the statement itself touches, nested blocks excluded, in the order of its parts:
/// what it reads, then what it changes, then what it declares.
#[expect(clippy::too_many_lines, reason = "one arm per statement of the IR")]
pub(crate) fn shallow_touches(stmt: &Stmt, f: &mut dyn FnMut(&Place, Touch)) {
    let mut a = Touches { span: stmt.span, f };
    match &stmt.kind {
        StmtKind::Let { var, init } => {
            if let Some(e) = init {
                a.expr(e);
            }
            a.var(*var, Touch::Declare);
        }
        StmtKind::Assign { place, value, .. } => {
            a.expr(value);
            a.place(place, Touch::Write);
        }
        StmtKind::Update { place, op, value } => {
            a.expr(value);
            let adds = matches!(op, BinOp::Add | BinOp::Sub);
            a.place(place, if adds { Touch::Add } else { Touch::Update });
        }
        StmtKind::Begin { place, value } => {
            a.expr(value);
            a.update(place);
        }
        StmtKind::ClearAround {
            slice,
            start,
            trips,
        } => {
            a.expr(start);
            trips.iter().for_each(|e| a.expr(e));
            a.update(slice);
        }
        StmtKind::Swap(x, y) => {
            a.update(x);
            a.update(y);
        }
        StmtKind::Switch { selector, .. } => a.expr(selector),
        StmtKind::Loop(this) => {
            this.domain.exprs().into_iter().for_each(|e| a.expr(e));
            let trips = this.domain.trips();
            // A loop of the compiler's may declare in its body when it ends.
            let exit = this.exit.filter(|_| this.id != LoopId::MADE);
            let read = trips.iter().chain(&exit);
            read.for_each(|v| a.var(*v, Touch::Read));
            this.domain.counter().iter().for_each(|v| a.declare(&[*v]));
            // What a forward loop records is declared in its body.
            if let Domain::Strip { of, .. } = &this.domain {
                a.var(of.strip, Touch::Read);
            }
            let strip = this.strip.iter().filter(|_| this.is_reverse());
            strip.for_each(|strip| a.declare(&strip.vars));
            if let Some(Plan::Products(waiting)) = &this.plan {
                waiting.stores.iter().for_each(|(_, to)| a.update(to));
            }
        }
        StmtKind::Call { dest, args, .. } | StmtKind::CallForward { dest, args, .. } => {
            a.args(args);
            dest.iter().for_each(|v| a.declare(&[*v]));
        }
        StmtKind::Push { vec, value } => {
            a.expr(value);
            a.update(vec);
        }
        StmtKind::Pop { dest, vec } => {
            a.update(vec);
            a.declare(&[*dest]);
        }
        StmtKind::Truncate { vec, len } => {
            a.expr(len);
            a.update(vec);
        }
        StmtKind::Regrow { vec, like } => {
            a.read(like);
            a.update(vec);
        }
        StmtKind::Fill { slice, value } => {
            a.expr(value);
            a.update(slice);
        }
        StmtKind::CopyFrom { dst, src } | StmtKind::BeginAll { dst, src } => {
            a.read(src);
            a.update(dst);
        }
        StmtKind::Accumulate { dst, src } => {
            a.read(src);
            a.place(dst, Touch::Add);
        }
        StmtKind::Opaque(o) => opaque_touches(o, a.f),
        StmtKind::Checkpoint(_)
        | StmtKind::Jump(_)
        | StmtKind::Labelled(..)
        | StmtKind::Scope(_)
        | StmtKind::Versioned(_)
        | StmtKind::RequireCompanion { .. } => {}
        StmtKind::Check(check) => a.check(check),
        StmtKind::Windows(windows) => a.windows(windows),
        StmtKind::Disjoint(disjoint) => {
            a.expr(&disjoint.len);
            disjoint
                .reads
                .iter()
                .chain(&disjoint.edits)
                .for_each(|v| a.var(*v, Touch::Read));
        }
        StmtKind::Strips(strips) => {
            a.range(&strips.range);
            a.expr(&strips.lo);
            a.expr(&strips.hi);
            a.declare(&[strips.strip]);
            strips
                .extent
                .iter()
                .for_each(|(first, len)| a.declare(&[*first, *len]));
        }
        StmtKind::RecordAt(record) => {
            a.expr(&record.at);
            a.var(record.of, Touch::Read);
            match record.direction {
                Direction::Forward => record.vars.iter().for_each(|v| a.var(*v, Touch::Read)),
                Direction::Reverse => a.declare(&record.vars),
            }
        }
        StmtKind::Buffer(buffer) => a.declare(&[buffer.var]),
        StmtKind::InRegisters(inside) => inside.vars.iter().for_each(|v| a.var(*v, Touch::Length)),
        StmtKind::Procedure(procedure) => {
            procedure
                .slices
                .iter()
                .for_each(|v| a.var(*v, Touch::Length));
            a.declare(&[procedure.var, procedure.lane, procedure.number]);
            procedure.records.iter().for_each(|(v, _)| a.declare(&[*v]));
        }
        StmtKind::Simd(simd) => {
            simd.fixed.iter().for_each(|(_, e)| a.expr(e));
            a.var(simd.n, Touch::Read);
            a.var(simd.done, Touch::Update);
            a.var(simd.totals, Touch::Update);
            let windows = simd.reads.iter().chain(&simd.edits);
            windows.for_each(|v| a.var(*v, Touch::Length));
            simd.cells
                .iter()
                .for_each(|one| a.var(one.extent, Touch::Read));
            simd.arrays.iter().for_each(|(_, of)| a.update(of));
            simd.arrays.iter().for_each(|(var, _)| a.declare(&[*var]));
            simd.cells.iter().for_each(|one| a.declare(&[one.var]));
            for near in &simd.near {
                a.declare(&[near.cells, near.sum]);
                near.others.iter().for_each(|one| a.declare(&[one.waiting]));
            }
            simd.fixed.iter().for_each(|(var, _)| a.declare(&[*var]));
            a.declare(&simd.sums);
        }
        StmtKind::Kernel(call) => {
            call.inputs.iter().for_each(|e| a.expr(e));
            a.of_kernel(&call.kernel);
            call.outputs.iter().for_each(|output| a.output(output));
            call.bodies.iter().for_each(|body| a.declare(&body.params));
        }
        StmtKind::PushRecord { vars, .. } => vars.iter().for_each(|v| a.var(*v, Touch::Read)),
        StmtKind::PopRecord { vars, .. } => a.declare(vars),
        StmtKind::Recycle(var) => a.var(*var, Touch::Read),
        StmtKind::PushSlice { place, .. } => a.read(place),
        StmtKind::PopSlice { place, .. } | StmtKind::SetZero(place) | StmtKind::DropLast(place) => {
            a.update(place)
        }
        StmtKind::PushRange {
            slice,
            range,
            offset,
            ..
        }
        | StmtKind::PopRange {
            slice,
            range,
            offset,
            ..
        } => {
            a.range(range);
            offset
                .plus
                .iter()
                .chain(&offset.minus)
                .for_each(|e| a.expr(e));
            if matches!(stmt.kind, StmtKind::PushRange { .. }) {
                a.read(slice)
            } else {
                a.update(slice)
            }
        }
        StmtKind::Branch {
            rec,
            selector,
            arms,
        } => {
            a.expr(selector);
            arms.iter()
                .flat_map(|(_, vars)| vars)
                .for_each(|v| a.var(*v, Touch::Read));
            a.declare(&[*rec]);
        }
        StmtKind::MatchRecord { rec, arms } => {
            a.var(*rec, Touch::Read);
            arms.iter().for_each(|(vars, _)| a.declare(vars));
        }
        StmtKind::Run(run) => {
            for (var, given) in &run.interface.given {
                let touch = match given {
                    Given::Value | Given::Shared => Touch::Read,
                    Given::Exclusive => Touch::Update,
                };
                a.var(*var, touch);
            }
            let returns = run.interface.returns();
            returns.for_each(|var| a.var(var, Touch::Write));
        }
        StmtKind::Parallel(p) => {
            a.range(&p.range);
            a.var(p.workers, Touch::Read);
            for (root, size) in &p.shares.parts {
                a.expr(size);
                a.update(&Place::var(*root, stmt.span));
            }
            for sum in &p.shares.sums {
                a.update(&Place::var(*sum, stmt.span));
            }
            for own in &p.own {
                a.expr(&own.zero);
                a.update(&Place::var(own.bar, stmt.span));
            }
            a.declare(&[p.first, p.last]);
        }
        StmtKind::CallReverse {
            args, bars, seed, ..
        } => {
            a.args(args);
            for (arg, bar) in args.iter().zip(bars) {
                let touch = match &arg.mode {
                    // A callee only adds to the adjoints of what it does not write.
                    ArgMode::Value(_) | ArgMode::Shared(_) => Touch::AddInCall,
                    ArgMode::InOut(_) => Touch::Update,
                };
                match bar {
                    BarArg::Place(p) => a.place(p, touch),
                    BarArg::Unused(_) => {}
                }
            }
            seed.iter().for_each(|p| a.read(p));
        }
    }
}

impl StmtKind {
    /// The blocks directly inside the statement.
    pub(crate) fn blocks(&self) -> Vec<&Block> {
        let mut blocks = Vec::new();
        self.each_block(&mut |block| blocks.push(block));
        blocks
    }

    /// Calls `f` with each of them.
    pub(crate) fn each_block<'a>(&'a self, f: &mut dyn FnMut(&'a Block)) {
        match self {
            StmtKind::Switch { arms, .. } => arms.iter().for_each(f),
            StmtKind::Branch { arms, .. } => arms.iter().for_each(|(block, _)| f(block)),
            StmtKind::MatchRecord { arms, .. } => arms.iter().for_each(|(_, block)| f(block)),
            StmtKind::Loop(Loop { body, .. })
            | StmtKind::Checkpoint(body)
            | StmtKind::Labelled(_, body)
            | StmtKind::Scope(body) => f(body),
            StmtKind::Parallel(parallel) => f(&parallel.body),
            // As it was first: who looks for what a variable holds finds it without windows.
            StmtKind::Versioned(both) => {
                f(&both.plain);
                f(&both.fast);
            }
            StmtKind::Disjoint(disjoint) => f(&disjoint.body),
            StmtKind::Strips(strips) => f(&strips.body),
            StmtKind::InRegisters(inside) => f(&inside.body),
            StmtKind::Procedure(procedure) => f(&procedure.body),
            StmtKind::Simd(simd) => f(&simd.body),
            StmtKind::Kernel(call) => call.bodies.iter().for_each(|body| f(&body.block)),
            StmtKind::Check(check) => match &**check {
                Check::NoOverflow(indices) => f(&indices.exact),
                Check::Not(_)
                | Check::Less { .. }
                | Check::Outside { .. }
                | Check::Fits(_)
                | Check::Number { .. }
                | Check::Part { .. }
                | Check::Element { .. } => {}
            },
            leaf_stmts!()
            | StmtKind::Jump(_)
            | StmtKind::PushRecord { .. }
            | StmtKind::PopRecord { .. }
            | StmtKind::PushSlice { .. }
            | StmtKind::PopSlice { .. }
            | StmtKind::PushRange { .. }
            | StmtKind::PopRange { .. }
            | StmtKind::RequireCompanion { .. }
            | StmtKind::CallForward { .. }
            | StmtKind::CallReverse { .. }
            | StmtKind::Run(_)
            | StmtKind::Accumulate { .. }
            | StmtKind::Begin { .. }
            | StmtKind::BeginAll { .. }
            | StmtKind::ClearAround { .. }
            | StmtKind::SetZero(_)
            | StmtKind::DropLast(_)
            | StmtKind::Recycle(_)
            | StmtKind::Windows(_)
            | StmtKind::RecordAt(_)
            | StmtKind::Buffer(_)
            | StmtKind::Regrow { .. } => {}
        }
    }
}
