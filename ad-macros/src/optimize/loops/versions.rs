//! Two versions of each loop that other passes have found to run better on windows of arrays: the checks, windows and
//! buffers of the fast one, as statements.
//!
//! What runs is planned by then: this pass decides nothing about loops. It makes the indices of the first iteration and
//! of the last ([`index`]), what shows that none overflows ([`overflow`]), the windows, the loops over them
//! ([`run`]), and of each loop whose records lie in strips, fast or not, the loop over the strips ([`strips`]).

mod index;
mod jam;
mod middle;
mod numbered;
mod overflow;
mod rows;
mod run;
mod simd;
mod split;
mod strips;
mod tiles;
mod windows;

use proc_macro2::Span;

use crate::ir::edit::blocks_mut;
use crate::ir::faults::Fault;
use crate::ir::versions::{Check, Function, RecordAt, Resume, Versioned, Windows};
use crate::ir::{
    BinOp, Block, Class, Direction, Domain, Expr, ExprKind, Func, Loop, LoopId, Order, Place, Plan,
    Proj, RangeIter, Sliced, Stmt, StmtKind, Ty, VarId,
};

use index::End;
use strips::InStrip;

/// Makes two versions of each loop that has a fast one.
pub(in crate::optimize) fn make_versions(func: &mut Func, stmts: &mut [Stmt]) {
    for stmt in stmts {
        let mut maker = Maker {
            func,
            span: stmt.span,
        };
        // All other statements stay, and what is planned inside of them is looked for below.
        if let StmtKind::Loop(this) = &mut stmt.kind {
            let plan = this.plan.take();
            if let Some(made) = maker.made(this, plan) {
                stmt.kind = StmtKind::Scope(made);
            }
        }
        for block in blocks_mut(stmt) {
            make_versions(func, &mut block.stmts);
        }
    }
}

/// Makes the statements of one loop.
struct Maker<'a> {
    func: &'a mut Func,
    span: Span,
}

/// The iterations that a fast version runs over, and the records that go with them.
struct Iterations {
    /// The first value of the counter, and how many there are.
    start: VarId,
    n: VarId,
    records: Option<Records>,
    /// The records, or what they are put into.
    taken: Option<VarId>,
    /// Where the elements are that each of the sums is added to.
    extents: Vec<Option<VarId>>,
    /// If their elements are set, and lie in a slice: that slice, and where in it they begin.
    anew: Option<(VarId, usize)>,
    /// How many iterations are in front of them, where they are those in the middle of a loop, and how many it has.
    front: Option<(VarId, VarId)>,
}

impl Iterations {
    fn new(start: VarId, n: VarId, records: Option<Records>) -> Self {
        Iterations {
            start,
            n,
            records,
            taken: None,
            extents: Vec::new(),
            anew: None,
            front: None,
        }
    }
}

/// The records of the iterations: the strip they are in, and what is in them.
#[derive(Clone)]
struct Records {
    strip: VarId,
    vars: Vec<VarId>,
    direction: Direction,
}

