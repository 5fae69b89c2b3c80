//! Loops whose records lie in strips on the tape: a loop over the strips, and in it one over the iterations of a strip.

use crate::ir::versions::{Function, Numbered, OfStrip, Strips};
use crate::ir::{BinOp, Block, Domain, Expr, Loop, RangeIter, Stmt, StmtKind, Ty, VarId};

use super::Maker;

/// How many iterations are few.
const FEW: u64 = 16;

/// The iterations that have their records in one strip.
pub(super) struct InStrip {
    pub(super) strip: VarId,
    /// The number of the first one.
    pub(super) first: VarId,
    pub(super) start: VarId,
    pub(super) n: VarId,
}

/// Whether a loop has so few iterations that all their records are in one strip: there is no loop around it, and the
/// optimiser unrolls it.
pub(super) fn has_one_strip(this: &Loop) -> bool {
    let Domain::Range { range, .. } = &this.domain else {
        return false;
    };
    let few = range.literal_trips().is_some_and(|trips| trips <= FEW);
    range.counts_up_by_one() && !range.inclusive && few
}

/// How the iterations of a loop and their records are counted.
struct Counted {
    /// The indices of the records.
    lo: Expr,
    hi: Expr,
    /// Where the counter is no such index.
    index: Option<Numbered>,
    /// In front of the loop.
    before: Vec<Stmt>,
}

/// What a loop with strips runs over.
fn range_of(this: &Loop) -> (VarId, &RangeIter) {
    let Domain::Range { var, range } = &this.domain else {
        unreachable!("strips are for loops over ranges");
    };
    (*var, range)
}

/// The iterations of one strip.
fn within(this: &Loop, var: VarId, strip: VarId, counted: &Counted) -> Loop {
    let index = counted.index.clone();
    let of = OfStrip { strip, index };
    Loop {
        domain: Domain::Strip { var, of },
        ..this.clone()
    }
}

impl Maker<'_> {
    /// A loop that is the same for all strips.
    pub(super) fn loop_in_strips(&mut self, this: &Loop) -> Block {
        let (var, range) = range_of(this);
        let counted = self.counted(range);
        let strip = self.opaque("__strip");
        let iterations = within(this, var, strip, &counted);
        let each = vec![self.stmt(StmtKind::Loop(iterations))];
        self.strips(this, counted, (strip, None), each)
    }

    /// A loop whose records lie in strips: `body` makes what is done for one of them, of the loop over it.
    pub(super) fn over_strips(
        &mut self,
        this: &Loop,
        body: impl FnOnce(&mut Self, InStrip, Loop) -> Vec<Stmt>,
    ) -> Block {
        let (var, range) = range_of(this);
        let (strip, first, n) = (
            self.opaque("__strip"),
            self.index("__first"),
            self.index("__n"),
        );
        let start = self.index("__start");
        let counted = self.counted(range);
        let counter = match &counted.index {
            Some(by) => {
                debug_assert!(by.step == 1 && !by.down, "windows count up by one");
                self.sum(by.first.clone(), self.read(first))
            }
            None => self.read(first),
        };
        let plain = within(this, var, strip, &counted);
        let mut each = vec![self.declare(start, counter)];
        each.extend(body(
            self,
            InStrip {
                strip,
                first,
                start,
                n,
            },
            plain,
        ));
        self.strips(this, counted, (strip, Some((first, n))), each)
    }

    /// The loop over the strips. `extent`: names for which index is the first of a strip, and how many it has.
    fn strips(
        &self,
        this: &Loop,
        counted: Counted,
        (strip, extent): (VarId, Option<(VarId, VarId)>),
        each: Vec<Stmt>,
    ) -> Block {
        let (counter, range) = range_of(this);
        let site = this.strip.as_ref().map(|strip| strip.site);
        let strips = Strips {
            direction: this.sweep,
            counter,
            range: range.clone(),
            site: site.unwrap_or_else(|| unreachable!("it has strips")),
            lo: counted.lo,
            hi: counted.hi,
            strip,
            whole: extent.is_none() && has_one_strip(this),
            extent,
            body: Block { stmts: each },
        };
        let mut stmts = counted.before;
        stmts.push(self.stmt(StmtKind::Strips(Box::new(strips))));
        Block { stmts }
    }

    /// An inclusive range may end at the largest number, others go down or in steps: there, records are counted from
    /// the first one on.
    fn counted(&mut self, range: &RangeIter) -> Counted {
        if !range.inclusive && range.counts_up_by_one() {
            return Counted {
                lo: range.lo.clone(),
                hi: range.hi.clone(),
                index: None,
                before: Vec::new(),
            };
        }
        let (trips, number) = (self.index("__trips"), self.index("__k"));
        let step = range
            .known_step()
            .unwrap_or_else(|| unreachable!("such loops have no strips"));
        let (mut before, mut count) = (Vec::new(), self.trips(range));
        if step > 1 {
            let all = self.index("__all");
            before.push(self.declare(all, count));
            count = self.in_steps(all, step);
        }
        before.push(self.declare(trips, count));
        let index = Numbered {
            number,
            first: self.first_of(range, trips, step),
            step,
            down: range.rev != range.rev_first,
        };
        Counted {
            lo: self.count(0),
            hi: self.read(trips),
            index: Some(index),
            before,
        }
    }

    /// How many of so many numbers are met in steps, the first among them.
    fn in_steps(&self, all: VarId, step: u16) -> Expr {
        let by = |op| {
            let step = self.count(step.into());
            self.binary(op, self.read(all), step, Ty::USIZE)
        };
        let more = self.binary(BinOp::Gt, by(BinOp::Rem), self.count(0), Ty::Bool);
        let one = self.function(Function::OneIf, vec![more], Ty::USIZE);
        self.sum(by(BinOp::Div), one)
    }

    /// The counter of the first iteration, if there is one.
    fn first_of(&self, range: &RangeIter, trips: VarId, step: u16) -> Expr {
        let minus = |a, b| self.binary(BinOp::Sub, a, b, Ty::USIZE);
        let begin = match range.rev_first {
            false => range.lo.clone(),
            true if range.inclusive => range.hi.clone(),
            true => minus(range.hi.clone(), self.count(1)),
        };
        if !range.rev {
            return begin;
        }
        if range.step.is_none() && !range.rev_first {
            return match range.inclusive {
                true => range.hi.clone(),
                false => minus(range.hi.clone(), self.count(1)),
            };
        }
        let last = minus(self.read(trips), self.count(1));
        let steps = self.binary(BinOp::Mul, self.count(step.into()), last, Ty::USIZE);
        match range.rev_first {
            false => self.sum(begin, steps),
            true => minus(begin, steps),
        }
    }
}
