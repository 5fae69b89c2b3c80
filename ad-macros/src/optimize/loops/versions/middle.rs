//! Loops whose iterations in the middle run on windows: those in front of them, those, and the rest.
//!
//! ```text
//! let first = …; for number in 0..first { as it stands }  done = first
//! windows of n - first - last iterations                  done += n - first - last
//! for number in done..n { as it stands }
//! ```

use crate::ir::versions::{Check, Function, Resume, Versioned, Windows};
use crate::ir::{
    BinOp, Block, Direction, Domain, Expr, Loop, Middle, Order, Place, Sliced, Stmt, StmtKind, Ty,
    VarId,
};

use super::index::{End, Ends};
use super::strips::InStrip;
use super::{Iterations, Maker, Records};

/// Iterations of the loop, counted from a first one on.
struct All {
    start: VarId,
    n: VarId,
    /// How many are done.
    done: VarId,
    number: VarId,
    /// Takes the record of an iteration, or leaves it.
    records: [Option<Stmt>; 2],
}

impl Maker<'_> {
    /// The versions of a loop that runs on windows in its middle.
    pub(super) fn in_middle(&mut self, sliced: &Sliced, middle: &Middle, this: &Loop) -> Block {
        let Some(strip) = &this.strip else {
            let (start, n) = (self.index("__start"), self.index("__n"));
            let trips = self.trips(&sliced.range);
            let mut stmts = vec![
                self.declare(start, sliced.range.lo.clone()),
                self.declare(n, trips),
            ];
            stmts.extend(self.in_parts(sliced, middle, this, (start, n), None));
            return Block { stmts };
        };
        let vars = strip.vars.clone();
        self.over_strips(this, |maker, strip, plain| {
            let InStrip {
                start, n, first, ..
            } = strip;
            let records = Records {
                strip: strip.strip,
                vars,
                direction: plain.sweep,
            };
            let of = (start, n);
            if plain.sweep == Direction::Forward {
                let recorded = Some((records, strip.strip, Some(first)));
                return maker.in_parts(sliced, middle, &plain, of, recorded);
            }
            // Records of variable size are taken off one by one.
            let taken = maker.opaque("__records");
            let windows = Windows::Records {
                var: taken,
                strip: records.strip,
                len: maker.read(n),
                direction: Direction::Reverse,
            };
            let mut stmts = vec![maker.window(windows)];
            let recorded = Some((records, taken, None));
            stmts.extend(maker.in_parts(sliced, middle, &plain, of, recorded));
            let plain = vec![maker.stmt(StmtKind::Loop(plain))];
            vec![maker.versioned(Block { stmts }, Block { stmts: plain })]
        })
    }

    /// `n` iterations from `start` on. `recorded`: their records, what these are in, and the index there of the first.
    fn in_parts(
        &mut self,
        sliced: &Sliced,
        middle: &Middle,
        this: &Loop,
        (start, n): (VarId, VarId),
        recorded: Option<(Records, VarId, Option<VarId>)>,
    ) -> Vec<Stmt> {
        let (done, number) = (self.count_of("__done"), self.index("__number"));
        let mut records = [None, None];
        if let Some((record, of, first)) = &recorded {
            let at = match first {
                Some(first) => self.sum(self.read(*first), self.read(number)),
                None => self.read(number),
            };
            let behind = usize::from(record.direction == Direction::Forward);
            records[behind] = Some(self.record(record, *of, at));
        }
        let all = All {
            start,
            n,
            done,
            number,
            records,
        };
        let (first, mut fast) = self.front(sliced, middle, this, &all);
        let end = self.end(middle, &all, &mut fast);
        let (from, count) = (self.index("__from"), self.index("__middle"));
        let left = self.function(Function::Difference, vec![end, self.read(first)], Ty::USIZE);
        fast.push(self.declare(count, left));
        fast.push(self.declare(from, self.sum(self.read(start), self.read(first))));
        let taken = recorded
            .as_ref()
            .map(|(record, of, _)| (record.direction, *of));
        let records = recorded.map(|(record, ..)| record);
        let mut iterations = Iterations::new(from, count, records);
        iterations.front = Some((first, n));
        iterations.taken = taken.and_then(|(d, of)| (d == Direction::Reverse).then_some(of));
        fast.extend(self.fast_middle(sliced, iterations, &all, count));
        let rest = self.part(sliced, this, &all, [self.read(done), self.read(n)]);
        let range = this.strip.is_none().then(|| sliced.range.clone());
        let versioned = Versioned {
            fast: Block { stmts: fast },
            plain: Block { stmts: vec![rest] },
            resume: Some(Resume {
                done,
                n,
                counter: sliced.counter,
                range,
            }),
        };
        vec![
            self.declare(done, self.count(0)),
            self.stmt(StmtKind::Versioned(Box::new(versioned))),
        ]
    }

    /// The windows of the middle, and the loop over them.
    fn fast_middle(
        &mut self,
        sliced: &Sliced,
        iterations: Iterations,
        all: &All,
        count: VarId,
    ) -> Vec<Stmt> {
        if sliced.whole_blocks.is_none() {
            let mut stmts = self.fast(sliced, iterations, None).stmts;
            stmts.push(self.advance_done(all, count));
            return stmts;
        }
        let in_blocks = self.count_of("__done");
        let mut stmts = vec![self.declare(in_blocks, self.count(0))];
        stmts.extend(self.fast(sliced, iterations, Some(in_blocks)).stmts);
        stmts.push(self.advance_done(all, in_blocks));
        stmts
    }

    fn advance_done(&self, all: &All, by: VarId) -> Stmt {
        self.stmt(StmtKind::Update {
            place: Place::var(all.done, self.span),
            op: BinOp::Add,
            value: self.read(by),
        })
    }

    /// The iterations in front of the middle, and how many they are.
    fn front(
        &mut self,
        sliced: &Sliced,
        middle: &Middle,
        this: &Loop,
        all: &All,
    ) -> (VarId, Vec<Stmt>) {
        let mut stmts = Vec::new();
        let mut first: Option<Expr> = None;
        for bound in &middle.from {
            let bound = self.behind_start(bound, all, &mut stmts);
            first = Some(match first {
                Some(first) => self.function(Function::Max, vec![first, bound], Ty::USIZE),
                None => bound,
            });
        }
        let first = first.unwrap_or_else(|| self.count(0));
        let var = self.index("__front");
        let least = self.function(Function::Min, vec![first, self.read(all.n)], Ty::USIZE);
        stmts.push(self.declare(var, least));
        if !middle.from.is_empty() {
            stmts.push(self.part(sliced, this, all, [self.count(0), self.read(var)]));
            stmts.push(self.advance_done(all, var));
        }
        (var, stmts)
    }

    /// Behind how many iterations the middle ends.
    fn end(&mut self, middle: &Middle, all: &All, stmts: &mut Vec<Stmt>) -> Expr {
        let mut end = self.read(all.n);
        for bound in &middle.to {
            let bound = self.behind_start(bound, all, stmts);
            end = self.function(Function::Min, vec![end, bound], Ty::USIZE);
        }
        end
    }

    /// How many iterations are in front of a bound. Where the text does not say that a sum does not overflow, that is
    /// looked at.
    fn behind_start(
        &mut self,
        [plus, minus]: &[Expr; 2],
        all: &All,
        stmts: &mut Vec<Stmt>,
    ) -> Expr {
        let [plus, minus] = [plus, minus].map(|e| {
            if e.children().is_empty() {
                return e.clone();
            }
            let (var, index) = (self.index("__bound"), self.at(e, &Ends::none(), End::First));
            stmts.push(self.check(Check::Number { var, index }));
            self.read(var)
        });
        let bound = match minus.is_zero_literal() {
            true => plus,
            false => self.function(Function::Difference, vec![plus, minus], Ty::USIZE),
        };
        let start = self.read(all.start);
        self.function(Function::Difference, vec![bound, start], Ty::USIZE)
    }

    /// Iterations as they stand, by their numbers.
    fn part(&mut self, sliced: &Sliced, this: &Loop, all: &All, [lo, hi]: [Expr; 2]) -> Stmt {
        let [begin, end] = all.records.clone();
        let counter = self.sum(self.read(all.start), self.read(all.number));
        let mut stmts = vec![self.declare(sliced.counter, counter)];
        stmts.extend(begin);
        stmts.extend(this.body.stmts.iter().cloned());
        stmts.extend(end);
        let mut part = self.counting(all.number, hi, Order::Forward, stmts);
        if let StmtKind::Loop(part) = &mut part.kind {
            part.sweep = this.sweep;
            if let Domain::Range { range, .. } = &mut part.domain {
                range.lo = lo;
            }
        }
        part
    }
}