impl Maker<'_> {
    /// The form that is planned for a loop, or the loop over its strips; `None` if it stays as it is.
    fn made(&mut self, this: &Loop, plan: Option<Plan>) -> Option<Block> {
        Some(match plan {
            Some(Plan::Windows(sliced)) => self.sliced(&sliced, this),
            Some(Plan::Jam(jam)) => self.jammed(&jam, this),
            Some(Plan::JammedNest(nest)) => self.jammed_nest(&nest, this),
            Some(Plan::Products(waiting)) => self.deferring(&waiting, this),
            Some(Plan::Tiles(tiled)) => self.tiled(&tiled, this),
            None if this.is_in_strips() => self.loop_in_strips(this),
            None => return None,
        })
    }

    /// The versions of a loop on windows.
    fn sliced(&mut self, sliced: &Sliced, this: &Loop) -> Block {
        if let Some(middle) = &sliced.middle {
            return self.in_middle(sliced, middle, this);
        }
        if let Some(strip) = &this.strip {
            let span = self.span;
            return self.over_strips(this, |maker, iterations, plain| {
                let records = Records {
                    strip: iterations.strip,
                    vars: strip.vars.clone(),
                    direction: this.sweep,
                };
                let InStrip { start, n, .. } = iterations;
                let iterations = Iterations::new(start, n, Some(records));
                let fast = maker.fast(sliced, iterations, None);
                let plain = Block {
                    stmts: vec![Stmt::new(StmtKind::Loop(plain), span)],
                };
                vec![maker.versioned(fast, plain)]
            });
        }
        let (start, n) = (self.index("__start"), self.index("__n"));
        let trips = self.trips(&sliced.range);
        let iterations = Iterations::new(start, n, None);
        let mut stmts = vec![
            self.declare(start, sliced.range.lo.clone()),
            self.declare(n, trips),
        ];
        let rest = self.rest(sliced, this, &iterations);
        if let Some((done, plain)) = rest {
            stmts.push(self.declare(done, self.count(0)));
            let resume = Resume {
                done,
                n,
                counter: sliced.counter,
                range: Some(sliced.range.clone()),
                does_more: false,
            };
            let versioned = Versioned {
                fast: self.fast(sliced, iterations, Some(done)),
                plain,
                resume: Some(resume),
            };
            stmts.push(self.stmt(StmtKind::Versioned(Box::new(versioned))));
            return Block { stmts };
        }
        let fast = self.fast(sliced, iterations, None);
        let plain = self.plain(this);
        stmts.push(self.versioned(fast, plain));
        Block { stmts }
    }

    /// A loop as it is.
    fn plain(&self, this: &Loop) -> Block {
        let stmts = vec![self.stmt(StmtKind::Loop(this.clone()))];
        Block { stmts }
    }

    /// What is left of a loop that runs in blocks of one length: the loop as it is, from where they end on.
    fn rest(
        &mut self,
        sliced: &Sliced,
        this: &Loop,
        iterations: &Iterations,
    ) -> Option<(VarId, Block)> {
        sliced.whole_blocks?;
        let Domain::Range { var, range } = &this.domain else {
            return None;
        };
        let done = self.count_of("__done");
        let range = RangeIter {
            lo: self.sum(self.read(iterations.start), self.read(done)),
            ..range.clone()
        };
        let rest = Loop {
            domain: Domain::Range { var: *var, range },
            ..this.clone()
        };
        let stmts = vec![self.stmt(StmtKind::Loop(rest))];
        Some((done, Block { stmts }))
    }

    /// What runs where all checks hold. `done` counts the iterations of a loop whose rest another one takes.
    fn fast(&mut self, sliced: &Sliced, mut iterations: Iterations, done: Option<VarId>) -> Block {
        let mut stmts = Vec::new();
        let few = self.binary(
            BinOp::Lt,
            self.read(iterations.n),
            self.count(sliced.least),
            Ty::Bool,
        );
        stmts.push(self.check(Check::Not(few)));
        let ends = self.indices(sliced, &iterations, &mut stmts);
        let middle = (sliced.middle.iter()).filter(|_| !Fault::MiddleUnchecked.is_on());
        for holds in middle.flat_map(|middle| &middle.holds) {
            let checks = End::BOTH.map(|end| Check::Less {
                sides: holds.sides.each_ref().map(|e| self.at(e, &ends, end)),
                equal: holds.equal,
            });
            stmts.extend(checks.map(|check| self.check(check)));
        }
        let windows = stmts.len();
        self.windows(sliced, &ends, &mut iterations, &mut stmts);
        if let Some(records) = &iterations.records {
            let name = match records.direction {
                Direction::Forward => "__slots",
                Direction::Reverse => "__records",
            };
            let (strip, direction) = (records.strip, records.direction);
            let var = iterations.taken.unwrap_or_else(|| self.opaque(name));
            if iterations.taken.is_none() {
                let len = self.read(iterations.front.map_or(iterations.n, |(_, all)| all));
                stmts.push(self.window(Windows::Records {
                    var,
                    strip,
                    len,
                    direction,
                }));
            }
            if let Some((front, _)) = iterations.front {
                stmts.push(self.window(Windows::NarrowRecords {
                    var,
                    strip,
                    from: self.read(front),
                    len: self.read(iterations.n),
                    direction,
                }));
            }
            iterations.taken = Some(var);
        }
        if !sliced.partial {
            let run = self.run(sliced, &iterations, done);
            stmts.extend(run);
            return Block { stmts };
        }
        let (sums, buffer) = self.buffer_of_sums(sliced);
        let run = self.partial_sums(sliced, &iterations, sums);
        if sliced.apart.is_empty() {
            stmts.push(buffer);
            stmts.extend(run);
        } else {
            // The sums go into arrays that have windows.
            let inside = stmts.split_off(windows);
            let stmts_inside = inside.into_iter().chain(run).collect();
            stmts.push(buffer);
            stmts.push(self.stmt(StmtKind::Scope(Block {
                stmts: stmts_inside,
            })));
        }
        stmts.extend(self.totals(sliced, sums));
        Block { stmts }
    }

    /// How many iterations a range has that counts up by one.
    fn trips(&self, range: &RangeIter) -> Expr {
        let function = if range.inclusive {
            Function::Trips
        } else {
            Function::Difference
        };
        let args = if function == Function::Difference {
            vec![range.hi.clone(), range.lo.clone()]
        } else {
            vec![range.lo.clone(), range.hi.clone()]
        };
        self.function(function, args, Ty::USIZE)
    }
}

