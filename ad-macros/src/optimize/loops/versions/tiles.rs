//! Time loops in tiles: what is checked, which cells the runtime is handed, and what a step and its reverse do to some
//! of them.

use crate::ir::versions::{Check, Function, Kernel, KernelBody, Output, Windows};
use crate::ir::{
    Back, BinOp, Block, Class, Expr, ExprKind, Loop, Order, Place, Proj, Sliced, Split, Stmt,
    StmtKind, Tiled, Ty, VarId,
};

use super::index::End;
use super::{Iterations, Maker};

/// What the runtime gives a step, or its reverse: a row with what is around its cells, and the number of the first
/// cell.
struct Given {
    row: VarId,
    from: VarId,
}

impl Maker<'_> {
    /// Both versions of a time loop.
    pub(super) fn tiled(&mut self, tiled: &Tiled, this: &Loop) -> Block {
        let (stmts, plain) = (self.tiles(tiled), self.plain(this));
        Block {
            stmts: vec![self.versioned(Block { stmts }, plain)],
        }
    }

    /// The loop in tiles, where it is worth it and fits: both sweeps come to the same end.
    fn tiles(&mut self, tiled: &Tiled) -> Vec<Stmt> {
        let step = &tiled.step;
        let steps = self.index("__steps");
        let count = if tiled.steps.inclusive {
            Function::CountInclusive
        } else {
            Function::Count
        };
        let range = vec![tiled.steps.lo.clone(), tiled.steps.hi.clone()];
        let number = self.function(count, range, Ty::USIZE);
        let mut stmts = vec![self.declare(steps, number), self.at_least_one(steps)];
        // In front of the declarations, which may be of lengths that the reverse sweep finds exchanged.
        if tiled.alike {
            let [a, b] = tiled.arrays.map(|var| self.len(var));
            let differ = self.binary(BinOp::Ne, a, b, Ty::Bool);
            stmts.push(self.check(Check::Not(differ)));
        }
        stmts.extend(tiled.lets.iter().cloned());
        let (start, n) = (self.index("__start"), self.index("__n"));
        let inner = self.trips(&step.range);
        stmts.push(self.declare(start, step.range.lo.clone()));
        stmts.push(self.declare(n, inner));
        stmts.push(self.at_least_one(n));
        let mut iterations = Iterations::new(start, n, None);
        let ends = self.ends(step, &iterations, Function::Checked, &mut stmts);
        self.windows(&unchanged(tiled, step), &ends, &mut iterations, &mut stmts);
        let cells = self.opaque("__cells");
        let written = &step.edits[0][0].1;
        stmts.push(self.window(Windows::Stencil {
            var: cells,
            arrays: tiled.arrays,
            first: self.at(&written.index, &ends, End::First),
            last: self.at(&written.index, &ends, End::Last),
            len: self.read(n),
            around: tiled.around,
            steps: self.read(steps),
        }));
        let inputs = vec![self.read(cells), self.read(steps)];
        let mut outputs = tiled.arrays.to_vec();
        let mut bodies = vec![self.step(tiled, &iterations)];
        let Some(back) = &tiled.back else {
            let kernel = Kernel::ForwardTiles(tiled.site);
            stmts.push(self.kernel(kernel, inputs, self.all_of(&outputs), bodies));
            stmts.push(self.exchanged(steps, &[tiled.arrays]));
            return stmts;
        };
        let ends = self.ends(&back.step, &iterations, Function::Checked, &mut stmts);
        let others = unchanged(tiled, &back.step);
        self.windows(&others, &ends, &mut iterations, &mut stmts);
        stmts.push(self.exchanged(steps, &[tiled.arrays, back.adjoints]));
        outputs.extend(back.adjoints);
        bodies.push(self.step_back(tiled, back, &iterations));
        let kernel = Kernel::ReverseTiles(tiled.site);
        stmts.push(self.kernel(kernel, inputs, self.all_of(&outputs), bodies));
        stmts
    }

    fn at_least_one(&self, number: VarId) -> Stmt {
        let none = self.binary(BinOp::Lt, self.read(number), self.count(1), Ty::Bool);
        self.check(Check::Not(none))
    }

    fn len(&self, var: VarId) -> Expr {
        let place = Place::var(var, self.span);
        Expr::new(ExprKind::Len(place), Ty::USIZE, self.span)
    }

    fn all_of(&self, arrays: &[VarId]) -> Vec<Output> {
        let place = |var: &VarId| Output::Place(Place::var(*var, self.span));
        arrays.iter().map(place).collect()
    }

    /// After an odd number of steps, arrays have changed places.
    fn exchanged(&self, steps: VarId, pairs: &[[VarId; 2]]) -> Stmt {
        let swap = |pair: &[VarId; 2]| {
            let [a, b] = pair.map(|var| Place::var(var, self.span));
            self.stmt(StmtKind::Swap(a, b))
        };
        let rest = self.binary(BinOp::Rem, self.read(steps), self.count(2), Ty::USIZE);
        let stmts = pairs.iter().map(swap).collect();
        self.stmt(StmtKind::Switch {
            selector: self.binary(BinOp::Eq, rest, self.count(1), Ty::Bool),
            arms: vec![Block { stmts }, Block::default()],
        })
    }

    fn given(&mut self, tiled: &Tiled) -> (Given, Ty) {
        let element = self.func.var(tiled.arrays[0]).ty.element();
        let ty = Ty::Slice(Box::new(element));
        let row = self.func.temp("__row", ty.clone(), self.span);
        let from = self.index("__from");
        (Given { row, from }, ty)
    }

    /// A step, of the cells from a number on.
    fn step(&mut self, tiled: &Tiled, all: &Iterations) -> KernelBody {
        let (step, cell) = (&tiled.step, tiled.step.edits[0][0].0);
        self.func.var_mut(cell).mutable = true;
        let (given, _) = self.given(tiled);
        let (iterations, mut stmts) = self.some_cells(&given, cell, all);
        stmts.extend(self.cut(tiled, step, &given, &iterations, None));
        let body = self.iteration(step, &iterations, self.read(step.lane));
        let n = self.read(iterations.n);
        let run = self.counting(step.lane, n, Order::Forward, body);
        stmts.extend(self.apart(step, &iterations, iterations.n, vec![run]));
        KernelBody {
            params: vec![given.row, given.from, cell],
            block: Block { stmts },
            yields: Vec::new(),
        }
    }

    /// The reverse of a step, of the cells from a number on: what they contribute to the adjoints of all that they
    /// read.
    fn step_back(&mut self, tiled: &Tiled, back: &Back, all: &Iterations) -> KernelBody {
        let (given, ty) = self.given(tiled);
        let to = self
            .func
            .temp_of(Class::Adjoint, "__to", ty.clone(), self.span);
        self.func.var_mut(to).mutable = true;
        let (mut iterations, mut stmts) = self.some_cells(&given, back.seeds, all);
        iterations.extents = vec![None; back.step.sums.len()];
        iterations.anew = Some((to, back.into));
        stmts.extend(self.cut(tiled, &back.step, &given, &iterations, Some(back.seeds)));
        let zero = Expr::new(ExprKind::Zero, ty.element(), self.span);
        let clear = |from: Option<Expr>, end: Option<Expr>| {
            let [lo, hi] = [from, end].map(|e| e.map(Box::new));
            let part = Proj::Range {
                lo,
                hi,
                inclusive: false,
            };
            let (slice, value) = (Place::var(to, self.span).then(part), zero.clone());
            self.stmt(StmtKind::Fill { slice, value })
        };
        let front = back.step.gathers[0].spread();
        let behind = self.sum(self.count(back.into), self.read(iterations.n));
        let around = [
            clear(None, Some(self.count(back.into + front))),
            clear(Some(behind.clone()), None),
        ];
        let rest = [
            clear(None, Some(self.count(back.into))),
            clear(Some(behind), None),
        ];
        let at_once = self.assigned(&back.step, &iterations);
        let rows = self.rows_anew(&back.step, &iterations, rest.to_vec());
        match at_once {
            Some(run) => {
                let most = self.function(Function::MaxBlock, Vec::new(), Ty::USIZE);
                let mut large = around.to_vec();
                large.extend(run);
                stmts.push(self.stmt(StmtKind::Switch {
                    selector: self.binary(BinOp::Gt, self.read(iterations.n), most, Ty::Bool),
                    arms: vec![Block { stmts: large }, Block { stmts: rows }],
                }));
            }
            None => stmts.extend(rows),
        }
        KernelBody {
            params: vec![given.row, given.from, back.seeds, to],
            block: Block { stmts },
            yields: Vec::new(),
        }
    }

    /// Elements that one pass computes, if that is less than what the iterations contribute one by one.
    fn assigned(&mut self, sliced: &Sliced, iterations: &Iterations) -> Option<Vec<Stmt>> {
        let split: &Split = sliced.split.as_ref()?;
        let ([gather], [combined]) = (sliced.gathers.as_slice(), split.combined.as_slice()) else {
            return None;
        };
        Some(self.assign_at_once(sliced, split, iterations, (gather, combined)))
    }

    /// The cells from a number on, as many as a slice has.
    fn some_cells(
        &mut self,
        given: &Given,
        of: VarId,
        all: &Iterations,
    ) -> (Iterations, Vec<Stmt>) {
        let (start, n) = (self.index("__start"), self.index("__n"));
        let first = self.sum(self.read(all.start), self.read(given.from));
        let stmts = vec![self.declare(start, first), self.declare(n, self.len(of))];
        (Iterations::new(start, n, None), stmts)
    }

    /// The windows of these cells, `seeds` apart.
    fn cut(
        &self,
        tiled: &Tiled,
        sliced: &Sliced,
        given: &Given,
        iterations: &Iterations,
        seeds: Option<VarId>,
    ) -> Vec<Stmt> {
        let views = sliced.views.iter().map(|(var, _)| *var);
        let cut = views.filter(|var| Some(*var) != seeds).map(|var| {
            let (begin, len) = (
                tiled.begins.iter().find(|(of, _)| *of == var),
                self.read(iterations.n),
            );
            self.window(match begin {
                Some((_, begin)) => Windows::Shift {
                    var,
                    of: given.row,
                    from: self.count(*begin),
                    len,
                },
                None => Windows::Narrow {
                    vars: vec![var],
                    written: false,
                    from: self.read(given.from),
                    len,
                },
            })
        });
        cut.collect()
    }
}

/// What a step reads beside the arrays that change places.
fn unchanged(tiled: &Tiled, sliced: &Sliced) -> Sliced {
    let mut rest = sliced.clone();
    let (arrays, back) = (&tiled.arrays, tiled.back.as_ref());
    let seeds = back.map(|back| back.seeds);
    rest.views
        .retain(|(var, view)| !arrays.contains(&view.of.root) && Some(*var) != seeds);
    rest.edits.clear();
    rest.sums.clear();
    rest
}
