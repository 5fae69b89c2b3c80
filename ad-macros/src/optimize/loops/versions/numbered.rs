//! Loops whose iterations are numbered from zero on, so that parts of them can run in other ways than the rest.

use crate::ir::versions::Windows;
use crate::ir::{Block, Direction, Domain, Expr, Loop, Order, RangeIter, Stmt, StmtKind, VarId};

use super::strips::InStrip;
use super::{Maker, Records};

/// Where the records of iterations are, and in which of them they are counted from that number on.
pub(super) type Recorded<'a> = Option<(&'a Records, VarId, Option<VarId>)>;

/// The iterations of a loop.
#[derive(Clone)]
pub(super) struct Numbered {
    pub(super) counter: VarId,
    /// The first value of the counter, how many iterations there are, and how many are done.
    pub(super) start: VarId,
    pub(super) n: VarId,
    pub(super) done: VarId,
    /// The number of an iteration among all.
    pub(super) number: VarId,
    /// What begins an iteration, and what ends it.
    pub(super) records: [Option<Stmt>; 2],
}

impl Maker<'_> {
    /// The loop, or the loop over its strips: `make` makes the statements for some iterations of it, of which it is
    /// given the first counter and how many they are.
    pub(super) fn numbered(
        &mut self,
        this: &Loop,
        range: &RangeIter,
        make: impl FnOnce(&mut Self, &Loop, (VarId, VarId), Recorded<'_>) -> Vec<Stmt>,
    ) -> Block {
        let Some(strip) = &this.strip else {
            let (start, n) = (self.index("__start"), self.index("__n"));
            let trips = self.trips(range);
            let mut stmts = vec![
                self.declare(start, range.lo.clone()),
                self.declare(n, trips),
            ];
            stmts.extend(make(self, this, (start, n), None));
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
            match plain.sweep {
                Direction::Forward => {
                    let recorded = Some((&records, records.strip, Some(first)));
                    make(maker, &plain, (start, n), recorded)
                }
                // Records of variable size are taken off one by one.
                Direction::Reverse => {
                    let of = maker.opaque("__records");
                    let windows = Windows::Records {
                        var: of,
                        strip: records.strip,
                        len: maker.read(n),
                        direction: Direction::Reverse,
                    };
                    let mut stmts = vec![maker.window(windows)];
                    let recorded = Some((&records, of, None));
                    stmts.extend(make(maker, &plain, (start, n), recorded));
                    let plain = vec![maker.stmt(StmtKind::Loop(plain))];
                    vec![maker.versioned(Block { stmts }, Block { stmts: plain })]
                }
            }
        })
    }

    /// What begins iterations, and what ends them.
    pub(super) fn records_of(&self, recorded: Recorded<'_>, number: VarId) -> [Option<Stmt>; 2] {
        let mut records = [None, None];
        if let Some((record, of, first)) = recorded {
            let at = match first {
                Some(first) => self.sum(self.read(first), self.read(number)),
                None => self.read(number),
            };
            let ends = usize::from(record.direction == Direction::Forward);
            records[ends] = Some(self.record(record, of, at));
        }
        records
    }

    /// Declares the counter.
    pub(super) fn counter_of(&self, all: &Numbered) -> Stmt {
        let value = self.sum(self.read(all.start), self.read(all.number));
        self.declare(all.counter, value)
    }

    /// The iterations with these numbers, as they stand.
    pub(super) fn as_they_stand(&self, this: &Loop, all: &Numbered, range: [Expr; 2]) -> Stmt {
        let [begin, end] = all.records.clone();
        let mut stmts = vec![self.counter_of(all)];
        stmts.extend(begin);
        stmts.extend(this.body.stmts.iter().cloned());
        stmts.extend(end);
        let mut part = self.counting_from(all.number, range, stmts);
        if let StmtKind::Loop(part) = &mut part.kind {
            part.sweep = this.sweep;
        }
        part
    }

    /// `for var in lo..hi`
    pub(super) fn counting_from(&self, var: VarId, [lo, hi]: [Expr; 2], body: Vec<Stmt>) -> Stmt {
        let mut this = self.counting(var, hi, Order::Forward, body);
        if let StmtKind::Loop(Loop {
            domain: Domain::Range { range, .. },
            ..
        }) = &mut this.kind
        {
            range.lo = lo;
        }
        this
    }
}
