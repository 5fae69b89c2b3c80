//! Loops whose iterations in the middle run on windows: those in front of them, those, and the rest.
//!
//! ```text
//! let first = …; for number in 0..first { as it stands }  done = first
//! windows of n - first - last iterations                  done += n - first - last
//! for number in done..n { as it stands }
//! ```

use crate::ir::versions::{Check, Function, Resume, Versioned};
use crate::ir::{
    BinOp, Block, Direction, Expr, Loop, Middle, Place, Sliced, Stmt, StmtKind, Ty, VarId,
};

use super::index::{End, Ends};
use super::numbered::{Numbered, Recorded};
use super::{Iterations, Maker};

impl Maker<'_> {
    /// The versions of a loop that runs on windows in its middle.
    pub(super) fn in_middle(&mut self, sliced: &Sliced, middle: &Middle, this: &Loop) -> Block {
        self.numbered(this, &sliced.range, |maker, this, of, recorded| {
            maker.in_parts(sliced, middle, this, of, recorded)
        })
    }

    /// `n` iterations from `start` on.
    fn in_parts(
        &mut self,
        sliced: &Sliced,
        middle: &Middle,
        this: &Loop,
        (start, n): (VarId, VarId),
        recorded: Recorded<'_>,
    ) -> Vec<Stmt> {
        let (done, number) = (self.count_of("__done"), self.index("__number"));
        let all = Numbered {
            counter: sliced.counter,
            start,
            n,
            done,
            number,
            records: self.records_of(recorded, number),
        };
        let (first, mut fast) = self.front(middle, this, &all);
        let end = self.end(middle, &all, &mut fast);
        let (from, count) = (self.index("__from"), self.index("__middle"));
        let left = self.function(Function::Difference, vec![end, self.read(first)], Ty::USIZE);
        fast.push(self.declare(count, left));
        fast.push(self.declare(from, self.sum(self.read(start), self.read(first))));
        let records = recorded.map(|(records, ..)| records.clone());
        let mut iterations = Iterations::new(from, count, records);
        iterations.front = Some((first, n));
        let taken = recorded.filter(|(records, ..)| records.direction == Direction::Reverse);
        iterations.taken = taken.map(|(_, taken, _)| taken);
        fast.extend(self.fast_middle(sliced, iterations, &all, count));
        let rest = self.as_they_stand(this, &all, [self.read(done), self.read(n)]);
        let range = this.strip.is_none().then(|| sliced.range.clone());
        let versioned = Versioned {
            fast: Block { stmts: fast },
            plain: Block { stmts: vec![rest] },
            resume: Some(Resume {
                done,
                n,
                counter: sliced.counter,
                range,
                does_more: true,
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
        all: &Numbered,
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

    fn advance_done(&self, all: &Numbered, by: VarId) -> Stmt {
        self.stmt(StmtKind::Update {
            place: Place::var(all.done, self.span),
            op: BinOp::Add,
            value: self.read(by),
        })
    }

    /// The iterations in front of the middle, and how many they are.
    fn front(&mut self, middle: &Middle, this: &Loop, all: &Numbered) -> (VarId, Vec<Stmt>) {
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
            stmts.push(self.as_they_stand(this, all, [self.count(0), self.read(var)]));
            stmts.push(self.advance_done(all, var));
        }
        (var, stmts)
    }

    /// Behind how many iterations the middle ends.
    fn end(&mut self, middle: &Middle, all: &Numbered, stmts: &mut Vec<Stmt>) -> Expr {
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
        all: &Numbered,
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
}