/// Variables, statements and expressions.
impl Maker<'_> {
    fn stmt(&self, kind: StmtKind) -> Stmt {
        Stmt::new(kind, self.span)
    }

    fn declare(&self, var: VarId, value: Expr) -> Stmt {
        let init = Some(value);
        self.stmt(StmtKind::Let { var, init })
    }

    fn check(&self, check: Check) -> Stmt {
        self.stmt(StmtKind::Check(Box::new(check)))
    }

    fn versioned(&self, fast: Block, plain: Block) -> Stmt {
        self.stmt(StmtKind::Versioned(Box::new(Versioned {
            fast,
            plain,
            resume: None,
        })))
    }

    /// `for var in 0..n`
    fn counting(&self, var: VarId, n: Expr, order: Order, body: Vec<Stmt>) -> Stmt {
        let range = RangeIter {
            lo: self.count(0),
            hi: n,
            inclusive: false,
            step: None,
            rev: false,
            rev_first: false,
        };
        let body = Block { stmts: body };
        let mut this = Loop::forward(LoopId::MADE, Domain::Range { var, range }, body, None);
        this.order = order;
        self.stmt(StmtKind::Loop(this))
    }

    /// A variable for a number that counts.
    fn index(&mut self, name: &str) -> VarId {
        self.func.temp(name, Ty::USIZE, self.span)
    }

    /// A variable for something that has no place in the function.
    fn opaque(&mut self, name: &str) -> VarId {
        self.func
            .temp_of(Class::Either, name, Ty::Passive, self.span)
    }

    fn count(&self, n: usize) -> Expr {
        Expr::usize_literal(n, self.span)
    }

    fn read(&self, var: VarId) -> Expr {
        Expr::read_var(var, self.func.var(var).ty.clone(), self.span)
    }

    fn element(&self, of: VarId, indices: Vec<Expr>) -> Place {
        let mut place = Place::var(of, self.span);
        place.proj.extend(indices.into_iter().map(Proj::index));
        place
    }

    fn binary(&self, op: BinOp, a: Expr, b: Expr, ty: Ty) -> Expr {
        let kind = ExprKind::Binary(op, Box::new(a), Box::new(b));
        Expr::new(kind, ty, self.span)
    }

    fn sum(&self, a: Expr, b: Expr) -> Expr {
        self.binary(BinOp::Add, a, b, Ty::USIZE)
    }

    fn function(&self, function: Function, args: Vec<Expr>, ty: Ty) -> Expr {
        Expr::new(ExprKind::Function(function, args), ty, self.span)
    }

    fn record(&self, records: &Records, of: VarId, at: Expr) -> Stmt {
        self.stmt(StmtKind::RecordAt(Box::new(RecordAt {
            direction: records.direction,
            of,
            at,
            vars: records.vars.clone(),
        })))
    }
}
