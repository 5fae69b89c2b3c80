//! Where adjoints are used for anything but sums, and the loops around jammed loops.

use crate::ir::faults::Fault;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{Jam, Stmt, StmtKind, Touch, VarId, View, expr_reads, shallow_touches};

/// Statements have numbers, in the order in which they stand, those of a block after the one that holds it.
pub(in crate::optimize) struct Survey {
    next: usize,
    /// By number: the statement behind the loop, and its counter.
    loops: HashMap<usize, (usize, Option<VarId>)>,
    /// The loops around a loop, jammed or not, the outermost first.
    around: HashMap<usize, Vec<usize>>,
    /// Where an adjoint is declared, read or overwritten, in order.
    others: HashMap<VarId, Vec<usize>>,
}

impl Survey {
    pub(in crate::optimize) fn of(stmts: &[Stmt], bars: &HashMap<VarId, VarId>) -> Self {
        let mut survey = Survey {
            next: 0,
            loops: HashMap::default(),
            around: HashMap::default(),
            others: HashMap::default(),
        };
        survey.stmts(stmts, &mut Vec::new(), bars);
        survey
    }

    fn stmts(&mut self, stmts: &[Stmt], around: &mut Vec<usize>, bars: &HashMap<VarId, VarId>) {
        for stmt in stmts {
            let at = self.next;
            self.next += 1;
            other_uses(stmt, &mut |var| {
                if bars.contains_key(&var) {
                    self.others.entry(var).or_default().push(at);
                }
            });
            let counter = counter(stmt);
            if counter.is_some() {
                self.around.insert(at, around.clone());
            }
            // Each worker has adjoints of its own.
            let mut none = Vec::new();
            let inner = if matches!(stmt.kind, StmtKind::Parallel(_)) {
                &mut none
            } else {
                &mut *around
            };
            inner.extend(counter.is_some().then_some(at));
            for block in stmt.kind.blocks() {
                self.stmts(&block.stmts, inner, bars);
            }
            if let Some(counter) = counter {
                inner.pop();
                self.loops.insert(at, (self.next, counter));
            }
        }
    }

    /// The statement behind a loop, jammed or not.
    pub(in crate::optimize) fn behind(&self, at: usize) -> usize {
        self.loops[&at].0
    }

    /// Whether a statement is a loop that stands in another one.
    pub(in crate::optimize) fn runs_again(&self, at: usize) -> bool {
        self.around.get(&at).is_some_and(|loops| !loops.is_empty())
    }

    /// The outermost loop around a jammed one that only adds to these rows, always the same ones.
    pub(in crate::optimize) fn around(
        &self,
        at: usize,
        jam: &Jam,
        view: &View,
    ) -> Result<usize, String> {
        if !view.of.is_path() {
            return Err("its rows lie in an array of arrays".to_owned());
        }
        let moving = index_of(jam, view);
        let mut found = None;
        for number in self.around[&at].iter().rev() {
            let (end, counter) = self.loops[number];
            if let Err(why) = self.stays(view.of.root, (*number, end), counter, &moving) {
                return found.ok_or_else(|| why.to_owned());
            }
            found = Some(*number);
        }
        found.ok_or_else(|| "no loop around it runs it again".to_owned())
    }

    fn stays(
        &self,
        bar: VarId,
        (first, end): (usize, usize),
        counter: Option<VarId>,
        moving: &HashSet<VarId>,
    ) -> Result<(), &'static str> {
        if counter.is_some_and(|counter| moving.contains(&counter)) {
            return Err("each iteration of the loop around it adds to other rows");
        }
        let others = self.others.get(&bar).map_or(&[][..], Vec::as_slice);
        let next = others.partition_point(|at| *at < first);
        let other = others.get(next).is_some_and(|at| *at < end);
        if other && !Fault::DeferredReadBefore.is_on() {
            return Err("the loop around it does more with it than adding to it");
        }
        Ok(())
    }
}

/// The variables that say which rows they are.
fn index_of(jam: &Jam, view: &View) -> HashSet<VarId> {
    let mut vars = HashSet::default();
    let mut new = vec![&view.index];
    new.extend(jam.range.exprs().chain(jam.inner_range.exprs()));
    while let Some(e) = new.pop() {
        expr_reads(e, &mut |p| {
            if vars.insert(p.root) {
                let held = jam.ints.iter().find(|(var, _)| *var == p.root);
                new.extend(held.map(|(_, held)| held));
            }
        });
    }
    vars
}

/// The counter of a loop, if it has one; `None` if it is no loop.
fn counter(stmt: &Stmt) -> Option<Option<VarId>> {
    stmt.as_loop().map(|this| this.domain.counter())
}

/// Calls `f` with each variable that the statement itself uses for anything but adding to it.
fn other_uses(stmt: &Stmt, f: &mut dyn FnMut(VarId)) {
    shallow_touches(stmt, &mut |place, touch| {
        if touch != Touch::Add {
            f(place.root);
        }
    });
}
